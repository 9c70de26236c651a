"""Many models behind one engine: which are kept open."""

from __future__ import annotations

import json
from pathlib import Path
from unittest.mock import Mock

from tokparity.engines.many import _OPEN, FILES, ManyModels


def test_what_was_asked_last_stays_open(tmp_path: Path) -> None:
    """A model that is asked between all others is opened once."""
    for number in range(_OPEN + 10):
        (tmp_path / str(number)).mkdir()
        (tmp_path / str(number) / "options.json").write_text(json.dumps({}))
    inner = Mock()
    inner.CAPABILITIES.formats = tuple(FILES)
    models = ManyModels(inner, tmp_path)
    for number in range(_OPEN + 10):
        models.model(number)
        models.model(0)
    opened = [Path(call.args[0]).parent.name for call in inner.open.call_args_list]
    assert 1 == opened.count("0")
    assert _OPEN + 10 == len(opened)
