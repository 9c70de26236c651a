"""The conversations that a run puts: those that the chat templates of its model ask for."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence

from tokparity.case import AnyCase, Case, Origin
from tokparity.chat.of_source import templates_of, tokens_of
from tokparity.chat.renderer import Renderer
from tokparity.errors import EngineError, TokparityError
from tokparity.formats import Source
from tokparity.formats.beside import CHAT
from tokparity.generators.conversations import conversations
from tokparity.outcome import DEADLY, NOT_ASKED, Failure
from tokparity.questions.json_text import plain
from tokparity.questions.render import Render, Template
from tokparity.sources.source import Listed

ORIGIN = "conversations"
"""The name of the generator."""

_TOGETHER, _MOST_LOST = 20, 3
"""Conversations that the reference is asked at a time, and those without an answer after which a template is left."""

_SHOWN = 200


class Conversations(Listed):
    """Conversations, of which few are put at a time: each brings its template."""

    def batches(self) -> Iterator[Sequence[AnyCase]]:
        """As every source's."""
        cases = list(self.cases)
        yield from (cases[start : start + _TOGETHER] for start in range(0, len(cases), _TOGETHER))


def prompts_of(source: Source, ask: Collection[str], model: str, note: Callable[[str], None]) -> list[Listed]:
    """What is put to renderers where prompts are asked for; what `note` must say is about the model."""
    if Render.KIND not in ask:
        return []
    made = prompt_cases(source, lambda said: note(f"{model}: {said}"))
    return [Conversations(made, len(made))]


def prompt_cases(source: Source, note: Callable[[str], None]) -> list[AnyCase]:
    """All conversations of all templates of a model; why there are none, and which are left out, goes to `note`.

    A conversation with which a template never ends is left out: no engine is to blame, and each would hang.
    """
    templates, tokens = templates_of(source), tokens_of(source)
    if not templates:
        note("it has no chat template, so no prompt was compared")
    found: list[AnyCase] = []
    try:
        for key, text in templates.items():
            template = Template(text, source.path.name, key.removeprefix(CHAT).removeprefix("."))
            with Renderer() as reference:
                given = [one for one in conversations(reference.words(text)) if one.messages]
            asked = _answered([Render(template, one, tokens) for one in given], note)
            found += (Case(question, Origin("generator", ORIGIN, i)) for i, question in asked)
    except TokparityError as error:
        note(f"no prompt was compared: {error}")
        return []
    return found


def _answered(asked: Sequence[Render], note: Callable[[str], None]) -> Iterator[tuple[int, Render]]:
    """Those with which the reference comes to an end; behind one with which it does not, another process is asked."""
    left, lost = list(enumerate(asked)), 0
    while left and lost < _MOST_LOST:
        before = lost
        with Renderer() as reference:
            while left and lost == before:
                few, left = left[:_TOGETHER], left[_TOGETHER:]
                silent: list[tuple[int, Render]] = []
                for (i, question), answer in zip(few, reference.render([one for _, one in few]), strict=True):
                    kind = answer.kind if isinstance(answer, Failure) else ""
                    if kind in NOT_ASKED:
                        silent.append((i, question))
                    elif isinstance(answer, Failure) and kind in DEADLY:
                        lost += 1
                        told = f"({kind}: {plain(answer.message)}) of {question.literal[:_SHOWN]}"
                        note(f"the chat template makes no prompt {told}")
                    else:
                        yield i, question
                left = [*silent, *left]
                if silent and lost == before:
                    raise EngineError("the reference was not asked for prompts", "run again")
    if left:
        note(f"{len(left)} more conversations of that template were not put")
