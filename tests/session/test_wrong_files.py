"""What wrong keys of a file explain is explained by them, and only the rest is the engine's."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from tokparity import formats, quirks
from tokparity.case import AnyCase, text_case
from tokparity.cli import main
from tokparity.diagnose import Base
from tokparity.difference import difference_of
from tokparity.finding import Control, Finding, Mismatch
from tokparity.formats import Source
from tokparity.formats.gguf_rewrite import rewrite
from tokparity.models.record import EMBEDDED
from tokparity.outcome import Failure, Outcome
from tokparity.reference.imitate import imitate
from tokparity.reference.tokenizer import Tokenizer
from tokparity.report.model import FileFault
from tokparity.session.asking import AskedEngine
from tokparity.session.evidence import Kept
from tokparity.session.explain import Enquiry, Explainer
from tokparity.session.wrong_files import Obeyed
from tokparity.session.wrong_keys import with_wrong_keys
from tokparity.sources import corpus

pytestmark = pytest.mark.usefixtures("few_texts")

KEY = "tokenizer.ggml.add_space_prefix"
FAULT = FileFault("m", "wrong.gguf", "m.model", KEY, "false", "true")
TEXTS = [b"a", b"", b"  two  spaces ", b"x  y", b" a", b"\xc3\xa9t\xc3\xa9", b"one two", b"a b  c", b"   "]


@pytest.fixture
def sources(tmp_path: Path) -> list[Source]:
    """A model, and a GGUF of it that puts no space before texts."""
    formats.write(formats.read(EMBEDDED / "small-spm.model"), "gguf", tmp_path / "right.gguf")
    rewrite(tmp_path / "right.gguf", {KEY: False}, tmp_path / "wrong.gguf")
    return [formats.read(EMBEDDED / "small-spm.model"), formats.read(tmp_path / "wrong.gguf")]


class Engine:
    """An engine that can be asked, with the file that it obeys or with another one; `names` are its quirks."""

    put = ()

    def __init__(self, names: Sequence[str], source: Source, mended: Source) -> None:
        self._names, self._mended, self.panel = names, mended, SimpleNamespace(unavailable={})
        flipped = quirks.flip_all(map(quirks.get, names), source.behaviour)
        self._tokenizer = Tokenizer(source.vocabulary, flipped)
        self.asked: list[AnyCase] = []

    def __call__(self, cases: Sequence[AnyCase]) -> list[Outcome]:
        return [imitate(self._tokenizer, case.question, decodes=True) for case in cases]

    fresh = anew = __call__

    @contextmanager
    def with_file(self, path: Path) -> Iterator[Engine]:
        """The same engine with the mended file."""
        yield Engine(self._names, self._mended, self._mended)


def found(sources: list[Source], obeys: Source, *names: str, asked: bool = False) -> list[Finding]:
    """The findings about an engine that obeys a file and has these quirks beside it."""
    ours = sources[0]
    right = Tokenizer(ours.vocabulary, ours.behaviour)
    flipped = quirks.flip_all(map(quirks.get, names), obeys.behaviour)
    engine = Tokenizer(obeys.vocabulary, flipped)
    mismatches, controls = [], []
    for text in (*TEXTS, *(case.question.text for case in islice(corpus.load("whitespace"), 60))):
        case = text_case(text)
        expected, actual = (imitate(one, case.question, decodes=True) for one in (right, engine))
        assert not isinstance(expected, Failure)
        assert not isinstance(actual, Failure)
        difference = difference_of(case, expected, actual)
        if difference is None:
            controls.append(Control(case, "m", "e", actual))
        else:
            mismatches.append(Mismatch(case, "m", "e", "o", expected, actual, difference))
    evidence = Kept(mismatches, list(range(len(mismatches))), Counter(), controls=controls)
    obeyed = Obeyed.of(sources, Base(ours.vocabulary, ours.behaviour), Path("mended.gguf") if asked else None)
    asking = cast(AskedEngine, Engine(names, obeys, ours)) if asked else None
    explained = Explainer().findings(Enquiry(evidence, sources, asking, obeyed=obeyed))
    assert len(mismatches) == sum(one.finding.mismatches for one in explained)
    return [with_wrong_keys(one.finding, sources, (FAULT,), obeyed) for one in explained]


def test_one_wrong_key_is_one_finding(sources: list[Source]) -> None:
    """Whatever its texts look like, there is nothing else to say of them."""
    (finding,) = found(sources, sources[1])
    assert (("source_differs",), (("source_differs", FAULT.sentence),)) == (finding.quirks, finding.wrong_keys)
    assert finding.is_of_file


def test_the_rest_is_held_against_the_file(sources: list[Source]) -> None:
    """A cause of the engine's own has its own name alone, though all its texts show the wrong key as well."""
    of_file, own = sorted(found(sources, sources[1], "collapses_spaces"), key=lambda one: not one.is_of_file)
    assert (("source_differs",), ("collapses_spaces",)) == (of_file.quirks, own.quirks)
    assert (True, False, ()) == (of_file.is_of_file, own.is_of_file, own.wrong_keys)


def test_who_does_not_obey_the_file_is_diagnosed_as_ever(sources: list[Source]) -> None:
    """The wrong key has nothing to do with what such an engine does."""
    (finding,) = found(sources, sources[0], "collapses_spaces")
    assert (("collapses_spaces",), ()) == (finding.quirks, finding.wrong_keys)


def test_what_an_engine_does_with_the_keys_right_is_tried(sources: list[Source]) -> None:
    """What our reading of the file does not foretell is the keys' all the same: with the keys right, it is right."""
    unread = Source("gguf", sources[1].path, sources[1].vocabulary, quirks.get("omits_bos").flip(sources[1].behaviour))
    (finding,) = found(sources, unread, asked=True)
    assert (("source_differs",), "verified", True) == (finding.quirks, finding.status, finding.is_of_file)
    of_file, own = sorted(found(sources, unread, "collapses_spaces", asked=True), key=lambda one: not one.is_of_file)
    assert (("source_differs",), ("collapses_spaces",)) == (of_file.quirks, own.quirks)


def test_what_the_keys_do_not_mend_is_not_theirs(sources: list[Source]) -> None:
    """Where the file differs in more than its wrong keys, the rest is a finding that no accepted key covers."""
    ours, wrong = sources
    both = [ours, Source("gguf", wrong.path, wrong.vocabulary, quirks.get("keeps_invalid_bytes").flip(wrong.behaviour))]
    text = text_case(b"  two \xff ")
    given = [imitate(Tokenizer(one.vocabulary, one.behaviour), text.question, decodes=True) for one in both]
    mismatch = Mismatch(text, "m", "e", "o", given[0], given[1], difference_of(text, *given))  # type: ignore[arg-type]
    obeyed = Obeyed.of(both, Base(ours.vocabulary, quirks.get("keeps_invalid_bytes").flip(ours.behaviour)))
    assert obeyed is not None
    assert not obeyed.makes(mismatch)
    finding = Finding("f", "m", "e", "o", "verified", mismatch, 1, quirks=("source_differs",))
    assert () == with_wrong_keys(finding, both, (FAULT,), obeyed).wrong_keys


def test_why_one_text_differs_names_the_key(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`diff --why` and `doctor` explain what the wrong key makes by the key, and name no quirk beside it."""
    formats.write(formats.read(EMBEDDED / "small-bpe.json"), "gguf", tmp_path / "right.gguf")
    rewrite(tmp_path / "right.gguf", {"tokenizer.ggml.pre": b"qwen2"}, tmp_path / "wrong.gguf")
    files = "--gguf", str(tmp_path / "wrong.gguf"), "--tokenizer-json", str(EMBEDDED / "small-bpe.json")
    assert 1 == main(["diff", *files, "11", "--engine", "llama.cpp", "--why"])
    said = capsys.readouterr().out
    assert "llama.cpp differs: source_differs" in said
    assert 'tokenizer.ggml.pre: "qwen2", should be "gpt-2"' in said
    main(["doctor", files[1], "--against", files[3]])
    said = capsys.readouterr().out
    assert 'tokenizer.ggml.pre: "qwen2" -> "gpt-2"' in said
    assert "behave as one with" not in said
