"""Put test vectors to an engine: python run_vectors.py MODEL.vectors.json [results.jsonl]
Write engine.py: encode(text, add_special, parse_special) gives ids, decode(ids, skip_special) a text. A text is str, or
bytes where it is not UTF-8. An error, or the end of the engine's process, fails that case alone. Exit 0: all pass."""

import base64
import json
import subprocess
import sys
from collections import Counter
from pathlib import Path

import engine


def key(answer):  # the FNV-1a hash of a text, or of ids with commas between them; answers are compared by it
    if answer is None or (isinstance(answer, dict) and "fnv1a" in answer):
        return answer and answer["fnv1a"]
    text, value = ",".join(map(str, answer)) if isinstance(answer, list) else answer, 0x811C9DC5
    for byte in text.encode() if isinstance(text, str) else base64.b64decode(text["base64"]):
        value = (value ^ byte) * 0x01000193 & 0xFFFFFFFF
    return f"{value:08x}"


def ask(case):
    try:
        if case["ask"] == "decode":
            text = engine.decode(case["ids"], case["skip_special"])
            return {"text": {"base64": base64.b64encode(text if isinstance(text, bytes) else text.encode()).decode()}}
        text = case["text"] if isinstance(case["text"], str) else base64.b64decode(case["text"]["base64"])
        return {"ids": [int(one) for one in engine.encode(text, case["add_special"], case["parse_special"])]}
    except Exception as error:
        return {"error": f"{type(error).__name__}: {error}"[:200]}


def run(path, results="results.jsonl", first=None):  # the lines to be printed
    with open(path, encoding="utf-8") as file, open(results, "a" if first else "w", encoding="utf-8") as out:
        vectors = json.load(file)
        if vectors["format"] != "tokparity-vectors-1" or vectors["counts"]["cases"] != len(vectors["cases"]):
            raise ValueError("its format is not tokparity-vectors-1, or cases are missing")
        cases = [one for one in vectors["cases"] if one["ask"] == "encode" or hasattr(engine, "decode")]
        [key(one[{"encode": "text", "decode": "ids"}[one["ask"]]]) + one["id"] + one["comment"] for one in cases]
        for case in cases[int(first or len(cases)) :]:
            print(json.dumps({"id": case["id"], **ask(case)}), file=out, flush=True)
    if first:
        return
    right = [[key(one["answer"]) for one in (case, *case.get("acceptable", ()))] for case in cases]
    wrong = [[(name, key(one["answer"])) for one in case["wrong"] for name in one["faults"]] for case in cases]
    shown = Counter(name for some in wrong for name, _ in some)
    does = {name: vectors["faults"][name]["does"] for name in shown}
    lines, failed = [], []
    while len(lines) < len(cases):
        subprocess.run([sys.executable, __file__, path, results, str(len(lines))], check=False)
        lines = Path(results).read_text(encoding="utf-8").splitlines()
        lines += [json.dumps({"id": case["id"], "error": "the process ended"}) for case in cases[len(lines) :][:1]]
        Path(results).write_text("\n".join([*lines, ""]), encoding="utf-8")
    for case, rights, wrongs, found in zip(cases, right, wrong, map(json.loads, lines), strict=True):
        answer = found.get("ids", found.get("text"))
        if key(answer) not in rights:
            failed.append([name for name, one in wrongs if one == key(answer)])
            yield f"FAIL {case['id']}: {json.dumps(case['comment'])}: {', '.join(failed[-1]) or 'no known fault'}"
            yield f"  asked {json.dumps(case.get('text', case.get('ids')))}"
            yield f"  right {json.dumps(case['answer'])}"
            yield f"  yours {base64.b64decode(answer['base64']) if 'text' in found else found.get('error', answer)!a}"
    left, met, model = failed, Counter(name for given in failed for name in given), vectors["model"].strip()
    while hits := Counter(name for given in left for name in given):
        best = max(sorted(hits), key=lambda name: hits[name] * met[name] / shown[name])
        names = ", ".join(f"`{name}`" for name in (best, *vectors["faults"][best].get("alike", ())))
        yield f"{hits[best]} of {len(failed)} failures have one known cause, an engine that {does[best]}: {names}"
        left = [given for given in left if best not in given]
    if left:
        yield f"{len(left)} of {len(failed)} failures have no known cause, or more than one"
    yield f"{len(cases) - len(failed)} of {len(cases)} cases of {model} pass; the file has {len(vectors['cases'])}"


try:
    lines = [*run(*sys.argv[1:4])]
except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
    lines = [f"{sys.argv[1:2]} cannot be read as test vectors: {error!r}"]
print("".join("".join(one if " " <= one <= "~" else "?" for one in line[:300]) + "\n" for line in lines), end="")
sys.exit(2 if "cannot be read" in "".join(lines[:1]) else any(line.startswith("FAIL") for line in lines))
