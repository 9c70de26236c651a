// What packages of npm have in common: the two interfaces that several of them copy, for their adapters.
"use strict";

/** A library that is asked as tiktoken is. */
class OfTiktoken {
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

/** A library that is asked as Transformers.js is; it always recognizes added tokens. */
class OfTransformers {
  constructor(library) {
    this.library = library;
    this.capabilities = {
      add_special: [false, true], parse_special: [true], decodes: true, skip_special: [false, true],
    };
  }

  encode(text, addSpecial) {
    return this.library.encode(text, { add_special_tokens: addSpecial });
  }

  decode(ids, skipSpecial) {
    return this.library.decode(ids, { skip_special_tokens: skipSpecial, clean_up_tokenization_spaces: false });
  }
}

module.exports = { OfTiktoken, OfTransformers };
