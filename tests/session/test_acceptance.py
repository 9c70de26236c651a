"""Accepted findings: what meets them, and what must not."""

from __future__ import annotations

from dataclasses import replace

from tokparity.case import Case, Origin, text_case
from tokparity.diagnose import Found
from tokparity.difference import Difference
from tokparity.finding import Finding, Mismatch
from tokparity.models.record import AcceptedFinding
from tokparity.outcome import Encoding, Failure, Streaming
from tokparity.questions import Stream
from tokparity.report.tally import Tally
from tokparity.session.acceptance import Acceptance
from tokparity.trait import Trait

ENTRIES = (
    AcceptedFinding("e", "as ever", quirks=("omits_bos",), text='"a"'),
    AcceptedFinding("e", "old", quirks=("keeps_case",), text='"A"'),
    AcceptedFinding("e", "nobody knows", text='"?"'),
)


def found(index: int, *quirks: str, alternatives: tuple[tuple[str, ...], ...] = ()) -> tuple[Acceptance, Finding]:
    """A finding that holds a mismatch on the text of the entry with this index."""
    case = text_case(b"a", origin=Origin("accepted", number=index))
    mismatch = Mismatch(case, "m", "e", "o", Encoding((1,)), Encoding((2,)), Difference("ids"))
    acceptance = Acceptance("m", ENTRIES)
    acceptance.met(mismatch, 7)
    finding = Finding("f", "m", "e", "o", "verified", mismatch, 1, quirks=quirks, alternatives=alternatives)
    return acceptance, acceptance.applied(finding, [7])


def test_the_same_cause_is_accepted() -> None:
    """Also together with another that was accepted, and as one of the alternatives."""
    assert [True, True, True] == [
        found(0, "omits_bos")[1].accepted,
        found(0, "keeps_case", "omits_bos")[1].accepted,
        found(0, "swaps_bos_and_eos", alternatives=(("omits_bos",),))[1].accepted,
    ]


def test_the_known_cause_gives_the_name() -> None:
    """Where two causes cannot be told apart and one of them is known of the engine, the finding is about that one."""
    _, finding = found(0, "sums_scores_in_double")
    smallest = replace(finding.smallest, engine="llama.cpp")
    names = ("rounds_scores_to_float16",), ("sums_scores_in_double",)
    finding = replace(
        finding, name="llama.cpp-rounds_scores_to_float16", engine="llama.cpp", smallest=smallest, quirks=names[0],
        alternatives=names[1:],
    )  # fmt: skip
    one, other = Acceptance("m", ENTRIES).applied_to(
        [Found(finding, (7,)), Found(finding, (8,))], {"llama.cpp": Tally()}
    )
    assert ("llama.cpp-sums_scores_in_double", *names[::-1]) == (
        one.finding.name, one.finding.quirks, *one.finding.alternatives
    )  # fmt: skip
    assert "llama.cpp-sums_scores_in_double-2" == other.finding.name
    assert one.finding.known
    assert ("verified", "reproduced") == (finding.status, one.finding.status)  # the attack was on the other cause


def test_a_new_cause_on_an_accepted_text_is_new() -> None:
    """The text was accepted for one reason, and is now wrong for another: new, and the old one has vanished."""
    acceptance, finding = found(0, "greedy_longest_match")
    assert not finding.accepted
    assert "omits_bos" in {vanished.what for vanished in acceptance.vanished(["e"])}
    assert not found(0, "omits_bos", "greedy_longest_match")[1].accepted


def test_what_has_no_cause_is_known_by_its_text() -> None:
    """An entry without quirks, and a finding that nobody had the time to explain."""
    assert [True, True] == [found(2, "greedy_longest_match")[1].accepted, found(0)[1].accepted]


def test_another_engine_is_another_matter() -> None:
    """An entry is about one engine."""
    acceptance, _ = found(0, "omits_bos")
    _, finding = found(0, "omits_bos")
    other = replace(finding, engine="f", smallest=replace(finding.smallest, engine="f"), accepted=False)
    assert not acceptance.applied(other, [8]).accepted


def test_accepted_causes_that_meet_are_accepted() -> None:
    """On texts that nobody accepted; one more cause, and it is new."""
    acceptance, finding = found(0, "omits_bos", "keeps_case")
    elsewhere = replace(finding, accepted=False)
    assert acceptance.applied(elsewhere, [99]).accepted
    more = replace(elsewhere, quirks=("keeps_case", "omits_bos", "swaps_bos_and_eos"))
    assert not acceptance.applied(more, [99]).accepted


def test_a_case_that_not_every_run_puts() -> None:
    """It is accepted where it is met; a run that does not put it misses nothing."""
    entries = tuple(AcceptedFinding(name, "too long", kind="failure", origins=("long:3",)) for name in ("e", "other"))
    failure = Failure("error", "stack")
    met, other = (
        Mismatch(
            text_case(b"a", origin=Origin("corpus", "long", line)), "m", "e", "o", Encoding((1,)), failure,
            Difference("failure", failure="error"),
        )
        for line in (3, 4)
    )  # fmt: skip
    acceptance = Acceptance("m", entries)
    assert [] == acceptance.vanished(["e"])
    for index, mismatch in enumerate((met, other)):
        acceptance.met(mismatch, index)
    finding = Finding("f", "m", "e", "o", "unexplained", met, 1)
    assert [True, False] == [acceptance.applied(finding, [index]).accepted for index in (0, 1)]


def test_a_stream_is_accepted_by_its_cause_whichever_law_it_breaks() -> None:
    """Which law a cause breaks first depends on what was put; a run that asks no streams misses nothing."""
    cause = "streams_each_id_alone"
    entry = AcceptedFinding("e", "so be it", (cause,), kind="stream-replacement", origins=("id_streams:0:7",))
    case = Case(Stream((1, 2)), Origin("generator", "id_streams", 9))
    given = Streaming((b"?", b"", b""), "prefix")
    mismatch = Mismatch(case, "m", "e", "o", Streaming((b"", b"a", b"")), given, Difference("stream-prefix"))
    acceptance = Acceptance("m", (entry,))
    acceptance.met(mismatch, 0)
    assert [] == acceptance.vanished(["e"])
    finding = Finding("f", "m", "e", "o", "verified", mismatch, 1, quirks=(cause,))
    assert acceptance.applied(finding, [0]).accepted
    assert not acceptance.applied(replace(finding, quirks=("trims_first_space",)), [0]).accepted


def test_a_law_that_was_accepted_is_met_on_other_cases() -> None:
    """A run with fewer cases puts another sample; another law, and a cause, are new all the same."""
    entry = AcceptedFinding("e", "so be it", kind="stream-prefix", told="stream-prefix", origins=("id_streams:0:7",))
    case = Case(Stream((1, 2)), Origin("generator", "id_streams", 9))
    given = Streaming((b"?", b"", b""), "prefix")
    mismatch = Mismatch(case, "m", "e", "o", Streaming((b"", b"a", b"")), given, Difference("stream-prefix"))
    other = replace(mismatch, difference=Difference("stream-late"))
    acceptance = Acceptance("m", (entry,))
    findings = [Finding("f", "m", "e", "o", "unexplained", one, 1) for one in (mismatch, other)]
    caused = replace(findings[0], quirks=("trims_first_space",))
    assert [True, False, False] == [acceptance.applied(one, [0]).accepted for one in (*findings, caused)]


def unexplained(texts: list[bytes], *entries: AcceptedFinding, told: str = "") -> tuple[Acceptance, Finding]:
    """An unexplained finding on these texts, of which the first is the one that was accepted."""
    acceptance = Acceptance("m", entries)
    mismatches = [
        Mismatch(
            text_case(text, origin=Origin("corpus", "words", line) if line else Origin("accepted")),
            "m", "e", "o", Encoding((1,)), Encoding((2,)), Difference("ids"),
        )
        for line, text in enumerate(texts)
    ]  # fmt: skip
    for index, mismatch in enumerate(mismatches):
        acceptance.met(mismatch, index)
    character = (Trait(told, "text", len(texts), len(texts)),) if told else ()
    finding = Finding("f", "m", "e", "o", "unexplained", mismatches[0], len(texts), character=character)
    return acceptance, acceptance.applied(finding, range(len(texts)))


def test_an_accepted_text_is_accepted_within_others() -> None:
    """What contains it differs because it does."""
    assert unexplained([b"Q", b"a Q", b"QR"], AcceptedFinding("e", "so", text='"Q"'))[1].accepted


def test_an_accepted_text_does_not_hide_others() -> None:
    """A regression on another text that looks alike is new, is shown, and makes nothing vanish."""
    acceptance, finding = unexplained([b"Q", b"a Q", b"RR", b"R"], AcceptedFinding("e", "so", text='"Q"'))
    assert finding.is_new
    assert b"R" == finding.smallest.case.question.shown
    assert 'what is accepted ("Q") is not in the texts of 2 of its mismatches' == finding.beyond
    assert [] == acceptance.vanished(["e"])


def test_what_was_accepted_for_what_it_has_in_common() -> None:
    """The same words are the same finding, whatever the texts; others are not."""
    entry = AcceptedFinding("e", "so", text='"Q"', told="over 64 bytes")
    assert unexplained([b"Q", b"R"], entry, told="over 64 bytes")[1].accepted
    assert not unexplained([b"Q", b"R"], entry, told="a space at the end")[1].accepted
    assert unexplained([b"Q", b"aQ"], entry, told="a space at the end")[1].accepted


def test_an_entry_on_the_empty_text_covers_no_other() -> None:
    """It is in every other text, so it would cover whatever is wrong anywhere."""
    entry = AcceptedFinding("e", "nobody knows", text='""')
    acceptance, finding = unexplained([b""], entry)
    assert acceptance.applied(finding, [0]).accepted
    acceptance, finding = unexplained([b"", b"a"], entry)
    assert not acceptance.applied(finding, [0, 1]).accepted


def of_file(texts: list[bytes], entry: AcceptedFinding, said: tuple[tuple[str, str], ...]) -> Finding:
    """A finding on these texts whose engine obeys a file that says something else than the source."""
    acceptance, finding = unexplained(texts, entry)
    differs = replace(finding, quirks=("source_differs",), context=said, accepted=False, beyond="")
    return acceptance.applied(differs, range(len(texts)))


def test_an_entry_on_a_file_that_differs_covers_that_difference() -> None:
    """Whatever texts show it; what else differs in the file is new, also on the accepted text."""
    entry = AcceptedFinding("e", "so", quirks=("source_differs",), text='"Q"', told="pieces: 3 differ")
    assert [True, False, False] == [
        of_file([b"Q", b"R"], entry, said).accepted
        for said in ((("pieces", "3 differ"),), (("pieces", "3 differ"), ("scores", "1 differs")), ())
    ]


def test_an_entry_of_an_earlier_version_has_its_numbers_without_commas() -> None:
    """It covers the same difference; one of another number it does not."""
    entry = AcceptedFinding("e", "so", quirks=("source_differs",), text='"Q"', told="pieces: 3000 of 128256 differ")
    assert of_file([b"R"], entry, (("pieces", "3,000 of 128,256 differ"),)).accepted
    assert not of_file([b"R"], entry, (("pieces", "3,001 of 128,256 differ"),)).accepted


def test_an_entry_that_does_not_say_in_what_a_file_differs_is_about_its_text() -> None:
    """It covers the texts that contain its own, whatever differs, and no other."""
    entry = AcceptedFinding("e", "so", quirks=("source_differs",), text='"Q"')
    assert of_file([b"Q", b"aQ"], entry, (("pieces", "3 differ"),)).accepted
    other = of_file([b"Q", b"R"], entry, (("pieces", "3 differ"),))
    assert (True, b"R") == (other.is_new, other.smallest.case.question.shown)
