// llama-tokenizer-js: the vocabulary of LLaMA 1 and Llama 2, which it brings itself; it recognizes no special token.
"use strict";
const vocabulary = require("../vocabulary.js");

const NAME = "llama-tokenizer-js";

class Model {
  static async open(load, path) {
    const { default: library } = await import(load.resolve(NAME));
    if (!vocabulary.isList(path, library.vocabById)) throw vocabulary.none(NAME, ["LLaMA 1, Llama 2"]);
    return new Model(library);
  }

  constructor(library) {
    this.library = library;
    this.capabilities = { add_special: [false, true], parse_special: [false], decodes: true, skip_special: [false] };
  }

  encode(text, addSpecial) {
    return this.library.encode(text, addSpecial, true);
  }

  decode(ids) {
    return this.library.decode(ids, false, true);
  }
}

module.exports = { NAME, Model };
