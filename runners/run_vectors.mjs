// Put test vectors to an engine: node run_vectors.mjs MODEL.vectors.json [results.jsonl]
//
// Write engine.mjs beside this file: export function encode(text, addSpecial, parseSpecial), which gives ids, and
// decode(ids, skipSpecial), which may be left out and gives text. A text is a string, or a Buffer where it is not valid
// UTF-8. Both may be async. Exit code 0: all cases pass.
import { appendFileSync, readFileSync, writeFileSync } from "node:fs";

const engine = await import("./engine.mjs");
const show = (value) => JSON.stringify(value).replace(/[^ -~]/g, (one) => "\\u" + one.charCodeAt(0).toString(16).padStart(4, "0"));

/** The engine's answer, spelled as in the file; null where it throws. */
async function ask(one) {
  try {
    if (one.ask === "encode") {
      const text = typeof one.text === "string" ? one.text : Buffer.from(one.text.base64, "base64");
      return Array.from(await engine.encode(text, one.add_special, one.parse_special), Number);
    }
    const text = await engine.decode(one.ids, one.skip_special);
    const data = Buffer.from(text);
    return data.equals(Buffer.from(data.toString())) ? data.toString() : { base64: data.toString("base64") };
  } catch {
    return null;
  }
}

/** Whether the answer is a stored one, which may be an FNV-1a hash. */
function matches(answer, stored) {
  if (answer === null || !stored?.fnv1a) return JSON.stringify(answer) === JSON.stringify(stored);
  const data = answer.base64 ? Buffer.from(answer.base64, "base64") : Buffer.from(Array.isArray(answer) ? answer.join() : answer);
  let hash = 0x811c9dc5;
  for (const byte of data) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  return stored.fnv1a === hash.toString(16).padStart(8, "0");
}

/** Name the fault with most failures, times the share of its cases that fail as it would; again with the rest. */
function nameFaults(faults, failures, share) {
  for (let left = failures; left.length; ) {
    let [best, most, hits] = ["", 0, 0];
    for (const name of Object.keys(faults).sort()) {
      const here = left.filter((given) => given.includes(name)).length;
      if (here && here * share(name) > most) [best, most, hits] = [name, here * share(name), here];
    }
    if (!best) return console.log(`${left.length} of ${failures.length} failures are the answers of no known fault, or of several`);
    const names = [best, ...(faults[best].alike ?? [])].map((name) => `\`${name}\``).join(", ");
    console.log(`${hits} of ${failures.length} failures are what an engine gives that ${faults[best].does}: ${names}`);
    left = left.filter((given) => !given.includes(best));
  }
}

let vectors;
try {
  vectors = JSON.parse(readFileSync(process.argv[2], "utf8"));
  if (vectors?.format !== "tokparity-vectors-1") throw new Error("its format is not tokparity-vectors-1");
} catch (error) {
  console.error(`${show(process.argv[2] ?? "")} cannot be read as test vectors: ${show(error.message)}`);
  process.exit(2);
}
const results = process.argv[3];
if (results) writeFileSync(results, "");
const cases = vectors.cases.filter((one) => one.ask === "encode" || engine.decode);
const count = (names, name) => names.filter((one) => one === name).length;
const [shown, met, failures] = [[], [], []];
for (const one of cases) {
  const answer = await ask(one);
  const kind = answer === null ? "error" : one.ask === "encode" ? "ids" : "text";
  if (results) appendFileSync(results, JSON.stringify({ id: one.id, [kind]: answer }) + "\n");
  const given = one.wrong.filter((wrong) => matches(answer, wrong.answer)).flatMap((wrong) => wrong.faults);
  shown.push(...one.wrong.flatMap((wrong) => wrong.faults));
  met.push(...given);
  if ([one, ...(one.acceptable ?? [])].some((right) => matches(answer, right.answer))) continue;
  failures.push(given);
  console.log(`FAIL ${one.id}: ${show(one.comment)}: ${given.join(", ") || "no known fault"}`);
  for (const [title, value] of [["asked", one.text ?? one.ids], ["right", one.answer], ["yours", answer]])
    console.log(`  ${title} ${show(value).slice(0, 200)}`);
}
nameFaults(vectors.faults, failures, (name) => count(met, name) / count(shown, name));
console.log(`${cases.length - failures.length} of ${cases.length} cases pass; the file has ${vectors.cases.length}`);
process.exit(failures.length ? 1 : 0);
