"""Texts as JSON: exact, on one line, and harmless to look at."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tokparity.errors import FormatError
from tokparity.questions.json_text import as_bytes, from_json, literal, parse, strict, to_json


@given(st.binary() | st.text().map(lambda text: text.encode("utf-8", "surrogatepass")))
def test_any_bytes_come_back(text: bytes) -> None:
    """Whatever the bytes, the literal gives them back."""
    assert text == parse(literal(text))


@given(st.binary() | st.text().map(lambda text: text.encode("utf-8", "surrogatepass")))
def test_a_literal_is_one_line_that_prints(text: bytes) -> None:
    """Nothing in a literal acts on a terminal, a spreadsheet or the order of the letters around it."""
    assert literal(text).isprintable()


def test_readable_letters_stay() -> None:
    """Only what does not print is escaped, beyond the basic plane as a surrogate pair."""
    assert '"日本 é \\u200d\\u202e\\udb40\\udc01\\u007f"' == literal("日本 é \u200d\u202e\U000e0001\x7f".encode())


def test_invalid_utf8_is_base64() -> None:
    """Bytes that are not UTF-8 are an object, also inside lists."""
    assert [{"base64": "/w=="}, "a"] == json.loads(literal([b"\xff", b"a"]))
    assert {"base64": "/w=="} == to_json(b"\xff")


def test_a_lone_surrogate_is_its_bytes() -> None:
    """JSON can spell a lone surrogate; it means the three bytes that are not UTF-8."""
    assert b"\xed\xa0\x80" == parse('"\\ud800"')


@pytest.mark.parametrize("value", [1, None, [], {"base64": "!"}, {"base64": 1}, {"base64": "", "x": 1}])
def test_what_is_no_text_is_refused(value: object) -> None:
    """A value of another shape is an error that shows it."""
    with pytest.raises(FormatError):
        from_json(value)


@pytest.mark.parametrize("number", ["NaN", "-Infinity", "1e999", "-1e999"])
def test_a_number_that_json_cannot_hold_is_refused(number: str) -> None:
    """Python reads 1e999 as infinity, which it would write as a word that is no JSON."""
    with pytest.raises(FormatError, match="is not JSON"):
        strict(f'[{{"role": "user", "content": {number}}}]')


def test_what_is_no_json_is_refused() -> None:
    """So is a line that is not JSON."""
    with pytest.raises(FormatError, match="hello"):
        parse("hello")


@pytest.mark.parametrize(
    ("text", "spelled"),
    [
        ("\uf9e2梨", '"\\uf9e2梨"'),
        ("2\ufe0f\u20e3", '"2\\ufe0f\u20e3"'),
        ("\u212b\u00c5", '"\\u212b\u00c5"'),
        ("a\U000e0100", '"a\\udb40\\udd00"'),
        ("e\u0301 ο\u0301 é", '"e\\u0301 ο\\u0301 é"'),
        ("\u0301 \u0301a", '"\\u0301 \\u0301a"'),
        ("x\u0300 हिन्दी x\u0303", '"x\u0300 हिन्दी x\u0303"'),
        ("\u1112\u1161", '"\u1112\\u1161"'),
    ],
)
def test_look_alikes_and_what_nobody_sees_are_escaped(text: str, spelled: str) -> None:
    """Printed as they are, they could be taken for another text, and not be typed again."""
    assert spelled == literal(text)
    assert text.encode() == parse(literal(text))


def test_any_text_of_a_program_has_bytes() -> None:
    """What Python reads of broken bytes becomes these again; a surrogate of any other origin its three bytes."""
    assert b"a\xff\xed\xa0\x80\xed\xb0\x80" == as_bytes("a\udcff\ud800\udc00")
    assert (b"\xff", b"\xff") == (as_bytes("\udcff"), as_bytes(b"\xff"))
