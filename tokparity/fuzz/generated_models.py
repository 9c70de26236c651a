"""Generated models before engines: written in every format that has words for them, in one directory for all.

One worker per engine serves all models (see `engines/many.py`); the reference answers in this process.
"""

from __future__ import annotations

import json
import shutil
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from tokparity import engines, formats
from tokparity.case import AnyCase
from tokparity.engines.many import FILES, without_numbers
from tokparity.engines.process.client import Client
from tokparity.errors import CannotExpressError, TokparityError
from tokparity.formats import Source
from tokparity.formats.beside import spelled
from tokparity.generators.blueprint import Blueprint
from tokparity.outcome import TIMEOUT, Failure
from tokparity.questions import Encode
from tokparity.reference.tokenizer import Tokenizer
from tokparity.session.in_process import answers
from tokparity.session.judge import REFERENCE, Batch

if TYPE_CHECKING:
    from tokparity.engines.process.client import Ticket
    from tokparity.engines.results import Results

_FIRST = 32
"""An engine runs this many cases of a batch first, then those up to four times as many, then the rest. So an engine
that dies of the model is found early."""

_MOST_DEATHS = 8
"""An engine that has died this many times of one model is asked no more about it."""

_DIED = ("crash", "timeout", "memory")

ENGINES = ("llama.cpp", "sentencepiece", "tokenizers", "transformers")


@dataclass(frozen=True)
class Written:
    """A generated model on disk: its number, the tokenizer that it means, and why an engine cannot be given it."""

    number: int
    blueprint: Blueprint
    tokenizer: Tokenizer
    refused: Mapping[str, str]


class Models:
    """A directory of generated models and the engines that serve it. `unavailable` says which engine is not there."""

    def __init__(self, root: Path, names: Sequence[str], first: Blueprint, timeout: float = TIMEOUT) -> None:
        self.names = tuple(names)
        self.unavailable: dict[str, str] = {}
        self._root = root
        self._count = 0
        self._clients: dict[str, Client] = {}
        self._formats = {name: _format(name) for name in names}
        self.first = self.write(first)
        for name in names:
            attribute = name.replace(".", "_").replace("-", "_")
            self._clients[name] = Client(f"tokparity.engines.many:{attribute}", str(root), timeout=timeout)
        for name, client in list(self._clients.items()):
            try:
                client.wait_ready()
            except TokparityError as error:
                self.unavailable[name] = str(error)
                self._clients.pop(name).close()
            except BaseException:  # a signal, too, leaves no process behind
                self.close()
                raise

    def write(self, blueprint: Blueprint, only: Collection[str] = ()) -> Written:
        """The model in every format that has words for it (or that `only` these engines open).

        TokparityError where the blueprint describes no model.
        """
        vocabulary, behaviour = blueprint.build()
        folder = self._root / str(self._count)
        folder.mkdir(parents=True, exist_ok=True)
        source = Source("generated", Path("generated"), vocabulary, behaviour)
        reasons: dict[str, str] = {}
        for format in dict.fromkeys(self._formats[name] for name in only or self.names):
            try:
                formats.write(source, format, folder / FILES[format], alone=True)
            except CannotExpressError as error:
                reasons[format] = str(error)
        options = {"prefix_ids": behaviour.prefix_ids, "suffix_ids": behaviour.suffix_ids}
        (folder / "options.json").write_text(json.dumps(options), encoding="utf-8")
        config = json.dumps(dict(spelled(source)))
        (folder / "tokenizer_config.json").write_text(config, encoding="utf-8")
        written = Written(self._count, blueprint, Tokenizer(vocabulary, behaviour), self._refused(reasons))
        self._count += 1
        return written

    def forget(self, written: Iterable[Written]) -> None:
        """Delete the files of models that no engine needs any more."""
        for each in written:
            shutil.rmtree(self._root / str(each.number), ignore_errors=True)

    def _refused(self, reasons: Mapping[str, str]) -> dict[str, str]:
        """Engine to why there is no file for it."""
        return {name: reasons[format] for name, format in self._formats.items() if format in reasons}

    def submit(self, pairs: Sequence[tuple[Written, AnyCase]], engine: str) -> Ticket | None:
        """Put cases (with the same flags), each for its own model, to one engine; None if it is not there."""
        from tokparity.engines.buffers import Texts

        client = self._clients.get(engine)
        if client is None or not pairs:
            return None
        questions = [case.question for _, case in pairs]
        first = questions[0]
        if not isinstance(first, Encode):
            return None
        skip = True if True in client.capabilities.skip_special else None  # as in a run
        texts = Texts.from_list([b"%d\0%s" % (written.number, case.question.shown) for written, case in pairs])
        return client.submit(texts, first.add_special, first.parse_special, skip)

    def ask(self, pairs: Sequence[tuple[Written, AnyCase]], engine: str) -> Results | None:
        """Submit and wait."""
        ticket = self.submit(pairs, engine)
        return None if ticket is None else _taken(ticket)

    def close(self) -> None:
        """End all engines."""
        while self._clients:
            self._clients.popitem()[1].close()

    def __enter__(self) -> Models:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


class ModelPanel:
    """One generated model as a panel: the reference here, the engines in their workers."""

    def __init__(self, models: Models, written: Written, asked: Collection[str]) -> None:
        self._models = models
        self._written = written
        self._asked = asked
        self._deaths: Counter[str] = Counter()

    def results(
        self, batches: Iterable[Sequence[AnyCase]], stop: Callable[[], bool], only: Collection[str] = ()
    ) -> Iterator[Batch]:
        """Each batch with the results of every engine (or of `only` these), in order."""
        for cases in batches:
            if stop():
                return
            yield Batch(cases, self._asked_together(cases, [name for name in self._asked if not only or name in only]))

    def _asked_together(self, cases: Sequence[AnyCase], names: Sequence[str]) -> dict[str, Results]:
        """What each engine gives, all at work at the same time: a few cases first, and no more to those that die."""
        parts: dict[str, list[Results]] = {name: [] for name in names}
        results: dict[str, Results] = {}
        start = 0
        for end in _stages(len(cases)):
            pairs = [(self._written, case) for case in cases[start:end]]
            alive = [name for name in names if self._deaths[name] < _MOST_DEATHS]
            tickets = {name: self._models.submit(pairs, name) for name in alive}
            if end == len(cases):
                results[REFERENCE] = answers(self._written.tokenizer, cases, skip_special=True)
            for name, ticket in tickets.items():
                if ticket is not None:
                    part = _taken(ticket)
                    self._deaths[name] += sum(failure.kind in _DIED for _, failure in part.failures)
                    parts[name].append(part)
            start = end
        given = {name: self._put_together(name, found, len(cases)) for name, found in parts.items() if found}
        unasked = [name for name in names if not parts[name] and self._deaths[name] >= _MOST_DEATHS]
        return results | given | {name: self._put_together(name, [], len(cases)) for name in unasked}

    def _put_together(self, engine: str, parts: Sequence[Results], total: int) -> Results:
        """The answers to a batch of this many cases, of which the last may not have been asked."""
        from tokparity.engines.buffers import Ids, Texts
        from tokparity.engines.results import Results

        asked = sum(map(len, parts))
        missing = total - asked
        given_up = Failure("unavailable", f"not asked: {engine} died {self._deaths[engine]} times of this model")
        failures = [(i + at, failure) for at, part in _placed(parts) for i, failure in part.failures]
        failures += [(i, given_up) for i in range(asked, total)]
        ids = Ids.concat([*(part.ids for part in parts if part.ids is not None), Ids.from_list([[]] * missing)])
        if any(part.decoded is None for part in parts):
            return Results(ids, None, tuple(failures))
        texts = [part.decoded for part in parts if part.decoded is not None]
        return Results(ids, Texts.concat([*texts, Texts.from_list([b""] * missing)]), tuple(failures))


def _taken(ticket: Ticket) -> Results:
    """The answers to what was submitted; waits for them."""
    from tokparity.engines.results import Results

    found = ticket.result()
    ids = None if found.ids is None else without_numbers(found.ids)
    return Results(ids, found.decoded, found.failures)


def _stages(size: int) -> list[int]:
    """The ends of the parts in which a batch is asked."""
    return [*(end for end in (_FIRST, 4 * _FIRST) if end < size), size]


def _placed(parts: Sequence[Results]) -> Iterator[tuple[int, Results]]:
    """Parts of a batch, each with the index of its first case."""
    at = 0
    for part in parts:
        yield at, part
        at += len(part)


def _format(engine: str) -> str:
    format = engines.get(engine).CAPABILITIES.formats[0]
    return "tokenizer.json" if format == "directory" else format
