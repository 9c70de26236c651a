// gpt-tokenizer: OpenAI's vocabularies, which it brings itself; a .tiktoken file says which one is meant.
"use strict";
const { OfTiktoken } = require("../interfaces.js");
const vocabulary = require("../vocabulary.js");

const NAME = "gpt-tokenizer";
const ENCODINGS = ["cl100k_base", "o200k_base", "p50k_base", "r50k_base"];

class Model extends OfTiktoken {
  static async open(load, path) {
    const known = vocabulary.brought(ENCODINGS, (name) => load(`gpt-tokenizer/bpeRanks/${name}`).default);
    for (const [name, ranks] of known) {
      if (vocabulary.isTable(path, Object.keys(ranks), (id) => ranks[id]))
        return new Model(load(`gpt-tokenizer/encoding/${name}`));
    }
    throw vocabulary.none(NAME, known.map(([name]) => name));
  }

  encode(text, addSpecial, parseSpecial) {
    return this.library.encode(text, parseSpecial ? { allowedSpecial: "all" } : { disallowedSpecial: new Set() });
  }
}

module.exports = { NAME, Model };
