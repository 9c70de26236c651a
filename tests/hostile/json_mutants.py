"""Mutators that know how tokenizer.json, tekken.json and the file beside a .tiktoken are laid out."""

from __future__ import annotations

import base64
import copy
import json
from random import Random
from typing import Any

from tests.hostile.blind import BYTES, LIES
from tests.hostile.pattern_mutants import pattern

RAW = "@raw@"
TEXTS = (
    *("", " ", "▁", "##", "<unk>", "\0", "\x1b[31m", "\n", "a" * 5000, "\ud800", "\udcff", "a\ud83d", "é", "𝒜"),
    *("<0x41>", "<0xZZ>"),
)
RAWS = (
    *("1e999", "-1e999", "1" * 5000, "NaN", "Infinity", "-Infinity", "1e-400", "1E400", "", "nul", "-0", "1.5"),
    *("[" * 2000, '{"a":' * 2000, "[" * 900 + "]" * 900, '{"a":1,"a":2}'),
    *('"\\ud800"', '"\\udfff\\ud800"', '"\\q"', '"\xff"'),
)
STAGES = """Sequence BertNormalizer Strip StripAccents NFC NFD NFKC NFKD Lowercase Nmt Precompiled Replace Prepend
ByteLevel BertPreTokenizer CharDelimiterSplit Metaspace Whitespace WhitespaceSplit Split Punctuation Digits
UnicodeScripts FixedLength Delimiter BPEDecoder WordPiece CTC Fuse ByteFallback BertProcessing RobertaProcessing
TemplateProcessing Unigram BPE WordLevel""".split()  # noqa: SIM905
FIELDS = """type pattern content behavior invert replacement prepend prepend_scheme split add_prefix_space use_regex
delimiter length suffix prefix cleanup pad_token word_delimiter_token start stop strip_left strip_right
precompiled_charsmap cls sep single special_tokens individual_digits str_rep lowercase strip_accents""".split()  # noqa: SIM905
LISTS = ("normalizers", "pretokenizers", "decoders", "processors")


def _value(random: Random, depth: int = 0) -> Any:
    """Any value: of every type, too large, too deep, or not even JSON."""
    way = random.randrange(10)
    if way == 0:
        return random.choice((None, True, False, 0, -1, 1.5, [], {}, [[]], [None]))
    if way == 1:
        return random.choice((1, -1)) * random.choice((*LIES, 10**30, 10**400))
    if way == 2:
        return random.choice(TEXTS)
    if way == 3:
        return RAW + random.choice(RAWS)
    if way == 4:
        return random.choice((1e30, 1e31, 3.4e38, 1e308, -1e308, 5e-324))
    if way == 5:
        return base64.b64encode(random.choice(BYTES[:6]) + random.randbytes(random.choice((0, 4, 400)))).decode()
    if way == 6 and depth < 3:
        return [_value(random, depth + 1) for _ in range(random.choice((1, 2, 3, 100)))]
    if way == 7 and depth == 0:
        return _nested(random)
    return stage(random, depth)


def _nested(random: Random) -> Any:
    name = random.choice(LISTS)
    value: Any = stage(random, 3)
    for _ in range(random.choice((3, 40, 200))):
        value = {"type": "Sequence", name: [value] * random.choice((1, 1, 1))}
    return value


def stage(random: Random, depth: int = 0) -> dict[str, Any]:
    """A normalizer, pre-tokenizer, decoder, post-processor or model, right or not."""
    found: dict[str, Any] = {"type": random.choice(STAGES)}
    wide = {"String": random.choice(TEXTS)} if random.random() < 0.3 else {"Regex": pattern(random)}
    found["pattern"], found["content"], found["behavior"] = wide, random.choice(TEXTS), "Isolated"
    if random.random() < 0.1:
        found["content"] = found["prepend"] = "a" * random.choice((1 << 10, 1 << 20))
    if found["type"] == "Sequence":
        found[random.choice(LISTS)] = (
            [stage(random, depth + 1) for _ in range(random.choice((0, 1, 3)))] if depth < 3 else []
        )
    if found["type"] == "TemplateProcessing":
        token = {"SpecialToken": {"id": "x", "type_id": 0}}
        found["single"] = [token] * random.choice((1, 3, 3000)) + [{"Sequence": {"id": "A", "type_id": 0}}]
        ids = [random.choice((0, 1, -1, 1 << 31, 1 << 60))] * random.choice((0, 1, 2000))
        found["special_tokens"] = {"x": {"id": "x", "ids": ids, "tokens": ["x"]}}
    for _ in range(random.choice((0, 0, 1, 3))):
        found[random.choice(FIELDS)] = _value(random, depth + 1)
    return found


def _walk(data: Any, random: Random) -> tuple[Any, Any]:
    """(container, key) of a random place, all keys of a container being equally likely."""
    container, key = None, None
    while isinstance(data, (dict, list)) and data:
        container = data
        key = random.choice(list(data)) if isinstance(data, dict) else random.randrange(len(data))
        data = data[key]
        if random.random() < 0.2:
            break
    return container, key


def written(data: Any, random: Random) -> bytes:
    """The JSON; what is marked as raw stands in it as it is."""
    text = json.dumps(data, ensure_ascii=random.random() < 0.5)
    parts, done = [], 0
    while (at := text.find('"' + RAW, done)) >= 0:
        end = json.decoder.scanstring(text, at + 1)[1]  # type: ignore[attr-defined]
        parts += [text[done:at], json.loads(text[at:end])[len(RAW) :]]
        done = end
    text = "".join([*parts, text[done:]])
    return text.encode("utf-8", "surrogatepass")


def odd_values(data: bytes, random: Random) -> bytes:
    """Values anywhere are of another type, or larger than anybody expects."""
    changed = json.loads(data)
    for _ in range(random.choice((1, 1, 2, 5))):
        container, key = _walk(changed, random)
        if container is not None:
            container[key] = _value(random)
    return written(changed, random)


def other_keys(data: bytes, random: Random) -> bytes:
    """A value is missing, has another key, or stands in another's place."""
    changed = json.loads(data)
    container, key = _walk(changed, random)
    other, place = _walk(changed, random)
    if container is None or other is None:
        return data
    moved = copy.deepcopy(other[place])
    way = random.randrange(3)
    if way == 0:
        del container[key]
    elif way == 1 and isinstance(container, dict):
        container[random.choice(TEXTS)] = container.pop(key)
    else:
        container[key] = moved
    return written(changed, random)


def odd_stages(data: bytes, random: Random) -> bytes:
    """Normalizer, pre-tokenizer, decoder, post-processor, model: another, or a strange one."""
    changed = json.loads(data)
    for _ in range(random.choice((1, 1, 3))):
        name = random.choice(
            ("normalizer", "pre_tokenizer", "decoder", "post_processor", "normalizer", "pre_tokenizer")
        )
        changed[name] = random.choice((stage, stage, stage, _nested, _value))(random)
    return written(changed, random)


def odd_pieces(data: bytes, random: Random) -> bytes:
    """Pieces, scores, ids, merges and added tokens that nobody expects, each well-formed."""
    changed = json.loads(data)
    model = changed.get("model", changed)
    vocab = model.get("vocab", [])
    for _ in range(random.choice((1, 10, 1000))):
        piece, number = random.choice(TEXTS), random.choice((*LIES, -1, 1e300, True, 0.5))
        if isinstance(vocab, dict):
            vocab[piece] = number if random.random() < 0.1 else len(vocab) + random.choice((0, 0, 0, 1, 1000))
        elif vocab and isinstance(vocab[0], list):
            vocab[random.randrange(len(vocab))] = [piece, number if random.random() < 0.1 else -1.0]
        elif vocab and isinstance(vocab[0], dict):
            vocab[random.randrange(len(vocab))][random.choice(("token_bytes", "rank"))] = random.choice((piece, number))
    if isinstance(model.get("merges"), list):
        model["merges"].insert(
            0, random.choice(([random.choice(TEXTS), random.choice(TEXTS)], "a b c", "q", [], "zz yy"))
        )
    added = {
        "id": random.choice((0, 5, 300, 5000, *LIES)),
        "content": random.choice(TEXTS),
        "special": random.random() < 0.5,
    }
    flags = {name: True for name in ("lstrip", "rstrip", "normalized", "single_word") if random.random() < 0.5}
    changed.setdefault("added_tokens", []).append(added | flags)
    return written(changed, random)


def odd_pattern(data: bytes, random: Random) -> bytes:
    """The pattern is one that nobody would write, or the special tokens are."""
    changed = json.loads(data)
    place = changed.get("config", changed)
    place["pattern"] = pattern(random)
    if random.random() < 0.3:
        place["special_tokens"] = {random.choice(TEXTS): random.choice((*LIES, -1, 300, True, "x", 1.5, None))}
    return written(changed, random)


TOKENIZER_JSON = (odd_values, other_keys, odd_stages, odd_stages, odd_pieces)
PATTERNED = (odd_values, other_keys, odd_pattern, odd_pieces)
