"""A report with everything in it that has ever been hard to show."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tokparity.case import Origin, text_case
from tokparity.diagnose.findings import findings
from tokparity.difference import Difference
from tokparity.finding import Finding, Mismatch
from tokparity.outcome import Encoding, Failure, Outcome
from tokparity.report.model import Footer, Header, Pair, Report

GEMMA = "<b>gemma</b>"

HEADER = Header(
    tokparity="0.1.0",
    unicode="15.0.0",
    engines={"llama.cpp": "llama-cpp-python 0.3.36", "tokenizers": "tokenizers 0.23.3", "=evil": ""},
    models={"nai-t5": {"nai-t5.model": "0" * 64}, GEMMA: {"gemma.gguf": "1" * 64}},
    seed=7,
    command=("tokparity", "run", "nai-t5"),
    started="2026-11-21T10:00:00+00:00",
    arguments={"nai-t5": ("--sentencepiece", "my models/nai-t5.model")},
)

RIGHT = Encoding((3, 2, 196, 683, 2))
AT_4 = Difference("ids", 4)
WRONG = Encoding((3, 2, 196, 683))

NASTY = (
    b"The capital of France is",
    "ƨĲ\u073f".encode(),
    b"=HYPERLINK(\"http://x\",\"y\")",
    b"+1", b"-1", b"@x", b"\tx", b"\rx", b"\nx",
    b"<script>alert(1)</script>&amp;",
    "\u202eabc\u200d\u2066שלום\u2069".encode(),
    b"\xff\xfe\x00broken",
    "a\x00b\x7f\x85\u2028c".encode(),
    b"",
    b"```\n| # *x* |",
    b"'; rm -rf ~ #'\"\\",
    "日本語 トークン 👩‍👩‍👧 e\u0301".encode(),
    b"x" * 5000,
)  # fmt: skip


def mismatch(
    text: bytes,
    model: str = "nai-t5",
    engine: str = "tokenizers",
    expected: Outcome = RIGHT,
    actual: Outcome = WRONG,
    difference: Difference = AT_4,
    pieces: Sequence[bytes] = ("▁".encode(), b"<unk>", b"I", b"J", b"<unk>"),
) -> Mismatch:
    """A mismatch like the one that Hugging Face's charsmap makes."""
    return Mismatch(
        case=text_case(text, origin=Origin("corpus", "unicode-marks", 12)),
        model=model,
        engine=engine,
        oracle="sentencepiece",
        expected=expected,
        actual=actual,
        difference=difference,
        expected_pieces=tuple(pieces) if isinstance(expected, Encoding) else (),
        actual_pieces=tuple(pieces)[:4] if isinstance(actual, Encoding) else (),
    )


def by_kind(mismatches: Sequence[Mismatch]) -> Iterator[tuple[Finding, tuple[int, ...]]]:
    """A finding that nothing has explained yet for each kind of each pair, with the places of its mismatches."""
    for pair in dict.fromkeys((m.model, m.engine) for m in mismatches):
        places = [place for place, m in enumerate(mismatches) if (m.model, m.engine) == pair]
        for one in findings([mismatches[place] for place in places], []):
            yield one.finding, tuple(places[member] for member in one.members)


def nasty_report() -> Report:
    """Two models, four engines, every kind of mismatch, and texts that attack the renderer."""
    mismatches = [mismatch(text) for text in NASTY]
    mismatches += [
        mismatch(b"long", expected=Encoding(tuple(range(200))), actual=Encoding((*range(100), 7, 8)),
                 difference=Difference("ids", 100), pieces=[b"p%d" % i for i in range(200)]),
        mismatch(b"a b", "nai-t5", "=evil", Encoding((1, 2), b"a b"), Encoding((1, 2), "aéb".encode()),
                 Difference("decode", 1), (b"a", b"b")),
        mismatch("aéb".encode(), GEMMA, "llama.cpp", Encoding((1,), b"a"), Failure("crash", "<i>out_of_range", 6),
                 Difference("failure", failure="crash"), (b"a",)),
        mismatch("שלום عالم".encode(), GEMMA, "llama.cpp", Encoding((5, -1)), Encoding((-1, 5)),
                 Difference("ids"), ("ש".encode(), "\u064b".encode())),
    ]  # fmt: skip
    found = list(by_kind(mismatches))
    return Report(
        header=HEADER,
        pairs=(
            Pair("nai-t5", "sentencepiece", "sentencepiece", cases=20000, equal=20000),
            Pair("nai-t5", "tokenizers", "sentencepiece", source="nai.json", cases=20000, equal=19981, mismatches=19),
            Pair("nai-t5", "=evil", "sentencepiece", cases=20000, equal=20000, decode=1),
            Pair("nai-t5", "llama.cpp", "sentencepiece", unavailable="gguf cannot say <normalizer>"),
            Pair(GEMMA, "sentencepiece", "sentencepiece", cases=40, equal=40),
            Pair(GEMMA, "llama.cpp", "sentencepiece", cases=40, equal=38, mismatches=1, failures=1),
        ),
        mismatches=tuple(mismatches),
        findings=tuple(finding for finding, _ in found),
        members={(finding.model, finding.name): members for finding, members in found},
        footer=Footer("complete", 12.5),
    )
