"""An engine whose answers stand in answers.txt."""

import os
from pathlib import Path

ANSWERS = dict(line.split("\t") for line in Path("answers.txt").read_text("ascii").splitlines() if line)


def encode(text, add_special, parse_special):
    data = text if isinstance(text, bytes) else text.encode()
    found = ANSWERS[f"e {data.hex()} {add_special:d}{parse_special:d}"]
    if found == "!":
        os._exit(3)
    return [int(one) for one in found.split(",") if one]


def decode(ids, skip_special):
    return bytes.fromhex(ANSWERS[f"d {','.join(map(str, ids))} {skip_special:d}"])
