// Put test vectors to an engine: node run_vectors.mjs MODEL.vectors.json [results.jsonl]. Write engine.mjs, which exports
// encode(text, addSpecial, parseSpecial) for ids and decode(ids, skipSpecial) for a text, or the first alone; they may be async.
// A text is a string, or a Buffer where it is not UTF-8. An error, or the end of the engine's process, fails that case alone.
import { spawnSync } from "node:child_process";
import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import * as engine from "./engine.mjs";
const [path = "", results = "results.jsonl", first] = process.argv.slice(2);
const say = (line, print = console.log) => print(line.replace(/[^ -~]/g, "?").slice(0, 300)); // no control characters
const escaped = (one) => "\\u" + one.charCodeAt(0).toString(16).padStart(4, "0");
const show = (value) => JSON.stringify(value).replace(/[^ -~]/g, escaped);
const bytes = (text) => (typeof text === "string" ? Buffer.from(text) : Buffer.from(text.base64, "base64"));
/** The FNV-1a hash of a text, or of ids with commas between them; answers are compared by it. */
function key(answer) {
  if (answer === null || answer.fnv1a) return answer && answer.fnv1a;
  let hash = 0x811c9dc5;
  for (const byte of bytes(Array.isArray(answer) ? answer.join() : answer)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  return hash.toString(16).padStart(8, "0");
}

async function ask(one) {
  try {
    const base64 = async () => Buffer.from(await engine.decode(one.ids, one.skip_special)).toString("base64");
    if (one.ask === "decode") return { text: { base64: await base64() } };
    const text = typeof one.text === "string" ? one.text : bytes(one.text);
    return { ids: Array.from(await engine.encode(text, one.add_special, one.parse_special), Number) };
  } catch (error) {
    return { error: String(error).slice(0, 200) };
  }
}
const count = (lists) => lists.flat().reduce((found, name) => found.set(name, (found.get(name) ?? 0) + 1), new Map());

/** Name the fault with most failures, times the share of its cases that fail as it would; again with the rest. */
function nameFaults(faults, failed, shown) {
  const met = count(failed);
  for (let left = failed; left.length; ) {
    const hits = count(left);
    const worth = (name) => (hits.get(name) * met.get(name)) / shown.get(name);
    const [best] = [...hits.keys()].sort().sort((a, b) => worth(b) - worth(a));
    if (!best) return say(`${left.length} of ${failed.length} failures have no known cause, or more than one`);
    const names = [best, ...(faults[best].alike ?? [])].map((name) => `\`${name}\``).join(", ");
    say(`${hits.get(best)} of ${failed.length} failures have one known cause, an engine that ${faults[best].does}: ${names}`);
    left = left.filter((given) => !given.includes(best));
  }
}

try {
  const { format, model, counts, faults, cases: all } = JSON.parse(readFileSync(path, "utf8"));
  if (format !== "tokparity-vectors-1" || counts.cases !== all.length) throw Error("it has another format, or cases are missing");
  const cases = all.filter((one) => one.ask === "encode" || engine.decode);
  const right = cases.map((one) => [one, ...(one.acceptable ?? [])].map((other) => key(other.answer)));
  const wrong = cases.map((one) => one.wrong.flatMap((other) => other.faults.map((name) => [name, key(other.answer)])));
  const shown = count(wrong.map((some) => some.map(([name]) => name)));
  for (const one of all) key(one[{ encode: "text", decode: "ids" }[one.ask]]), one.id.trim(), one.comment.trim();
  for (const name of shown.keys()) faults[name].does.trim(), model.trim();
  const keep = (one, answer) => appendFileSync(results, JSON.stringify({ id: one.id, ...answer }) + "\n");
  for (const one of cases.slice(first ?? cases.length)) keep(one, await ask(one));
  if (first) process.exit();
  writeFileSync(results, "");
  let answers = [];
  while (answers.length < cases.length) {
    spawnSync(process.execPath, [process.argv[1], path, results, answers.length], { stdio: "inherit" });
    answers = readFileSync(results, "utf8").split("\n").slice(0, -1).map((line) => JSON.parse(line));
    if (answers.length < cases.length) keep(cases[answers.length], { error: "the process ended" }), answers.push({});
  }
  const failed = [];
  cases.forEach((one, at) => {
    const { ids, text, error } = answers[at], answer = ids ?? text ?? null;
    if (right[at].includes(key(answer))) return;
    failed.push(wrong[at].filter((other) => other[1] === key(answer)).map(([name]) => name));
    say(`FAIL ${one.id}: ${show(one.comment)}: ${failed.at(-1).join(", ") || "no known fault"}`);
    say(`  asked ${show(one.text ?? one.ids)}`), say(`  right ${show(one.answer)}`);
    say(`  yours ${show(text ? bytes(text).toString() : error ?? answer)}`);
  });
  nameFaults(faults, failed, shown);
  say(`${cases.length - failed.length} of ${cases.length} cases of ${model} pass; the file has ${all.length}`);
  process.exitCode = failed.length ? 1 : 0;
} catch (error) {
  say(`${show(path)} cannot be read as test vectors: ${error.message}`, console.error);
  process.exitCode = 2;
}
