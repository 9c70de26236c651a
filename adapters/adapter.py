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


CAN = {"invalid_utf8": True, "add_special": [False, True], "parse_special": [False]}  # bytes that are not UTF-8, too
CAN |= {"decodes": True, "skip_special": [True]}


def each(function, items, *flags):
    for item in items:
        try:
            yield function(item, *flags)
        except Exception as error:  # this text alone has no answer
            yield {"error": f"{type(error).__name__}: {error}"}


def to_bytes(text):
    return base64.b64decode(text["base64"]) if isinstance(text, dict) else text.encode("utf-8", "surrogatepass")


def to_json(text):
    if isinstance(text, dict) or text.decode("utf-8", "replace").encode() == text:
        return text if isinstance(text, dict) else text.decode()
    return {"base64": base64.b64encode(text).decode()}


tokenizer = None
for line in sys.stdin.buffer:
    request = json.loads(line)
    reply = {"id": request.get("id")}
    if request["op"] == "hello":
        reply |= {"protocol": 1, "name": "bytes in Python", "version": "1", "capabilities": CAN}
    elif request["op"] == "open":
        tokenizer = Tokenizer(request["path"], request["options"])
    elif request["op"] == "encode":
        flags = request["add_special"], request["parse_special"]
        reply["ids"] = [*each(tokenizer.encode, map(to_bytes, request["texts"]), *flags)]
    elif request["op"] == "decode":
        reply["texts"] = [*map(to_json, each(tokenizer.decode, request["ids"], request["skip_special"]))]
    elif request["op"] == "bye":
        break
    else:
        reply["error"] = "unknown op " + request["op"]
    print(json.dumps(reply), flush=True)
