"""The catalogue: what every record must have, and that together they cover what really went wrong."""

from __future__ import annotations

import importlib
import pickle
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import fields, replace
from itertools import combinations
from pathlib import Path

import pytest

import tokparity.quirks
from tokparity import quirks
from tokparity.behaviour import Behaviour
from tokparity.chat.causes import CAUSES
from tokparity.errors import AbortedError, CatalogueError, UsageError
from tokparity.quirk import Quirk
from tokparity.quirks import toys
from tokparity.quirks.seen_vocabulary import algorithm
from tokparity.reference import pretokenisers
from tokparity.reference.pattern_parts import GPT2
from tokparity.reference.splits import Chain, OnAlphabet, Split, digits
from tokparity.reference.spm import spm
from tokparity.reference.tokenizer import Tokenizer
from tokparity.reference.ugm import ugm
from tokparity.report.render.catalogue import catalogue

ALL = quirks.all_quirks()
FOLDER = Path(tokparity.quirks.__file__).parent
HELPING = {"__init__", "toys", "changed_text", "changed_stages", "seen_vocabulary", "former_names"}
"""Modules without quirks of their own."""

CLASSES = {
    "pre-tokenizer regex": "drops_marks_from_words makes_possessive_greedy misses_contractions takes_pattern_literally "
    "splits_every_digit joins_all_digits misses_capital_contractions knows_case_of_ascii_only",
    "wrong pre-tokenizer chosen": "uses_pre_gpt_2 uses_pre_llama3 uses_pre_default skips_pretokenisation",
    "Unicode version": "has_tables_of_unicode_9 has_tables_of_unicode_14 has_tables_of_unicode_15",
    "normalizer missing or divergent": "skips_normalisation skips_unicode_normal_form keeps_first_of_decomposition "
    "applies_charsmap_per_grapheme takes_shortest_charsmap_key keeps_voiced_sound_marks keeps_accents keeps_case",
    "wrong unit of merging": "merges_grapheme_clusters walks_grapheme_clusters",
    "strings that compare equal": "finds_later_of_equivalent_pieces finds_earlier_of_equivalent_pieces "
    "merges_equivalent_pieces",
    "a JSON library": "drops_byte_order_marks_of_pieces",
    "ignore_merges": "skips_whole_word_lookup looks_up_whole_words",
    "prefix space": "omits_space_prefix prefixes_every_fragment prefixes_text_once never_doubles_space_prefix",
    "order of stages": "escapes_spaces_before_splitting splits_digits_before_byte_mapping",
    "special tokens eat spaces": "strips_after_specials strips_before_specials ignores_rstrip ignores_lstrip",
    "token kinds": "splits_user_defined_pieces cuts_out_user_defined_pieces ignores_added_tokens hides_added_tokens "
    "parses_specials_unasked ignores_normalized merges_into_control_pieces uses_unused_pieces",
    "special-token matching": "matches_first_special_added matches_longest_special_first ignores_single_word",
    "byte fallback and unknown": "ignores_byte_fallback falls_back_to_bytes drops_unknown_text fuses_unknowns "
    "keeps_unknowns_apart omits_unknown_penalty writes_bytes_before_unknown",
    "ties and floats": "breaks_ties_to_the_right sums_scores_in_double sums_scores_in_single never_rebases_sums "
    "rounds_scores_twice reads_scores_exactly",
    "SentencePiece options": "ignores_space_suffix appends_space_prefix collapses_spaces keeps_extra_spaces "
    "normalises_user_defined_pieces",
    "BOS and EOS": "omits_bos omits_eos doubles_bos doubles_eos adds_bos_unasked adds_eos_unasked adds_special_unasked "
    "never_adds_special skips_bos_if_present swaps_bos_and_eos",
    "decode clean-up": "cleans_up_spaces keeps_spaces_before_punctuation keeps_decoded_prefix strips_decoded_space",
    "ambiguous escape": "reads_marker_as_space",
    "invalid input": "replaces_each_invalid_byte replaces_maximal_subparts keeps_invalid_bytes drops_invalid_bytes "
    "groups_bytes_by_lead accepts_overlong_utf8 cuts_text_at_nul",
    "loading": "loses_merges loses_merges_with_spaces ignores_scores takes_first_of_equal_pieces",
    "drift of a reference": "scores_user_defined_by_length scores_user_defined_by_best scores_user_defined_zero",
    "the harness itself": "processes_escapes strips_text joins_line_ends reads_universal_newlines "
    "drops_zero_width_joiners drops_emoji_selectors reads_utf8_as_latin_1 drops_byte_order_mark "
    "lowers_whole_text folds_case straightens_quotes strips_decoded_text expands_tabs reads_wide_spaces_as_spaces "
    "drops_final_line_ends replaces_beyond_bmp",
    "llama.cpp, UGM": "prefixes_space_when_collapsing ignores_byte_fallback sums_scores_in_double uses_unused_pieces "
    "trims_spaces_only scores_user_defined_zero",
    "llama.cpp, SPM": "cuts_out_user_defined_pieces keeps_extra_spaces skips_normalisation parses_unknown_pieces "
    "keeps_invalid_bytes groups_bytes_by_lead merges_into_control_pieces matches_longest_special_first",
    "llama.cpp, WPM": "keeps_first_of_decomposition strips_spacing_marks has_no_word_limit begins_words_at_markers "
    "splits_words_at_control_spaces normalises_by_unicode_15 has_tables_newer_than_unicode_8",
    "llama.cpp, BPE": "drops_unknown_text drops_unknown_after_merging splits_at_line_ends spells_out_contractions "
    "accepts_overlong_utf8 treats_unicode_spaces_as_vertical_tabs knows_case_of_ascii_only",
    "llama.cpp, specials": "marks_tokens_special_by_name strips_ascii_spaces_only parses_unknown_pieces",
    "llama.cpp, decoding": "hides_tokens_by_name_when_decoding keeps_space_before_first_word cleans_up_spaces "
    "leaves_broken_utf8_when_decoding keeps_decoded_prefix_after_specials hides_unknown_when_decoding",
    "llama-cpp-python": "loses_long_pieces_when_decoding",
    "a C engine": "runs_viterbi_on_spm scores_user_defined_zero fuses_unknowns guesses_space_marker collapses_spaces",
    "the C engine, SPM": "leaves_runs_of_spaces ends_pieces_at_nul merges_into_control_pieces "
    "returns_no_ids_for_long_texts",
    "the C engine, BPE": "splits_by_ascii_letters looks_up_whole_words maps_hidden_bytes_by_offset writes_minus_one",
    "the Gemma 3 engine, as published": "greedy_longest_match writes_spaces_as_bytes",
    "the Gemma 3 engine, before": "skips_preprocessing greedy_longest_match_with_marker ignores_added_tokens",
    "the Gemma 3 engine, after": "merges_by_score cuts_out_unknown_and_user_defined",
    "other libraries": "cuts_at_unparsed_specials merges_by_spelling loses_ids_beyond_buffer keeps_tabs_from_nmt_rules "
    "drops_unassigned adds_prefix_to_empty_text omits_prefix_on_empty_text applies_nfkc_for_charsmap",
    "converted weights": "rounds_scores_to_float16 rounds_scores_to_bfloat16",
}
"""Classes of real faults, and the engines whose own pages describe them; crashes are not behavior and not in here."""


def test_titles_are_short() -> None:
    """A title has at most ten words, for it heads a page and fills a cell."""
    assert [] == [quirk.name for quirk in ALL if len(quirk.title.split()) > 10]


@pytest.mark.parametrize("quirk", ALL, ids=lambda quirk: quirk.name)
def test_a_record_is_complete(quirk: Quirk) -> None:
    """Every text is there, links are https, the field is one of Behaviour's, and there is a witness."""
    assert all((quirk.title, quirk.symptom, quirk.cause, quirk.fix))
    assert not quirk.title.endswith(".")
    assert [] == [text for text in (quirk.symptom, quirk.cause, quirk.fix) if not text.endswith((".", ")", "!"))]
    assert [] == [link for link in quirk.links if not link.startswith("https://")]
    assert quirk.field in {field.name for field in fields(Behaviour)}
    assert quirk.witness is not None


def test_a_quirk_of_streams_is_complete() -> None:
    """As the others, but for a witness: no text shows it. Each changes what a stream is, and several go together."""
    found = quirks.of_streams()
    assert [] == [q.name for q in found if not all((q.title, q.symptom, q.cause, q.fix)) or len(q.title.split()) > 10]
    toy = toys.spm("a").behaviour
    assert len(found) == len({quirk.flip(toy).stream for quirk in found} - {toy.stream})
    together = [quirk for quirk in found if quirk.name != "streams_since_two_deltas"]  # a stream has one way
    assert quirks.flip_all(together, toy) == quirks.flip_all(reversed(together), toy)


def test_a_quirk_of_spans_is_complete() -> None:
    """As those of streams."""
    found = quirks.of_spans()
    assert [] == [q.name for q in found if not all((q.title, q.symptom, q.cause, q.fix)) or len(q.title.split()) > 12]
    toy = toys.spm("a").behaviour
    counted = [quirk for quirk in found if quirk.name != "counts_spans_in_utf16"]  # two units exclude each other
    assert len(found) == len({quirk.flip(toy).spans for quirk in found} - {toy.spans})
    assert quirks.flip_all(counted, toy) == quirks.flip_all(reversed(counted), toy)


def test_a_quirk_of_prompts_is_complete() -> None:
    """As those of spans; each is a cause that can be run, and they have one order."""
    found = quirks.of_prompts()
    assert [] == [q.name for q in found if not all((q.title, q.symptom, q.cause, q.fix)) or len(q.title.split()) > 13]
    assert {cause.name for cause in CAUSES} == {quirk.name for quirk in found}
    toy = toys.spm("a").behaviour
    assert quirks.flip_all(found, toy) == quirks.flip_all(reversed(found), toy)


def test_every_module_has_quirks() -> None:
    """It is a table, or it has one quirk that is called like it; a table is about fields of one stage."""
    names: list[str] = []
    for path in FOLDER.glob("*.py"):
        if path.stem not in HELPING:
            module = importlib.import_module(f"tokparity.quirks.{path.stem}")
            found = getattr(module, "QUIRKS", None) or (module.QUIRK,)
            names += [quirk.name for quirk in found]
            assert hasattr(module, "QUIRKS") or [path.stem] == [quirk.name for quirk in found]
            assert 1 == len({quirk.stage for quirk in found})
    assert list(quirks.names()) == sorted(names)


def test_there_are_enough_of_them() -> None:
    """170 that are written down, and one more for each way of splitting in the table of pre-tokenizers."""
    from_table = [name for name in quirks.names() if name.startswith("uses_pre_")]
    assert len({record.stage for record in pretokenisers.RECORDS}) == len(from_table)
    assert 170 <= len(quirks.names()) - len(from_table)


def test_a_name_is_given_once() -> None:
    """Two quirks with one name are refused, and the message names it."""
    with pytest.raises(CatalogueError, match="'omits_bos'"):
        quirks.catalogued([quirks.get("omits_bos"), replace(quirks.get("omits_eos"), name="omits_bos")])


def test_a_place_is_given_once() -> None:
    """Of two quirks that change one field at the same place it would not be known which is applied first."""
    one = quirks.get("strips_text")
    with pytest.raises(CatalogueError, match="BEFORE 70 of the field 'decode_text'"):
        quirks.catalogued([one, replace(one, name="strips_it_again")])


def test_those_that_stand_for_a_crash_abort() -> None:
    """They, and no others, make the reference raise what stands for a crash."""
    crashes = ["aborts_beyond_unicode", "aborts_on_ids_out_of_range", "aborts_on_unknown_without_bytes"]
    assert crashes == [q.name for q in ALL if q.stands_for_crash]
    for quirk in ALL:
        assert quirk.witness is not None
        witness = quirk.witness()
        tokenizer = Tokenizer(witness.vocabulary, quirk.flip(witness.behaviour))
        expected = pytest.raises(AbortedError) if quirk.stands_for_crash else nullcontext()
        with expected:
            tokenizer.decode(tokenizer.encode(witness.text, witness.add_special, witness.parse_special))


@pytest.mark.parametrize("fault", CLASSES)
def test_a_class_of_faults_is_covered(fault: str) -> None:
    """Each class of real faults has at least one quirk, and the table names only quirks that exist."""
    assert set() == set(CLASSES[fault].split()) - set(quirks.names())


def test_no_two_put_the_same_value_in_a_field() -> None:
    """They would be one quirk with two names."""
    valued = [quirk for quirk in ALL if quirk.derive is None]
    same = [
        (one.name, other.name)
        for one, other in combinations(valued, 2)
        if (one.field, one.value) == (other.field, other.value)
    ]
    assert [] == same


def test_an_unknown_name() -> None:
    """The nearest one is suggested."""
    with pytest.raises(UsageError, match="greedy_longest_match"):
        quirks.get("greedy_longest_macth")


def test_quirks_that_exclude_each_other() -> None:
    """Two values for one field do; one that wraps what is there goes with any."""
    get = quirks.get
    assert quirks.clash(get("ignores_byte_fallback"), get("drops_unknown_text"))
    assert not quirks.clash(get("uses_pre_gpt_2"), get("writes_spaces_as_bytes"))
    assert not quirks.clash(get("ignores_byte_fallback"), get("omits_bos"))


def _renamed(pair: Sequence[Quirk]) -> list[Quirk]:
    """The same quirks, called so that the order of their names is the opposite one."""
    return [replace(quirk, name=name) for quirk, name in zip(pair, ("b", "a"), strict=True)]


@pytest.mark.parametrize("name", ["processes_escapes", "cleans_up_spaces", "greedy_longest_match", "strips_accents"])
def test_a_renamed_quirk_does_the_same_in_a_pair(name: str) -> None:
    """What two quirks do together does not depend on what they are called: for each with all others."""
    one = quirks.get(name)
    for other in ALL:
        if other is one or quirks.clash(one, other):
            continue
        pair = sorted((one, other), key=lambda quirk: quirk.name)
        for behaviour in (_witness(one.name), _witness(other.name)):
            assert quirks.flip_all(pair, behaviour) == quirks.flip_all(_renamed(pair), behaviour), other.name


@pytest.mark.parametrize(
    ("names", "text", "expected"),
    [
        (("expands_tabs", "processes_escapes"), rb"a\tb", "a    b"),
        (("joins_line_ends", "processes_escapes"), rb"a\r\nb", "a\r\nb"),
        (("cuts_text_at_nul", "strips_text"), b" a \0", "a "),
        (("lowers_whole_text", "reads_utf8_as_latin_1"), "é".encode(), "ã©"),
    ],
)
def test_what_happens_first_is_done_first(names: tuple[str, str], text: bytes, expected: str) -> None:
    """A text is read, then given to a tool, then to the engine: the quirks act in that order."""
    behaviour = quirks.flip_all([quirks.get(name) for name in names], _witness("strips_text"))
    assert expected == behaviour.decode_text(text)


def test_the_parts_of_a_stage_are_changed_before_it_is_wrapped() -> None:
    """Viterbi instead of merging, and no scores: what ignores the scores is the algorithm that was put in."""
    pair = [quirks.get("ignores_scores"), quirks.get("runs_viterbi_on_spm")]
    flipped = quirks.flip_all(pair, _witness("runs_viterbi_on_spm"))
    assert ugm is algorithm(flipped.segment)
    assert ugm is not flipped.segment


def test_the_order_of_names_does_not_matter() -> None:
    """Values go in first, then what wraps them."""
    witness = _witness("writes_spaces_as_bytes")
    pair = [quirks.get("uses_pre_gpt_2"), quirks.get("writes_spaces_as_bytes")]
    one = quirks.flip_all(pair, witness)
    assert one == quirks.flip_all(reversed(pair), witness)
    assert one != quirks.flip_all(pair[:1], witness)


@pytest.mark.parametrize("quirk", ALL, ids=lambda quirk: quirk.name)
def test_a_flip_changes_its_own_field_and_can_be_compared(quirk: Quirk) -> None:
    """Nothing else is touched; doing it anew gives an equal behavior, which can be hashed and pickled."""
    behaviour = _witness(quirk.name)
    flipped = quirk.flip(behaviour)
    changed = [f.name for f in fields(Behaviour) if getattr(behaviour, f.name) != getattr(flipped, f.name)]
    assert [quirk.field] == changed
    assert flipped == quirk.flip(behaviour)
    assert hash(flipped) == hash(quirk.flip(behaviour))
    assert flipped == pickle.loads(pickle.dumps(flipped))


def test_a_flip_of_another_algorithm_changes_nothing() -> None:
    """An SPM model has no merges to lose and no lattice to merge."""
    behaviour = _witness("greedy_longest_match")
    assert behaviour.segment is spm
    for name in ("loses_merges", "merges_by_id", "merges_unigram_by_score", "applies_charsmap_per_grapheme"):
        assert behaviour == quirks.get(name).flip(behaviour)


def _witness(name: str) -> Behaviour:
    witness = quirks.get(name).witness
    assert witness is not None
    return witness().behaviour


def test_the_page_is_what_the_records_say() -> None:
    """`tokparity quirks --markdown > tokparity/quirks/README.md` was run after the last change."""
    assert (FOLDER / "README.md").read_text(encoding="utf-8") == catalogue(
        (*ALL, *quirks.of_streams(), *quirks.of_spans(), *quirks.of_prompts())
    )


def test_old_tables_leave_stages_that_see_bytes_alone() -> None:
    """Falcon looks for digits in the byte alphabet, which cuts characters; old tables still cut."""
    alphabet = OnAlphabet((digits(False),))
    behaviour = replace(toys.spm("a").behaviour, pretokenise=Chain((Split(GPT2), alphabet)))
    old = quirks.get("has_tables_of_unicode_15").flip(behaviour)
    assert behaviour.pretokenise is not None
    assert old.pretokenise is not None
    assert ["a\U000105c0"] == list(behaviour.pretokenise("a\U000105c0", True))
    assert ["a", "\U000105c0"] == list(old.pretokenise("a\U000105c0", True))
    assert ["\U000105c0", "\udcc2", "\udcbc"] == list(old.pretokenise("\U000105c0\u00bc", True))


def test_a_flip_is_a_replaced_field() -> None:
    """Nothing that was worked out of the fields before comes along."""
    before = toys.spm("a b").behaviour
    assert before.skipping_special.skip_special
    for quirk in quirks.all_quirks():
        flipped = quirk.flip(before)
        value = quirk.derive(before) if quirk.derive else quirk.value
        assert replace(before, **{quirk.field: value}) == flipped
        assert replace(flipped, skip_special=True) == flipped.skipping_special
