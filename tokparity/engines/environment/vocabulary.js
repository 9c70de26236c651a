// Vocabularies of model files, for adapters of packages that bring their own: which of them is meant.
"use strict";
const fs = require("node:fs");

const hex = (piece) => Buffer.from(piece).toString("hex"); // of a string, or of the bytes that are no UTF-8

/** Whether the pieces of a .tiktoken file are those of a table, id by id, and no others. */
function isTable(path, ids, pieceOf) {
  const lines = fs.readFileSync(path, "utf8").trim().split("\n").map((line) => line.split(" "));
  const known = new Map(ids.map((id) => [Number(id), pieceOf(id)]).filter(([, piece]) => piece?.length));
  const has = (piece, id) => known.has(id) && hex(known.get(id)) === Buffer.from(piece, "base64").toString("hex");
  return lines.length === known.size && lines.every(([piece, id]) => has(piece, Number(id)));
}

/** Whether the pieces of a tokenizer.json, added tokens included, are those of a list, id by id, and no others. */
function isList(path, list) {
  const { model, added_tokens: added } = JSON.parse(fs.readFileSync(path, "utf8"));
  const pieces = new Map([...Object.entries(model.vocab), ...added.map(({ content, id }) => [content, id])]);
  return pieces.size === list.length && [...pieces].every(([piece, id]) => list[id] === piece);
}

/** The added tokens of a tokenizer.json, the smallest id first. */
function addedNames(path) {
  const { added_tokens: added } = JSON.parse(fs.readFileSync(path, "utf8"));
  return added.sort((one, other) => one.id - other.id).map(({ content }) => content);
}

/** The vocabularies that a release brings, by name: an older one has fewer, and loading those it lacks fails. */
function brought(names, load) {
  const missing = ["MODULE_NOT_FOUND", "ERR_PACKAGE_PATH_NOT_EXPORTED"];
  return names.flatMap((name) => {
    try { return [[name, load(name)]]; } catch (error) { if (missing.includes(error.code)) return []; throw error; }
  });
}

function none(name, names) {
  if (!names.length) return new Error(`${name} lacks the files of its vocabularies in this release`);
  return new Error(`${name} has only its own vocabularies (${names.join(", ")}), and this is none of them`);
}

module.exports = { isTable, isList, addedNames, brought, none };
