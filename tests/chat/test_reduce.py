"""The smallest template that shows a fault: pieces go as long as a check holds, whatever the blocks are."""

from __future__ import annotations

from collections.abc import Sequence

import jinja2
import pytest
from templates import CHATML, INST, TURNS

from tokparity.chat.place import cut
from tokparity.chat.reduce import MOST, _parsed, _text, reduced


def writes(text: str, **given: object) -> bool:
    """Whether a template still renders to something with "!" in it."""
    try:
        return "!" in jinja2.Environment().from_string(text).render(**given)
    except jinja2.TemplateError:
        return False


@pytest.mark.parametrize(
    ("template", "smallest"),
    [
        ("a{{ 'b' + '!' + 'c' }}d", "{{ '!' }}"),
        ("{% if true %}x{{ '!' }}{% else %}y{% endif %}", "{{ '!' }}"),
        ("{% for i in [1, 2] %}{% if i == 2 %}{{ i }}{{ '!' | upper }}{% endif %}{% endfor %}z", "{{ '!' }}"),
        ("{% set a = '!' %}{% set b = 'x' %}{{ b }}{{ a }}{# a comment #}", "{% set a = '!' %}{{ a }}"),
        ("{% macro f(x) %}{{ x }}!{% endmacro %}{{ f('a') }}{{ 2 }}", "{% macro f(x) %}!{% endmacro %}{{ f('a') }}"),
        ("{% set a %}{{ 'q' }}!{% endset %}{{ a }}", "!"),
    ],
)
def test_what_does_not_matter_goes(template: str, smallest: str) -> None:
    """Texts, tags, comments, branches, blocks around what matters, and the parts of a sum."""
    assert smallest == reduced(template, lambda texts: [writes(text) for text in texts])


def test_a_template_that_does_not_close_stays() -> None:
    """Nothing is taken out of what nobody can parse."""
    broken = "{% if true %}a"
    assert broken == reduced(broken, lambda texts: [True] * len(texts))


@pytest.mark.parametrize("template", [CHATML, INST, TURNS], ids=["chatml", "inst", "turns"])
def test_a_template_is_its_tree(template: str) -> None:
    """The nodes spell it again, and attempts have a bound."""
    nodes = _parsed(list(cut(template)))
    assert nodes is not None
    assert template == _text(nodes)
    asked = []

    def check(texts: Sequence[str]) -> list[bool]:
        asked.extend(texts)
        return [False] * len(texts)

    assert template == reduced(template, check)
    assert len(asked) <= MOST
