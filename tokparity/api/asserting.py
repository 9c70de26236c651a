"""A tokenizer of somebody's own against the reference, for tests: a failure shows both rows of ids and the cause."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from tokparity.api.tokenizer import Tokenizer
from tokparity.case import AnyCase, Case, Origin
from tokparity.diagnose import Base, Limits, diagnose, findings
from tokparity.difference import Difference, first_difference
from tokparity.errors import UsageError
from tokparity.finding import Control, Finding, Mismatch
from tokparity.outcome import Encoding, Failure, Outcome
from tokparity.questions import Encode
from tokparity.questions.json_text import as_bytes, literal, plain
from tokparity.report.render.causes import alternatives
from tokparity.report.render.proof import fix, proof

Mine = Callable[[str], Sequence[int]]

_LIMITS = Limits(work=2_000_000, seconds=10.0)
"""What a failing test may spend on finding out why."""
_SHRINKING = 400  # questions put to make the shortest text shorter
_AROUND = 8  # ids shown on each side of the first difference


def assert_parity(
    mine: Mine,
    reference: Tokenizer | str | os.PathLike[str],
    texts: Iterable[str | bytes],
    *,
    add_special: bool = True,
    parse_special: bool = False,
) -> None:
    """Raise AssertionError if `mine`, which returns the ids of a str, differs from the reference on some text.

    `reference` is a Tokenizer, or the path of a model's file. `add_special` and `parse_special` are what `mine` does:
    whether it adds BOS, EOS and the like, and recognizes special tokens that are spelled in the text. Texts that are
    bytes and no UTF-8 can't be given to it: UsageError.
    """
    __tracebackhide__ = True
    tokenizer = reference if isinstance(reference, Tokenizer) else Tokenizer.from_file(reference)
    sides = _Sides(mine, tokenizer, add_special, parse_special)
    cases = [sides.case(as_bytes(text), number) for number, text in enumerate(texts, 1)]
    if not cases:
        raise UsageError("assert_parity was given no text, so it proves nothing", "give some texts")
    mismatches = [found for case in cases if (found := sides.mismatch(case)) is not None]
    if mismatches:
        raise AssertionError("\n".join(_told(sides, cases, mismatches)))


@dataclass(frozen=True)
class _Sides:
    """Somebody's tokenizer and the reference, asked with the same flags."""

    mine: Mine
    reference: Tokenizer
    add_special: bool
    parse_special: bool

    def case(self, text: bytes, number: int = 0) -> Case[Encode]:
        """A text as a case."""
        try:
            text.decode("utf-8")
        except UnicodeDecodeError as error:
            raise UsageError(
                f"text {number} is not UTF-8: {text[:40]!r}", "leave it out: a str can't hold it"
            ) from error
        return Case(Encode(text, self.add_special, self.parse_special), Origin("given", "test", number))

    def given(self, case: AnyCase) -> Outcome:
        """The answers of the caller's tokenizer; an exception is its failure on that text."""
        question = case.question
        asked = Encode(question.shown, self.add_special, self.parse_special)
        if question != asked:
            return Failure("unsupported", "it is only asked for texts, with the flags of the test")
        try:
            return Encoding(tuple(int(i) for i in self.mine(asked.text.decode("utf-8"))))
        except UnicodeDecodeError:
            return Failure("unsupported", "the text is not UTF-8")
        except Exception as error:
            return Failure("error", f"{type(error).__name__}: {error}")

    def expected(self, case: AnyCase) -> Encoding:
        """The reference's answers to the cases."""
        return Encoding(tuple(self.reference.encode(case.question.shown, self.add_special, self.parse_special)))

    def mismatch(self, case: AnyCase) -> Mismatch | None:
        """Where they differ on a case; None where they don't."""
        expected, actual = self.expected(case), self.given(case)
        if isinstance(actual, Failure):
            if actual.kind == "unsupported":
                return None
            difference = Difference("failure", failure=actual.kind)
        elif not isinstance(actual, Encoding) or actual.ids == expected.ids:
            return None
        else:
            difference = Difference("ids", first_difference(expected.ids, actual.ids))
        pieces = [tuple(self.reference.pieces(getattr(one, "ids", ()))) for one in (expected, actual)]
        name = self.reference.source.path.name
        return Mismatch(case, name, "mine", "reference", expected, actual, difference, *pieces)

    def smaller(self, found: Mismatch) -> Mismatch:
        """A shorter text on which they differ in the same way."""
        question = found.case.question

        def same(questions: Sequence[Encode]) -> list[bool]:
            tried = [self.mismatch(Case(one, found.case.origin)) for one in questions]
            return [other is not None and other.kind == found.kind for other in tried]

        if not isinstance(question, Encode):
            return found
        small = question.fewer(same, _SHRINKING)
        return self.mismatch(Case(small, Origin("given", "test", shrunk=True))) or found


def _told(sides: _Sides, cases: Sequence[AnyCase], mismatches: Sequence[Mismatch]) -> Iterator[str]:
    smallest = sides.smaller(min(mismatches, key=lambda one: one.case.question.order))
    name = sides.reference.source.path.name
    yield f"{len(mismatches)} of {len(cases)} texts get other ids than the reference ({name}) gives"
    yield f"  smallest text: {smallest.case.question.literal}"
    yield f"  first difference: {smallest.difference.words}"
    at = smallest.difference.place if smallest.difference.aspect == "ids" else 0
    yield f"    reference  {_strip(smallest.expected, smallest.expected_pieces, at)}"
    yield f"    mine       {_strip(smallest.actual, smallest.actual_pieces, at)}"
    wrong = {found.case for found in mismatches}
    right = [Control(case, name, "mine", sides.expected(case)) for case in cases if case not in wrong]
    evidence = [*mismatches, smallest]
    base = Base(sides.reference.source.vocabulary, sides.reference.source.behaviour)
    from tokparity import quirks

    explained = diagnose(
        [base], evidence, right, quirks.all_quirks(), lambda asked: [sides.given(case) for case in asked], _LIMITS
    )
    for one in findings(evidence, explained):
        yield from _cause(one.finding)


def _strip(outcome: Outcome, pieces: Sequence[bytes], at: int) -> str:
    """The ids and pieces around the first difference, which stands between >> and <<."""
    if isinstance(outcome, Failure):
        return plain(f"{outcome.kind}: {outcome.message}")
    ids = outcome.ids if isinstance(outcome, Encoding) else ()
    start, end = max(at - _AROUND, 0), at + _AROUND + 1
    shown = [f"{i} {literal(piece)}" for i, piece in zip(ids[start:end], pieces[start:end], strict=True)]
    if at < len(ids):
        shown[at - start] = f">>{shown[at - start]}<<"
    else:
        shown.append(">>nothing<<")
    return ("... " if start else "") + "  ".join(shown) + (" ..." if end < len(ids) else "")


def _cause(finding: Finding) -> Iterator[str]:
    from tokparity import quirks

    names = " + ".join(finding.quirks)
    if not names:
        why = finding.why_unexplained or finding.nearest or finding.name
        yield f"  cause: unexplained ({finding.cases}); {why}"
        return
    texts = f"{finding.status}: it gives the same on all {finding.verified} wrong and {finding.controls} right texts"
    yield f"  cause: {names} ({texts})"
    for quirk in (quirks.get(name) for name in finding.quirks if name in quirks.names()):
        yield f"    {quirk.title}. {quirk.cause}"
        yield f"    fix: {fix(finding, quirk.fix)}"
    yield from (f"    {sentence}" for sentence in list(proof(finding))[1:])
    yield from (f"    or: {entry}" for entry in alternatives(finding))
