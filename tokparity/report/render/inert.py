"""Makes everything that is printed harmless: every document and table goes through `questions.json_text.inert`.

Names, versions, messages and notes come from files and engines that anybody may have made.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tokparity.questions.json_text import inert

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, RenderableType
    from rich.segment import Segment


def write_inert(path: Path, document: str) -> None:
    """Write a document to a file."""
    path.write_text(inert(document), encoding="utf-8")


def console(**options: Any) -> Console:
    """What prints tables and bars: as they are, neither colored by guess nor with pictures for ":a:" in a name."""
    from rich.console import Console

    class Inert(Console):
        """A console that colors, moves and draws by itself, and lets no text that it is given do so."""

        def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterator[Segment]:
            """The segments; the console's own codes are in none of their texts."""
            for part in super().render(renderable, options):
                yield part if part.control else part._replace(text=inert(part.text))

    return Inert(highlight=False, emoji=False, **options)
