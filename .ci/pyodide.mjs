// Runs the tests on CPython 3.14, compiled to WebAssembly, under node:
//
//     node .ci/pyodide.mjs FOLDER
//
// FOLDER holds node_modules/pyodide and site-packages, as `.ci/run pyodide` lays them out.
// There are no processes, threads, sockets or signals in there: tests that need them carry
// the marker needs_process, and .ci/pyodide_tests.py leaves them out. The exit status is pytest's.
import { writeSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { Worker, isMainThread, workerData } from "node:worker_threads";

async function test(work) {
  const checkout = fileURLToPath(new URL("..", import.meta.url));
  const require = createRequire(path.join(work, "package.json"));
  const { loadPyodide } = await import(require.resolve("pyodide/pyodide.mjs"));
  const passed = ["CI", "PYTEST_ADDOPTS"].filter((name) => name in process.env);
  const python = await loadPyodide({
    env: {
      HOME: "/home/pyodide",
      PYTHONDONTWRITEBYTECODE: "1",
      ...Object.fromEntries(passed.map((name) => [name, process.env[name]])),
    },
  });
  // By default the streams of `process` are asked for descriptors; a thread's have none.
  python.setStdin({ stdin: () => null });
  python.setStdout({ write: (bytes) => writeSync(1, bytes) });
  python.setStderr({ write: (bytes) => writeSync(2, bytes) });
  python.mountNodeFS("/site-packages", path.join(work, "site-packages"));
  python.mountNodeFS("/checkout", checkout);
  // Not runPythonAsync: inside a running event loop no test could start its own.
  return python.runPython(`
    import os, runpy, sys
    os.chdir("/checkout")
    sys.path[:0] = ["/checkout", "/site-packages"]
    runpy.run_path("/checkout/.ci/pyodide_tests.py")["main"]()
  `);
}

if (isMainThread) {
  // A thread may ask for a large stack. On a small one deep recursion ends the whole engine
  // where CPython would have raised RecursionError.
  const worker = new Worker(new URL(import.meta.url), {
    workerData: path.resolve(process.argv[2]),
    resourceLimits: { stackSizeMb: 64 },
  });
  worker.on("error", (error) => {
    console.error(error);
    process.exitCode = 1;
  });
  worker.on("exit", (status) => {
    process.exitCode ||= status;
  });
} else {
  process.exitCode = await test(workerData);
}
