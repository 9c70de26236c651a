"""The catalogue applied to one model."""

from __future__ import annotations

from tokparity import quirks
from tokparity.generators import prepared
from tokparity.questions import Decode, Encode
from tokparity.quirks import toys
from tokparity.reference.tokenizer import Tokenizer
from tokparity.vectors.candidates import rows
from tokparity.vectors.faults import Answers, mutants, without_effect


def small() -> Tokenizer:
    """A toy with scores."""
    toy = toys.spm("▁ a b ▁a ab", space_prefix="always")
    return Tokenizer(toy.vocabulary, toy.behaviour)


def test_faults_without_effect_are_told_with_the_reason() -> None:
    """A fault that the model has itself is left out, and one of a setting that nothing reads."""
    chosen = [quirks.get(name) for name in ("omits_space_prefix", "keeps_accents", "ignores_lstrip")]
    reasons = without_effect(small(), chosen, [Encode(b"a b"), Encode(b"ab")])
    assert {"keeps_accents", "ignores_lstrip"} == reasons.keys()
    assert "is not read" in reasons["ignores_lstrip"]


def test_wrong_answers_are_those_that_differ() -> None:
    """A mutant is asked each question, and only its differing answers are kept."""
    right = small()
    found = Answers(right, mutants(right, [quirks.get("omits_space_prefix")]))
    questions = [Encode(b"a", False, False), Encode(b"", False, False)]
    assert questions == found.put(questions)
    wrong = found.wrong["omits_space_prefix"]
    assert [questions[0]] == list(wrong)
    assert right.encode(b"a", False, False) != list(wrong[questions[0]] or ())


def test_faults_of_decoding_are_asked_rows_alone() -> None:
    """Ids are given before decoding has its turn, so a fault of decoding cannot change them."""
    right = small()
    (mutant,) = mutants(right, [quirks.get("decodes_each_id_alone")])
    assert not mutant.may_change(Encode(b"a"))
    assert mutant.may_change(Decode((3,)))


def test_faults_of_equal_behavior_are_one() -> None:
    """Two names for the same value are one mutant, which has both names."""
    right = small()
    chosen = [quirks.get(name) for name in ("uses_pre_gpt_2", "uses_pre_default", "uses_pre_gpt_2")]
    found = mutants(right, chosen)
    assert ["uses_pre_gpt_2", "uses_pre_default"] == [one.name for one in found]
    assert ["uses_pre_gpt_2"] == found[0].same


def test_rows_are_inside_the_vocabulary() -> None:
    """An engine may refuse ids that the vocabulary does not have, so no case asks for one."""
    right = small()
    found = rows(prepared(right.vocabulary, right.behaviour), [(3, 4, 5, 6)], 200, 0)
    assert {True, False} == {question.skip_special for question in found if isinstance(question, Decode)}
    assert set() == {one for row in found if isinstance(row, Decode) for one in row.ids} - set(range(8))
