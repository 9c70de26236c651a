"""Which causes are a wrong file's, and which the engine's own."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from reports import mismatch
from tokparity import formats
from tokparity.diagnose import Found
from tokparity.finding import Finding
from tokparity.formats import Source
from tokparity.formats.gguf_rewrite import rewrite
from tokparity.lint.compare import differences
from tokparity.models.record import EMBEDDED
from tokparity.outcome import Encoding
from tokparity.reference.tokenizer import Tokenizer
from tokparity.report.model import FileFault, Header, Report
from tokparity.report.render.causes import parts
from tokparity.report.tally import Tally
from tokparity.report.verdict import verdict
from tokparity.session.acceptance import Acceptance
from tokparity.session.wrong_keys import with_wrong_keys

SPACE = FileFault("m", "m.gguf", "m.model", "tokenizer.ggml.add_space_prefix", "false", "true")
BOS = FileFault("m", "m.gguf", "m.model", "tokenizer.ggml.add_bos_token", "false", "true")
KINDS = FileFault("m", "m.gguf", "m.model", "tokenizer.ggml.token_type", "differs in 3 of 9 entries", "")
SAID = "tokenizer.ggml.add_space_prefix is false, should be true"


@pytest.fixture
def sources(tmp_path: Path) -> tuple[Source, Source]:
    """A model, and a GGUF of it that puts no space before texts."""
    ours = formats.read(EMBEDDED / "small-spm.model")
    formats.write(ours, "gguf", tmp_path / "right.gguf")
    rewrite(tmp_path / "right.gguf", {SPACE.key: False}, tmp_path / "wrong.gguf")
    return ours, formats.read(tmp_path / "wrong.gguf")


def found(*quirks: str) -> Finding:
    """A finding with these quirks."""
    return Finding("f", "m", "llama.cpp", "sentencepiece", "verified", mismatch(b"a"), 3, quirks=quirks)


def test_a_quirk_that_the_file_has_is_the_files(sources: tuple[Source, Source]) -> None:
    """The engine reads that no space is wanted: the key is named, and only the one that has to do with it."""
    told = with_wrong_keys(found("keeps_invalid_bytes", "omits_space_prefix"), sources, (BOS, SPACE))
    assert (("omits_space_prefix", SAID),) == told.wrong_keys
    assert ((SPACE.key, "false, should be true"),) == told.context


def test_a_quirk_that_the_file_has_not_is_the_engines(sources: tuple[Source, Source]) -> None:
    """So is one where nothing is known to be wrong in the file."""
    for quirk, faults in (("keeps_invalid_bytes", (SPACE,)), ("omits_space_prefix", ())):
        assert found(quirk) == with_wrong_keys(found(quirk), sources, faults)
    assert found("omits_space_prefix") == with_wrong_keys(found("omits_space_prefix"), sources[:1], (SPACE,))


def test_what_the_file_makes_by_itself_is_the_files(sources: tuple[Source, Source]) -> None:
    """Also where a quirk of the engine would do the same to this text: whoever obeys the file gives these ids."""
    ours, read = sources
    right, wrong = (tuple(Tokenizer(one.vocabulary, one.behaviour).encode(b"a")) for one in (ours, read))
    shown = mismatch(b"a", expected=Encoding(right), actual=Encoding(wrong))
    of_space = replace(found("doubles_space_prefix"), smallest=shown)
    told = with_wrong_keys(of_space, sources, (BOS, SPACE))
    assert (("doubles_space_prefix", SAID),) == told.wrong_keys
    other = replace(shown, actual=Encoding((*wrong, 5)))
    assert () == with_wrong_keys(replace(of_space, smallest=other), sources, (SPACE,)).wrong_keys


def test_what_a_wrong_file_makes_is_no_known_deviation(sources: tuple[Source, Source]) -> None:
    """It is shown with the key, and not put down to the engine."""
    one = Found(found("keeps_invalid_bytes"), ())
    of_file = replace(one, finding=replace(one.finding, wrong_keys=(("keeps_invalid_bytes", SAID),)))
    put = {one.finding.engine: Tally()}
    (known,), (new,) = (Acceptance("m", ()).applied_to([each], put) for each in (one, of_file))
    assert (True, False) == (bool(known.finding.known), bool(new.finding.known))


def test_what_only_the_file_explains_has_all_its_keys(sources: tuple[Source, Source]) -> None:
    """Also a list, of which it is told in how many places it is wrong."""
    told = with_wrong_keys(found("source_differs"), sources, (SPACE, KINDS))
    both = (("source_differs", SAID), ("source_differs", "tokenizer.ggml.token_type differs in 3 of 9 entries"))
    assert both == told.wrong_keys
    assert "differs in 3 of 9 entries" == dict(told.context)[KINDS.key]


def test_accepted_faults_are_named_as_well(sources: tuple[Source, Source]) -> None:
    """Whoever accepted a key still wants to know what it makes."""
    told = with_wrong_keys(found("omits_space_prefix"), sources, (replace(SPACE, reason="so"),))
    assert (("omits_space_prefix", SAID),) == told.wrong_keys


def test_what_no_key_can_say_is_told(sources: tuple[Source, Source]) -> None:
    """A GGUF cannot express a prefix that is not put before a space: no change of the file mends that."""
    ours, _ = sources
    theirs = replace(ours, format="gguf")
    ours = replace(ours, behaviour=replace(ours.behaviour, prefix_doubles=False))
    expected, actual = (Tokenizer(one.vocabulary, one.behaviour) for one in (ours, theirs))
    smallest = mismatch(
        b" ", expected=Encoding(tuple(expected.encode(b" "))), actual=Encoding(tuple(actual.encode(b" ")))
    )
    told = with_wrong_keys(replace(found("source_differs"), smallest=smallest), (ours, theirs), ())
    said = "gguf cannot express this space prefix before a space: False (it would be read as True)"
    assert said == told.inexpressible
    (part,) = parts(told)
    assert (said in part.cause, "doctor" in part.fix) == (True, False)
    for oracle, hint in (("sentencepiece", False), ("tokenizers", True)):
        report = Report(Header("", "", {}, {}, 0, (), ""), (), findings=(replace(told, oracle=oracle),))
        assert told.inexpressible in verdict(report).sentence
        assert hint is ("compare with that (--sentencepiece)" in verdict(report).sentence)


def test_what_a_key_can_say_is_not_told_so(sources: tuple[Source, Source]) -> None:
    """Where nobody knows which key is wrong, another one may do."""
    expected, actual = (Tokenizer(one.vocabulary, one.behaviour) for one in sources)
    smallest = mismatch(
        b"a", expected=Encoding(tuple(expected.encode(b"a"))), actual=Encoding(tuple(actual.encode(b"a")))
    )
    assert "" == with_wrong_keys(replace(found("source_differs"), smallest=smallest), sources, ()).inexpressible


def test_what_one_key_of_several_could_say_is_not_told_so(
    sources: tuple[Source, Source], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the format has words for one of two differences, nobody knows that no key mends it."""
    ours, theirs = sources
    ours = replace(ours, behaviour=replace(ours.behaviour, prefix_doubles=False))
    both = list(differences(theirs, ours))
    monkeypatch.setattr("tokparity.session.wrong_keys.telling", lambda *given: both)
    assert {"space prefix", "space prefix before a space"} <= {one.part for one in both}
    assert "" == with_wrong_keys(found("source_differs"), (ours, theirs), ()).inexpressible
