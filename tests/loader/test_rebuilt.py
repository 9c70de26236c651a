"""What a loader made of a file: which parts it changed, and which of them give its answers."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import pytest

from tokparity.case import TextCase, text_case
from tokparity.loader.library import Library
from tokparity.loader.rebuilt import Rebuilding, Rebuilt, _needed
from tokparity.models import load, prepare

CASES = [text_case(text, add_special=False) for text in (b"a b", b"Ab", b"12", b"plain", b"A 12", b"a b")]
FILE = load("small-bpe").sources["tokenizer.json"]


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Any]:
    """Opens a file with some parts changed, as the loader, beside the raw one."""
    with ExitStack() as stack:

        def both(**changes: object) -> tuple[Library, Library]:
            content = json.loads(FILE.read_text(encoding="utf-8"))
            for name, value in changes.items():
                content[name] = {**content["model"], **value} if isinstance(value, dict) and name == "model" else value
            (tmp_path / "other.json").write_text(json.dumps(content), encoding="utf-8")
            pair = [stack.enter_context(closing(Library("tokenizers", sys.executable))) for _ in range(2)]
            for library, path in zip(pair, (tmp_path / "other.json", FILE), strict=True):
                library.open(str(path), {})
            return pair[0], pair[1]

        yield both


def rebuilt(loader: Library, raw: Library, cases: Sequence[TextCase]) -> Rebuilt:
    """What the loader made of the file that `raw` has open."""
    with Rebuilding(raw, cases) as rebuilding:
        return rebuilding.of(loader)


def test_what_gives_the_answers_is_told_apart_from_what_does_not(opened: Any) -> None:
    """Lower case gives them; another decoder of the same kind, and a setting that no text reaches, do not."""
    loader, raw = opened(normalizer={"type": "Lowercase"}, model={"fuse_unk": True})
    made = rebuilt(loader, raw, CASES)
    assert {"normalizer": True, "model.fuse_unk": False} == {part.name: part.needed for part in made.parts}
    assert (2, 2, True) == (made.same, made.different, made.is_whole)
    assert made.sentences == (
        "normalizer: null became Lowercase",
        "the raw file with this gives the loader's answers on 2 of 2 texts",
        "changed too, without an effect on these texts: model.fuse_unk",
    )


@pytest.mark.parametrize("needed", ["a", "d", "g", "ag", "cde", "abcdefg"])
def test_parts_that_can_be_left_out_are_found_with_few_tries(needed: str) -> None:
    """Exactly those that are needed stay; one of seven takes fewer tries than there are parts."""
    tries: list[str] = []

    def is_enough(names: Sequence[str]) -> bool:
        tries.append("".join(names))
        return set(needed) <= set(names)

    assert needed == "".join(_needed("abcdefg", is_enough))
    assert len(needed) > 1 or len(tries) < 7


def test_the_same_text_twice_counts_twice(opened: Any) -> None:
    """As in the table."""
    loader, raw = opened(normalizer={"type": "Replace", "pattern": {"String": " "}, "content": "-"})
    made = rebuilt(loader, raw, CASES)
    assert (3, 3) == (made.same, made.different)


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({}, "the loader took the file over as it is: what differs is done around it"),
        (
            {"model": {"fuse_unk": True}},
            "the loader changed model.fuse_unk, without an effect on these texts: what differs is done around it",
        ),
    ],
)
def test_what_is_done_around_the_file_is_not_put_down_to_it(
    changes: dict[str, object], told: str, opened: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither where nothing of the file was changed, nor where something was that has no effect."""
    loader, raw = opened(**changes)
    answers = loader.results
    louder = [text_case(case.question.shown.upper(), add_special=False) for case in CASES]
    monkeypatch.setattr(loader, "results", lambda cases: answers(louder))
    made = rebuilt(loader, raw, CASES)
    assert ((told,), False, True) == (made.sentences, made.is_whole, made.different > 0)


def test_changes_are_few_and_short(opened: Any) -> None:
    """Of many added tokens that came out otherwise the first three are told, by their words."""
    content = json.loads(FILE.read_text(encoding="utf-8"))
    start = len(content["model"]["vocab"]) + len(content["added_tokens"])
    flags = dict.fromkeys(("single_word", "lstrip", "rstrip", "normalized", "special"), False)
    more = [{"id": start + place, "content": f"new{place}", **flags} for place in range(5)]
    loader, raw = opened(added_tokens=[*content["added_tokens"], *more])
    (part,) = rebuilt(loader, raw, [*CASES, text_case(b"new1", add_special=False)]).parts
    assert ("added_tokens", True, 4, "added_tokens: 2 more") == (
        part.name,
        part.needed,
        len(part.changes),
        part.changes[-1],
    )
    assert part.changes[0].startswith("added_tokens.new0: null became {")


def test_scores_of_a_unigram_model_may_change(opened: Any, tmp_path: Path) -> None:
    """Its vocabulary is a list of pairs: which pair changed is told, and where pieces are added, how many there are."""
    small = load("small-unigram")
    content = json.loads(prepare(small, ("tokenizer.json",)).path.read_text(encoding="utf-8"))
    loader, raw = opened()
    for name, library in (("one", raw), ("other", loader)):
        path = tmp_path / f"{name}.json"
        path.write_text(json.dumps(content), encoding="utf-8")
        library.open(str(path), {})
        content["model"]["vocab"][-1][1] -= 1.0
    (change,) = rebuilt(loader, raw, CASES).parts[0].changes
    last = len(content["model"]["vocab"]) - 1
    assert change.startswith(f"model.vocab[{last}][1]: ")
    content["model"]["vocab"].append(["new", -1.0])
    path.write_text(json.dumps(content), encoding="utf-8")
    loader.open(str(path), {})
    (change,) = rebuilt(loader, raw, CASES).parts[0].changes
    assert f"model.vocab: {last + 1} entries became {last + 2} entries" == change


def test_a_loader_that_shows_no_file(opened: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its own words are told."""
    loader, raw = opened()
    loader.engine = "sentencepiece"
    loader.close()
    loader.open(str(load("small-spm").sources["sentencepiece"]), {})
    made = rebuilt(loader, raw, CASES)
    assert made == Rebuilt(words=made.words)
    assert ("AttributeError" in made.words, "cannot be seen: AttributeError" in made.sentences[0]) == (True, True)
