"""Every quirk at work: on its toy model, on real ones, and on the command line."""

from __future__ import annotations

import pytest

from tokparity import formats, models, quirks
from tokparity.cli import main
from tokparity.errors import AbortedError
from tokparity.formats import Source
from tokparity.quirk import Quirk
from tokparity.quirks import toys
from tokparity.reference.decode import HuggingFaceDecode
from tokparity.reference.decode_stages import Fuse, Replace
from tokparity.reference.tokenizer import Tokenizer
from tokparity.vocabulary import Kind

MODELS = ("llama-spm", "small-unigram", "gpt-2")
TEXTS = (
    b"The capital of France is",
    b"  a  b\r\n\tc ",
    "½ ﬁ ｆｕｌｌ e\N{COMBINING ACUTE ACCENT}1\ufe0f\u20e3 สวัส".encode(),
    b"don't 12345 !!!!!! <s> </s> <unk>",
    b"a\xe2\x96b\0c\\n",
    "🦙 ▁x".encode(),
)


@pytest.mark.parametrize("quirk", quirks.all_quirks(), ids=lambda quirk: quirk.name)
def test_a_witness_shows_its_quirk(quirk: Quirk) -> None:
    """With the quirk the toy model gives other ids, or the ids decode to other bytes, or it dies."""
    assert quirk.witness is not None
    witness = quirk.witness()
    seen: list[object] = []
    for behaviour in (witness.behaviour, quirk.flip(witness.behaviour)):
        tokenizer = Tokenizer(witness.vocabulary, behaviour)
        try:
            ids = tokenizer.encode(witness.text, witness.add_special, witness.parse_special)
            seen.append((ids, tokenizer.decode(ids)))
        except AbortedError:
            seen.append(None)  # the quirk is that an engine dies
    assert seen[0] != seen[1]


@pytest.mark.parametrize("quirk", quirks.all_quirks(), ids=lambda quirk: quirk.name)
def test_the_command_shows_its_quirk(quirk: Quirk, capsys: pytest.CaptureFixture[str]) -> None:
    """`tokparity quirks NAME` runs the witness and marks where the two rows differ."""
    assert 0 == main(["quirks", quirk.name])
    out = capsys.readouterr().out
    assert quirk.title in out
    decoded = [line.partition("it: ")[2] for line in out.splitlines() if line.startswith("Decoded ")]
    assert len(set(decoded)) == 2 or "\n> " in out


def test_the_command_lists_all(capsys: pytest.CaptureFixture[str]) -> None:
    """`tokparity quirks` has a line for each, under its field."""
    assert 0 == main(["quirks"])
    lines = capsys.readouterr().out.splitlines()
    listed = [line.split()[0] for line in lines if line.startswith("  ")]
    assert sorted(quirks.names()) == sorted(listed)
    assert "segment:" in lines


def test_a_name_that_is_none(capsys: pytest.CaptureFixture[str]) -> None:
    """One line, the nearest name, and exit code 2."""
    assert 2 == main(["quirks", "omits_boss"])
    assert "omits_bos" in capsys.readouterr().err


@pytest.fixture(scope="module", params=MODELS)
def real(request: pytest.FixtureRequest) -> Source:
    """A real model."""
    return models.primary_source(models.load(request.param))


def test_every_quirk_runs_on_real_models(real: Source) -> None:
    """None raises, none gives an id that there is not, and a good part of them shows on six short texts."""
    unflipped = Tokenizer(real.vocabulary, real.behaviour)
    expected = [unflipped.encode(text, True, True) for text in TEXTS]
    shown = set()
    for quirk in quirks.all_quirks():
        flipped = quirk.flip(real.behaviour)
        if flipped == real.behaviour:
            continue
        tokenizer = unflipped.with_behaviour(flipped)
        actual = [tokenizer.encode(text, True, True) for text in TEXTS]
        assert all(0 <= i < len(real.vocabulary) for ids in actual for i in ids), quirk.name
        decodes = tokenizer.decode(expected[0]) != unflipped.decode(expected[0])
        if actual != expected or decodes:
            shown.add(quirk.name)
    assert {
        "greedy_longest_match",
        "omits_space_prefix" if real.behaviour.space_marker == "▁" else "loses_merges",
    } <= shown
    assert 45 <= len(shown)


def test_user_defined_spaces_of_a_tokenizer_json_keep_their_marker() -> None:
    """Gemma 3 has added tokens of spaces, which its own decoder shows as spaces; normal pieces are shown so still."""
    stages = (Replace("▁", " "), Fuse())
    toy = toys.spm(
        "a ▁ ▁▁ ▁b",
        {"▁▁": Kind.USER_DEFINED},
        added=(toys.special("▁▁", 5, special=False), toys.special("<end>", 3)),
        decode=HuggingFaceDecode(stages),
    )
    right = Tokenizer(toy.vocabulary, toy.behaviour)
    quirk = quirks.get("leaves_marker_in_user_defined_pieces")
    wrong = right.with_behaviour(quirk.flip(toy.behaviour))
    ids = [toy.vocabulary.ids[piece.encode()] for piece in ("▁▁", "▁b", "▁▁")]
    assert (b"   b  ", "▁▁ b▁▁".encode()) == (right.decode(ids), wrong.decode(ids))
    assert ["▁▁".encode()] == [wrong.decode([*ids[:1], 3], skip_special=True)]


def test_the_gemma_3_case() -> None:
    """Two quirks make of the right row the one that a Rust engine really gave: greedy, and each space as a byte."""
    path = models.load("gemma-4").sources["gguf"]
    if not path.exists():
        pytest.skip("gemma-4 has not been pulled")
    source = formats.read(path)
    broken = [quirks.get("greedy_longest_match"), quirks.get("writes_spaces_as_bytes")]
    rows = [
        Tokenizer(source.vocabulary, behaviour).encode(b"The capital of France is")
        for behaviour in (source.behaviour, quirks.flip_all(broken, source.behaviour))
    ]
    assert [2, 818, 5279, 529, 7001, 563] == rows[0]
    assert [2, 669, 270, 5279, 270, 529, 270, 7001, 270, 563] == rows[1]
