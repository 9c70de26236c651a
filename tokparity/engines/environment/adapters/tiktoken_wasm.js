// tiktoken (WebAssembly): any .tiktoken file, with its pattern and special tokens in the file beside it.
"use strict";
const { OfTiktoken } = require("../interfaces.js");
const fs = require("node:fs");

class Model extends OfTiktoken {
  static async open(load, path) {
    const { pattern, special_tokens: special } = JSON.parse(fs.readFileSync(`${path}.json`, "utf8"));
    const pieces = fs.readFileSync(path, "utf8").trim().split("\n").map((line) => line.split(" "));
    const ranks = pieces.map(([piece, id]) => `! ${id} ${piece}`).join("\n");
    return new Model(new (load("tiktoken/lite").Tiktoken)(ranks, special, pattern));
  }

  decode(ids) {
    const bytes = Buffer.from(this.library.decode(Uint32Array.from(ids)));
    const text = bytes.toString("utf8");
    return Buffer.from(text, "utf8").equals(bytes) ? text : { base64: bytes.toString("base64") };
  }
}

module.exports = { NAME: "tiktoken", Model };
