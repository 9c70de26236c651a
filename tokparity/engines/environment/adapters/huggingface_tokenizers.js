// @huggingface/tokenizers, the tokenizers of Transformers.js: any tokenizer.json; it always recognizes added tokens.
"use strict";
const fs = require("node:fs");

class Model {
  static async open(load, path) {
    const { Tokenizer } = load("@huggingface/tokenizers");
    return new Model(new Tokenizer(JSON.parse(fs.readFileSync(path, "utf8")), {}));
  }

  constructor(library) {
    this.library = library;
    this.capabilities = {
      add_special: [false, true], parse_special: [true], decodes: true, skip_special: [false, true],
    };
  }

  encode(text, addSpecial) {
    return this.library.encode(text, { add_special_tokens: addSpecial }).ids;
  }

  decode(ids, skipSpecial) {
    return this.library.decode(ids, { skip_special_tokens: skipSpecial, clean_up_tokenization_spaces: false });
  }
}

module.exports = { NAME: "@huggingface/tokenizers", Model };
