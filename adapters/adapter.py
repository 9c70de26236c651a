"""A tokenizer behind tokparity's exec protocol: exec:python3 adapter.py. Put your own in place of `Tokenizer`."""

import base64
import json
import sys


class Tokenizer:
    """The ids of a text are its bytes, and 3; 1 goes before them where special tokens are added."""

    def __init__(self, path, options):
        self.path = path

    def encode(self, text, add_special, parse_special):
        return [1] * add_special + [3 + byte for byte in text]

    def decode(self, ids, skip_special):
        return bytes(i - 3 for i in ids if i >= 3)


CAPABILITIES = {
    "invalid_utf8": True,  # the tokenizer takes bytes that are no UTF-8
    "add_special": [False, True],
    "parse_special": [False],
    "decodes": True,
    "skip_special": [True],
}


def to_bytes(text):
    return base64.b64decode(text["base64"]) if isinstance(text, dict) else text.encode("utf-8", "surrogatepass")


def to_json(text):
    try:
        return text.decode("utf-8")
    except UnicodeDecodeError:
        return {"base64": base64.b64encode(text).decode()}


tokenizer = None
for line in sys.stdin.buffer:
    request = json.loads(line)
    reply = {"id": request.get("id")}
    if request["op"] == "hello":
        reply.update(protocol=1, name="bytes in Python", version="1", capabilities=CAPABILITIES)
    elif request["op"] == "open":
        tokenizer = Tokenizer(request["path"], request["options"])
    elif request["op"] == "encode":
        flags = request["add_special"], request["parse_special"]
        reply["ids"] = [tokenizer.encode(to_bytes(text), *flags) for text in request["texts"]]
    elif request["op"] == "decode":
        reply["texts"] = [to_json(tokenizer.decode(ids, request["skip_special"])) for ids in request["ids"]]
    elif request["op"] == "bye":
        break
    else:
        reply["error"] = "unknown op " + request["op"]
    sys.stdout.write(json.dumps(reply) + "\n")
    sys.stdout.flush()
