"""Renderers whose library is in an environment of its own, made when the renderer is named (see `environment`)."""

from __future__ import annotations

from tokparity.engines.environment.pinned import Pinned
from tokparity.engines.environment.released import TEMPLATES
from tokparity.engines.protocol import ANY, Capabilities

MINIJINJA, HUGGINGFACE_JINJA, XLLAMACPP_SERVER = (
    Pinned(name, Capabilities(ANY, decodes=False), (), name, found.version) for name, found in TEMPLATES.items()
)
