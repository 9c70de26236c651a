// js-tiktoken: OpenAI's vocabularies, which it brings itself; a .tiktoken file says which one is meant.
"use strict";
const fs = require("node:fs");

const ENCODINGS = ["cl100k_base", "o200k_base", "p50k_base", "r50k_base"];

class Model {
  static async open(load, path) {
    const pieces = fs.readFileSync(path, "utf8").trim().split("\n").map((line) => line.split(" "));
    for (const name of ENCODINGS) {
      const found = load(`js-tiktoken/ranks/${name}`);
      const ranks = Model.ranks(found.bpe_ranks);
      if (pieces.length === ranks.size && pieces.every(([piece, id]) => ranks.get(Number(id)) === piece))
        return new Model(new (load("js-tiktoken/lite").Tiktoken)(found));
    }
    throw new Error(`js-tiktoken has only its own vocabularies (${ENCODINGS.join(", ")}), and this is none of them`);
  }

  static ranks(lines) {
    const rows = lines.split("\n").filter(Boolean).map((line) => line.split(" ").slice(1)); // "! FIRST PIECE PIECE"
    return new Map(rows.flatMap(([first, ...pieces]) => pieces.map((piece, i) => [Number(first) + i, piece])));
  }

  constructor(library) {
    this.library = library;
    this.capabilities = { add_special: [false], parse_special: [false, true], decodes: true, skip_special: [false] };
  }

  encode(text, addSpecial, parseSpecial) {
    return this.library.encode(text, parseSpecial ? "all" : [], []);
  }

  decode(ids) {
    return this.library.decode(ids);
  }
}

module.exports = { NAME: "js-tiktoken", Model };
