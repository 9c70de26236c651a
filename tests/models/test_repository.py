"""tokparity.toml: what it says becomes models; what it says wrongly is told with line, value and next step."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tokparity.errors import TokparityError, UsageError
from tokparity.models import repository
from tokparity.models.record import EMBEDDED, AcceptedFinding
from tokparity.models.rewrite import ListChange, rewritten
from tokparity.models.toml_lines import lines_of

BEGIN = '[models.toy]\ntokenizer-json = "tokenizer.json"\n'
ENTRY = BEGIN + "[[models.toy.accepted]]\n"
WHOLE = (
    "# ours\n"
    + BEGIN
    + 'oracle = "transformers"  # slow\nengines = ["llama.cpp"]\nnotes = """\n[no header]\n"""\n\n'
    + '# first\n[[models.toy.accepted]]\nengine = "llama.cpp"\nquirks = [\n  "cleans_up_spaces",  # known\n]\n'
    + 'reason = "one"\ndate = 2026-11-22\n\n'
    + '# second\n[[models.toy.accepted]]\nkey = "tokenizer.ggml.pre"\nvalue = \'llama-bpe\'\nreason = "two"\n\n'
    + '# the other\n[models."b.c"]\ntokenizer-json = "tokenizer.json"\n'
)
NEW = AcceptedFinding("reference", "why 'so' \\ \u2028", text='"\'\\u0000"', kind="decode", date="2026-11-22")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A directory with a tokenizer.json."""
    shutil.copy(EMBEDDED / "small-bpe.json", tmp_path / "tokenizer.json")
    return tmp_path


def test_a_model_comes_out(folder: Path) -> None:
    """Files relative to the list, oracle, engines, notes, what is accepted; it is none that is known to be right."""
    (folder / "tokparity.toml").write_text(WHOLE)
    own = repository.find(str(folder))
    assert own is not None
    assert (("toy", "b.c"), ("--models", str(folder))) == (own.names, own.words)
    model = own.model("toy")
    assert {"tokenizer.json": folder / "tokenizer.json"} == dict(model.sources)
    assert ("toy", "transformers", ("llama.cpp",), "[no header]", False) == (
        model.name, model.oracle, model.engines, model.notes, model.pinned,
    )  # fmt: skip
    first, second = model.accepted
    assert (("cleans_up_spaces",), "one", "2026-11-22") == (first.quirks, first.reason, first.date)
    assert ("tokenizer.ggml.pre", "llama-bpe", "") == (second.key, second.value, second.engine)
    assert ("tokenizers", None) == (own.model("b.c").oracle, own.model("b.c").engines)


def test_lines_are_known(folder: Path) -> None:
    """Also behind texts and lists of several lines."""
    lines, text = lines_of(WHOLE), WHOLE.splitlines()
    own = repository.parsed(folder / "tokparity.toml", WHOLE)
    assert "[models.toy]" == text[own.line("toy") - 1]
    assert "# second" == text[own.accepted_line("toy", 1) - 2]
    assert '[models."b.c"]' == text[own.line("b.c") - 1]
    assert 'reason = "one"' == text[lines["models", "toy", "accepted", 0, "reason"] - 1]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "line 1: there is no model; write a table .*`tokparity init` do"),
        ("[models.toy]\ngguf\n", "is not TOML: .*at line 2"),
        (BEGIN + BEGIN, r"is not TOML: Cannot declare \('models', 'toy'\) twice \(at line 3"),
        (BEGIN + "\n[[models.toy.acceptd]]\n", "line 4: unknown key 'acceptd'; did you mean 'accepted'"),
        (BEGIN + "[model.x]\n", "line 3: unknown key 'model'; did you mean 'models'"),
        (BEGIN + "tokenizer_json = ''\n", "line 3: unknown key 'tokenizer_json'; did you mean 'tokenizer-json'"),
        (BEGIN + "gguf = 'x.gguf'\n", "line 3: there is no file '.*x.gguf'; paths are relative to tokparity.toml"),
        (BEGIN + "gguf = 3\n", "line 3: gguf is 3, not a text"),
        ("[models.toy]\n", "line 1: 'toy' has no file; name at least one: gguf"),
        ("[models.gpt-2]\ngguf = 'x'\n", "line 1: 'gpt-2' is a model that tokparity knows itself; choose another name"),
        ("[models.'a/b']\ngguf = 'x'\n", "line 1: 'a/b' can't be named"),
        ("models = 3\n", "there is no model"),
        ("[models]\ntoy = 3\n", "line 2: models.toy is 3, not a table"),
        (BEGIN + "oracle = 'tokenizer'\n", "line 3: 'tokenizer' is not an engine; did you mean 'tokenizers'"),
        (BEGIN + "engines = 'llama.cpp'\n", r"line 3: engines is 'llama.cpp', not a list of texts; write \["),
        (BEGIN + "engines = ['reference', 'lama.cpp']\n", "line 3: 'lama.cpp' is not an engine; did you mean"),
        (BEGIN + "accepted = 3\n", "line 3: what is accepted is not a list"),
        (ENTRY + "engine = 'e'\ntext = '1'\n", "line 3: an accepted finding has no reason"),
        (ENTRY + "reason = 'r'\n", "line 3: an accepted finding is about an engine or about a key"),
        (ENTRY + "reason = 'r'\nengine = 'e'\n", "line 3: an accepted finding says not which one"),
        (
            ENTRY + "reason = 'r'\nengine = 'e'\nquirks = ['cleans_up_space']\n",
            "line 6: 'cleans_up_space' is not a quirk; did you mean 'cleans_up_spaces'",
        ),
        (ENTRY + "reason = 'r'\nengine = 'e'\ntext = 'x'\n", "line 6: 'x' is not JSON; write it as"),
        (
            ENTRY + "reason = 'r'\nengine = 'e'\ntext = '\"x\"'\nkind = 'id'\n",
            "line 7: 'id' is not a kind of difference; did you mean 'ids'",
        ),
        (
            ENTRY + "reason = 'r'\nengine = 'e'\ntext = '\"x\"'\ndate = 'today'\n",
            "line 7: 'today' is not a date; write e.g. 2026",
        ),
        (
            ENTRY + "reason = 'r'\nengine = 'llama.cp'\ntext = '\"x\"'\n",
            "line 5: 'llama.cp' is not an engine; did you mean 'llama.cpp'",
        ),
        (
            ENTRY + "reason = 'r'\nengine = 'tokenizer@0.19.1[fast=false]'\ntext = '\"x\"'\n",
            "line 5: 'tokenizer' is not an engine; did you mean 'tokenizers'",
        ),
    ],
)  # fmt: skip
def test_what_is_wrong_is_told(text: str, said: str, folder: Path) -> None:
    """With the line, the value and the next step."""
    path = folder / "tokparity.toml"
    path.write_text(text)
    with pytest.raises(TokparityError, match=said):
        repository.read(path).model("toy")


@pytest.mark.parametrize(
    "engine",
    ["llama.cpp", "tokenizers@0.19.1", "reference+omits_bos", "kitoken", "kitoken@0.10.1", "./mine.py:Engine",
     "exec:./mine --fast", "http://127.0.0.1:8080", "replay:old.parquet", "mine:Engine"],
)  # fmt: skip
def test_an_engine_that_exists_may_stand_in_a_list(engine: str, folder: Path) -> None:
    """Whatever kind it is of; one that is not ours is looked at when it is run."""
    path = folder / "tokparity.toml"
    listed = BEGIN + f"engines = ['{engine}']\n" + ENTRY.removeprefix(BEGIN)
    path.write_text(listed + f"reason = 'r'\nengine = '{engine}'\ntext = '\"x\"'\n")
    (one,) = repository.read(path).accepted("toy")
    assert engine == one.engine


def test_where_it_is_looked_for(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Here, in a directory that is named, or at a path; none here is not an error, none there is."""
    monkeypatch.chdir(folder)
    assert repository.find() is None
    with pytest.raises(
        UsageError, match=r"cannot read 'other\.toml'.*; `tokparity init FILE\.\.\.` writes a first one"
    ):
        repository.find("other.toml")
    (folder / "other.toml").write_text(WHOLE)
    (folder / "tokparity.toml").write_text(BEGIN)
    for where, names in ((None, ("toy",)), (str(folder), ("toy",)), ("other.toml", ("toy", "b.c"))):
        own = repository.find(where)
        assert own is not None
        assert names == own.names
    (folder / "tokparity.toml").write_bytes(b"\xff")
    with pytest.raises(TokparityError, match="is not UTF-8: byte 0"):
        repository.find()


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_all_else_stays_when_entries_are_added(folder: Path, newline: str) -> None:
    """An entry comes after the last of its model; every line that was there is there, in its order."""
    before = WHOLE.replace("\n", newline)
    after = rewritten(before, {"toy": ListChange([NEW])})
    lines = iter(after.split(newline))
    assert all(line in lines for line in before.split(newline))
    assert after.index("why ") < after.index("# the other")
    assert "\n" not in after.replace(newline, "")
    new = repository.parsed(folder / "tokparity.toml", after)
    assert NEW == new.accepted("toy")[2]
    assert 2 == len(new.accepted("toy")[:2])


def test_an_entry_goes_with_its_lines_alone(folder: Path) -> None:
    """Comments above it, and above what follows, stay."""
    after = rewritten(WHOLE, {"toy": ListChange(removed={0})})
    assert all(comment in after for comment in ("# ours", "# slow", "# first", "# second", "# the other"))
    (left,) = repository.parsed(folder / "tokparity.toml", after).accepted("toy")
    assert "two" == left.reason
    both = rewritten(WHOLE, {"toy": ListChange([NEW], {0, 1}), "b.c": ListChange([NEW])})
    new = repository.parsed(folder / "tokparity.toml", both)
    assert ((NEW,), (NEW,)) == (new.accepted("toy"), new.accepted("b.c"))
    assert WHOLE == rewritten(WHOLE, {})


@pytest.mark.parametrize(
    "text",
    [
        "models = {toy = {tokenizer-json = 'tokenizer.json'}}\n",
        BEGIN + "accepted = [{engine = 'e', text = '\"x\"', reason = 'r'}]\n",
    ],
)
def test_a_list_that_is_one_value_is_left_alone(text: str) -> None:
    """No line can be put into it; the message says how to write it."""
    with pytest.raises(UsageError, match=r"\[models\.toy"):
        rewritten(text, {"toy": ListChange([NEW])})


@pytest.mark.parametrize("is_link", [True, False])
def test_a_list_that_is_no_file_is_not_passed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_link: bool
) -> None:
    """The check would be of other models than the user's, and green."""
    path = tmp_path / repository.NAME
    if is_link:
        path.symlink_to(tmp_path / "gone.toml")
    else:
        path.mkdir()
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UsageError, match=r"tokparity\.toml exists in this directory, but cannot be read as a file"):
        repository.find()


TOO_MUCH = {
    "brackets": (BEGIN + "notes = " + "[" * 200_000, "brackets of more than 16 levels"),
    "inline tables": (BEGIN + "notes = " + "{a=" * 5000 + "1" + "}" * 5000, "brackets of more than 16 levels"),
    "levels of a key": ("models" + ".a" * 50_000 + " = 1", "a key of more than 16 levels"),
    "levels of a header": ("[models" + '."a"' * 50_000 + "]", "a key of more than 16 levels"),
    "digits": (BEGIN + "notes = " + "9" * 10_000, "a word of 10000 characters without quotes"),
    "a NUL": ('[models.toy]\ngguf = "a\\u0000b"\n', "there is no file"),
    "a raw NUL": ('[models.toy]\ngguf = "a\0b"\n', "is not TOML"),
    "a path": (f'[models.toy]\ngguf = "{"a" * 5000}"\n', "there is no file"),
    "engines": (BEGIN + "engines = [\n" + '"tokenizers",\n' * 2000 + "]", "engines lists 2000 texts"),
    "bytes": (BEGIN + "#" * (1 << 20), "more than 1048576 bytes"),
    "a text without its end": ('a = """' + '\\"""' * 200_000, "is not TOML"),
    "signs": ('"""\\' * 200_000, "is not TOML"),
}


@pytest.mark.parametrize("what", TOO_MUCH)
def test_too_much_of_anything_is_refused(folder: Path, what: str) -> None:
    """Depth, digits, names, lists and bytes have bounds that hold before a parser or a file system sees them."""
    text, told = TOO_MUCH[what]
    (folder / "tokparity.toml").write_text(text)
    with pytest.raises(TokparityError, match=told):
        repository.read(folder / "tokparity.toml").model("toy")


def test_dots_and_brackets_within_texts_and_comments_are_no_levels(folder: Path) -> None:
    """Bounds are for what a parser builds, and lines are those of the file."""
    notes = "1.2.3." * 40 + "[" * 40 + "{" * 40
    (folder / "tokparity.toml").write_text(f"{BEGIN}notes = '''\n{notes}''\n'''  # {notes}\nengines = []\n")
    own = repository.find(str(folder))
    assert own is not None
    assert f"{notes}''" == own.model("toy").notes
    expected = {("models", "toy"): 1, ("models", "toy", "notes"): 3, ("models", "toy", "engines"): 6}
    assert expected.items() <= lines_of(own.text).items()
