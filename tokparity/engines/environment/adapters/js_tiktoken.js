// js-tiktoken: OpenAI's vocabularies, which it brings itself; a .tiktoken file says which one is meant.
"use strict";
const { OfTiktoken } = require("../interfaces.js");
const vocabulary = require("../vocabulary.js");

const NAME = "js-tiktoken";
const ENCODINGS = ["cl100k_base", "o200k_base", "p50k_base", "r50k_base"];

class Model extends OfTiktoken {
  static async open(load, path) {
    const known = vocabulary.brought(ENCODINGS, (name) => load(`js-tiktoken/ranks/${name}`));
    for (const [, found] of known) {
      const ranks = Model.ranks(found.bpe_ranks);
      if (vocabulary.isTable(path, [...ranks.keys()], (id) => ranks.get(id)))
        return new Model(new (load("js-tiktoken/lite").Tiktoken)(found));
    }
    throw vocabulary.none(NAME, known.map(([name]) => name));
  }

  static ranks(lines) {
    const rows = lines.split("\n").filter(Boolean).map((line) => line.split(" ").slice(1)); // "! FIRST PIECE PIECE"
    const numbered = ([first, ...pieces]) => pieces.map((piece, i) => [Number(first) + i, Buffer.from(piece, "base64")]);
    return new Map(rows.flatMap(numbered));
  }
}

module.exports = { NAME, Model };
