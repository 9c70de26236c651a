"""Put test vectors to an engine: python run_vectors.py MODEL.vectors.json [results.jsonl]

Write engine.py beside it: encode(text, add_special, parse_special) gives ids; decode(ids, skip_special) gives text
and may be left out. A text is str, or bytes where it is not valid UTF-8. Exit code 0: all cases pass."""

import base64
import json
import sys

import engine


def ask(case):
    """The engine's answer, spelled as in the file; None where it raises an error."""
    try:
        if case["ask"] == "encode":
            text = base64.b64decode(case["text"]["base64"]) if isinstance(case["text"], dict) else case["text"]
            return [int(one) for one in engine.encode(text, case["add_special"], case["parse_special"])]
        text = engine.decode(case["ids"], case["skip_special"])
        data = text if isinstance(text, bytes) else text.encode()
        spelled = data.decode("utf-8", "ignore")
        return spelled if spelled.encode() == data else {"base64": base64.b64encode(data).decode()}
    except Exception:
        return None


def matches(answer, stored):
    """Whether the answer is a stored one, which may be an FNV-1a hash."""
    if answer is None or not isinstance(stored, dict) or "fnv1a" not in stored:
        return answer == stored
    text = ",".join(map(str, answer)) if isinstance(answer, list) else answer
    hash = 0x811C9DC5
    for byte in base64.b64decode(text["base64"]) if isinstance(text, dict) else text.encode():
        hash = (hash ^ byte) * 0x01000193 & 0xFFFFFFFF
    return stored["fnv1a"] == f"{hash:08x}"


def name_faults(faults, failures, share):
    """Name the fault with most failures, times the share of its cases that fail as it would; again with the rest."""
    left = failures
    while left:
        hits = {name: sum(name in given for given in left) for name in sorted(faults)}
        best = max(hits, key=lambda name: hits[name] and hits[name] * share(name))
        if not hits[best]:
            print(f"{len(left)} of {len(failures)} failures are the answers of no known fault, or of several")
            break
        names = ", ".join(f"`{name}`" for name in (best, *faults[best].get("alike", ())))
        print(f"{hits[best]} of {len(failures)} failures are what an engine gives that {faults[best]['does']}: {names}")
        left = [given for given in left if best not in given]


def main(path, results="/dev/null"):  # puts every case, prints those that fail
    with open(path, encoding="utf-8") as file, open(results, "w", encoding="utf-8") as out:
        vectors = json.load(file)
        if vectors["format"] != "tokparity-vectors-1":
            raise ValueError("its format is not tokparity-vectors-1")
        cases = [case for case in vectors["cases"] if case["ask"] == "encode" or hasattr(engine, "decode")]
        shown, met, failures = [], [], []
        for case in cases:
            answer = ask(case)
            kind = "error" if answer is None else "ids" if case["ask"] == "encode" else "text"
            print(json.dumps({"id": case["id"], kind: answer}), file=out, flush=True)
            shown += [name for wrong in case["wrong"] for name in wrong["faults"]]
            given = [name for wrong in case["wrong"] if matches(answer, wrong["answer"]) for name in wrong["faults"]]
            met += given
            if not any(matches(answer, right["answer"]) for right in (case, *case.get("acceptable", ()))):
                failures.append(given)
                print(f"FAIL {case['id']}: {case['comment']!a}: {', '.join(given) or 'no known fault'}")
                for title, value in (
                    ("asked", case.get("text", case.get("ids"))),
                    ("right", case["answer"]),
                    ("yours", answer),
                ):
                    print(f"  {title} {json.dumps(value)[:200]}")
    name_faults(vectors["faults"], failures, lambda name: met.count(name) / shown.count(name))
    print(f"{len(cases) - len(failures)} of {len(cases)} cases pass; the file has {len(vectors['cases'])}")
    return 1 if failures else 0


try:
    sys.exit(main(*sys.argv[1:3]))
except (OSError, ValueError, KeyError, TypeError) as error:
    print(f"{sys.argv[1:2]} cannot be read as test vectors: {error!a}", file=sys.stderr)
    sys.exit(2)
