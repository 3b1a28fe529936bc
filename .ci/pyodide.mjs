// Runs the tests on CPython 3.14, compiled to WebAssembly, under node:
//
//     node .ci/pyodide.mjs FOLDER
//
// FOLDER contains node_modules/pyodide and site-packages, as made by `.ci/run pyodide`.
// WebAssembly has no processes, threads, sockets or signals: tests that need them have the marker
// needs_process, and .ci/pyodide_tests.py deselects them. The exit status is that of pytest.
import { writeSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { Worker, isMainThread, workerData } from "node:worker_threads";

async function test(work) {
  const checkout = fileURLToPath(new URL("..", import.meta.url));
  const require = createRequire(path.join(work, "package.json"));
  const { loadPyodide } = await import(require.resolve("pyodide/pyodide.mjs"));
  const passed = ["CI", "PYTEST_ADDOPTS", "TYPESIG_LAWS"].filter((name) => name in process.env);
  const python = await loadPyodide({
    env: {
      HOME: "/home/pyodide",
      PYTHONDONTWRITEBYTECODE: "1",
      ...Object.fromEntries(passed.map((name) => [name, process.env[name]])),
    },
  });
  // The default streams need file descriptors, which the streams of a worker thread do not have.
  python.setStdin({ stdin: () => null });
  python.setStdout({ write: (bytes) => writeSync(1, bytes) });
  python.setStderr({ write: (bytes) => writeSync(2, bytes) });
  python.mountNodeFS("/site-packages", path.join(work, "site-packages"));
  python.mountNodeFS("/checkout", checkout);
  // Not runPythonAsync: tests could not start an event loop inside a running one.
  return python.runPython(`
    import os, runpy, sys
    os.chdir("/checkout")
    sys.path[:0] = ["/checkout", "/site-packages"]
    runpy.run_path("/checkout/.ci/pyodide_tests.py")["main"]()
  `);
}

if (isMainThread) {
  // Only a thread can have a large stack. On a small stack, deep recursion ends the whole engine
  // before CPython raises RecursionError.
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
