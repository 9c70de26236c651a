"""The corpora hold what they promise, and reading them changes nothing."""

from __future__ import annotations

import base64
import bz2
import gzip
import json
import lzma
import sys
from collections import Counter
from functools import cache
from itertools import islice
from pathlib import Path

import pytest
import regex

from tokparity.case import Origin, TextCase, text_case
from tokparity.errors import FormatError, MissingDependencyError, UsageError
from tokparity.session import CASES
from tokparity.session.one_model import Options
from tokparity.sources import corpus

# Codes that name a mixture or a variant of what the Unicode property Script knows.
MIXED_SCRIPTS = {"Hans": ("Han",), "Hant": ("Han",), "Kore": ("Hangul", "Han"), "Jpan": ("Han", "Hira", "Kana")}
LANGUAGE_FILES = sorted(
    {case.origin.name.partition(".")[0].removeprefix("languages/") for case in corpus.load("languages")}
)
FOLDER = Path(__file__).parents[2] / "corpora"


@cache
def cases_of(name: str) -> tuple[TextCase, ...]:
    """All cases of a corpus, loaded once for all tests: CLDR takes seconds."""
    return tuple(corpus.load(name))


def texts(name: str) -> list[bytes]:
    return [case.question.text for case in cases_of(name)]


def joined(name: str) -> str:
    return b"\n".join(texts(name)).decode()


@pytest.mark.parametrize("tag", LANGUAGE_FILES)
def test_a_language_is_written_in_its_script(tag: str) -> None:
    """At least four sentences, and nine letters in ten are of the script in the file's name."""
    lines = (FOLDER / "languages" / f"{tag}.txt").read_text("utf-8").splitlines()
    assert len(lines) >= 4
    code = tag.split("-")[1]
    own = "".join(rf"\p{{Script={name}}}" for name in MIXED_SCRIPTS.get(code, (code,)))
    letters = regex.findall(r"\p{L}", "".join(lines))
    foreign = [letter for letter in letters if not regex.match(rf"[{own}\p{{Lm}}]", letter)]
    assert len(foreign) <= len(letters) / 10, foreign


def test_sixty_languages_and_thirty_scripts() -> None:
    """The promised breadth, with variants of one script (Hans, Hant, Jpan) counted once."""
    description = corpus.describe("languages")
    assert len(description.languages) >= 60
    scripts = {MIXED_SCRIPTS.get(code, (code,))[0] for code in description.scripts}
    assert len(scripts) >= 30


@pytest.mark.parametrize("name", sorted(set(corpus.names()) - corpus.LONG))
def test_no_case_comes_twice(name: str) -> None:
    """Every corpus loads, is not empty, and holds no case twice."""
    cases = [(case.question.text, case.question.add_special, case.question.parse_special) for case in cases_of(name)]
    assert len(cases) > 0
    assert len(set(cases)) == len(cases)


@pytest.mark.parametrize("name", corpus.names())
def test_loading_is_deterministic(name: str) -> None:
    """Two readings of a corpus give the same cases with the same origins."""
    assert list(islice(corpus.load(name), 3000)) == list(islice(corpus.load(name), 3000))


def test_every_emoji_of_the_package_is_covered() -> None:
    """Each known sequence occurs alone; the fully qualified ones also doubled and inside text."""
    package = pytest.importorskip("emoji")
    known = package.EMOJI_DATA
    have = set(texts("emoji"))
    assert {one.encode() for one in known} <= have
    qualified = [one for one, data in known.items() if data["status"] == package.STATUS["fully_qualified"]]
    assert len(qualified) > 3500
    assert {form.encode() for one in qualified for form in (one + one, f"a{one}b", f"see {one} here")} <= have


def test_cldr_covers_all_locales_within_bounds() -> None:
    """Hundreds of languages, dozens of scripts, and few enough cases to run."""
    pytest.importorskip("babel")
    description = corpus.describe("cldr")
    assert len(description.languages) >= 250
    assert len(description.scripts) >= 30
    assert description.cases <= 40_000
    assert "понеділок" in joined("cldr")


def test_every_code_point_up_to_plane_three_is_covered() -> None:
    """All scalar values below U+34000 occur in `unicode`; surrogates do not."""
    have = set(map(ord, joined("unicode")))
    assert set(range(0xD800)) | set(range(0xE000, 0x34000)) <= have
    assert {0xE0001, 0xE01EF, 0xF0000, 0xFFFFF, 0x100000, 0x10FFFF} <= have
    assert not have & set(range(0xD800, 0xE000))


def test_long_runs_are_flagged_and_long() -> None:
    """`long` is the only corpus with texts near 1 MB, and it says so."""
    with_long_texts = {name for name in corpus.names() if any(len(text) > 5_000 for text in texts(name))}
    assert with_long_texts == corpus.LONG
    assert corpus.describe("long").long
    sizes = [len(text) for text in texts("long")]
    assert all(9_900 <= size <= 10_000 or 999_900 <= size <= 1_000_000 for size in sizes), sizes
    assert {b"a" * 10**6, b" " * 10**6, b"\n" * 10**6, b"!" * 10**6} <= set(texts("long"))


def test_invalid_utf8_is_invalid() -> None:
    """No text of `invalid_utf8` decodes, and the well-known kinds are there."""
    have = texts("invalid_utf8")
    for text in have:
        with pytest.raises(UnicodeDecodeError):
            text.decode()
    overlong, surrogate, beyond, truncated = b"\xc0\xaf", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\xe2\x96"
    assert {overlong, surrogate, beyond, truncated, bytes(range(256))} <= set(have)


@pytest.mark.parametrize("name", sorted(set(corpus.names()) - {"invalid_utf8"}))
def test_all_others_are_valid_utf8(name: str) -> None:
    """Only `invalid_utf8` holds bytes that a str-only engine cannot be asked."""
    for text in texts(name):
        text.decode()


def test_whitespace_and_controls_are_complete() -> None:
    """Every Unicode space, runs of 1 to 20 of the common ones, and all of C0 and C1."""
    have = set(texts("whitespace"))
    spaces = regex.findall(r"\p{Zs}|\p{Zl}|\p{Zp}", "".join(map(chr, range(0x110000))))
    assert 19 == len(spaces)
    assert {space.encode() for space in spaces} <= have
    runs = {unit * count for unit in (b" ", b"\t", b"\n") for count in range(1, 21)}
    assert runs <= have
    controls = [chr(point).encode() for point in (*range(0x20), *range(0x7F, 0xA0))]
    assert set(controls) <= set(texts("control_characters"))


def test_normal_forms_differ() -> None:
    """`normalisation` still holds both spellings: no editor has normalized the file."""
    have = set(texts("normalisation"))
    assert {b"\xc3\xa9", b"e\xcc\x81", "\uac01".encode(), "\u1100\u1161\u11a8".encode(), "\ufb01".encode()} <= have


def test_special_tokens_are_asked_both_ways() -> None:
    """Each text comes with parse_special off and on; other corpora leave it off."""
    for name in ("special_tokens", "chat_templates"):
        cases = cases_of(name)
        plain = [case.question.text for case in cases if not case.question.parse_special]
        assert plain == [case.question.text for case in cases if case.question.parse_special]
    assert not any(case.question.parse_special for case in cases_of("piece_markers"))


def test_text_lines_are_verbatim(tmp_path: Path) -> None:
    """A user's file: no escapes, no header, no stripping; "\\r", blank lines and invalid bytes stay."""
    lines = [b"# not a header", b"", b"  a\\n\\u0041\t", b"cr\r", b"\xff\xfe \x00", "▁é".encode()]
    path = tmp_path / "mine.txt"
    path.write_bytes(b"\n".join(lines) + b"\n")
    expected = [
        text_case(line, origin=Origin("corpus", str(path), number)) for number, line in enumerate(lines, start=1)
    ]
    assert expected == list(corpus.load(str(path)))


def test_shipped_lines_are_verbatim() -> None:
    """What follows a shipped file's header is taken as it stands, with its line number in the file."""
    lines = (FOLDER / "punctuation.txt").read_bytes().split(b"\n")
    cases = list(corpus.load("punctuation"))
    assert {"punctuation.txt"} == {case.origin.name for case in cases}
    assert all(case.question.text == lines[case.origin.number - 1] for case in cases)
    assert b"# not a comment: this line is a case" in texts("punctuation")
    assert b"\\n" in texts("piece_markers")


def test_json_lines_of_a_user(tmp_path: Path) -> None:
    """JSON strings, base64 and lone surrogates become bytes; blank lines are skipped."""
    path = tmp_path / "mine.jsonl"
    encoded = json.dumps({"base64": base64.b64encode(b"\xff\n").decode()})
    path.write_text(f'"a\\nb"\n\n{encoded}\n"\\ud800"\n', encoding="utf-8")
    expected = [b"a\nb", b"\xff\n", b"\xed\xa0\x80"]
    assert expected == texts(str(path))
    assert [f"{path}:{number}" for number in (1, 3, 4)] == [str(case.origin) for case in corpus.load(str(path))]


@pytest.mark.parametrize("line", [b"not json", b"17", b'{"base64": "?"}', b'{"text": "a"}', b'"\xff"'])
def test_a_line_that_holds_no_text_is_named(tmp_path: Path, line: bytes) -> None:
    """The error names the file, the line and what is wrong with it."""
    path = tmp_path / "bad.jsonl"
    path.write_bytes(b'"fine"\n' + line + b"\n")
    with pytest.raises(FormatError, match=r"bad\.jsonl:2: "):
        list(corpus.load(str(path)))


def test_an_unknown_name_is_answered_with_the_nearest() -> None:
    """The error shows the value, the nearest name and all names, before anything is read."""
    with pytest.raises(UsageError, match=r"unknown corpus 'emojis'; did you mean 'emoji'\?.*whitespace"):
        corpus.load("emojis")


def test_a_missing_library_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the extra, a computed corpus says what to install; the files still load."""
    monkeypatch.setitem(sys.modules, "emoji", None)
    with pytest.raises(MissingDependencyError, match=r"tokparity\[corpora\]"):
        corpus.load("emoji")
    assert cases_of("bidi") == tuple(corpus.load("bidi"))


def test_loading_is_lazy() -> None:
    """The first case of the longest corpus comes without computing the rest."""
    assert text_case(b"a" * 10_000, origin=Origin("corpus", "long", 0)) == next(corpus.load("long"))


@pytest.mark.parametrize(
    ("name", "data"),
    [("gzip", gzip.compress(b"a\n", mtime=0)), ("bzip2", bz2.compress(b"a\n")), ("xz", lzma.compress(b"a\n"))],
)
def test_a_packed_file_is_no_list_of_texts(tmp_path: Path, name: str, data: bytes) -> None:
    """Its bytes are not put as if they were texts, for a run that is equal on them says nothing about the texts."""
    path = tmp_path / "texts"
    path.write_bytes(data)
    with pytest.raises(FormatError, match=f"is a {name} file, so its lines are not texts"):
        list(corpus.load(str(path)))


def test_a_text_that_begins_as_a_packed_file_is_named_is_a_text(tmp_path: Path) -> None:
    """Letters alone make no packed file, and nothing of the first line is lost."""
    path = tmp_path / "texts"
    path.write_bytes(b"PAR1 and BZh\nx\n")
    assert [b"PAR1 and BZh", b"x"] == [case.question.text for case in corpus.load(str(path))]


def test_a_run_of_few_random_texts_takes_less_of_the_large_corpora() -> None:
    """All of the others, and of a corpus that was named. Without random texts the corpora are what a run is for."""
    counts = {
        cases: Counter(case.origin.name for case in Options(cases=cases).corpus_cases())
        for cases in (CASES, CASES // 10, 0, 2 * CASES)
    }
    usual, few = counts[CASES], counts[CASES // 10]
    assert usual == counts[0] == counts[2 * CASES]
    large = {name for name in usual if few[name] < usual[name]}
    assert {"unicode", "whitespace.jsonl", "unusual_code_points.jsonl", "special_tokens.jsonl"} <= large
    for name in large:
        assert max(usual[name] / 10, 100) * 0.8 <= few[name] <= max(usual[name] / 10, 100) * 1.3, name
    named = Options(cases=1, corpora=("special_tokens",)).corpus_cases()
    assert sum(1 for _ in corpus.load("special_tokens")) == named.count
