"""The probe set: what it holds of each model, that it is small, the same every time, and shows what corpora show."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tokparity import models, quirks
from tokparity.behaviour import Behaviour
from tokparity.case import Origin
from tokparity.generators.subject import Subject
from tokparity.quirks import toys
from tokparity.reference.imitate import imitate
from tokparity.reference.pattern_parts import GPT2
from tokparity.reference.splits import Split
from tokparity.reference.tokenizer import Tokenizer
from tokparity.sources.probes import of_other_files, probes, tokens
from tokparity.vocabulary import AddedToken

SMALL = ("small-bpe", "small-spm", "small-unigram", "small-wordpiece")


def subject_of(name: str) -> Subject:
    """What there is of a small model."""
    source = models.primary_source(models.load(name))
    return Subject(source.vocabulary, source.behaviour)


@pytest.mark.parametrize("name", SMALL)
def test_probes_are_few_and_the_same_every_time(name: str) -> None:
    """A few hundred questions, each once, in the same order whenever they are made."""
    made = probes(subject_of(name))
    assert 300 < len(made) < 700
    assert len(made) == len({case.question for case in made})
    assert made == probes(subject_of(name))


@pytest.mark.parametrize("name", SMALL)
def test_origins_of_probes_are_read_back(name: str) -> None:
    """What a report shows as the origin of a probe names the part of the set and the number."""
    for case in probes(subject_of(name)):
        assert str(case.origin).startswith("probe:")
        assert case.origin == Origin.parse(str(case.origin))


def test_each_part_of_the_set_is_there() -> None:
    """Witnesses, added tokens, alternatives, tables, each version of Unicode, spaces, bytes."""
    parts = {case.origin.name.partition("/")[0] for case in probes(subject_of("small-bpe"))}
    assert {f"unicode-{version}" for version in range(9, 17)} <= parts
    assert {"witness", "added", "pattern", "spaces", "bytes", "text", "drawn"} <= parts


def test_each_quirk_that_applies_has_its_witness() -> None:
    """The text that shows a quirk is put where the quirk would change the model, and not elsewhere."""
    subject = subject_of("small-wordpiece")
    applying = {
        quirk.name
        for quirk in quirks.all_quirks()
        if quirk.witness is not None and quirk.flip(subject.behaviour) != subject.behaviour
    }
    texts = {case.question.text for case in probes(subject)}
    shown = {quirk.name for quirk in quirks.all_quirks() if quirk.witness and quirk.witness().text in texts}
    assert applying <= shown


def test_tokens_that_only_another_file_has_are_put() -> None:
    """Each alone and in a text, parsed; none where the files have the same tokens."""
    own = subject_of("small-spm").vocabulary
    other = replace(own, added=(*own.added, AddedToken(len(own), "<|new|>")))
    texts = [(case.question.text, case.question.parse_special) for case in of_other_files(own, [own, other])]
    assert texts == [(b"<|new|>", True), (b"a<|new|> b", True)]


def test_words_at_the_limit_show_where_it_is_counted_in_bytes() -> None:
    """Of a model with letters of several bytes; a model without a limit has none of these words."""
    subject = subject_of("small-wordpiece")
    texts = [case.question.text for case in probes(subject) if case.origin.name == "limit"]
    assert {100, 101} <= {len(text.decode()) for text in texts}
    assert len({len(text.decode()[0].encode()) for text in texts}) > 1
    right = Tokenizer(subject.vocabulary, subject.behaviour)
    for name in ("limits_words_in_bytes", "has_no_word_limit"):
        wrong = right.with_behaviour(quirks.get(name).flip(subject.behaviour))
        assert any(right.encode(text) != wrong.encode(text) for text in texts), name
    assert "limit" not in {case.origin.name for case in probes(subject_of("small-spm"))}


def test_a_buffer_cuts_a_word_of_the_long_texts() -> None:
    """Wherever a buffer of a usual size ends, it ends within a word."""
    texts = [case.question.text for case in probes(subject_of("small-bpe")) if case.origin.name == "long"]
    edges = [text[size - 1 : size + 1] for text in texts for size in (256, 512, 1024, 2048, 4096) if size < len(text)]
    assert 11 == len(edges)
    assert [] == [edge for edge in edges if not edge.isalpha()]
    assert [1_500] == [len(text) for text in texts if text.isalpha()]


@pytest.mark.parametrize("name", SMALL)
def test_probes_show_what_quirks_do_to_the_model(name: str) -> None:
    """An engine that takes special tokens for text, or text for special tokens, is seen without any corpus."""
    subject = subject_of(name)
    made = [case.question for case in probes(subject)]
    right = Tokenizer(subject.vocabulary, subject.behaviour)
    expected = [imitate(right, question, True) for question in made]

    def differs(behaviour: Behaviour) -> bool:
        wrong = right.with_behaviour(behaviour)
        return any(imitate(wrong, question, True) != answer for question, answer in zip(made, expected, strict=True))

    must = ("never_parses_specials", "parses_specials_unasked")
    flips = {name: quirks.get(name).flip(subject.behaviour) for name in must}
    assert [] == [name for name, flip in flips.items() if flip != subject.behaviour and not differs(flip)]


@pytest.mark.parametrize("version", range(9, 16))
def test_probes_show_tables_of_an_older_unicode(version: int) -> None:
    """Where a pattern goes by letters, an engine that does not know the characters of a later version is seen."""
    toy = toys.byte_bpe("'+s", pretokenise=Split(GPT2)).on("")
    old = quirks.get(f"has_tables_of_unicode_{version}").flip(toy.behaviour)
    made = [case.question for case in probes(Subject(toy.vocabulary, toy.behaviour))]
    right, wrong = (Tokenizer(toy.vocabulary, behaviour) for behaviour in (toy.behaviour, old))
    assert any(imitate(right, question) != imitate(wrong, question) for question in made)


def test_each_added_token_is_put_alone_and_glued_parsed_and_not() -> None:
    """A model's own token is put in four ways at least."""
    subject = subject_of("small-bpe")
    for content in tokens(subject.vocabulary):
        own = [case.question for case in probes(subject) if content in case.question.text]
        assert {True, False} == {question.parse_special for question in own if question.text == content}
        assert {True, False} == {question.parse_special for question in own if question.text != content}


def test_of_numbered_tokens_one_of_each_family_comes_first() -> None:
    """Hundreds of tokens that differ in a number leave room for those that do not."""
    vocabulary = subject_of("small-bpe").vocabulary
    numbered = [AddedToken(0, f"<reserved_{n}>") for n in range(500)]
    own = replace(vocabulary, added=(*vocabulary.added, *numbered, AddedToken(0, "<tool>")))
    found = tokens(own)
    assert 40 == len(found)
    assert {b"<tool>", b"<reserved_499>"} <= set(found[:12])
