// A tokenizer behind tokparity's exec protocol: exec:node adapter.js. Put your own in place of `Tokenizer`.
"use strict";

class Tokenizer {
  // The ids of a text are its bytes, and 3; 1 goes before them where special tokens are added.
  constructor(path, options) {
    this.path = path;
  }

  encode(text, addSpecial, parseSpecial) {
    return [...(addSpecial ? [1] : []), ...Array.from(text, (byte) => 3 + byte)];
  }

  decode(ids, skipSpecial) {
    return Buffer.from(ids.filter((id) => id >= 3).map((id) => id - 3));
  }
}

const CAPABILITIES = {
  invalid_utf8: true, // the tokenizer takes bytes that are not UTF-8
  add_special: [false, true],
  parse_special: [false],
  decodes: true,
  skip_special: [true],
};

const toBytes = (text) => (typeof text === "string" ? Buffer.from(text, "utf8") : Buffer.from(text.base64, "base64"));

function toJson(bytes) {
  const text = bytes.toString("utf8");
  return Buffer.from(text, "utf8").equals(bytes) ? text : { base64: bytes.toString("base64") };
}

// One text that fails takes no other one with it.
const orWhy = (answer) => (item) => { try { return answer(item); } catch (error) { return { error: String(error) }; } };

let tokenizer = null;
const encode = (text, asked) => tokenizer.encode(toBytes(text), asked.add_special, asked.parse_special);

function answer(request) {
  switch (request.op) {
    case "hello":
      return { protocol: 1, name: "bytes in JavaScript", version: "1", capabilities: CAPABILITIES };
    case "open":
      tokenizer = new Tokenizer(request.path, request.options);
      return {};
    case "encode":
      return { ids: request.texts.map(orWhy((text) => encode(text, request))) };
    case "decode":
      return { texts: request.ids.map(orWhy((ids) => toJson(tokenizer.decode(ids, request.skip_special)))) };
    default:
      return { error: "unknown op " + request.op };
  }
}

require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const request = JSON.parse(line);
  if (request.op === "bye") process.exit(0);
  process.stdout.write(JSON.stringify({ id: request.id, ...answer(request) }) + "\n");
});
