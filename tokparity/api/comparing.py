"""One text before all engines of a model, for people's own programs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from tokparity.api.given import Given, fetched, model_of
from tokparity.case import Case, Origin
from tokparity.finding import Mismatch
from tokparity.outcome import Encoding, Failure, Outcome
from tokparity.questions import Encode
from tokparity.questions.json_text import as_bytes
from tokparity.session.judge import Judge
from tokparity.session.panel import EnginePanel
from tokparity.session.seats import seat

_TIMEOUT = 60.0  # seconds that an engine may take for the text


@dataclass(frozen=True)
class Comparison:
    """What each engine gave for one text. `mismatches` are the engines that departed from the oracle, and where;
    `unavailable` those that could not be asked, and why. As a text, what `tokparity diff` prints."""

    text: bytes
    model: str
    oracle: str
    outcomes: Mapping[str, Outcome]
    mismatches: Mapping[str, Mismatch]
    unavailable: Mapping[str, str]
    _pieces: Sequence[bytes] = field(default=(), repr=False)

    @property
    def equal(self) -> bool:
        """Whether every engine that could run returned what the oracle returned, and the oracle could run."""
        return not self.mismatches and self.oracle not in self.unavailable

    @property
    def ids(self) -> Mapping[str, list[int]]:
        """The ids by engine; one that failed has none."""
        return {name: list(one.ids) for name, one in self.outcomes.items() if isinstance(one, Encoding)}

    @property
    def failures(self) -> Mapping[str, str]:
        """The engines that returned no ids, and why."""
        found = {name: one for name, one in self.outcomes.items() if isinstance(one, Failure)}
        return {name: f"{one.kind}: {one.message}" for name, one in found.items()}

    def __str__(self) -> str:
        from tokparity.report.render.text import side_by_side

        lines = [line.plain for line in side_by_side(self.oracle, self.outcomes, self.mismatches, self._pieces)]
        return "\n".join([*lines, *(f"{name}: unavailable, {why}" for name, why in self.unavailable.items())])


def diff(
    model_or_files: Given,
    text: str | bytes,
    engines: Sequence[str] | None = None,
    add_special: bool = True,
    parse_special: bool = False,
) -> Comparison:
    """Put one text before the engines that are named, or all that can open the model, and before its oracle."""
    model = fetched(model_of(model_or_files)[0])
    case = Case(Encode(as_bytes(text), add_special, parse_special), Origin("given", "program"))
    seating = seat(model, engines or ())
    with EnginePanel(seating.one_by_one(), _TIMEOUT, meanwhile=seating.read) as panel:
        (batch,) = panel.results([[case]], lambda: False)
        judge = Judge(model.name, model.oracle, seating.source.vocabulary.pieces)
        mismatches = {found.engine: found for found in judge.mismatches(batch, seating.shown)}
        unavailable = {**seating.unavailable, **panel.unavailable}
    return Comparison(
        case.question.text,
        model.name,
        model.oracle,
        {engine: results.outcome(0) for engine, results in batch.results.items() if engine in seating.shown},
        mismatches,
        {engine: why for engine, why in unavailable.items() if engine in seating.shown},
        seating.source.vocabulary.pieces,
    )
