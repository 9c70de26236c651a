// @huggingface/jinja, the Jinja of Transformers.js: an interpreter that gives a template no object of JavaScript.
"use strict";

const RealDate = Date;
// The time that every template reads; the same as that of the reference.
class Pinned extends RealDate {
  constructor(...parts) { super(...(parts.length ? parts : [2026, 0, 2, 3, 4, 5])); }
}

class Raised extends Error {} // what a template raises on purpose

class Model {
  constructor(Template) {
    Object.assign(this, { Template, capabilities: { renders: true }, last: { template: null, parsed: null } });
  }

  static async open(load) {
    const { Template, Environment } = load("@huggingface/jinja");
    globalThis.Date = Pinned;
    const { set } = Environment.prototype;
    Environment.prototype.set = function (name, value) {
      const told = (message) => { throw new Raised(message); };
      return set.call(this, name, name === "raise_exception" ? told : value);
    };
    return new Model(Template);
  }

  render({ template, tokens, extra, ...given }) {
    const fixed = { tools: null, documents: null, add_generation_prompt: false, ...given };
    try {
      if (this.last.template !== template) this.last = { template, parsed: new this.Template(template) };
      return { prompt: this.last.parsed.render({ ...tokens, ...extra, ...fixed }) };
    } catch (error) {
      if (!(error instanceof Raised)) throw error;
      return { raised: error.message };
    }
  }
}

module.exports = { NAME: "@huggingface/jinja", Model };
