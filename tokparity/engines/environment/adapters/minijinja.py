"""minijinja, Jinja in Rust: set up as its users set it up for chat templates, and otherwise as it is.

It calls methods of Python objects. So a template sees nothing but JSON, which is read anew for each question.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

NOW = datetime(2026, 1, 2, 3, 4, 5)
"""The time that every template reads; the same as that of the reference."""


class Model:
    """An environment without templates of its own."""

    def __init__(self, path: str, options: dict[str, Any], format: str) -> None:
        import minijinja

        self.library = minijinja
        for template in ("{{ raise_exception('a') }}", "{% if %}"):  # have all imported that an error needs
            self.render({"template": template, "tokens": {}, "messages": []})

    def capabilities(self) -> dict[str, Any]:
        """Prompts alone."""
        return {"renders": True}

    def render(self, question: dict[str, Any]) -> dict[str, str]:
        """The prompt, or what the template raises on purpose."""
        raised: list[str] = []

        def raise_exception(message: object) -> None:
            raised.append(str(message))
            raise ValueError(message)

        made = self.library.Environment(trim_blocks=True, lstrip_blocks=True)
        made.add_function("raise_exception", raise_exception)
        made.add_function("strftime_now", NOW.strftime)
        variables = {**question.pop("tokens"), **question.pop("extra", {})}
        template = question.pop("template")
        given = {"tools": None, "documents": None, "add_generation_prompt": False, **question}
        try:
            return {"prompt": made.render_str(template, **{**variables, **given})}
        except (ValueError, self.library.TemplateError) as error:
            return {"raised": raised[-1]} if raised else {"error": str(error).partition("\n")[0]}
