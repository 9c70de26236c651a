// Put the groups of test vectors to an engine: node run_groups.mjs MODEL.vectors.json [results.jsonl]
// Write engine.mjs with what it has of encode and decode, as for run_vectors.mjs, and of these; other groups are left out:
//   stream(prefill, ids, skipSpecial)      texts: one for each id, and a last one for what is left
//   spans(text, addSpecial, parseSpecial)  [ids, pairs]: of each id the first character, and the one behind its last
//   render(template, tokens, conversation) the prompt, or a pair: the prompt, and the ids that you make of it
// A text is a string or bytes; characters are code points. What a function throws fails that case alone. Exit 0: all pass.
import { readFileSync, writeFileSync } from "node:fs";
import * as engine from "./engine.mjs";

const needs = { streams: ["stream"], spans: ["spans"], again: ["encode", "decode"], conversations: ["render"] };
const data = (text) => (text.base64 === undefined ? Buffer.from(text) : Buffer.from(text.base64, "base64"));
const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);
const step = (value, byte) => Math.imul(value ^ byte, 0x01000193) >>> 0;
const fnv1a = (some) => ({ fnv1a: some.reduce(step, 0x811c9dc5).toString(16).padStart(8, "0") });
const ask = { // the answer, whether it is right, and the hash by which faults are known
  async stream(one, right) {
    const deltas = [...(await engine.stream(one.prefill, one.ids, one.skip_special))].map(data), joined = Buffer.concat(deltas);
    const left = deltas.slice(0, -1).map((_, at) => joined.length - Buffer.concat(deltas.slice(0, at + 1)).length);
    const inTime = left.length === right.later.length && left.every((some, at) => some <= right.later[at]);
    const parts = deltas.flatMap((delta, at) => (at ? [Buffer.of(255), delta] : [delta]));
    const ok = inTime && right.texts.some((text) => joined.equals(data(text)));
    return [{ deltas: deltas.map((delta) => ({ base64: delta.toString("base64") })) }, ok, fnv1a(Buffer.concat(parts))];
  },
  async spans(one, right) {
    const [ids, spans] = await engine.spans(one.text, one.add_special, one.parse_special);
    const inside = ([start, end], at) => start === end || (right.outer[at][0] <= start && start <= end && end <= right.outer[at][1]);
    const has = (at) => spans.some(([start, end]) => start <= at && at < end);
    const all = right.must.flatMap(([start, end]) => Array.from({ length: end - start }, (_, at) => start + at));
    const ok = same(ids, right.ids) && spans.length === ids.length && spans.every(inside) && all.every(has);
    return [{ ids, spans }, ok, fnv1a(Buffer.from([...ids, ...spans.flat()].join()))];
  },
  async again(one, right) {
    const text = await engine.decode(one.ids, one.skip_special), ids = await engine.encode(text, one.add_special, one.parse_special);
    return [{ text: { base64: data(text).toString("base64") }, ids }, data(text).equals(data(right.text)) && same(ids, right.ids)];
  },
  async render(one, right, { template, tokens }) {
    const given = await engine.render(template, tokens, one.conversation), [text, row] = Array.isArray(given) ? given : [given];
    const prompt = data(text), ids = row && Array.from(row), ok = right.prompt !== undefined && prompt.equals(data(right.prompt));
    const both = ok && ids ? Buffer.concat([prompt, Buffer.of(255), Buffer.from(ids.join())]) : prompt;
    return [{ prompt: { base64: prompt.toString("base64") }, ids }, ok && (!ids || same(ids, right.ids)), fnv1a(both)];
  },
};
const count = (rows) => rows.flat().reduce((times, name) => times.set(name, (times.get(name) ?? 0) + 1), new Map());
const say = (line) => console.log(line.slice(0, 300).replace(/[^ -~]/g, "?"));

async function run(name, group) {
  let left = [], { cases, faults } = group, missing = needs[name].find((need) => !engine[need]);
  if (missing) return say(`the group ${name} is left out: engine.mjs has no function ${missing}`);
  for (const one of cases) {
    let [answer, ok, found] = [{}, Boolean(one.answer.raises), null];
    try { [answer, ok, found] = await ask[one.ask](one, one.answer, group); } catch (error) { answer = { error: String(error).slice(0, 200) }; }
    written.push(JSON.stringify({ id: one.id, ...answer }) + "\n");
    if (ok) continue;
    left.push(one.wrong.filter((other) => same(other.answer, found)).flatMap((other) => other.faults));
    say(`FAIL ${one.id}: ${one.comment}: ${left.at(-1).join(", ") || "no known fault"}`);
    say(`  right ${JSON.stringify(one.answer)}`), say(`  yours ${JSON.stringify(answer)}`);
  }
  const failed = left.length, met = count(left), shown = count(cases.flatMap((one) => one.wrong.map((other) => other.faults)));
  for (let hits = count(left); hits.size; hits = count(left)) {
    const worth = (fault) => (hits.get(fault) * met.get(fault)) / shown.get(fault);
    const best = [...hits.keys()].sort().reduce((one, other) => (worth(other) > worth(one) ? other : one));
    const names = [best, ...(faults[best].alike ?? [])].map((fault) => `\`${fault}\``).join(", ");
    say(`${hits.get(best)} of ${failed} failures have one known cause, an engine that ${faults[best].does}: ${names}`);
    left = left.filter((given) => !given.includes(best));
  }
  if (left.length && shown.size) say(`${left.length} of ${failed} failures have no known cause, or more than one`);
  say(`${cases.length - failed} of ${cases.length} cases pass, the group is ${cases[0].ask}`);
  process.exitCode = failed || process.exitCode === 1 ? 1 : 0;
}

const [, , path, results = "results.jsonl"] = process.argv, written = [];
try {
  const vectors = JSON.parse(readFileSync(path, "utf8")), here = Object.keys(needs).filter((name) => vectors[name]);
  process.exitCode = 2; // until something was asked
  for (const name of here) await run(name, vectors[name]);
  if (!here.length) say("nothing was asked: the file has no groups");
  writeFileSync(results, written.join(""));
} catch (error) {
  say(`${path} cannot be read as test vectors: ${error.message}`), (process.exitCode = 2);
}
