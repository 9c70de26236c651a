"""Quirks that earlier versions called otherwise; their old names stay valid wherever the name of a quirk is read.

Accepted lists, reports, vectors and command lines are read with `current`, so that nothing else knows an old name.
"""

from __future__ import annotations

import warnings

from tokparity.errors import OldNameWarning

FORMER = {
    "charges_nothing_for_unknowns": "omits_unknown_penalty",
    "composes_text": "applies_nfc",
    "composes_text_by_unicode_9": "applies_nfc_of_unicode_9",
    "cuts_out_kinds_2_and_4": "cuts_out_unknown_and_user_defined",
    "decomposes_compatibly": "applies_nfkd",
    "decomposes_text": "applies_nfd",
    "finds_no_byte_pieces_with_letters": "misses_byte_pieces_with_hex_letters",
    "gives_no_space_back": "ignores_whitespace_lookahead",
    "gives_nothing_for_long_texts": "returns_no_ids_for_long_texts",
    "gives_unfinished_characters": "streams_incomplete_characters",
    "hands_text_on_unprepared": "skips_preprocessing",
    "holds_back_for_ever": "stream_stalls_at_replacement_character",
    "leaves_blank_text_unprefixed": "omits_prefix_on_blank_text",
    "leaves_nothing_unprefixed": "omits_prefix_on_empty_text",
    "looks_for_digits_in_text": "splits_digits_before_byte_mapping",
    "loses_last_incomplete": "stream_drops_incomplete_end",
    "merges_into_first_symbol_once": "never_reranks_first_pair",
    "merges_leftwards_never_again": "never_reranks_left_pair",
    "prefixes_nothing_left": "adds_prefix_to_empty_text",
    "puts_space_prefix_behind": "appends_space_prefix",
    "repeats_unfinished_prompt": "stream_repeats_incomplete_prompt",
    "sees_odd_spaces_as_tabs": "treats_unicode_spaces_as_vertical_tabs",
    "takes_bytes_for_latin_1": "reads_utf8_as_latin_1",
    "takes_special_tokens_for_words": "matches_specials_as_words",
    "tears_characters_at_user_defined": "matches_partial_user_defined_pieces",
    "tells_case_in_ascii_only": "knows_case_of_ascii_only",
    "tells_case_in_ascii_only_with_marks": "knows_case_of_ascii_only_with_marks",
    "tries_marker_at_words": "greedy_longest_match_with_marker",
}
"""Today's name by the old one."""


def current(name: str) -> str:
    """Return the current name of a quirk; warn once if the given name is an old one."""
    today = FORMER.get(name, name)
    if today != name:
        warnings.warn(
            f"the quirk {name!r} is now called {today!r}; the old name still works", OldNameWarning, stacklevel=1
        )
    return today
