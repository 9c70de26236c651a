"""What a recorder keeps: all is counted, so much is stored, the smallest is known."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import pytest

from tokparity.case import Case, Origin, text_case
from tokparity.diagnose.findings import findings
from tokparity.engines.buffers import Ids, Texts
from tokparity.engines.results import Results
from tokparity.finding import Control, Mismatch
from tokparity.outcome import Decoding, Streaming
from tokparity.questions import Decode, Stream
from tokparity.report.model import Pair
from tokparity.report.tally import Tally
from tokparity.session.evidence import Keep, Kept
from tokparity.session.judge import REFERENCE, Batch, Judge
from tokparity.session.recorder import Recorder
from tokparity.session.writer import Unwritten

PIECES = (b"<unk>", b"a", "▁b".encode())
ENGINE = "engine"
TEXTS = (b"aaa", b"bbbb", b"cccc", b"dddd", b"e", b"ff")


class Written(Unwritten):
    """A writer that remembers what it was given."""

    def __init__(self) -> None:
        super().__init__()
        self.mismatches: list[Mismatch] = []

    def mismatch(self, mismatch: Mismatch) -> int:
        """Remember it."""
        self.mismatches.append(mismatch)
        return super().mismatch(mismatch)


def recorder(keep: Keep | None = None) -> tuple[Recorder, Written]:
    """A recorder of one engine."""
    writer = Written()
    return Recorder(Judge("m", REFERENCE, PIECES), [ENGINE], writer, keep), writer


def batch(texts: Sequence[bytes], given: int = 2) -> Batch:
    """A batch of which every text is id 1, and the engine gives this id."""
    decoded = Texts.from_list([b""] * len(texts))
    right, wrong = (Results(Ids.from_list([[i]] * len(texts)), decoded, ()) for i in (1, given))
    return Batch([text_case(text) for text in texts], {REFERENCE: right, ENGINE: wrong})


def blank() -> dict[str, Pair]:
    """A Pair without counts."""
    return {ENGINE: Pair("m", ENGINE, REFERENCE)}


def test_what_is_not_kept_is_counted() -> None:
    """Of many mismatches of a kind the first are kept and the smallest is known, however many are only counted."""
    ours, writer = recorder(Keep(mismatches=2))
    for text in TEXTS:
        assert 1 == len(ours.take(batch([text])))
    (group,) = ours.groups.values()
    assert (6, 2, b"e") == (group.mismatches, group.stored, group.smallest.case.question.shown)
    assert [b"aaa", b"bbbb"] == [m.case.question.shown for m in writer.mismatches]
    (pair,) = ours.pairs(blank())
    assert (6, 6, 4, {group.kind: 6}) == (pair.cases, pair.mismatches, pair.not_stored, pair.kinds)
    assert 6 == pair.found == ours.mismatches


def with_faults(texts: Sequence[bytes], rare: bytes) -> Iterator[Batch]:
    """Batches of one text each that an engine decodes with a space too many; that which is rare loses its end."""
    for text in texts:
        given = text[:-1] if text == rare else b" " + text
        right, wrong = (Results(Ids.from_list([[1]]), Texts.from_list([one]), ()) for one in (text, given))
        yield Batch([text_case(text)], {REFERENCE: right, ENGINE: wrong})


@pytest.mark.parametrize("resumed", [False, True])
def test_a_rare_fault_of_decoding_is_kept_behind_a_common_one(resumed: bool) -> None:
    """However many texts get a space too many, the first that loses its end is another change, and is stored."""
    texts = (b"aaa", b"aab", b"aac", b"aad", b"aae.")
    ours, writer = recorder(Keep(mismatches=2))
    for batch in with_faults(texts[:4], b""):
        ours.take(batch)
    if resumed:
        (before, stored, counts), (ours, writer) = (
            (ours, writer.mismatches, ours.counts()),
            recorder(Keep(mismatches=2)),
        )
        ours.resume(stored, before.tallies, counts)
    for batch in with_faults(texts[4:], b"aae."):
        ours.take(batch)
    assert ([b"aae."] if resumed else [b"aaa", b"aab", b"aae."]) == [m.case.question.shown for m in writer.mismatches]
    (group,) = ours.groups.values()
    assert ("round_trip", 5, 3) == (group.kind, group.mismatches, group.stored)
    assert {f"{ENGINE} round_trip": 5} == ours.counts()


def test_changes_without_end_fill_a_group() -> None:
    """At most twice as many are kept, however many changes there are."""
    ours, _ = recorder(Keep(mismatches=2))
    for text in (b"aaa", b"aab", b"aa1", b"aa.", b"aa+", b"aa\n"):
        right, wrong = (Results(Ids.from_list([[1]]), Texts.from_list([one]), ()) for one in (text, text[:-1]))
        ours.take(Batch([text_case(text)], {REFERENCE: right, ENGINE: wrong}))
    (group,) = ours.groups.values()
    assert (6, 4) == (group.mismatches, group.stored)


@pytest.mark.parametrize("texts", [(b"aaa", b"b", b"aa"), (b"aa", b"b", b"aaa")])
def test_groups_keep_the_smallest_and_count_all(texts: Sequence[bytes]) -> None:
    """One group per kind, with the shortest text whatever the order of arrival."""
    ours, _ = recorder()
    ours.take(batch(texts))
    ((key, group),) = ours.groups.items()
    assert ((ENGINE, "letter-became-word"), b"b", 3) == (key, group.smallest.case.question.shown, group.mismatches)
    evidence = ours.evidence[ENGINE]
    assert [0, 1, 2] == evidence.indices
    (finding,) = (one.finding for one in findings(evidence.mismatches, [], evidence.counts))
    assert ("engine-letter-became-word", 3, 0) == (finding.name, finding.mismatches, finding.unexamined)


def test_only_so_many_bytes_are_kept() -> None:
    """Counts stay exact when the room for mismatches is used up in bytes."""
    ours, writer = recorder(Keep(mismatches=100, bytes=10))
    ours.take(batch([b"x", b"xx"]))
    (group,) = ours.groups.values()
    assert (2, 1, 1) == (group.mismatches, group.stored, len(writer.mismatches))


def test_what_is_stored_is_what_is_looked_at() -> None:
    """Where there is no more room for a diagnosis, the first of each kind is kept; all others are counted only."""
    ours, writer = recorder(Keep(evidence_bytes=2500))
    ours.take(batch(TEXTS))
    ours.take(batch(TEXTS[:3], given=0))
    evidence = ours.evidence[ENGINE]
    assert ["letter-became-word"] * 3 + ["letter-became-special"] == [m.kind for m in evidence.mismatches]
    assert (evidence.mismatches, [0, 1, 2, 3]) == (writer.mismatches, evidence.indices)
    (pair,) = ours.pairs(blank())
    assert (9, 5) == (pair.found, pair.not_stored)


def test_an_example_that_was_made_smaller_is_no_further_case() -> None:
    """It is stored and shown, and nothing counts it."""
    ours, writer = recorder()
    ours.take(batch([b"aaa"]))
    (group,) = ours.groups.values()
    (small,) = Judge("m", REFERENCE, PIECES).mismatches(batch([b"a"]), [ENGINE])
    assert 1 == ours.example(small)
    assert (1, b"a") == (group.mismatches, group.smallest.case.question.shown)
    assert ([1, 1], 2) == ([ours.mismatches, ours.evidence[ENGINE].counts.total()], len(writer.mismatches))


def test_controls_are_what_the_engine_was_right_on() -> None:
    """Texts and rows of ids; as many as there is room for, no refusal among them."""
    ours, _ = recorder(Keep(controls=5, controls_per_batch=3))
    for _ in range(4):
        ours.take(batch(TEXTS, given=1))
    decoded = Results(None, Texts.from_list([b"a", b"b"]), ())
    ours.take(Batch([Case(Decode((1,))), Case(Decode((2,)))], {REFERENCE: decoded, ENGINE: decoded}))
    controls = ours.evidence[ENGINE].controls
    assert (5, 14) == (len(controls), ours.evidence[ENGINE].offered)
    assert {ENGINE} == {control.engine for control in controls}


def test_a_recorder_goes_on_with_what_was_stored() -> None:
    """What comes again is counted and not stored again; counts go on from where they were."""
    first, writer = recorder()
    first.take(batch(TEXTS))
    counts = first.counts()
    second, again = recorder()
    second.resume(writer.mismatches, dict(first.tallies), counts)
    assert counts == second.counts()
    second.take(batch([*TEXTS[:2], b"new"]))
    assert [b"new"] == [m.case.question.shown for m in again.mismatches]
    assert (9, Tally(cases=9, mismatches=9, not_stored=2)) == (second.mismatches, second.tallies[ENGINE])


def test_cases_keep_their_origin() -> None:
    """What is stored says where it came from."""
    ours, writer = recorder()
    asked = batch([b"a"])
    ours.take(Batch([Case(asked.cases[0].question, Origin("corpus", "x.txt", 4))], asked.results))
    assert ["x.txt:4"] == [str(mismatch.case.origin) for mismatch in writer.mismatches]


def test_what_was_stored_before_takes_its_room() -> None:
    """However often a run is gone on with, a report holds no more of a kind than it may."""
    keep = Keep(mismatches=3)
    first, writer = recorder(keep)
    first.take(batch(TEXTS[:2]))
    second, again = recorder(keep)
    second.resume(writer.mismatches, dict(first.tallies), first.counts())
    second.take(batch(TEXTS[2:]))
    assert [b"cccc"] == [m.case.question.shown for m in again.mismatches]
    (pair,) = second.pairs(blank())
    assert (6, 3) == (pair.mismatches, pair.not_stored)


def test_a_text_counts_as_often_as_it_occurs() -> None:
    """It is put once, kept once, and counted by how often the batch says it stands there."""
    ours, writer = recorder(Keep(mismatches=2))
    put = batch(TEXTS[:3])
    ours.take(replace(put, times=[5, 1, 4]))
    tally = ours.tallies[ENGINE]
    assert (10, 10, 8, 2) == (tally.cases, tally.mismatches, tally.not_stored, len(writer.mismatches))
    assert [10] == [group.mismatches for group in ours.groups.values()]
    right = batch(TEXTS[:2], given=1)
    ours.take(replace(right, times=[3, 1]))
    assert (14, 4) == (ours.tallies[ENGINE].cases, ours.tallies[ENGINE].equal)


def test_right_streams_are_no_evidence_about_rows() -> None:
    """Where all streams are right, nothing explains streams, and they say nothing about what is."""
    here = Origin("test", "test")
    row = Control(Case(Decode((1,)), here), "m", "e", Decoding(b"a"))
    stream = Control(Case(Stream((1,)), here), "m", "e", Streaming((b"a", b"")))
    (about,) = Kept(controls=[row, stream]).by_kind().values()
    assert [row] == about.controls
