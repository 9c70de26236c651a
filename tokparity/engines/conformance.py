"""What every engine has to keep to, put to one engine rule by rule; each check says what is right or what to mend."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from tokparity.engines.buffers import Ids, Texts
from tokparity.engines.claims import PLAIN, Check, Verdict, claimed, prompts, renders, told
from tokparity.engines.hello import UNVERSIONED
from tokparity.engines.process.client import Client
from tokparity.engines.results import Results

TEXTS: tuple[tuple[str, bytes], ...] = (
    ("a plain sentence", PLAIN),
    ("the empty text", b""),
    ("one space", b" "),
    ("spaces at both ends", b"  two words  "),
    ("line ends and tabs", b"a\nb\r\nc\td\n"),
    ("quotes, backslashes and brackets", b'"a\\n" [b], {"c": 1}'),
    ("accents, composed and combining", "naïve cafe\u0301".encode()),
    ("Chinese, Arabic and emoji", "你好 مرحبا 👩\u200d👩\u200d👧".encode()),
    ("separators that end no line", "a\u2028b\u2029c\x85d".encode()),
    ("NUL and other control characters", b"a\x00b\x01c\x1fd\x7f"),
    ("a text of 100,000 characters", b"long text " * 10_000),
)
"""What is put, and what it is called."""

INVALID = b"a\xff\xc3(\xed\xa0\x80"

_MANY = 2000


@dataclass(frozen=True)
class Subject:
    """The model's facts that the kit needs: the number of ids, the ids around a text, a special token."""

    size: int
    prefix: tuple[int, ...]
    suffix: tuple[int, ...]
    special: tuple[bytes, int] | None = None


def checks(make: Callable[[], Client], subject: Subject) -> Iterator[Check]:
    """All checks, as they come; the engine must open its model, else the error is raised. `make` opens it anew."""
    with make() as client:
        version = client.wait_ready()
        verdict: Verdict = "note" if version == UNVERSIONED else "ok"
        yield Check(verdict, "opens the model and says its version", version)
        alone = {text: client.encode(Texts.from_list([text]), _add(client), False) for _, text in TEXTS}
        if all(map(_says_error, alone.values())) and renders(client):
            why = told(alone[PLAIN].failed[0])
            yield Check("left out", "encodes texts", f"it makes prompts, and gives ids for no text: {why}")
            yield from prompts(client)
            return
        yield from (_encoded(f"encodes {name}", text, alone[text], subject) for name, text in TEXTS)
        yield _invalid(client, subject)
    # What hung or died alone is told of already: in company it would be others' fault, and take its time again.
    answered = {text: _row(results, 0) for text, results in alone.items() if not results.failures}
    with make() as client:
        yield from _batches(client, answered)
        yield from _flags(client, subject)
        yield from _decoding(client)
        yield from claimed(client)
        first = _rows(client, [*answered])
    with make() as client:
        again = _rows(client, [*answered])
    yield _equal("a new process gives the same ids", first, again)


def _says_error(results: Results) -> bool:
    return any(failure.kind == "error" for _, failure in results.failures)


def _invalid(client: Client, subject: Subject) -> Check:
    rule = "encodes bytes that are not UTF-8"
    if not client.capabilities.invalid_utf8:
        return Check("left out", rule, "it says that it takes only UTF-8")
    return _encoded(rule, INVALID, client.encode(Texts.from_list([INVALID]), _add(client), False), subject)


def _encoded(rule: str, text: bytes, results: Results, subject: Subject) -> Check:
    failure = results.failed.get(0)
    if failure is not None:
        return Check("wrong", rule, told(failure))
    row = results.row(0)
    wrong = next((i for i in row if not 0 <= i < subject.size), None)
    if wrong is not None:
        return Check("wrong", rule, f"gave id {wrong}, but the model's ids go from 0 to {subject.size - 1}")
    if text == PLAIN and not row:
        return Check("wrong", rule, "gave no ids at all")
    return Check("ok", rule, f"{len(row)} ids")


def _batches(client: Client, alone: Mapping[bytes, list[int] | str]) -> Iterator[Check]:
    """What is asked together is answered as what is asked `alone`, in order, however often."""
    texts = [*alone]
    together = _rows(client, texts)
    yield _equal("gives a batch the ids that each text has alone", [*alone.values()], together)
    yield _equal("gives the same ids again", together, _rows(client, texts))
    many = [b"%d %s" % (i, PLAIN) for i in range(_MANY)]
    rows = _rows(client, many)
    yield _equal(f"answers {_MANY} texts at once, in order", _rows(client, many[:3]) + _rows(client, many[-3:]),
                 rows[:3] + rows[-3:])  # fmt: skip


def _flags(client: Client, subject: Subject) -> Iterator[Check]:
    """add_special puts the model's prefix and suffix around, parse_special recognizes special tokens."""
    able = client.capabilities
    rule = "add_special puts the model's prefix and suffix around the ids"
    if able.add_special != (False, True):
        yield Check("left out", rule, f"it says that it honors only add_special={able.add_special[0]}")
    else:
        bare, around = (client.encode(Texts.from_list([PLAIN]), add, False) for add in (False, True))
        expected = [*subject.prefix, *bare.row(0), *subject.suffix]
        yield _equal(rule, [_row(bare, 0) if bare.failures else expected], [_row(around, 0)])
    rule = "parse_special recognizes a special token in the text"
    if True not in able.parse_special or subject.special is None:
        yield Check("left out", rule, "it says that it does not" if subject.special else "the model has none")
        return
    text, id = subject.special
    results = client.encode(Texts.from_list([text]), _add(client), True)
    failed = results.failed.get(0)
    seen = told(failed) if failed else f"{text.decode('utf-8', 'replace')!r} gave {results.row(0)}, its id is {id}"
    yield Check("ok" if id in results.row(0) else "wrong", rule, seen)


def _decoding(client: Client) -> Iterator[Check]:
    """Decoding gives the text back, one text for each row."""
    able = client.capabilities
    rule = "decodes what it has encoded to the same text"
    if not able.decodes:
        yield Check("left out", rule, "it says that it does not decode")
        return
    ids = client.encode(Texts.from_list([PLAIN]), _add(client), False).row(0)
    results = client.decode(Ids.from_list([ids, ids]), able.skip_special[-1])
    texts = [results.text(i) for i in range(2)]
    failure = results.failed.get(0)
    if failure is not None:
        yield Check("wrong", rule, told(failure))
    elif {(text or b"").strip() for text in texts} == {PLAIN}:
        yield Check("ok", rule)
    else:  # a model that lowers case, say, does not give it back either
        yield Check("note", rule, f"{PLAIN.decode()!r} came back as {(texts[0] or b'').decode('utf-8', 'replace')!r}")
    empty = client.decode(Ids.from_list([[]]), able.skip_special[-1])
    failure = empty.failed.get(0)
    yield Check("wrong" if failure else "ok", "decodes an empty row", told(failure) if failure else "")


def agreement(client: Client, oracle: Client) -> Check:
    """For how many of the texts the engine gives the ids of the model's oracle: no rule, but what one wants to know."""
    texts = [text for _, text in TEXTS]
    add = next((add for add in client.capabilities.add_special if add in oracle.capabilities.add_special), None)
    if add is None:
        return Check("left out", f"gives the ids of {oracle.engine}", "nothing can be asked of both")
    rows, expected = (_rows(one, texts, add) for one in (client, oracle))
    if all(isinstance(row, str) for row in rows):
        return Check("left out", f"gives the ids of {oracle.engine}", "it gives ids for no text")
    differing = [name for (name, _), one, other in zip(TEXTS, rows, expected, strict=True) if one != other]
    first = f"; first differs on {differing[0]}" if differing else ""
    return Check(
        "note", f"gives the ids of {oracle.engine} for {len(texts) - len(differing)} of {len(texts)} texts{first}"
    )


def _add(client: Client) -> bool:
    """A value of add_special that it honors."""
    return client.capabilities.add_special[0]


def _rows(client: Client, texts: Sequence[bytes], add: bool | None = None) -> list[list[int] | str]:
    results = client.encode(Texts.from_list(texts), _add(client) if add is None else add, False)
    return [_row(results, i) for i in range(len(texts))]


def _row(results: Results, i: int) -> list[int] | str:
    """The ids of one text, or how it failed."""
    failure = results.failed.get(i)
    return results.row(i) if failure is None else failure.kind


def _equal(rule: str, expected: Sequence[list[int] | str], actual: Sequence[list[int] | str]) -> Check:
    at = next((i for i, (one, other) in enumerate(zip(expected, actual, strict=True)) if one != other), None)
    if at is None:
        return Check("ok", rule)
    return Check("wrong", rule, f"answer {at} is {_short(actual[at])}, expected {_short(expected[at])}")


def _short(row: list[int] | str) -> str:
    text = str(row)
    return text if len(text) <= 80 else f"{text[:76]}...]"
