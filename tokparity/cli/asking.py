"""Opens one engine with one model, to run a few questions for a command."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TYPE_CHECKING, TypeVar

from tokparity.cli.arguments import Named
from tokparity.cli.pulling import pull_missing

if TYPE_CHECKING:
    from tokparity.engines.process.client import Client
    from tokparity.outcome import Failure

Item = TypeVar("Item")
BATCH = 500


def opened(named: Named, engine: str) -> Client:
    """The engine with the model open; an error says why it cannot be."""
    from tokparity.engines.process.client import Client
    from tokparity.session.seats import seat_one

    pull_missing([named.model])
    seat = seat_one(named.model, engine)
    client = Client(engine, seat.path, seat.options)
    try:
        client.wait_ready()
    except BaseException:  # a signal, too, leaves no process behind
        client.close()
        raise
    return client


def batched(items: Iterable[Item]) -> Iterator[list[Item]]:
    """Lists of up to 500 items."""
    source = iter(items)
    while batch := list(islice(source, BATCH)):
        yield batch


def failure_line(failure: Failure) -> str:
    """The line that is printed if an engine returned no answer."""
    return json.dumps({"failure": failure.kind, "message": failure.message, "signal": failure.signal})
