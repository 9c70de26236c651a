"""Why a renderer's prompts differ on some conversations of one template: causes, else what the conversations have."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from tokparity.chat.causes import Cause
from tokparity.chat.compare import Answer
from tokparity.chat.naming import Compared, named
from tokparity.outcome import Failure
from tokparity.questions.render import Conversation, Render

_ENOUGH = 10
_LONGEST = 80
_PLACES = re.compile(r"^the adapter says: | \(in <string>:\d+\)")
"""What messages of one kind do not have in common."""


@dataclass(frozen=True)
class Finding:
    """Conversations (their places) on which a renderer differs for one reason.

    `causes` predict its answers. Where none do, `told` says what the conversations have in common. Of the `tried`
    conversations (these, those that speak against it, and those that are no finding) `right` are as predicted.
    """

    places: tuple[int, ...]
    question: Render
    ours: Answer
    its: Answer
    causes: tuple[Cause, ...] = ()
    told: str = ""
    right: int = 0
    tried: int = 0
    against: tuple[int, ...] = ()
    """Places where the causes change the prompt, and neither they nor others with them give the renderer's."""
    template: str = ""
    """The smallest template that shows it on the conversation of the question; empty where nobody looked for it."""

    @property
    def reason(self) -> str:
        """The causes, or what is common."""
        return " + ".join(cause.name for cause in self.causes) or self.told

    @property
    def status(self) -> str:
        """How sure the causes are."""
        if not self.causes:
            return "unexplained"
        return "verified" if self.right == self.tried >= _ENOUGH else "in part"


def findings(given: Compared) -> Iterator[Finding]:
    """The fewest causes first, each for the conversations that it explains; the rest by what it has in common."""
    questions, right, its = given.questions, given.right, given.its

    def made(places: Sequence[int], causes: tuple[Cause, ...] = (), told: str = "") -> Finding:
        first = min(places, key=lambda i: len(questions[i].conversation.spelled))
        return Finding(tuple(places), questions[first], right[first], its[first], causes, told)

    found = named(given)
    for one in found:
        tried = (*one.places, *one.against, *given.same)
        agree = len(given.agree(one.causes, tried))
        yield replace(made(one.places, one.causes), right=agree, tried=len(tried), against=one.against)
    told = {i for one in found for i in one.places}
    left = [i for i in given.wrong if i not in told]
    for words in dict.fromkeys(why(right[i], its[i]) for i in left):
        places = [i for i in left if why(right[i], its[i]) == words]
        others = [i for i in range(len(questions)) if i not in left and i in (*given.wrong, *given.same)]
        trait, without = _common([questions[i] for i in places], [questions[i] for i in others])
        rest = made(places, told=words or trait)
        yield rest if words else replace(rest, right=len(places) + without, tried=len(places) + len(others))


def why(right: Answer, its: Answer) -> str:
    """What one of the two says where it writes none; empty where both write a prompt."""
    for who, answer in (("it fails: ", its), ("jinja2 fails: ", right)):
        if isinstance(answer, Failure):
            return who + _PLACES.sub("", answer.message.partition("\n")[0])[:_LONGEST]
        if answer.prompt is None:
            return who.replace("fails", "raises") + answer.raised[:_LONGEST]
    return ""


_HAS: Mapping[str, Callable[[Conversation], bool]] = {
    "a generation prompt is asked for": lambda given: given.add_generation_prompt,
    "no generation prompt is asked for": lambda given: not given.add_generation_prompt,
    "there is a system message": lambda given: any(one.get("role") == "system" for one in given.messages),
    "there is no system message": lambda given: all(one.get("role") != "system" for one in given.messages),
    "there are tools": lambda given: given.tools is not None,
    "a tool is called": lambda given: any("tool_calls" in one for one in given.messages),
    "there are documents": lambda given: given.documents is not None,
    "a content is no text": lambda given: any(not isinstance(one.get("content"), str) for one in given.messages),
    "a content begins or ends with white space": lambda given: any(
        isinstance(text := one.get("content"), str) and text != text.strip() for one in given.messages
    ),
    "a content is empty": lambda given: any(one.get("content") == "" for one in given.messages),
    "an assistant speaks": lambda given: any(one.get("role") == "assistant" for one in given.messages),
    "an assistant speaks last": lambda given: [one.get("role") for one in given.messages[-1:]] == ["assistant"],
    "one speaks twice in a row": lambda given: any(
        one.get("role") == other.get("role") for one, other in zip(given.messages, given.messages[1:], strict=False)
    ),
    "there is another role": lambda given: any(
        one.get("role") not in ("system", "user", "assistant") for one in given.messages
    ),
    "a text has other characters than ASCII": lambda given: "\\u" in given.spelled,
    "there are other variables": lambda given: bool(given.extra),
}


def _common(wrong: Sequence[Render], same: Sequence[Render]) -> tuple[str, int]:
    """What all conversations that differ have, and as few of the others as possible; how many others lack it."""
    if not same:
        return "on all conversations", 0
    told = {
        name: sum(not has(one.conversation) for one in same)
        for name, has in _HAS.items()
        if all(has(one.conversation) for one in wrong)
    }
    name = max(told, key=lambda one: told[one], default="")
    return (f"where {name}", told[name]) if told.get(name) else ("they have nothing in common", 0)
