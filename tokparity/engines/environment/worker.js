// An engine of npm behind the exec protocol (docs/engines-exec.md): worker.js ENVIRONMENT ENGINE.
"use strict";
const path = require("node:path");
const { createRequire } = require("node:module");

const [folder, engine] = process.argv.slice(2);
const out = process.stdout.write.bind(process.stdout);
process.stdout.write = process.stderr.write.bind(process.stderr); // what a package prints is no answer
const load = createRequire(path.join(folder, "package.json"));
const { NAME, Model } = require(path.join(__dirname, "adapters", `${engine.replaceAll("-", "_")}.js`));

const message = (error) => `${error?.name ?? "Error"}: ${error?.message ?? error}`.slice(0, 2000);
// One text that fails takes no other one with it.
const orWhy = (answer) => (item) => { try { return answer(item); } catch (error) { return { error: message(error) }; } };

let model = null;

async function answer(request) {
  switch (request.op) {
    case "hello":
      return { protocol: 1, name: engine, version: installedVersion() };
    case "open":
      model = await Model.open(load, request.path, request.options);
      return { capabilities: model.capabilities };
    case "encode":
      return { ids: request.texts.map(orWhy((text) => Array.from(model.encode(text, request.add_special, request.parse_special)))) };
    case "decode":
      return { texts: request.ids.map(orWhy((ids) => model.decode(ids, request.skip_special))) };
    case "render":
      return { prompts: request.questions.map(orWhy((question) => model.render(question))) };
    default:
      return { error: `unknown op ${request.op}` };
  }
}

function installedVersion() {
  const file = path.join(folder, "node_modules", NAME, "package.json");
  const { version } = JSON.parse(require("node:fs").readFileSync(file, "utf8"));
  return `${version} (Node.js ${process.versions.node})`;
}

async function main() {
  for await (const line of require("node:readline").createInterface({ input: process.stdin })) {
    const request = JSON.parse(line);
    if (request.op === "bye") break;
    let reply;
    try { reply = await answer(request); } catch (error) { reply = { error: message(error) }; }
    out(JSON.stringify({ id: request.id, ...reply }) + "\n");
  }
}

main();
