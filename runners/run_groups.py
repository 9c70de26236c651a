"""Put the groups of test vectors to an engine: python run_groups.py MODEL.vectors.json [results.jsonl]
Write engine.py with what your engine has of these; a group without its function is left out. An error fails one case.
  stream(prefill, ids, skip_special)       texts: one for each id, and a last one for what is left
  spans(text, add_special, parse_special)  ids, and for each a pair: its first character, and the one behind its last
  encode and decode                        as for run_vectors.py"""

import base64
import json
import sys
from collections import Counter
from functools import reduce

import engine

NEEDS = {"streams": ["stream"], "spans": ["spans"], "again": ["encode", "decode"]}


def data(it):
    return base64.b64decode(it["base64"]) if isinstance(it, dict) else it.encode() if isinstance(it, str) else it


def fnv1a(some):
    return {"fnv1a": f"{reduce(lambda value, byte: (value ^ byte) * 0x01000193 & 0xFFFFFFFF, some, 0x811C9DC5):08x}"}


def stream(case, right):  # the answer, whether it is right, and the hash by which faults are known
    deltas = [data(one) for one in engine.stream(case["prefill"], case["ids"], case["skip_special"])]
    ok = b"".join(deltas) in map(data, right["texts"]) and len(deltas) == len(right["later"]) + 1
    ok = ok and all(sum(map(len, deltas[at:])) <= most for at, most in enumerate(right["later"], 1))
    return {"deltas": [{"base64": base64.b64encode(one).decode()} for one in deltas]}, ok, fnv1a(b"\xff".join(deltas))


def spans(case, right):
    ids, places = engine.spans(case["text"], case["add_special"], case["parse_special"])
    ids, places = [int(one) for one in ids], [(int(start), int(end)) for start, end in places]
    ok = ids == right["ids"] and len(places) == len(ids)
    pairs = zip(places, right["outer"], strict=True) if ok else ()
    ok = ok and all(start == end or first <= start <= end <= last for (start, end), (first, last) in pairs)
    ok = ok and all(any(a <= at < b for a, b in places) for start, end in right["must"] for at in range(start, end))
    return {"ids": ids, "spans": places}, ok, fnv1a(",".join(map(str, sum(places, (*ids,)))).encode())


def again(case, right):
    text = engine.decode(case["ids"], case["skip_special"])
    ids = [int(one) for one in engine.encode(text, case["add_special"], case["parse_special"])]
    spelled, ok = base64.b64encode(data(text)).decode(), data(text) == data(right["text"]) and ids == right["ids"]
    return {"text": {"base64": spelled}, "ids": ids}, ok, None


def run(group, out):  # the lines to be printed about a group
    left, shown = [], Counter(name for case in group["cases"] for one in case["wrong"] for name in one["faults"])
    for case in group["cases"]:
        try:
            answer, ok, found = {"stream": stream, "spans": spans, "again": again}[case["ask"]](case, case["answer"])
        except Exception as error:
            answer, ok, found = {"error": f"{type(error).__name__}: {error}"[:200]}, False, None
        print(json.dumps({"id": case["id"], **answer}), file=out)
        if not ok:
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
        vectors = json.load(file)
        here = [name for name in NEEDS if name in vectors and all(hasattr(engine, need) for need in NEEDS[name])]
        lines = [line for name in here for line in run(vectors[name], out)] or ["nothing was asked: write a function"]
except (OSError, ValueError, KeyError, TypeError, AttributeError, IndexError, RecursionError) as error:
    lines = [f"{sys.argv[1:2]} cannot be read as test vectors: {error!r}"]
print("".join("".join(one if " " <= one <= "~" else "?" for one in line[:300]) + "\n" for line in lines), end="")
sys.exit(any(line.startswith("FAIL") for line in lines) if any(" cases pass" in line for line in lines) else 2)
