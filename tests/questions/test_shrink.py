"""Shrinking: as short and plain as can be, each attempt once, the same result each time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from hypothesis import given
from hypothesis import strategies as st

from tokparity.questions.shrink import Attempts, plainness, shorten, shrink_ids, shrink_text


def holds(*needed: str) -> object:
    """A check that wants these characters in this order."""

    def one(text: bytes) -> bool:
        rest = iter(text.decode("utf-8", "surrogateescape"))
        return all(character in rest for character in needed)

    return lambda texts: [one(text) for text in texts]


def test_what_does_not_matter_goes() -> None:
    """Of a long text the two characters that matter are left."""
    text = "Nobody expects é in the middle of 世界 and so on, again and again and again."
    assert "é世".encode() == shrink_text(text.encode(), holds("é", "世"))  # type: ignore[arg-type]


def test_characters_that_do_not_matter_become_plain() -> None:
    """Where only the length matters, the plainest character fills it."""
    assert b"    " == shrink_text("qwért世".encode(), lambda texts: [len(t.decode()) >= 4 for t in texts])


def test_invalid_bytes_are_items() -> None:
    """A byte that is not UTF-8 is kept or left out like a character."""
    assert b"\xff" == shrink_text(b"abc\xffd\xfe", lambda texts: [b"\xff" in text for text in texts])


def test_a_long_run_is_shortened_to_its_limit() -> None:
    """101 characters are needed; no attempt count is exceeded on the way."""
    assert 101 == len(shrink_text(b"x" * 5000, lambda texts: [len(text) > 100 for text in texts]))


def test_the_empty_text() -> None:
    """What every text shows, the empty text shows."""
    assert b"" == shrink_text(b"anything", lambda texts: [True] * len(texts))


def test_nothing_is_asked_twice() -> None:
    """Every candidate is put once, whatever the way there."""
    asked: list[bytes] = []

    def check(texts: Sequence[bytes]) -> list[bool]:
        asked.extend(texts)
        return [b"b" in text and b"d" in text for text in texts]

    assert b"bd" == shrink_text(b"abcdefghijklmnop", check)
    assert len(asked) == len(set(asked))


def test_attempts_end() -> None:
    """After the last attempt what was reached so far must do."""
    attempts: Attempts[int] = Attempts(lambda rows: [len(row) > 3 for row in rows], most=10)
    shorten(tuple(range(1000)), attempts)
    assert attempts.made < 10 + 96


def test_rows_of_ids() -> None:
    """Ids are left out, never changed."""
    assert (7, 9) == shrink_ids((1, 2, 7, 3, 9, 9, 4), lambda rows: [7 in row and 9 in row for row in rows])


@given(st.text(min_size=1), st.integers(0, 3))
def test_the_result_holds_and_is_no_longer(text: str, needed: int) -> None:
    """Whatever the check, its result passes it, is not longer, and comes out again the same."""

    def check(texts: Sequence[bytes]) -> list[bool]:
        return [len(set(t.decode("utf-8", "surrogateescape"))) >= min(needed, len(set(text))) for t in texts]

    data = text.encode("utf-8", "surrogatepass")
    assert [True] == check([data])
    found = shrink_text(data, check)
    assert [True] == check([found])
    assert len(found.decode("utf-8", "surrogateescape")) <= len(data.decode("utf-8", "surrogateescape"))
    assert found == shrink_text(data, check)


def test_plainness_orders() -> None:
    """A space is plainer than a letter, a letter than a mark."""
    assert plainness(" ") < plainness("a") < plainness("é") < plainness("\u0301")


def test_a_long_text_comes_down_to_the_length_from_which_it_fails() -> None:
    """From both ends in halves: 6,306 characters to 513 in a few hundred attempts."""
    tried = 0

    def check(texts: Sequence[bytes]) -> list[bool]:
        nonlocal tried
        tried += len(texts)
        return [len(text) >= 513 for text in texts]

    assert b" " * 513 == shrink_text(b"some words " * 573 + b"end", check).replace(b"a", b" ")
    assert tried < 600


def test_where_no_attempt_is_left_no_candidate_is_made() -> None:
    """Of a text of megabytes even making all candidates takes hours, and a few of them fill the memory."""
    made = []

    def candidates() -> Iterator[tuple[int, ...]]:
        for i in range(10**6):
            made.append(i)
            yield (i,) * 1000

    attempts: Attempts[int] = Attempts(lambda rows: [False] * len(rows), most=100)
    assert attempts.first(candidates()) is None
    assert len(made) <= 96
    together: list[int] = []

    def none(rows: Sequence[tuple[int, ...]]) -> list[bool]:
        together.append(len(rows))
        return [False] * len(rows)

    attempts = Attempts(none, most=10**9)
    assert attempts.first(iter([(0,) * 600_000, (1,) * 600_000, (2,) * 600_000])) is None
    assert [2, 1] == together


def test_a_text_of_megabytes_is_halved_before_it_is_taken_apart() -> None:
    """Its characters would fill the memory; where no half is enough it stays as it is, after two attempts."""
    asked: list[int] = []

    def check(texts: Sequence[bytes]) -> list[bool]:
        asked.extend(map(len, texts))
        return [b"x" in text for text in texts]

    large = "世".encode() * 8_000_000 + b"x"
    assert shrink_text(large, check) == b"x"
    assert max(asked) <= 0.51 * len(large)
    asked.clear()

    def whole(texts: Sequence[bytes]) -> list[bool]:
        asked.extend(map(len, texts))
        return [len(text) == len(large) for text in texts]

    assert len(large) == len(shrink_text(large, whole))
    assert len(asked) == 2
