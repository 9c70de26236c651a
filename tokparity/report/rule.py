"""Decides when a file or an engine is called right or wrong, and when there is no verdict (docs/verdicts.md).

`judge` is a pure function over facts. Everything that prints "right", "wrong", "equal" or "should be" calls it:
`check`, `doctor`, `lint`, `compare`, `convert`, `replay`, the pytest plugin and the pre-commit hook.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from tokparity.formats.beside import is_of_prompts
from tokparity.questions.json_text import plain

if TYPE_CHECKING:
    from tokparity.report.model import FileFault

Answer = Literal["wrong", "right", "unsaid", "none"]
Weight = Literal["wrong", "unsaid", "note"]

EXITS: Mapping[Answer, int] = {"wrong": 1, "right": 0, "unsaid": 3, "none": 3}
"""The exit code of each answer. An open point that the answer does not depend on leaves the answer "right"."""

_KEYS = 3  # of a wrong file that are named in the sentence
_CHARACTERS = 200  # of a text that shows it; a conversation with tools has more

SENTENCES: Mapping[str, str] = {
    "wrong file": "Your GGUF is wrong: {keys}.",
    "repair": "`{command}` repairs it.",
    "convert again": "Convert the model again.",
    "shown": "on {text} the file gives {ours}, the source {its}",
    "right file": "Your file is right: {files} says what the model's own tokenizer says ({cases} compared{late}).",
    "right files": "Your files are right: {files} say what the tokenizer of each model says ({cases} compared{late}).",
    "unopened": "No engine that was run opens {file}: only its keys were compared.",
    "all agree": "All engines agree with the models' oracles on all texts that were run{late}.",
    "no law": "No stream, span or prompt is wrong{late}.",
    "nothing new": "No new findings{late}.",
    "late": " before time was up",
    "late of": " before time was up: {put} of {of} texts",
    "note": "{key}: none of {tried} that were run shows it, and nothing else depends on it",
    "unsaid": "No verdict: {told}.",
    "open": "Left open: {told}.",
    "none": "No verdict: {reasons}.",
    "two models": "these are two models: the source has the vocabulary of {its}, the GGUF has that of {ours}",
    "two words": "the two models are checked separately; to check one against the other: {command}",
    "cut short": "the run was cut short: {put} of the {of} probe texts were run",
    "cut short model": "{model} was cut short before all of its probe texts were run: {put}",
    "compared": "{model}: {cases} compared, {differ}{cut}",
    "versions": "{old} -> {new}: {counts}{cut}",
    "nothing to change": "nothing to change: {right}",
    "not opened": "no key that can be compared is wrong, but {why}",
    "no keys": "no change of keys repairs the file: {told}",
    "not all keys": "not all of the source can be compared key by key: {told}",
    "in no key": "no key that can be compared causes the difference in the texts above: try the model's .model file",
    "may not be right": "{file} may not be right: {why}",
    "shard": "{file} is shard {number} of {of}; before llama.cpp can open it: {still}",
    "read again": "read again: the same ids on every text that was tried",
    "none shows": "{differences} found, and no text that was run shows one.",
    "other models": "These are different models: only {share} % of their pieces are common.",
    "no differences": "No differences ({share} % of the pieces are common).",
}
"""Every sentence that a verdict is made of. docs/verdicts.md says what to do about each; a test compares the two."""


@dataclass(frozen=True)
class Progress:
    """How many texts were put, of how many that were to be put; `of` is None where nobody knows."""

    put: int
    of: int | None = None

    @property
    def is_whole(self) -> bool:
        """Whether all of them were put."""
        return self.of is None or self.put >= self.of


@dataclass(frozen=True)
class Facts:
    """The facts that a verdict is based on.

    `keys` are the keys of a file that differ from the source, whatever they weigh. `findings` say in sentences what
    else counts: new findings, changes, texts on which two sides differ. `away` are the reasons why a question could not
    be put: an engine that it needs, an oracle, a source. `probes` is the probe set, `texts` is all that was to be put;
    None where nobody counted. `files` are the files that were compared, on `cases` texts. Of those that are `unopened`
    only the keys were. `known` says what differs and counts for nothing.
    """

    keys: Sequence[FileFault] = ()
    findings: Sequence[str] = ()
    away: Sequence[str] = ()
    probes: Progress | None = None
    texts: Progress | None = None
    files: Sequence[str] = ()
    cases: str = ""
    unopened: Sequence[str] = ()
    known: str = ""
    is_late: bool = False
    """Whether the time was up before all texts were put."""
    by_laws: bool = False
    """Whether nothing was asked but streams, spans and prompts, of which the oracle is no judge."""


@dataclass(frozen=True)
class Judgement:
    """The answer, the sentence that says it, and the command in it that repairs what is wrong (empty: none does)."""

    answer: Answer
    sentence: str
    command: str = ""

    @property
    def exit_code(self) -> int:
        """The exit code of a command with this verdict."""
        return EXITS[self.answer]


def weight(fault: FileFault) -> Weight:
    """The weight of a difference in a key: it is `wrong` only if a text shows it, or if its effect is known."""
    if fault.unsaid:
        return "unsaid"
    return "note" if fault.tried and not fault.text and not fault.effect else "wrong"


def judge(facts: Facts) -> Judgement:
    """The answer: what is wrong is said also where not all could be compared, then why nobody can say, then right."""
    wrong = [fault for fault in facts.keys if weight(fault) == "wrong" and not fault.reason]
    if wrong:
        return _wrong_file(wrong)
    if facts.findings:
        return Judgement("wrong", plain(" ".join(facts.findings)))
    reasons = [*facts.away, *_cut_short(facts.probes)]
    if reasons:
        return Judgement("none", SENTENCES["none"].format(reasons="; ".join(reasons)))
    unsaid = [fault for fault in facts.keys if weight(fault) == "unsaid" and not fault.reason]
    decisive = [_told("unsaid", fault) for fault in unsaid if (fault.text or fault.effect) and not fault.disputed]
    if decisive:
        return Judgement("unsaid", " ".join(decisive))
    keys_alone = [plain(SENTENCES["unopened"].format(file=file)) for file in facts.unopened]
    parts = [_right(facts), *keys_alone, facts.known, *(_told("open", fault) for fault in unsaid)]
    return Judgement("right", " ".join(part for part in parts if part))


def shown(fault: FileFault) -> str:
    """The key, what it says and should say, and what shows that this matters: a text, or the effect."""
    proof = fault.effect
    if fault.text:
        left_out = len(fault.text) - _CHARACTERS
        text = f"{fault.text[:_CHARACTERS]}... ({left_out:,} more characters)" if left_out > _CHARACTERS else fault.text
        proof = SENTENCES["shown"].format(text=text, ours=fault.ours, its=fault.its)
    return plain(f"{fault.sentence} ({proof})" if proof else fault.sentence)


def noted(fault: FileFault) -> str:
    """That a key differs and that it does not matter."""
    noun = "conversation" if is_of_prompts(fault.key) else "text"
    return plain(SENTENCES["note"].format(key=fault.sentence, tried=count(fault.tried, noun)))


def several(keys: Sequence[str]) -> str:
    """The sentences on wrong keys in one line; where there are many, the first few and how many more."""
    more = f"; and {count(len(keys) - _KEYS, 'more key')}" if len(keys) > _KEYS else ""
    return "; ".join(keys[:_KEYS]) + more


def count(number: int, noun: str, several: str = "") -> str:
    """A number with its noun: "1 finding", "2,000 findings"; `several` where that is not the noun and an s."""
    return f"{number:,} {noun if number == 1 else several or f'{noun}s'}"


def _wrong_file(faults: Sequence[FileFault]) -> Judgement:
    same = [fault for fault in faults if fault.file == faults[0].file]
    command = plain(same[0].repair) if all(fault.by_doctor for fault in same) else ""
    repair = SENTENCES["repair"].format(command=command) if command else SENTENCES["convert again"]
    sentence = SENTENCES["wrong file"].format(keys=several([shown(fault) for fault in same]))
    return Judgement("wrong", f"{sentence} {repair}", command)


def _cut_short(probes: Progress | None) -> Iterator[str]:
    if probes is not None and not probes.is_whole:
        yield SENTENCES["cut short"].format(put=f"{probes.put:,}", of=f"{probes.of:,}")


def _told(sentence: str, fault: FileFault) -> str:
    return plain(SENTENCES[sentence].format(told=fault.sentence))


def _right(facts: Facts) -> str:
    late = SENTENCES["late"] if facts.is_late else ""
    if facts.texts is not None and not facts.texts.is_whole:
        late = SENTENCES["late of"].format(put=f"{facts.texts.put:,}", of=f"{facts.texts.of:,}")
    if facts.files:
        sentence = SENTENCES["right files" if len(facts.files) > 1 else "right file"]
        return plain(sentence.format(files=", ".join(facts.files), cases=facts.cases, late=late))
    return SENTENCES["nothing new" if facts.known else "no law" if facts.by_laws else "all agree"].format(late=late)
