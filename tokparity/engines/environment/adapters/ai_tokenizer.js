// ai-tokenizer: OpenAI's vocabularies, which it brings itself; a .tiktoken file says which one is meant.
"use strict";
const { OfTiktoken } = require("../interfaces.js");
const vocabulary = require("../vocabulary.js");

const NAME = "ai-tokenizer";
const ENCODINGS = ["cl100k_base", "o200k_base", "p50k_base"];

class Model extends OfTiktoken {
  static async open(load, path) {
    const known = vocabulary.brought(ENCODINGS, (name) => load(`ai-tokenizer/encoding/${name}`));
    for (const [, encoding] of known) {
      if (vocabulary.isTable(path, Object.keys(encoding.decoder), (id) => encoding.decoder[id]))
        return new Model(new (load("ai-tokenizer").Tokenizer)(encoding));
    }
    throw vocabulary.none(NAME, known.map(([name]) => name));
  }
}

module.exports = { NAME, Model };
