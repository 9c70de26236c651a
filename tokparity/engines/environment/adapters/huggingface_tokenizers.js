// @huggingface/tokenizers, the tokenizers of Transformers.js: any tokenizer.json; it always recognizes added tokens.
"use strict";
const { OfTransformers } = require("../interfaces.js");
const fs = require("node:fs");

class Model extends OfTransformers {
  static async open(load, path) {
    const { Tokenizer } = load("@huggingface/tokenizers");
    return new Model(new Tokenizer(JSON.parse(fs.readFileSync(path, "utf8")), {}));
  }

  encode(text, addSpecial) {
    return super.encode(text, addSpecial).ids;
  }
}

module.exports = { NAME: "@huggingface/tokenizers", Model };
