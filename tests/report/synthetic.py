"""A report as large as they get: many mismatches of many causes, made by counting, the same every time."""

from __future__ import annotations

from tokparity import quirks
from tokparity.case import Origin, text_case
from tokparity.difference import Difference
from tokparity.finding import Finding, Mismatch
from tokparity.outcome import Encoding
from tokparity.report.model import Footer, Header, Pair, Report

MODELS = tuple(f"model-{number}" for number in range(10))
ENGINES = ("llama.cpp", "tokenizers")
WORDS = ("hello", "привет", "日本語", "γειά", "word", "▁x", "a\u0301", "\u202eabc", "<b>", "12345", "  ", "ß")


def large_report(mismatches: int, causes: int) -> Report:
    """So many mismatches, dealt out to so many causes, of which every fourth is new."""
    names = [name for name in sorted(quirks.names()) if not name.startswith("uses_pre_")][:causes]
    found = [_mismatch(number, causes) for number in range(mismatches)]
    members: dict[tuple[str, str], list[int]] = {}
    for place, mismatch in enumerate(found):
        members.setdefault((mismatch.model, f"{mismatch.engine}-{names[place % causes]}"), []).append(place)
    findings = [
        _finding(model, name, [found[place] for place in places], names.index(name.partition("-")[2]) % 4 != 0)
        for (model, name), places in members.items()
    ]
    return Report(
        header=Header("0.1.0", "15.0.0", dict.fromkeys(ENGINES, "1.0"), {}, 7, ("tokparity", "check"),
                      "2026-11-21T10:00:00+00:00"),
        pairs=tuple(_pair(model, engine, mismatches) for model in MODELS for engine in ENGINES),
        mismatches=tuple(found),
        findings=tuple(findings),
        members={key: tuple(places) for key, places in members.items()},
        footer=Footer("complete", 12.5),
    )  # fmt: skip


def _mismatch(number: int, causes: int) -> Mismatch:
    cause = number % causes
    text = " ".join(WORDS[(number * step + step) % len(WORDS)] for step in range(1, 4)) + f" {number}"
    pieces = tuple(word.encode() for word in text.split())
    wrong = (*pieces[:1], b"<0x61>", *pieces[2:])
    return Mismatch(
        text_case(text.encode(), number % 3 > 0, number % 5 == 0, Origin("generator", f"made_{number % 9}", number, 1)),
        MODELS[number // causes % len(MODELS)],
        ENGINES[cause % 2],
        "sentencepiece",
        Encoding(tuple(range(len(pieces)))),
        Encoding((0, 900, *range(2, len(wrong)))),
        Difference("ids", 1),
        pieces,
        wrong,
    )


def _finding(model: str, name: str, members: list[Mismatch], accepted: bool) -> Finding:
    engine, _, quirk = name.partition("-")
    smallest = min(members, key=lambda m: m.case.question.order)
    return Finding(name, model, engine, "sentencepiece", "verified", smallest, len(members), 200, (quirk,),
                   accepted=accepted, reason="known" if accepted else "", verified=len(members))  # fmt: skip


def _pair(model: str, engine: str, cases: int) -> Pair:
    wrong = cases // len(MODELS) // len(ENGINES)
    return Pair(model, engine, "sentencepiece", "1.0", "file", cases=cases, equal=cases - wrong, mismatches=wrong)
