// Runs in a worker: starts Python from the files of the site, and answers requests by play/page.py.
// What is sent to it is {id, request, modules}; it tells {id, began}, {id, answer}, {id, failure},
// and {loading} or {ready} about itself.

const MODULES = ["__init__.py", "marks.py", "page.py", "pasted.py", "rows.py", "sent.py", "texts.py"];
const parts = new URL("parts/", import.meta.url);

const starting = start();
starting.catch((error) => postMessage({ broken: String(error?.message ?? error) }));

// Requests are answered in the order in which they come.
let last = Promise.resolve();
onmessage = ({ data }) => {
  last = last.then(() => answer(data));
};

async function start() {
  postMessage({ loading: "Python" });
  const list = await (await found("parts.json")).json();
  const { loadPyodide } = await import(new URL("pyodide/pyodide.mjs", parts));
  const python = await loadPyodide({ indexURL: new URL("pyodide/", parts).href });
  postMessage({ loading: "typesig" });
  const loaded = new Set();
  await load(python, list.first, loaded);
  python.FS.mkdir("/home/pyodide/play");
  await Promise.all(
    MODULES.map(async (name) => {
      const source = await (await fetch(new URL(`play/${name}`, import.meta.url))).text();
      python.FS.writeFile(`/home/pyodide/play/${name}`, source);
    }),
  );
  const page = python.pyimport("play.page").Page();
  postMessage({ ready: { version: list.typesig, python: list.python, bytes: list.bytes } });
  return { python, page, list, loaded };
}

async function answer({ id, request, modules }) {
  try {
    const { python, page, list, loaded } = await starting;
    for (const name of modules ?? []) {
      const wheels = (Object.hasOwn(list.modules, name) ? list.modules[name] : []).filter(
        (wheel) => !loaded.has(wheel),
      );
      if (wheels.length) {
        postMessage({ loading: name });
        await load(python, wheels, loaded);
      }
    }
    postMessage({ id, began: true });
    postMessage({ id, answer: JSON.parse(page.answer(JSON.stringify(request))) });
  } catch (error) {
    // Python itself has ended, such as by a stack that is too deep.
    postMessage({ id, failure: String(error?.message ?? error).slice(0, 2_000) });
  }
}

async function load(python, wheels, loaded) {
  const got = await Promise.all(wheels.map(async (name) => (await found(`wheels/${name}`)).arrayBuffer()));
  for (const buffer of got) python.unpackArchive(buffer, "whl");
  wheels.forEach((name) => loaded.add(name));
  python.runPython("import importlib; importlib.invalidate_caches()");
}

async function found(name) {
  const response = await fetch(new URL(name, parts));
  if (!response.ok) {
    throw new Error(`${name} is not there (${response.status}): build the site by "bash .ci/run site"`);
  }
  return response;
}
