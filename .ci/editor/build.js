// Bundles editor.js with CodeMirror into one file, and the licences of all that is in it into another:
//
//     node build.js FOLDER
//
// writes FOLDER/editor.js and FOLDER/editor.LICENSES.txt.

import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const target = process.argv[2];

const { metafile } = await build({
  absWorkingDir: here,
  entryPoints: ["editor.js"],
  outfile: join(target, "editor.js"),
  bundle: true,
  minify: true,
  format: "esm",
  target: "es2022",
  metafile: true,
  logLevel: "warning",
});

// "node_modules/@codemirror/view/dist/index.js" is of the package "@codemirror/view".
const names = Object.keys(metafile.inputs).map((path) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1]);
const packages = [...new Set(names.filter((name) => name !== undefined))].sort();
const licences = packages.map((name) => {
  const folder = join(here, "node_modules", name);
  const { version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf-8"));
  return `${name} ${version}\n\n${readFileSync(join(folder, "LICENSE"), "utf-8").trim()}\n`;
});
writeFileSync(join(target, "editor.LICENSES.txt"), licences.join(`\n${"-".repeat(80)}\n\n`));
