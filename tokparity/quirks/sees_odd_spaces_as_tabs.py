"""Takes every space outside of ASCII for a vertical tab when splitting."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from tokparity.behaviour import Behaviour
from tokparity.quirk import Quirk
from tokparity.quirks import toys
from tokparity.quirks.changed_stages import changed
from tokparity.reference.splits import Split, Stage
from tokparity.reference.unicode_versions import WHITESPACE

_ODD = re.compile("[" + "".join(c for c in WHITESPACE if not c.isascii()) + "]")


@dataclass(frozen=True)
class SpacesAsTabs(Stage):
    """Cuts where `inner` would if white space outside of ASCII were U+000B."""

    inner: Split

    def cut(self, text: str) -> Iterable[tuple[int, int]]:
        """Where the words of the text are."""
        return self.inner.cut(_ODD.sub("\v", text))


def _seeing_tabs(behaviour: Behaviour) -> Any:
    def of_stage(stage: Any) -> Any:
        return SpacesAsTabs(stage) if isinstance(stage, Split) and not stage.literal else stage

    return changed(behaviour.pretokenise, of_stage)


QUIRK = Quirk(
    name="sees_odd_spaces_as_tabs",
    title="Takes every space outside of ASCII for a vertical tab when splitting",
    symptom=(
        "Only texts with U+3000, U+2029 and the like differ, before models whose patterns name these characters "
        "(DeepSeek has ranges from U+3000 and over U+2029)."
    ),
    cause=(
        "The \\s of std::wregex knows no white space outside of ASCII, so it is all replaced by U+000B before the "
        "pattern sees it; ranges of the pattern that hold such a space then miss it."
    ),
    fix="Add the spaces to \\s in the pattern instead of changing the text.",
    field="pretokenise",
    derive=_seeing_tabs,
    links=(
        "https://github.com/ggml-org/llama.cpp/pull/7530",
        "https://github.com/ggml-org/llama.cpp/blob/master/src/unicode.cpp",
    ),
    witness=lambda: toys.byte_bpe("Ġ+Ġ", pretokenise=Split(r" ?[\u3000-\u3002]+")).on("  \u3000"),
)
