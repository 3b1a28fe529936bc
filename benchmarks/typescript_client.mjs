// The official TypeScript client of MCP on the server of examples/served.py, over both transports.
//
//     npm install --prefix /tmp/client @modelcontextprotocol/sdk
//     node benchmarks/typescript_client.mjs /tmp/client python3
//
// The second argument is a Python with typesig[cli,mcp].  It prints what the client gets, and exits
// with 1 if that is not what the server should tell.
import { strict as assert } from "node:assert";
import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import path from "node:path";
import { pathToFileURL } from "node:url";

const [home, python] = process.argv.slice(2);
const root = path.dirname(path.dirname(new URL(import.meta.url).pathname));
const require = createRequire(path.join(path.resolve(home), "package.json"));
const load = (name) => import(pathToFileURL(require.resolve(`@modelcontextprotocol/sdk/${name}`)));
const { Client } = await load("client/index.js");
const { StdioClientTransport } = await load("client/stdio.js");
const { StreamableHTTPClientTransport } = await load("client/streamableHttp.js");
const { LoggingMessageNotificationSchema } = await load("types.js");

const TOKEN = "a-token-of-the-benchmark";
const command = ["-m", "typesig", "serve", "examples.served:server"];
const env = { ...process.env, PYTHONPATH: root, TYPESIG_MCP_TOKEN: TOKEN };

async function use(name, transport) {
  const client = new Client({ name: "benchmark", version: "1" });
  const logged = [];
  const progress = [];
  client.setNotificationHandler(LoggingMessageNotificationSchema, (m) => logged.push(m.params));
  await client.connect(transport);
  const { tools } = await client.listTools();
  assert.deepEqual(
    tools.map((tool) => tool.name),
    ["search", "place_order", "orders", "cancel", "raise_prices"],
  );
  assert.equal(tools[4].title, "Raise prices");
  assert.equal(tools[4].annotations.destructiveHint, true);
  assert.equal(client.getServerCapabilities().tools.listChanged, true);

  // The client checks structured content against the schema that was listed.
  const found = await client.callTool({ name: "search", arguments: { query: "2027", limit: "1" } });
  assert.equal(found.structuredContent.items[0].title, "Budget 2027");
  const raised = await client.callTool(
    { name: "raise_prices", arguments: { percent: 10 } },
    undefined,
    { onprogress: (each) => progress.push(each.message) },
  );
  assert.deepEqual(raised.structuredContent, { "Budget 2027": 10.45, "Budget 2028": 13.2 });
  // The client loses progress that it reads in one piece with the result.
  assert.equal(progress[0], "Budget 2027");
  assert.deepEqual(
    logged.map((each) => [each.level, each.data]),
    [["notice", "2 prices raised"]],
  );
  const wrong = await client.callTool({ name: "search", arguments: { limit: "few" } });
  assert.equal(wrong.isError, true);
  const many = await Promise.all(
    Array.from({ length: 100 }, async (_, number) => {
      const controller = new AbortController();
      const call = client.callTool(
        { name: "search", arguments: { query: "2028" } },
        undefined,
        { signal: controller.signal },
      );
      if (number % 2) setTimeout(() => controller.abort(), 0);
      return call.then(() => "answered", () => "aborted");
    }),
  );
  assert.equal(many.length, 100);
  await client.callTool({ name: "orders", arguments: {} });
  await client.close();
  const aborted = many.filter((each) => each === "aborted").length;
  console.log(`${name}: 5 tools, results, errors, progress, log; 100 calls, ${aborted} aborted`);
}

await use(
  "stdio",
  new StdioClientTransport({ command: python, args: command, cwd: root, env, stderr: "ignore" }),
);

const server = spawn(python, [...command, "--http", "--port", "0"], { cwd: root, env });
const address = await new Promise((resolve, reject) => {
  let text = "";
  server.stderr.on("data", (part) => {
    text += part;
    const found = /at (http:\S+?),/.exec(text);
    if (found) resolve(found[1]);
  });
  server.on("exit", () => reject(new Error(text)));
});
try {
  const headers = { Authorization: `Bearer ${TOKEN}` };
  const transport = () =>
    new StreamableHTTPClientTransport(new URL(address), { requestInit: { headers } });
  await use("http", transport());
  const refused = new StreamableHTTPClientTransport(new URL(address));
  await assert.rejects(new Client({ name: "benchmark", version: "1" }).connect(refused));
  console.log("http without the token: refused");
} finally {
  server.removeAllListeners("exit");
  server.kill();
}
