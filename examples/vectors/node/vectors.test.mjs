// node --test, beside run_vectors.mjs, engine.mjs and the model's file
import assert from "node:assert";
import { spawnSync } from "node:child_process";
import test from "node:test";

test("the tokenizer gives the right ids on its test vectors", () => {
  const command = ["run_vectors.mjs", "tokenizer.vectors.json"];
  const { status, stdout, stderr } = spawnSync(process.execPath, command, { encoding: "utf8" });
  assert.equal(status, 0, stdout + stderr);
});
