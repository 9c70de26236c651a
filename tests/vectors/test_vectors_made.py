"""The vectors of a small model: what is promised of them, and that they are made the same each time."""

from __future__ import annotations

import tempfile
from collections import Counter
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
from vectors_files import MODEL, ROOT, made

from tests.rings import nightly_but
from tokparity import models, quirks
from tokparity.cli import main
from tokparity.models import primary_source
from tokparity.questions import Decode, Encode
from tokparity.reference.imitate import imitate
from tokparity.reference.tokenizer import Tokenizer
from tokparity.vectors import candidates
from tokparity.vectors.file import read
from tokparity.vectors.make import BYTES, CASES
from tokparity.vectors.model import Answer, Vectors, answer_of
from tokparity.vectors.naming import judge, sentences
from tokparity.vectors.stale import changes

FEW = {"pool._ROUNDS": 1, "pool._TEXTS": 500, "kinds.COUNT": 150}


@cache
def small_path() -> Path:
    """The file of small-spm, as the command writes it now if it draws fewer random questions."""
    folder = Path(tempfile.mkdtemp(prefix="vectors-"))
    with pytest.MonkeyPatch.context() as patch:
        for name, number in FEW.items():
            patch.setattr(f"tokparity.vectors.{name}", number)
        assert 0 == main(["vectors", MODEL, "-o", str(folder)])
    return folder / f"{MODEL}.vectors.json"


@cache
def small() -> Vectors:
    """The vectors of small-spm, as they are made now."""
    return read(small_path())


@cache
def right() -> Tokenizer:
    """The reference on the model."""
    source = primary_source(models.load(MODEL))
    return Tokenizer(source.vocabulary, source.behaviour)


SHOWN_BESIDE = {"groups_bytes_by_lead": "keeps_invalid_bytes"}
"""A fault that this model shows only in an engine that has the other one as well."""


def answers_of(fault: str = "") -> dict[str, Answer]:
    """What the reference, or an engine with the fault, answers to all cases."""
    flips = [quirks.get(name) for name in (SHOWN_BESIDE.get(fault), fault) if name]
    tokenizer = right().with_behaviour(quirks.flip_all(flips, right().behaviour))
    return {case.id: answer_of(imitate(tokenizer, case.question)) for case in small().cases}


@pytest.mark.nightly
def test_the_same_bytes_each_time(tmp_path: Path) -> None:
    """Another process, with another order of sets, writes the same file: the one that is stored."""
    stored = ROOT / "vectors" / f"{MODEL}.vectors.json"
    assert [stored.read_bytes()] * 2 == [made(tmp_path / seed, int(seed)).read_bytes() for seed in "12"]


def test_within_bounds() -> None:
    """At most 600 cases and 250 kB, and no case twice; the groups take at most 15 percent more."""
    ids = [case.id for case in small().cases]
    assert len(ids) == len(set(ids)) <= CASES
    assert small_path().stat().st_size <= 1.15 * BYTES


def test_a_right_engine_passes() -> None:
    """The reference gives the right answer to every case."""
    outcome = judge(small(), answers_of())
    assert (len(small().cases), ()) == (outcome.asked, outcome.failed)


@pytest.mark.parametrize("part", nightly_but([0], range(5)))
def test_each_fault_is_shown_and_named(part: int) -> None:
    """An engine with one fault fails at least two cases, if as many show it, and the sentence names just this fault."""
    shown = Counter(name for case in small().cases for one in case.wrong for name in one.faults)
    assert small().faults.keys() == shown.keys()
    for fault in [*small().faults][part::5]:
        outcome = judge(small(), answers_of(fault))
        beside = SHOWN_BESIDE.get(fault)
        assert len(outcome.failed) >= shown[fault] if beside else len(outcome.failed) == shown[fault]
        assert fault in [one.fault for one in outcome.named]
        if beside:
            continue
        assert [fault] == [one.fault for one in outcome.named]
        assert f"`{fault}`" in next(sentences(small(), outcome))
    assert len([name for name, times in shown.items() if times == 1]) < len(shown) / 20


def test_faults_alike_have_the_same_answers() -> None:
    """Faults that are told as alike give the same answers to every case."""
    for name, fault in small().faults.items():
        for other in fault.alike:
            assert judge(small(), answers_of(name)).failed == judge(small(), answers_of(other)).failed


def test_every_fault_of_the_catalogue_is_told() -> None:
    """Each quirk is one that the cases show, one that is alike, or one with the reason why no case shows it."""
    told = [*small().faults, *(one for fault in small().faults.values() for one in fault.alike)]
    told += [name for one in small().untold for name in one.faults]
    assert [quirk.name for quirk in quirks.all_quirks()] == sorted(told)


def test_there_is_something_of_everything() -> None:
    """Ten sentences, long texts, special tokens, invalid UTF-8, white space, and rows to be decoded."""
    tags = [tag for case in small().cases for tag in case.tags]
    assert 10 == tags.count("language")
    assert {"long", "special tokens", "invalid UTF-8", "whitespace", "decode", "emoji", "digits"} <= set(tags)
    assert {Encode, Decode} == {type(case.question) for case in small().cases}


def test_there_are_the_corners_that_readers_and_caches_have() -> None:
    """Repeated signs, white space behind everything, long words, words alike, long texts, and many numbers of ids."""
    asked = {case.question for case in small().cases}
    assert set() == {*candidates.corners(), *candidates.long_texts()} - asked
    counts = {len(case.answer) for case in small().cases if isinstance(case.answer, tuple)}
    assert set() == set(range(1, 18)) - counts


def test_two_faults_in_one_engine_are_both_named() -> None:
    """What the first does not explain goes to the second."""
    flipped = quirks.flip_all(map(quirks.get, ("omits_bos", "decodes_each_id_alone")), right().behaviour)
    tokenizer = right().with_behaviour(flipped)
    answers = {case.id: answer_of(imitate(tokenizer, case.question)) for case in small().cases}
    named = {one.fault for one in judge(small(), answers).named}
    assert {"decodes_each_id_alone"} < named
    assert any(name == "omits_bos" or "omits_bos" in small().faults[name].alike for name in named)


def reworded(vectors: Vectors) -> Vectors:
    """The same file of another version, with every English text another one."""
    return replace(
        vectors,
        tokparity="0.0.9",
        faults={name: replace(fault, does="does wrong") for name, fault in vectors.faults.items()},
        untold=[replace(one, why="nothing shows it") for one in vectors.untold],
        cases=[
            replace(case, comment="a text", acceptable=tuple(replace(one, why="so") for one in case.acceptable))
            for case in vectors.cases
        ],
    )


def test_a_stale_file_is_told_with_its_cause() -> None:
    """Another oracle, another fault and another answer are each a line; the same file, or other words, are none."""
    new = small()
    case = new.cases[5]
    old = replace(
        new,
        oracle="another 1.0",
        faults={name: fault for name, fault in new.faults.items() if name != "collapses_spaces"},
        cases=(*new.cases[:5], replace(case, answer=(7,)), *new.cases[6:]),
    )
    assert [] == list(changes(new, new))
    assert [] == list(changes(reworded(new), new))
    told = list(changes(old, new))
    assert [
        f"the oracle was another 1.0, and is {new.oracle}",
        "1 known faults that are new: collapses_spaces",
    ] == told[:2]
    assert f"1 cases with another right answer: {case.id}" in told
