"""Put the groups of test vectors to an engine: python run_groups.py MODEL.vectors.json [results.jsonl]
Write engine.py with what it has of encode and decode, as for run_vectors.py, and of these. An error fails one case.
  stream(prefill, ids, skip_special)       texts: one for each id, and a last one for what is left
  spans(text, add_special, parse_special)  ids, and for each a pair: its first character, and the one behind its last
  render(template, tokens, conversation)   the prompt, or a pair: the prompt, and the ids that you make of it"""

import base64
import json
import sys
from collections import Counter
from functools import reduce

import engine

NEEDS = {"streams": ["stream"], "spans": ["spans"], "again": ["encode", "decode"], "conversations": ["render"]}


def data(it):
    return base64.b64decode(it["base64"]) if isinstance(it, dict) else it.encode() if isinstance(it, str) else it


def ask(case, right, group):  # the answer, whether it is right, and the bytes by whose hash faults are known
    if case["ask"] == "stream":
        deltas = [data(one) for one in engine.stream(case["prefill"], case["ids"], case["skip_special"])]
        ok = b"".join(deltas) in map(data, right["texts"]) and len(deltas) == len(right["later"]) + 1
        ok = ok and all(sum(map(len, deltas[at:])) <= most for at, most in enumerate(right["later"], 1))
        return {"deltas": [{"base64": base64.b64encode(one).decode()} for one in deltas]}, ok, b"\xff".join(deltas)
    if case["ask"] == "spans":
        ids, places = engine.spans(case["text"], case["add_special"], case["parse_special"])
        ids, places = [int(one) for one in ids], [(int(start), int(end)) for start, end in places]
        inside = (a == b or x <= a <= b <= y for (a, b), (x, y) in zip(places, right["outer"], strict=False))
        ok = (ids, len(places)) == (right["ids"], len(ids)) and all(inside)
        ok = ok and all(any(a <= at < b for a, b in places) for start, end in right["must"] for at in range(start, end))
        return {"ids": ids, "spans": places}, ok, ",".join(map(str, sum(places, (*ids,)))).encode()
    if case["ask"] == "again":
        text = engine.decode(case["ids"], case["skip_special"])
        name, rows = "text", [engine.encode(text, case["add_special"], case["parse_special"])]
    else:
        given = engine.render(group["template"], group["tokens"], case["conversation"])
        name, (text, *rows) = "prompt", [given] if isinstance(given, str | bytes) else given
    text, same = {"base64": base64.b64encode(data(text)).decode()}, data(text) == data(right.get(name))
    rows = [list(map(int, row)) for row in rows]
    found = b"\xff".join([data(text), *(",".join(map(str, row)).encode() for row in rows if same)])
    return {name: text, **({"ids": rows[0]} if rows else {})}, same and all(row == right["ids"] for row in rows), found


def run(name, group, out):  # the lines to be printed about a group
    if missing := [need for need in NEEDS[name] if not hasattr(engine, need)]:
        return (yield f"the group {name} is left out: engine.py has no function {missing[0]}")
    left, shown = [], Counter(name for case in group["cases"] for one in case["wrong"] for name in one["faults"])
    for case in group["cases"]:
        try:
            answer, ok, found = ask(case, case["answer"], group)
        except Exception as error:
            answer, ok, found = {"error": f"{type(error).__name__}: {error}"[:200]}, "raises" in case["answer"], None
        print(json.dumps({"id": case["id"], **answer}), file=out)
        if not ok:
            value = reduce(lambda value, byte: (value ^ byte) * 0x01000193 & 0xFFFFFFFF, found or b"", 0x811C9DC5)
            found = None if found is None else {"fnv1a": f"{value:08x}"}
            left.append([name for one in case["wrong"] if one["answer"] == found for name in one["faults"]])
            yield f"FAIL {case['id']}: {json.dumps(case['comment'])}: {', '.join(left[-1]) or 'no known fault'}"
            yield from (f"  right {json.dumps(case['answer'])}", f"  yours {json.dumps(answer)}")
    failed, met = len(left), Counter(name for given in left for name in given)
    while hits := Counter(name for given in left for name in given):
        best = max(sorted(hits), key=lambda name: hits[name] * met[name] / shown[name])
        fault, left = group["faults"][best], [given for given in left if best not in given]
        names = ", ".join(f"`{name}`" for name in (best, *fault.get("alike", ())))
        yield f"{hits[best]} of {failed} failures have one known cause, an engine that {fault['does']}: {names}"
    yield from [f"{len(left)} of {failed} failures have no known cause, or more than one"] if left and shown else []
    yield f"{len(group['cases']) - failed} of {len(group['cases'])} cases pass, the group is {group['cases'][0]['ask']}"


try:
    with open(sys.argv[1], encoding="utf-8") as file, open([*sys.argv, "results.jsonl"][2], "w") as out:
        groups = {name: group for name, group in json.load(file).items() if name in NEEDS}
        lines = [line for name in groups for line in run(name, groups[name], out)] or ["nothing was asked: no groups"]
except (OSError, ValueError, KeyError, TypeError, AttributeError, IndexError, RecursionError) as error:
    lines = [f"{sys.argv[1:2]} cannot be read as test vectors: {error!r}"]
print("".join("".join(one if " " <= one <= "~" else "?" for one in line[:300]) + "\n" for line in lines), end="")
sys.exit(any(line.startswith("FAIL") for line in lines) if any(" cases pass" in line for line in lines) else 2)
