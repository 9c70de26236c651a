// llama3-tokenizer-js: Llama 3's pieces, which it brings itself, and the special tokens of the model's file.
"use strict";
const vocabulary = require("../vocabulary.js");

const NAME = "llama3-tokenizer-js";

class Model {
  static async open(load, path) {
    const { default: library, Llama3Tokenizer } = await import(load.resolve(NAME));
    const names = vocabulary.addedNames(path);
    const own = library.vocabById.slice(0, -names.length);
    if (!vocabulary.isList(path, [...own, ...names])) throw vocabulary.none(NAME, ["Llama 3"]);
    const escaped = names.map((name) => name.replace(/[|\\{}()[\]^$+*?.]/g, "\\$&"));
    return new Model(new Llama3Tokenizer(null, null, names), new RegExp(escaped.join("|"), "g"));
  }

  constructor(library, specialTokenRegex) {
    this.library = library;
    this.specialTokenRegex = specialTokenRegex;
    this.capabilities = { add_special: [false, true], parse_special: [true], decodes: true, skip_special: [false] };
  }

  encode(text, addSpecial) {
    return this.library.encode(text, { bos: addSpecial, eos: false, specialTokenRegex: this.specialTokenRegex });
  }

  decode(ids) {
    return this.library.decode(ids);
  }
}

module.exports = { NAME, Model };
