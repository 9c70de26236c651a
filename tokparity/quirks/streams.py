"""Quirks of streams: what a reader sees while ids are decoded one after another."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from tokparity.behaviour import Behaviour
from tokparity.quirk import Derived, Place, Quirk, github
from tokparity.reference.library_streams import since_two_deltas, words_of_answer
from tokparity.reference.stream import Streamer, Way


def _with(number: int, **faults: bool | Way) -> Derived:
    """A `derive` for the field stream: a stream with these faults beside those that it has."""

    def make(behaviour: Behaviour) -> object:
        found = behaviour.stream if isinstance(behaviour.stream, Streamer) else Streamer()
        return replace(found, **dict[str, Any](faults))

    return Derived(Place.PART, number, make)


QUIRKS = (
    Quirk(
        name="stream_drops_incomplete_end",
        title="The incomplete end of a stream is lost",
        symptom="The last characters of an answer are missing if its ids end inside a character, or with U+FFFD.",
        cause="Text that may not be complete is held back, and nothing gives it when there are no more ids.",
        fix="At the end of the stream, give what decoding all ids has more than was given.",
        field="stream",
        derive=_with(10, ends=False),
        links=github("huggingface/tokenizers/issues/1705"),
    ),
    Quirk(
        name="streams_each_id_alone",
        title="Each id of a stream is decoded by itself",
        symptom="A character of several ids is shown as U+FFFD, and spaces at the beginning of words are missing.",
        cause="What an id decodes to depends on the ids before it, of which the decoder sees none.",
        fix="Decode the new id together with those before it, and give what is new and complete.",
        field="stream",
        derive=_with(20, alone=True),
        links=github("antonellof/ferrox/issues/124"),
    ),
    Quirk(
        name="keeps_first_space",
        title="A stream begins with the space before its first word",
        symptom="An answer begins with a space that decoding all ids leaves out.",
        cause="Each id gives its piece, with the space that is a part of it.",
        fix="Leave out one space of the first piece of a text, as decoding does.",
        field="stream",
        derive=_with(25, inside=True),
    ),
    Quirk(
        name="streams_incomplete_characters",
        title="A stream gives characters before they are complete",
        symptom="U+FFFD is shown where a character of several ids comes, and the character itself is not, or is cut.",
        cause="The text of all ids so far is cut at the length that it had before, which grows no further when U+FFFD"
        " becomes a character.",
        fix="Hold back U+FFFD at the end, three at most, until more ids come.",
        field="stream",
        derive=_with(26, unfinished=True),
    ),
    Quirk(
        name="waits_for_space_after_symbol",
        title="After a symbol a stream waits for a space",
        symptom="A word with punctuation, an emoji or code is shown late, all at once.",
        cause="A symbol may be a part of a character that is not complete, so the text waits for the next space.",
        fix="Hold back U+FFFD at the end alone; a symbol is complete.",
        field="stream",
        derive=_with(27, words=True),
    ),
    Quirk(
        name="waits_for_next_word",
        title="A stream gives a word when the next one begins",
        symptom="Each word comes late, and the last one at the end.",
        cause="A word may go on, so it is held back until a space or a line end begins the next one.",
        fix="Give text as soon as its characters are complete.",
        field="stream",
        derive=_with(28, spaces=True),
    ),
    Quirk(
        name="restarts_after_newline",
        title="A stream forgets all ids before a line end",
        symptom="The space at the beginning of a line is missing.",
        cause="The ids are forgotten at a line end, and a decoder leaves out a space at the beginning of a text.",
        fix="Keep the last id before the line end as context, and leave its text out.",
        field="stream",
        derive=_with(30, restarts=True),
    ),
    Quirk(
        name="stream_restarts_at_special_token",
        title="A stream forgets all ids before a special token",
        symptom="A character is broken if a special token stands between its bytes.",
        cause="The bytes that were held back are thrown away when an id has no text.",
        fix="Leave special tokens out before ids are decoded.",
        field="stream",
        derive=_with(32, resets=True),
    ),
    Quirk(
        name="trims_first_space",
        title="A stream leaves out the space at its beginning",
        symptom="The first word of an answer sticks to the last one of the prompt.",
        cause="The first delta is trimmed, or the first id is decoded as the beginning of a text.",
        fix="Decode the ids of the prompt before those of the answer, and leave out their text.",
        field="stream",
        derive=_with(40, trims=True),
    ),
    Quirk(
        name="skips_leading_white_space",
        title="A stream leaves out white space at its beginning",
        symptom="Line ends and spaces before the first word of an answer are missing.",
        cause="White space is not given as long as no other text was.",
        fix="Give white space as it comes.",
        field="stream",
        derive=_with(42, blank=True),
    ),
    Quirk(
        name="cleans_up_each_delta",
        title="A stream leaves out spaces before punctuation",
        symptom="Spaces before punctuation are missing in an answer, and are there if it is decoded at once.",
        cause="Each delta is cleaned up by itself, and not as a part of the text.",
        fix="Clean up nothing while ids come, or hold back a space until the next text.",
        field="stream",
        derive=_with(44, cleans=True),
    ),
    Quirk(
        name="drops_replacement_characters",
        title="A stream leaves out U+FFFD",
        symptom="U+FFFD that belongs to the text is missing, and so is an incomplete end.",
        cause="U+FFFD is taken for a part of a character that is to come.",
        fix="Hold back only U+FFFD at the end, and give it if the next ids do not complete it.",
        field="stream",
        derive=_with(46, drops=True),
    ),
    Quirk(
        name="raises_on_invalid_prefix",
        title="A stream raises where decoding takes text back",
        symptom='An answer ends with an error such as "Invalid prefix encountered".',
        cause="Byte tokens that are not UTF-8 change the text of the bytes before them, which were given already.",
        fix="Go on with the text as it is, and give what follows what was given.",
        field="stream",
        derive=_with(50, raises=True),
        links=github("huggingface/tokenizers/issues/1666"),
    ),
    Quirk(
        name="stream_raises_at_line_end",
        title="A stream raises at a line end",
        symptom="Where special tokens are left out, an answer ends at its first line end with a TypeError.",
        cause="After a line end TextStreamer decodes the last id by itself, as a number. WhisperTokenizer wants a list"
        " where special tokens are left out.",
        fix="Decode a list of one id.",
        field="stream",
        derive=_with(52, lines=True),
        links=github("huggingface/transformers/blob/main/src/transformers/models/whisper/tokenization_whisper.py"),
    ),
    Quirk(
        name="stream_stalls_at_replacement_character",
        title="A stream gives nothing while its text ends with U+FFFD",
        symptom="An answer stops, and may never go on, though more ids come.",
        cause="U+FFFD is taken for a character that is not complete, however many there are.",
        fix="Hold back at most three bytes or U+FFFD: no character has more bytes that are missing.",
        field="stream",
        derive=_with(60, holds=True),
        links=github("sgl-project/sglang/issues/34852", "sgl-project/sglang/issues/34740"),
    ),
    Quirk(
        name="counts_stream_in_utf16",
        title="A stream cuts its text by UTF-16 units",
        symptom="After an emoji, characters are missing.",
        cause="The length of what was given is counted in UTF-16, where an emoji is two units.",
        fix="Count and cut in the same units.",
        field="stream",
        derive=_with(62, units=True),
    ),
    Quirk(
        name="stream_repeats_incomplete_prompt",
        title="A prompt that ends inside a character is given again",
        symptom="An answer begins with all of the prompt.",
        cause="The text of a prompt that ends with U+FFFD is not kept, as if nothing had come before the answer.",
        fix="Keep what is complete of the prompt's text, and leave that out of the first delta.",
        field="stream",
        derive=_with(65, again=True),
    ),
    Quirk(
        name="stream_forgets_incomplete_prompt",
        title="Bytes of a character that the prompt begins are lost",
        symptom="An answer begins with U+FFFD if its prompt ends inside a character.",
        cause="Only whole characters of the prompt are kept.",
        fix="Keep the ids of the prompt's last, incomplete character.",
        field="stream",
        derive=_with(66, forgets=True),
    ),
    Quirk(
        name="window_starts_inside_character",
        title="The window of a stream begins inside a character",
        symptom="Characters at the beginning of an answer are lost, or cut.",
        cause="The window begins five ids before the end of the prompt, which may be inside a character. The text of a"
        " part of it has another length than in the whole.",
        fix="Move the beginning of the window to an id with which a character begins.",
        field="stream",
        derive=_with(70, window=True),
        links=github("ai-dynamo/dynamo/issues/12630"),
    ),
    Quirk(
        name="streams_words_without_prompt",
        title="A stream gives words of an answer without its prompt",
        symptom="Symbols come late. Spaces and U+FFFD differ at the beginning, and where bytes are not UTF-8.",
        cause="The ids of the answer alone are decoded. A symbol waits for the next space, and what was given is"
        " counted in characters, though more ids can change it.",
        fix="Decode the prompt before the answer, hold back only what is not complete, and give it when it is.",
        field="stream",
        derive=_with(80, way=words_of_answer),
        links=github("huggingface/transformers/blob/main/src/transformers/generation/streamers.py"),
    ),
    Quirk(
        name="streams_since_two_deltas",
        title="A stream decodes only ids of its last two deltas",
        symptom="Text is lost, or an error ends the answer, where bytes are not UTF-8 or an answer ends.",
        cause="The ids before the last two deltas are forgotten, and nothing is given while the text ends with U+FFFD.",
        fix="Keep the ids that the text depends on, hold back three bytes at most, and give the rest at the end.",
        field="stream",
        derive=_with(82, way=since_two_deltas),
        links=github("huggingface/tokenizers/issues/1666"),
    ),
)
