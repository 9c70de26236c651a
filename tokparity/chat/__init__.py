"""Chat templates: prompts made of conversations in bounded processes, and templates compared by their prompts."""

from __future__ import annotations

from tokparity.chat.renderer import Renderer

__all__ = ["Renderer"]
