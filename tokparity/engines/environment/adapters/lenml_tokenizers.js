// @lenml/tokenizers, a fork of Transformers.js: any tokenizer.json; it always recognizes added tokens.
"use strict";
const { OfTransformers } = require("../interfaces.js");
const fs = require("node:fs");

class Model extends OfTransformers {
  static async open(load, path) {
    const { TokenizerLoader } = load("@lenml/tokenizers");
    const tokenizerJSON = JSON.parse(fs.readFileSync(path, "utf8"));
    return new Model(TokenizerLoader.fromPreTrained({ tokenizerJSON, tokenizerConfig: {} }));
  }
}

module.exports = { NAME: "@lenml/tokenizers", Model };
