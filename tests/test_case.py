"""Where a case comes from, written and read again."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tokparity.case import GIVEN, LineCases, Origin, text_case, texts_of
from tokparity.sources.batches import batches, batches_of_lines

NAMES = st.sampled_from(["joints", "mutations", "id_sequences", "code_points"])
FILES = st.sampled_from(
    ["prompts.txt", "languages/de-Latn.txt", "/home/a b/me@work.txt", "long", "C:\\texts.txt", "a:b.jsonl", "世界.txt"]
)
SEEDS, NUMBERS = st.integers(-(10**6), 10**6), st.integers(0, 10**9)

lines = st.builds(lambda name, number: Origin("corpus", name, number), FILES, NUMBERS)
generated = st.builds(lambda name, number, seed: Origin("generator", name, number, seed), NAMES, NUMBERS, SEEDS)
grown = st.recursive(
    generated,
    lambda parents: st.builds(
        lambda parent, number, seed: Origin("generator", "grown", number, seed, parent), parents, NUMBERS, SEEDS
    ),
    max_leaves=4,
)
accepted = st.builds(lambda number: Origin("accepted", number=number), NUMBERS)
others = st.sampled_from(
    [Origin("diagnosis", "diagnosis"), Origin("diagnosis", "probe"), GIVEN, Origin("given", "command line")]
)
plain = st.one_of(lines, generated, grown, accepted, others)
on_models = st.builds(
    lambda origin, seed, number: origin._replace(model=f"models:{seed}:{number}/"), grown, SEEDS, NUMBERS
)
origins = st.one_of(plain, on_models).flatmap(lambda origin: st.sampled_from([origin, origin.smaller()]))


@given(origins)
def test_an_origin_is_written_and_read(origin: Origin) -> None:
    """Corpus lines, generated, grown from grown ones, shrunk, accepted, on generated models, diagnosis, given."""
    assert origin == Origin.parse(str(origin))


@given(st.text())
def test_any_text_is_an_origin(text: str) -> None:
    """An older report's, or another tool's: what it is taken for stays the same."""
    origin = Origin.parse(text)
    assert origin == Origin.parse(str(origin))


@pytest.mark.parametrize(
    ("origin", "written"),
    [
        (Origin("corpus", "prompts.txt", 3), "prompts.txt:3"),
        (Origin("generator", "joints", 17, 5), "joints:5:17"),
        (Origin("generator", "grown", 9, 5, Origin("generator", "joints", 17, 5)), "grown:5:9@joints:5:17"),
        (Origin("corpus", "prompts.txt", 3).smaller(), "shrunk from prompts.txt:3"),
        (Origin("accepted", number=2), "accepted:2"),
        (Origin("generator", "joints", 1, 0, model="models:0:7/"), "models:0:7/joints:0:1"),
    ],
)
def test_origins_are_written_as_ever(origin: Origin, written: str) -> None:
    """Accepted findings and stored reports name cases by it."""
    assert written == str(origin)


def test_depth_counts_how_often_a_text_was_grown() -> None:
    """A text that no generator grew has none."""
    first = Origin("generator", "joints", 1)
    assert [0, 1, 2] == [origin.depth for origin in (first, first._replace(parent=first),
                                                     first._replace(parent=first._replace(parent=first)))]  # fmt: skip


def test_lines_of_a_file_are_cases_where_they_are_looked_at() -> None:
    """One by one, all, a part of them; and batches of them are as large as those of other cases."""
    texts = {b"a": 1, b"": 3, b"c" * 150_000: 4, b"d" * 60_000: 9}
    cases = [text_case(text, origin=Origin("corpus", "f.txt", line)) for text, line in texts.items()]
    of_file = LineCases("f.txt", list(texts), list(texts.values()))
    assert (cases, 4, cases[1]) == (list(of_file), len(of_file), of_file[1])
    assert cases[1:3] == list(of_file[1:3])
    assert list(texts) == list(texts_of(of_file)) == list(texts_of(cases))
    assert list(batches(cases)) == [list(batch) for batch in batches_of_lines(texts, "f.txt")]
