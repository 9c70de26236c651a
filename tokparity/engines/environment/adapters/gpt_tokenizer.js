// gpt-tokenizer: OpenAI's vocabularies, which it brings itself; a .tiktoken file says which one is meant.
"use strict";
const fs = require("node:fs");

const ENCODINGS = ["cl100k_base", "o200k_base", "p50k_base", "r50k_base"];

class Model {
  static async open(load, path) {
    const pieces = fs.readFileSync(path, "utf8").trim().split("\n").map((line) => line.split(" "));
    for (const name of ENCODINGS) {
      const ranks = load(`gpt-tokenizer/bpeRanks/${name}`).default;
      const size = Object.values(ranks).filter((piece) => piece.length).length;
      if (pieces.length === size && pieces.every(([piece, id]) => Model.bytes(ranks[id])?.equals(Buffer.from(piece, "base64"))))
        return new Model(load(`gpt-tokenizer/encoding/${name}`));
    }
    throw new Error(`gpt-tokenizer has only its own vocabularies (${ENCODINGS.join(", ")}), and this is none of them`);
  }

  static bytes(piece) {
    return piece === undefined ? undefined : Buffer.from(piece); // a string, or the bytes that are no UTF-8
  }

  constructor(library) {
    this.library = library;
    this.capabilities = { add_special: [false], parse_special: [false, true], decodes: true, skip_special: [false] };
  }

  encode(text, addSpecial, parseSpecial) {
    return this.library.encode(text, parseSpecial ? { allowedSpecial: "all" } : { disallowedSpecial: new Set() });
  }

  decode(ids) {
    return this.library.decode(ids);
  }
}

module.exports = { NAME: "gpt-tokenizer", Model };
