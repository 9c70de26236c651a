"""The known deviations of engines: each can be understood, and checked, by who reads it."""

from __future__ import annotations

from itertools import product

import pytest
from shown_on import SHOWN_IN_PROMPTS_ON, SHOWN_IN_SPANS_ON, SHOWN_IN_STREAMS_ON, SHOWN_ON

from tests.rings import nightly_but
from tokparity import models, quirks
from tokparity.engines import deviations
from tokparity.errors import AbortedError
from tokparity.questions.json_text import parse
from tokparity.reference.tokenizer import Tokenizer

UNSHOWN = {"aborts_on_ids_out_of_range", "rounds_scores_twice", "matches_partial_user_defined_pieces"}
UNSHOWN |= {"reads_scores_exactly", "removes_timestamps_when_decoding", "decodes_word_suffix_as_space"}
UNSHOWN |= {"matches_mask_as_special", "hides_mask_when_decoding"}
UNSHOWN |= {"leaves_marker_in_user_defined_pieces", "joins_added_tokens_when_decoding"}
UNSHOWN |= {"replaces_whole_byte_runs_when_decoding", "has_no_bytes_in_unigram", "strips_decoded_space_of_bytes"}
UNSHOWN |= {"drops_mark_of_first_piece", "hides_unused_when_decoding", "spells_fillers_when_decoding"}
UNSHOWN |= {"stream_drops_incomplete_end", "stream_stalls_at_replacement_character", "stream_repeats_incomplete_prompt"}
UNSHOWN |= {"raises_on_invalid_prefix", "waits_for_space_after_symbol", "trims_first_space"}
UNSHOWN |= {"stream_forgets_incomplete_prompt", "stream_raises_at_line_end"}
"""What `check` shows on no known model: it takes rows of ids, which `fuzz` makes (`test_deviations_are_needed.py`),
scores of 16 digits, as nai-t5 has them, a unigram model with byte pieces (j2), user-defined pieces as XLNet has, or
of spaces as Gemma 3 has (`test_witnesses.py`), or a class of transformers (`test_transformers_classes.py`).
Of DecodeStream and TextStreamer it names the whole way, and a part of it only where few streams were asked."""


@pytest.mark.parametrize("engine", ["llama.cpp", "sentencepiece", "tokenizers", "transformers"])
def test_a_deviation_says_what_why_and_where(engine: str) -> None:
    """Known quirks that are written down once each, texts that can be read, known models, and a reason."""
    known = deviations.known(engine)
    assert known
    assert len(known) == len({deviation.quirk for deviation in known})
    for deviation in known:
        assert deviation.quirk in quirks.names()
        assert deviation.reason.strip()
        assert all(parse(text) for text in deviation.texts)
        quirk = quirks.get(deviation.quirk)
        apart = {quirks.of_streams: SHOWN_IN_STREAMS_ON, quirks.of_spans: SHOWN_IN_SPANS_ON}
        apart[quirks.of_prompts] = SHOWN_IN_PROMPTS_ON
        shown = next((on for own, on in apart.items() if quirk in own()), SHOWN_ON)
        assert not (deviation.texts and shown is not SHOWN_ON)
        listed = shown if engine != "transformers" else {(engine, quirk) for _, quirk in shown}
        assert (engine, deviation.quirk) in listed or deviation.quirk in UNSHOWN, f"nobody would miss {deviation.quirk}"


@pytest.mark.parametrize("engine", ["reference", "llama.cpp+greedy_longest_match", "./mine.py:Engine"])
def test_nothing_is_known_of_an_engine_nobody_wrote_of(engine: str) -> None:
    """What llama.cpp is known for excuses neither it with a planted quirk nor an engine of the user's."""
    assert () == deviations.known(engine)


@pytest.mark.parametrize(
    "name", nightly_but(sorted({*SHOWN_ON.values()} - {"gemma-4", "command-r"}), sorted({*SHOWN_ON.values()}))
)
def test_its_text_shows_it_wherever_it_is_expected(name: str) -> None:
    """On the model that has what a deviation is about its text makes a difference."""
    model = models.resolve(name)
    assert model.is_here, "tokparity models pull"
    source = models.primary_source(model)
    for engine in ("llama.cpp", "tokenizers"):
        here = [one for one in deviations.known(engine) if SHOWN_ON.get((engine, one.quirk)) == name]
        for one in here:
            others = [quirks.get(other.quirk) for other in deviations.known(engine) if other is not one]
            alone, last = (
                [Tokenizer(source.vocabulary, quirks.flip_all(some, source.behaviour)) for some in (without, with_it)]
                for without, with_it in (((), (quirks.get(one.quirk),)), (others, (*others, quirks.get(one.quirk))))
            )
            assert any(shows(parse(text), *alone) or shows(parse(text), *last) for text in one.texts), one


def shows(text: str | bytes, right: Tokenizer, wrong: Tokenizer) -> bool:
    """Whether the ids differ, or how the right ids are decoded."""
    try:
        return any(differ(text, right, wrong, flags) for flags in product((True, False), repeat=2))
    except AbortedError:  # the engine dies of it
        return True


def differ(text: str | bytes, right: Tokenizer, wrong: Tokenizer, flags: tuple[bool, ...]) -> bool:
    """Whether the ids differ with these flags, or how the right ids are decoded."""
    ids = right.encode(text, *flags)
    shown, hidden = ([one.decode(ids, skip_special=skip) for one in (right, wrong)] for skip in (False, True))
    return ids != wrong.encode(text, *flags) or shown[0] != shown[1] or hidden[0] != hidden[1]
