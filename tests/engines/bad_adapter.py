"""An adapter of the exec protocol that misbehaves in one way at the text "guilty"; its argument says how."""

import json
import os
import signal
import sys
import time

how = sys.argv[1]
if how == "opening":
    print("no such vocabulary", file=sys.stderr, flush=True)
    sys.exit(4)


def write(line):
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


for line in sys.stdin:
    request = json.loads(line)
    number, op = request.get("id"), request["op"]
    if op == "bye":
        break
    guilty = op == "encode" and "guilty" in request["texts"]
    if op == "hello" and how != "no-hello":
        able = {"add_special": [False, True], "decodes": True}
        write(json.dumps({"id": number, "name": "bad", "version": "1", "capabilities": able, "vocabulary_size": 300}))
    elif op == "hello":
        write(json.dumps({"id": number, "error": "unknown op"}))
    elif op == "open":
        refusal = {"error": "I know no such model"} if how == "refuses" else {}
        write(json.dumps({"id": number, **refusal}))
    elif op == "decode":
        write(json.dumps({"id": number, "texts": [bytes(row).decode() for row in request["ids"]]}))
    elif guilty and how == "exit":
        print("out of ideas", file=sys.stderr, flush=True)
        sys.exit(5)
    elif guilty and how == "killed":
        os.kill(os.getpid(), signal.SIGSEGV)
    elif guilty and how == "silence":
        print("thinking", file=sys.stderr, flush=True)
        time.sleep(1000)
    elif guilty and how == "invalid":
        write("progress: 50 %")
    elif guilty and how == "long":
        write('{"id": 0, "ids": [[' + "1," * 50_000_000)
    elif guilty and how == "other":
        write(json.dumps({"id": number + 1, "ids": []}))
    elif guilty and how == "stderr":
        while True:
            os.write(2, b"still at it\n" * 1000)
    elif guilty and how == "says":
        write(json.dumps({"id": number, "error": "not this one"}))
    elif guilty and how == "nothing":
        write(json.dumps({"id": number}))
    else:
        rows = [list(text.encode()) for text in request["texts"]]
        if guilty:
            at = request["texts"].index("guilty")
            wrong = {"range": [301], "negative": [-1], "float": [1.5], "words": "ids", "entry": {"error": "nor this"}}
            rows = (
                rows[:-1] if how == "count" else [wrong.get(how, row) if i == at else row for i, row in enumerate(rows)]
            )
        write(json.dumps({"id": number, "ids": rows}))
