"""Reference tokenizers in this very process, asked in the way engines are: no worker, no waiting.

For faults that were planted on purpose, and for models that only exist in memory.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from tokparity.outcome import Case, Failure
from tokparity.session.judge import Batch

if TYPE_CHECKING:
    from tokparity.engines.results import Results
    from tokparity.reference.tokenizer import Tokenizer


class InProcess:
    """Tokenizers by name. `decodes` says whether the ids are decoded again, as engines do it in a run."""

    def __init__(self, tokenizers: Mapping[str, Tokenizer], decodes: bool = True) -> None:
        self._tokenizers = tokenizers
        self._decodes = decodes

    def results(
        self, batches: Iterable[Sequence[Case]], stop: Callable[[], bool], only: Collection[str] = ()
    ) -> Iterator[Batch]:
        """Each batch with the results of every tokenizer (or of `only` these), in order."""
        for cases in batches:
            if stop():
                return
            names = [name for name in self._tokenizers if not only or name in only]
            yield Batch(cases, {name: answers(self._tokenizers[name], cases, self._decodes) for name in names})


def answers(
    tokenizer: Tokenizer, cases: Sequence[Case], decodes: bool = True, skip_special: bool | None = None
) -> Results:
    """What a tokenizer makes of cases with the same flags; what it raises is the Failure of that case alone.

    Special tokens are left out of the decoded text or not, as asked, else unless they are parsed.
    """
    from tokparity.engines.buffers import Ids, Texts
    from tokparity.engines.results import Results

    rows: list[list[int]] = []
    texts: list[bytes] = []
    failures: list[tuple[int, Failure]] = []
    for index, case in enumerate(cases):
        row, text = [], b""
        try:
            row = tokenizer.encode(case.text, case.add_special, case.parse_special)
            # Where special tokens are parsed, the text only comes back if they are shown.
            hidden = not case.parse_special if skip_special is None else skip_special
            text = tokenizer.decode(row, hidden) if decodes else b""
        except Exception as error:  # a quirk may do anything at all to a text
            failures.append((index, Failure("error", f"{type(error).__name__}: {error}")))
            row = []
        rows.append(row)
        texts.append(text)
    return Results(Ids.from_list(rows), Texts.from_list(texts) if decodes else None, tuple(failures))
