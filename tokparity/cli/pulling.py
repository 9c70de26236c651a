"""Downloads what a model still needs, with a progress bar on standard error."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tokparity.cli.console import complain, terminal

if TYPE_CHECKING:
    from tokparity.models import Model


def pull_known(models: Sequence[Model]) -> tuple[int, dict[str, str]]:
    """Download what these models lack; return the number of files, and the models that failed with the reasons."""
    from tokparity.models.archive import UnavailableError

    optional = [model for model in models if any(file.archive.is_optional for file in model.missing)]
    pulled = pull_missing([model for model in models if model not in optional])
    for place, model in enumerate(optional):
        try:
            pulled += pull_missing([model])
        except UnavailableError as error:  # the others would wait for the same
            lost = [other.name for other in optional[place:]]
            complain(f"these known models are left out: {', '.join(lost)}: {error}")
            return pulled, dict.fromkeys(lost, str(error))
    return pulled, {}


def pull_missing(models: Sequence[Model]) -> int:
    """Fetch the files that these models miss; how many that were."""
    missing = {file.name: file for model in models for file in model.missing}
    if not missing:
        return 0
    from tokparity.cli.progress import one_bar
    from tokparity.models.pull import damaged, pull

    console = terminal(stderr=True)
    for name in damaged(list(missing.values())):
        console.print(f"{name} in the cache is damaged and is fetched again", highlight=False, markup=False)
    with one_bar(console, "pulling") as tell:
        if not console.is_terminal:
            console.print(f"pulling {len(missing)} files into the cache ...", highlight=False)
        return pull(list(missing.values()), tell)
