"""A report with everything in it that has ever been hard to show."""

from __future__ import annotations

from collections.abc import Sequence

from tokparity.diff import group
from tokparity.finding import Mismatch
from tokparity.outcome import Case, Encoding, Failure, Outcome
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
    first_difference: str = "ids:4",
    pieces: Sequence[bytes] = ("▁".encode(), b"<unk>", b"I", b"J", b"<unk>"),
) -> Mismatch:
    """A mismatch like the one that Hugging Face's charsmap makes."""
    return Mismatch(
        case=Case(text, origin="unicode-marks:12"),
        model=model,
        engine=engine,
        oracle="sentencepiece",
        expected=expected,
        actual=actual,
        first_difference=first_difference,
        expected_pieces=tuple(pieces) if isinstance(expected, Encoding) else (),
        actual_pieces=tuple(pieces)[:4] if isinstance(actual, Encoding) else (),
    )


def nasty_report() -> Report:
    """Two models, four engines, every kind of mismatch, and texts that attack the renderer."""
    mismatches = [mismatch(text) for text in NASTY]
    mismatches += [
        mismatch(b"long", expected=Encoding(tuple(range(200))), actual=Encoding((*range(100), 7, 8)),
                 first_difference="ids:100", pieces=[b"p%d" % i for i in range(200)]),
        mismatch(b"a b", "nai-t5", "=evil", Encoding((1, 2), b"a b"), Encoding((1, 2), "aéb".encode()), "decode:1",
                 (b"a", b"b")),
        mismatch("aéb".encode(), GEMMA, "llama.cpp", Encoding((1,), b"a"), Failure("crash", "<i>out_of_range", 6),
                 "failure:crash", (b"a",)),
        mismatch("שלום عالم".encode(), GEMMA, "llama.cpp", Encoding((5, -1)), Encoding((-1, 5)), "ids:0",
                 ("ש".encode(), "\u064b".encode())),
    ]  # fmt: skip
    groups = group(mismatches)
    findings = [found.finding() for found in groups]
    return Report(
        header=HEADER,
        pairs=(
            Pair("nai-t5", "sentencepiece", "sentencepiece", cases=20000, equal=20000),
            Pair("nai-t5", "tokenizers", "sentencepiece", source="nai.json", cases=20000, equal=19981, mismatches=19),
            Pair("nai-t5", "=evil", "sentencepiece", cases=20000, equal=20000, decode=1),
            Pair("nai-t5", "llama.cpp", "sentencepiece", unavailable="gguf cannot say <normaliser>"),
            Pair(GEMMA, "sentencepiece", "sentencepiece", cases=40, equal=40),
            Pair(GEMMA, "llama.cpp", "sentencepiece", cases=40, equal=38, mismatches=1, failures=1),
        ),
        mismatches=tuple(mismatches),
        findings=tuple(findings),
        members={(f.model, f.name): tuple(g.members) for f, g in zip(findings, groups, strict=True)},
        footer=Footer("complete", 12.5),
    )
