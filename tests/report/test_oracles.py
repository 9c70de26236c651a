"""What the oracles of a report are worth, on the first screen of each of its forms, and in README."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from tokparity import models
from tokparity.report import render
from tokparity.report.model import Header, Pair, Report
from tokparity.report.oracles import EXPORTED, OF_KNOWN, sentences
from tokparity.report.render.summary import page
from tokparity.session.pairs import oracle_of

ROOT = Path(__file__).parents[2]
PAIRS = (
    Pair("own", "tokenizers", "tokenizers", source="tokenizer.json", cases=1, equal=1),
    Pair("own", "llama.cpp", "tokenizers", source=f"gguf, {EXPORTED}", cases=1, equal=1),
    Pair("gpt-2", "tokenizers", "tokenizers", source=f"tokenizer.json, {EXPORTED}", cases=1, equal=1),
    Pair("mine", "sentencepiece", "sentencepiece", source=f"sentencepiece {OF_KNOWN}", cases=1, equal=1),
    Pair("phi-3", "reference", "reference", source="ggml-vocab-phi-3.gguf", cases=1, equal=1),
)
REPORT = Report(Header("", "", {}, {}, 0, (), ""), PAIRS)
TOLD = [
    "own: the oracle is independent; it opens the model's own tokenizer file.",
    "gpt-2: the oracle opens tokparity's export of the file under test, so a fault of that file does not show.",
    "mine: the oracle opens tokparity's export of the known model, whose own file is a GGUF.",
    "phi-3: the oracle is tokparity's reference, so a fault of its reading does not show.",
]


def test_each_model_is_named_with_what_its_oracle_opens() -> None:
    """By the oracle's own file, whatever the other engines opened."""
    assert TOLD == list(sentences(REPORT))


def test_every_form_of_a_report_says_it_at_the_top(tmp_path: Path) -> None:
    """Before the table of models and engines."""
    for name, end in (("html", "Models and engines</h2>"), ("markdown", "| model |"), ("text", "Share of texts")):
        path = tmp_path / name
        render.render(name, REPORT, path)
        top, _, _ = path.read_text("utf-8").replace("&#39;", "'").partition(end)
        for told in TOLD:
            assert told.partition(": ")[2] in top.replace("\n", " ").replace("\\", ""), (name, told)
    assert "trained with" not in (tmp_path / "html").read_text("utf-8")
    assert TOLD[1].partition(": ")[2] in page(REPORT)


def test_readme_counts_what_the_models_say() -> None:
    """Real vocabularies, those that were trained here, and what their oracles open."""
    every = [models.load(name) for name in models.names()]
    words = Counter(map(oracle_of, every))
    real = sum(not model.embedded for model in every)
    readme = (ROOT / "README.md").read_text("utf-8").replace("\n", " ")
    assert f"{len(every)} vocabularies: {real} of real models, and {len(every) - real} small ones" in readme
    assert f"The oracle of {words['independent']} is independent" in readme
    assert f"The oracle of {words['export']} opens tokparity's export of the GGUF" in readme
    assert f"that of {words['reading']} is tokparity's reference" in readme
