"use strict";
(() => {
  const PAGE = 50;
  const COLUMNS = ["Model", "Engine", "Cause", "Text", "First difference", "Expected", "Got", "Script", "Corpus"];
  const [MODEL, ENGINE, CAUSE, SCRIPT, CORPUS, FLAGS, TEXT, DIFFERENCE, KEY, LEFT, RIGHT, LEFT_PIECES, RIGHT_PIECES] = Array(13).keys();
  const byId = (id) => document.getElementById(id);
  const make = (tag, text, name) => {
    const made = document.createElement(tag);
    if (text !== undefined) made.textContent = text;
    if (name) made.className = name;
    return made;
  };
  const grouped = (number) => number.toLocaleString("en-US");

  // The table: nothing of it is made before somebody wants to see it.
  let data = null;
  let found = [];
  let page = 0;
  let order = null;
  const open = new Set();
  const FILTERS = [["by-model", MODEL, "models"], ["by-engine", ENGINE, "engines"], ["by-cause", CAUSE, "causes"],
    ["by-script", SCRIPT, "scripts"], ["by-corpus", CORPUS, "corpora"]];
  const cause = (row) => (row[CAUSE] < 0 ? ["", "", ""] : data.causes[row[CAUSE]]);
  const VALUES = {
    Model: (row) => data.models[row[MODEL]],
    Engine: (row) => data.engines[row[ENGINE]],
    Cause: (row) => cause(row)[1],
    Text: (row) => row[TEXT],
    "First difference": (row) => row[DIFFERENCE],
    Expected: (row) => row[LEFT],
    Got: (row) => row[RIGHT],
    Script: (row) => data.scripts[row[SCRIPT]],
    Corpus: (row) => data.corpora[row[CORPUS]],
  };

  function load() {
    if (data) return;
    data = JSON.parse(byId("data").textContent);
    data.text = data.rows.map((row) => [row[TEXT], row[LEFT_PIECES], row[RIGHT_PIECES], cause(row)[1], row[KEY]].join("\n").toLowerCase());
    byId("no-script").hidden = true;
    byId("table").hidden = false;
    for (const [id, column, names] of FILTERS) fill(byId(id), data[names].map((name) => (column === CAUSE ? name[1] : name)), column);
    fill(byId("by-flag"), data.flags.slice(0, 6), FLAGS);
    const head = byId("mismatches").tHead.rows[0];
    for (const name of COLUMNS) {
      const cell = make("th");
      cell.scope = "col";
      const button = make("button", name);
      button.type = "button";
      button.addEventListener("click", () => sort(name));
      cell.append(button);
      head.append(cell);
    }
    select();
  }

  function fill(menu, names, column) {
    const counts = new Array(names.length).fill(0);
    for (const row of data.rows) {
      if (column === FLAGS) counts.forEach((_, bit) => { if (row[FLAGS] & (1 << bit)) counts[bit] += 1; });
      else if (row[column] >= 0) counts[row[column]] += 1;
    }
    menu.append(new Option("all", ""));
    names.map((name, place) => [name, place]).filter(([, place]) => counts[place])
      .sort((a, b) => counts[b[1]] - counts[a[1]])
      .forEach(([name, place]) => menu.append(new Option(`${name} (${grouped(counts[place])})`, place)));
  }

  function select() {
    const wanted = byId("search").value.toLowerCase();
    const tests = FILTERS.filter(([id]) => byId(id).value !== "").map(([id, column]) => [column, Number(byId(id).value)]);
    const flag = byId("by-flag").value === "" ? 0 : 1 << Number(byId("by-flag").value);
    found = [];
    data.rows.forEach((row, place) => {
      if (flag && !(row[FLAGS] & flag)) return;
      for (const [column, value] of tests) if (row[column] !== value) return;
      if (wanted && !data.text[place].includes(wanted)) return;
      found.push(row);
    });
    arrange();
    page = 0;
    show();
  }

  function clear() {
    for (const id of ["search", "by-flag", ...FILTERS.map(([id]) => id)]) byId(id).value = "";
    select();
  }

  function arrange() {
    if (!order) return;
    const value = VALUES[order.name];
    const keyed = found.map((row) => [value(row), row]);
    keyed.sort(([a], [b]) => (a < b ? -order.way : a > b ? order.way : 0));
    found = keyed.map(([, row]) => row);
  }

  function sort(name) {
    order = { name, way: order && order.name === name ? -order.way : 1 };
    arrange();
    page = 0;
    show();
  }

  function show() {
    const body = byId("mismatches").tBodies[0];
    const first = page * PAGE;
    const shown = found.slice(first, first + PAGE);
    body.replaceChildren(...shown.flatMap(lines));
    const some = shown.length ? `${grouped(first + 1)}–${grouped(first + shown.length)} of ` : "";
    byId("count").textContent = `${some}${grouped(found.length)} found, ${grouped(data.rows.length)} in all`;
    byId("previous").disabled = page === 0;
    byId("next").disabled = first + PAGE >= found.length;
    [...byId("mismatches").tHead.rows[0].cells].forEach((cell, place) => {
      if (order && order.name === COLUMNS[place]) cell.ariaSort = order.way > 0 ? "ascending" : "descending";
      else cell.removeAttribute("aria-sort");
    });
  }

  function lines(row) {
    const line = make("tr");
    line.dataset.key = row[KEY];
    for (const name of COLUMNS) {
      const cell = make("td", undefined, name === "Text" ? "t" : "");
      if (name === "Text") {
        const button = make("button");
        button.type = "button";
        button.setAttribute("aria-expanded", String(open.has(row[KEY])));
        button.append(make("bdi", row[TEXT] || "(empty)"));
        if (row[FLAGS] & 64) button.append(make("span", " …", "role"));
        button.addEventListener("click", () => toggle(row[KEY]));
        cell.append(button);
      } else if (name === "Expected" || name === "Got") {
        const left = name === "Expected";
        const ids = row[left ? LEFT : RIGHT];
        if (ids >= 0) cell.append(make("span", ids === 1 ? "1 id " : `${grouped(ids)} ids `, "role"));
        cell.append(make("bdi", row[left ? LEFT_PIECES : RIGHT_PIECES], "mono"));
      } else if (name === "Cause") {
        cell.append(make("span", VALUES[name](row), "two"));
      } else {
        cell.textContent = VALUES[name](row);
      }
      line.append(cell);
    }
    return open.has(row[KEY]) ? [line, details(row)] : [line];
  }

  function details(row) {
    const line = make("tr", undefined, "more-of");
    const cell = make("td");
    cell.colSpan = COLUMNS.length;
    line.append(cell);
    const flags = data.flags.slice(0, 6).filter((_, bit) => row[FLAGS] & (1 << bit));
    if (flags.length) cell.append(make("p", flags.join(", ")));
    const links = make("p");
    const [key, title] = cause(row);
    if (key) links.append(link(`#c-${key}`, `Cause: ${title}`), " · ");
    links.append(link(`#m-${row[KEY]}`, `Link to mismatch ${row[KEY]}`));
    cell.append(links);
    const command = commandOf(row);
    if (command) {
      const box = make("div", undefined, "command");
      const pre = make("pre");
      pre.tabIndex = 0;
      pre.append(make("code", command));
      box.append(pre, copyButton(make("button", "Copy", "copy")));
      cell.append(box);
    } else {
      cell.append(make("p", "The whole of it is in mismatches.csv, under this key."));
    }
    return line;
  }

  function link(target, text) {
    const made = make("a", text);
    made.href = target;
    return made;
  }

  function commandOf(row) {
    const flags = row[FLAGS];
    if (!(flags & 128)) return "";
    const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;
    const model = data.words[data.models[row[MODEL]]] ?? "";
    const shows = flags & 8 ? " --keep-special" : "";
    if (flags & 256) {
      const asked = JSON.parse(row[TEXT]);
      const prompt = asked.prefill ? ` --prefill ${quoted(JSON.stringify(asked.prefill))}` : "";
      const ids = quoted(JSON.stringify(asked.ids ?? asked));
      return `tokparity diff ${model} --engine ${quoted(data.engines[row[ENGINE]])} --stream${prompt}${shows} -- ${ids}`;
    }
    const asks = flags & 4 ? ` --ids${shows}` : `${flags & 1 ? " --no-special" : ""}${flags & 2 ? " --parse-special" : ""}`;
    return `tokparity diff ${model} --engine ${quoted(data.engines[row[ENGINE]])}${asks} -- ${quoted(row[TEXT])}`;
  }

  function toggle(key) {
    if (!open.delete(key)) open.add(key);
    show();
    byId("mismatches").querySelector(`tr[data-key="${CSS.escape(key)}"] button`)?.focus();
  }

  function reveal(key) {
    load();
    if (!data.rows.some((row) => row[KEY] === key)) return;
    byId("all").open = true;
    clear();
    page = Math.floor(found.findIndex((row) => row[KEY] === key) / PAGE);
    open.add(key);
    show();
    const line = byId("mismatches").querySelector(`tr[data-key="${CSS.escape(key)}"]`);
    line.scrollIntoView({ block: "center" });
    line.querySelector("button").focus({ preventScroll: true });
  }

  // Links: what they lead to is opened, also inside of what is folded.
  function follow() {
    const name = decodeURIComponent(location.hash.slice(1));
    const target = name && byId(name);
    if (!target) {
      if (name.startsWith("m-")) reveal(name.slice(2));
      return;
    }
    for (let at = target; at; at = at.parentElement) if (at.tagName === "DETAILS") at.open = true;
    target.scrollIntoView({ block: "start" });
  }

  function copyButton(button) {
    button.type = "button";
    button.hidden = false;
    button.addEventListener("click", async () => {
      const code = button.parentElement.querySelector("code");
      try {
        await navigator.clipboard.writeText(code.textContent);
        button.textContent = "Copied";
      } catch {
        getSelection().selectAllChildren(code);  // no clipboard here: it is at least selected
        button.textContent = "Selected";
      }
      setTimeout(() => { button.textContent = "Copy"; }, 2000);
    });
    return button;
  }

  function step(way) {
    const inTable = byId("all").open && byId("all").contains(document.activeElement);
    const stops = [...document.querySelectorAll(inTable ? "#mismatches td.t button" : "details.cause > summary")]
      .filter((stop) => stop.checkVisibility());
    if (!stops.length) return;
    const at = stops.indexOf(document.activeElement);
    const next = stops[at < 0 ? (way > 0 ? 0 : stops.length - 1) : Math.min(Math.max(at + way, 0), stops.length - 1)];
    next.focus();
    next.scrollIntoView({ block: "nearest" });
  }

  function onKey(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || byId("help").open) return;
    if (event.target.closest("input, select, textarea")) {
      if (event.key === "Escape") event.target.blur();
      return;
    }
    const keys = {
      "/": () => { byId("all").open = true; load(); byId("search").focus(); },
      j: () => step(1),
      k: () => step(-1),
      m: () => { location.hash = "#matrix"; follow(); },
      "?": () => byId("help").showModal(),
    };
    if (!keys[event.key]) return;
    event.preventDefault();
    keys[event.key]();
  }

  byId("all").addEventListener("toggle", () => { if (byId("all").open) load(); });
  byId("search").addEventListener("input", select);
  // The box at the top is the table's own, reached from where the reader is.
  byId("find").hidden = false;
  byId("find").addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    byId("all").open = true;
    load();
    clear();
    byId("search").value = byId("find").value;
    select();
    byId("all-title").scrollIntoView({ block: "start" });
    byId("search").focus({ preventScroll: true });
  });
  byId("filters").addEventListener("change", select);
  byId("reset").addEventListener("click", clear);
  byId("close").addEventListener("click", () => byId("help").close());
  byId("previous").addEventListener("click", () => { page -= 1; show(); });
  byId("next").addEventListener("click", () => { page += 1; show(); });
  byId("help-button").hidden = false;
  byId("help-button").addEventListener("click", () => byId("help").showModal());
  document.querySelectorAll(".command .copy").forEach(copyButton);
  document.addEventListener("click", (event) => {
    const wanted = event.target.closest("a[data-cause]");
    if (wanted) {
      load();
      clear();
      byId("by-cause").value = wanted.dataset.cause;
      select();
    }
    if (event.target.closest("a[href^='#']")) setTimeout(follow);
  });
  document.addEventListener("keydown", onKey);
  addEventListener("hashchange", follow);
  // On paper nothing can be opened: what is new is, and what was folded stays so.
  let unfolded = [];
  addEventListener("beforeprint", () => {
    unfolded = [...document.querySelectorAll("details.cause.new:not([open])")];
    unfolded.forEach((one) => { one.open = true; });
  });
  addEventListener("afterprint", () => unfolded.forEach((one) => { one.open = false; }));
  follow();
})();
