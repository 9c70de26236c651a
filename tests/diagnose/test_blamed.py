"""A stream whose engine decodes wrongly has the cause of what is decoded wrongly."""

from __future__ import annotations

from collections.abc import Sequence

from tokparity import quirks
from tokparity.case import AnyCase, Case, Origin
from tokparity.diagnose import Base, Explanation, diagnose, explained_streams, with_blamed
from tokparity.difference import Difference
from tokparity.finding import Control, Mismatch
from tokparity.outcome import Outcome, Streaming
from tokparity.questions import Decode, Stream
from tokparity.quirks import toys
from tokparity.reference.imitate import imitate
from tokparity.reference.tokenizer import Tokenizer
from tokparity.vocabulary import Kind

BYTES = {f"<0x{byte:02X}>": Kind.BYTE for byte in range(256)}
TOY = toys.unigram({"a": -1.0, **dict.fromkeys(BYTES, -9.0)}, BYTES, fallback="bytes")
BASE = Base(TOY.vocabulary, TOY.behaviour)
WHOLE_RUNS = quirks.get("replaces_whole_byte_runs_when_decoding")
E_ACUTE = [TOY.vocabulary.ids[name] for name in (b"<0xC3>", b"<0xA9>")]


def explained(tokenizer: Tokenizer, answered: bool = True) -> list[Explanation]:
    """What explains a stream of "é" and a byte that begins another, of an engine that breaks a law there."""

    def ask(cases: Sequence[AnyCase]) -> list[Outcome]:
        return [imitate(tokenizer, case.question) for case in cases]

    def of_rows(rows: Sequence[Mismatch], right: Sequence[Control]) -> list[Explanation]:
        assert {Decode} == {type(one.case.question) for one in (*rows, *right)}
        return diagnose([BASE], rows, right, quirks.all_quirks(), ask)

    case = Case(Stream((*E_ACUTE, E_ACUTE[0])), Origin("test", "test"))
    (given,) = ask([case])
    assert isinstance(given, Streaming)
    law = Difference.parse(f"stream-{given.law}:{given.place}")
    mismatches = [Mismatch(case, "toy", "e", "e", Streaming(given.right), given, law)]
    found = explained_streams(BASE, mismatches, (), ask, ask)
    return with_blamed(BASE, mismatches, found, ask if answered else None, of_rows)


def test_decoding_that_is_to_blame_has_its_cause() -> None:
    """The right stream over a decoding that makes U+FFFD of all bytes: the fault is that of decoding."""
    (found,) = explained(Tokenizer(TOY.vocabulary, quirks.flip_all([WHOLE_RUNS], TOY.behaviour)))
    assert ((WHOLE_RUNS.name,), (0,)) == (found.quirks, found.members)


def test_decoding_that_nobody_can_run_is_not_blamed() -> None:
    """A recording has no more rows: what was unexplained stays so."""
    (found,) = explained(Tokenizer(TOY.vocabulary, quirks.flip_all([WHOLE_RUNS], TOY.behaviour)), answered=False)
    assert ("unexplained", ()) == (found.status, found.quirks)


def test_what_nothing_in_the_catalog_decodes_stays_unexplained() -> None:
    """Of decoding that forgets what came before, nobody knows why."""

    class Forgets(Tokenizer):
        """Decodes any three ids to "?"."""

        def decode(self, ids: Sequence[int], skip_special: bool = True) -> bytes:
            """As others, or "?"."""
            return b"?" if len(ids) == 3 else super().decode(ids, skip_special)

    (found,) = explained(Forgets(TOY.vocabulary, TOY.behaviour))
    assert ("unexplained", (0,)) == (found.status, found.members)
