"""The group of a vectors file with conversations: the prompts and ids of the model's chat template, and their faults.

What is right is the prompt of the reference renderer, and the ids of the model's own tokenizer, with which its oracle
must agree. A known fault is a cause of `chat.causes`, or something that people change or leave out by hand.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

from tokparity.chat.causes import CAUSES, DAILY, Cause, predicted
from tokparity.chat.edits import EDITS, is_of_template, leaving_out, parts_left_out
from tokparity.chat.of_source import templates_of, tokens_of
from tokparity.chat.renderer import Renderer
from tokparity.formats import Source
from tokparity.generators import Prepared
from tokparity.generators.conversations import conversations
from tokparity.outcome import Failure, Rendering
from tokparity.questions import Encode, Question, Render
from tokparity.questions.json_text import as_bytes
from tokparity.questions.render import Conversation, Template
from tokparity.reference.tokenizer import Tokenizer
from tokparity.vectors.cover import cover, groups
from tokparity.vectors.faults import Answers
from tokparity.vectors.kinds import by_reason
from tokparity.vectors.model import Answer, Fault, Group, Prompted, Right, RightPrompt, Vector, allows
from tokparity.vectors.oracle import Oracle
from tokparity.vectors.spelling import case_id, line, pieces_shown
from tokparity.vectors.spelling import grouped as grouped_answers

MOST = 20
"""Conversations of a model."""

_SECONDS = 60.0
"""Seconds that a few conversations may take: a machine may be busy, and the prompts are the same then."""
_LONGEST = 300
"""Characters of a comment."""
_NAMED = 3
"""Faults that a comment names: those that the fewest cases show."""
IDS = {"adds_special_to_prompt": (True, True), "parses_no_special_in_prompt": (False, False)}
"""Faults of what makes ids of a prompt, with the flags that it has."""
_DOES = {
    "adds_special_to_prompt": "adds special tokens around the ids of a prompt, such as a second BOS",
    "parses_no_special_in_prompt": "takes the special tokens that a prompt spells for ordinary text",
}
BYTES = 36_000
"""Of all cases, about: those that no fault needs are left out beyond it."""
NO_ROOM = f"{MOST} conversations show other faults"
_DAILY = "its prompts change from day to day"

Wrong = Mapping[str, Mapping[Question, Answer]]


@dataclass(frozen=True)
class Asked:
    """What is known of a model's conversations: the right prompts, and of each fault what it does and its prompts."""

    right: Mapping[Render, RightPrompt]
    does: Mapping[str, str]
    wrong: Wrong


def grouped(source: Source, prepared: Prepared, oracle: Oracle, say: Callable[[str], object]) -> dict[str, Group]:
    """The group by its name in the file; none where the model has no chat template."""
    found = templates_of(source)
    if not found:
        return {}
    template = Template(found[min(found)])  # the usual one has the shortest name
    tokenizer = Tokenizer(prepared.subject.vocabulary, prepared.subject.behaviour)
    with Renderer(seconds=_SECONDS) as reference:
        reference.version()
        asked = [Render(template, one, tokens_of(source)) for one in conversations(reference.words(template.text))]
        right = _right(asked, tokenizer, oracle, reference)
        say(f"conversations: {len(right)} of {len(asked)} have a prompt, or an error that the template raises")
        if not right:
            return {}
        return {"conversations": _group(put(right, tokenizer, prepared.subject.tokens, reference), tokenizer)}


def put(
    right: Mapping[Render, RightPrompt], tokenizer: Tokenizer, specials: Iterable[str], reference: Renderer
) -> Asked:
    """Put the conversations to every fault that is known of renderers, or made of their template."""
    causes = [*known(), *_of_template(right, tokenizer, specials)]
    does = {cause.name: does_of(cause) for cause in causes} | _DOES
    wrong = {cause.name: dict[Question, Answer](_differing(cause, right, reference)) for cause in causes}
    for name, flags in IDS.items():
        texts = {one: prompt.text for one, prompt in right.items() if prompt.text is not None}
        rows = {one: Prompted(text, tuple(tokenizer.encode(text, *flags))) for one, text in texts.items()}
        wrong[name] = {one: row for one, row in rows.items() if not right[one].allows(row)}
    return Asked(right, does, wrong)


def known() -> list[Cause]:
    """The faults of renderers that any template may show, and that are the same each day."""
    return [cause for cause in (*CAUSES, *EDITS) if cause.name not in DAILY]


def does_of(cause: Cause) -> str:
    """What an engine with the fault does, to follow the words: an engine that."""
    return cause.sentence.removeprefix("It ").removesuffix(".")


def answer_of(answer: Rendering | Failure) -> Answer:
    """What a vectors file says of a rendering; None where there is no prompt."""
    prompt = answer.prompt if isinstance(answer, Rendering) else None
    return None if prompt is None else Prompted(as_bytes(prompt))


def _right(
    asked: Sequence[Render], tokenizer: Tokenizer, oracle: Oracle, reference: Renderer
) -> dict[Render, RightPrompt]:
    """Prompts and ids, without those of which the oracle gives other ids, and what no template raises by itself."""
    found: dict[Render, RightPrompt] = {}
    for question, answer in zip(asked, reference.render(asked), strict=True):
        prompt = answer_of(answer)
        if isinstance(prompt, Prompted):
            found[question] = RightPrompt(prompt.text, tuple(tokenizer.encode(prompt.text, False, True)))
        elif isinstance(answer, Rendering):
            found[question] = RightPrompt(None)
    encoded = {question: Encode(right.text, False, True) for question, right in found.items() if right.text is not None}
    trial = Answers(tokenizer, ())
    trial.put(encoded.values())
    oracle.check(trial, list(trial.right))
    return {one: right for one, right in found.items() if right.text is None or encoded[one] in trial.right}


def _of_template(right: Mapping[Render, RightPrompt], tokenizer: Tokenizer, specials: Iterable[str]) -> Iterator[Cause]:
    """The faults of this template alone."""
    spelled = {token.encode("utf-8", "surrogatepass") for token in specials}
    said = (one.ids for question, one in right.items() if _ends_with_answer(question.conversation))
    pieces = [tokenizer.vocabulary.pieces[one] for one in next(said, ())]
    if ends := [piece for piece in pieces if piece in spelled]:
        yield leaving_out(ends[-1].decode("utf-8", "surrogatepass"))
    yield from parts_left_out(next(iter(right)).template.text)


def _ends_with_answer(given: Conversation) -> bool:
    last = given.messages[-1] if given.messages else {}
    return last.get("role") == "assistant" and not given.add_generation_prompt


def _differing(
    cause: Cause, right: Mapping[Render, RightPrompt], reference: Renderer
) -> Iterator[tuple[Render, Answer]]:
    """The conversations that a fault answers otherwise, with its answers."""
    for question, answer in zip(right, predicted([cause], reference, list(right)), strict=True):
        given = answer_of(answer)
        if not allows(right[question], given):
            yield question, given


def _group(asked: Asked, tokenizer: Tokenizer) -> Group:
    """The faults, and the conversations that show them."""
    shown = [name for name in asked.does if asked.wrong[name]]
    alike = {first: others for first, *others in groups(shown, asked.wrong)}
    wrong = {name: asked.wrong[name] for name in alike}
    vectors = _chosen(asked.right, wrong, tokenizer)
    seen = {name for one in vectors for given in one.wrong for name in given.faults}
    why = f"the same answers to {len(asked.right)} conversations"
    reasons = {name: _DAILY if name in DAILY else why for name in (*asked.does, *DAILY) if name not in shown}
    reasons |= {one: NO_ROOM for name in alike if name not in seen for one in (name, *alike[name])}
    return Group(
        {name: Fault(asked.does[name], tuple(others)) for name, others in alike.items() if name in seen},
        by_reason({name: why for name, why in reasons.items() if not is_of_template(name)}),
        tuple(sorted(vectors, key=lambda one: one.question.order)),
    )


def _chosen(right: Mapping[Render, RightPrompt], wrong: Wrong, tokenizer: Tokenizer) -> list[Vector]:
    """The conversations that the faults need, and others of every sort while there is room."""
    rights = dict[Question, Right](right.items())
    needed = cover(rights, wrong)
    needed = (needed if len(needed) <= MOST else cover(rights, wrong, 1))[:MOST]
    others = list(right)[:: len(right) // MOST | 1]
    asked = (one for one in dict.fromkeys(chain(needed, others)) if isinstance(one, Render))
    chosen: list[Vector] = []
    room = BYTES
    for question in asked:
        gives = {name: given[question] for name, given in wrong.items() if question in given}
        rare = sorted(gives, key=lambda name: len(wrong[name]))
        vector = _vector(question, right[question], gives, rare, tokenizer)
        room -= len(line(vector).encode())
        if question in needed or (room > 0 and len(chosen) < MOST):
            chosen.append(vector)
    return chosen


def _vector(
    question: Render, right: RightPrompt, gives: Mapping[str, Answer], rare: Sequence[str], tokenizer: Tokenizer
) -> Vector:
    return Vector(
        id=case_id(question),
        question=question,
        answer=right,
        pieces=pieces_shown(tokenizer.vocabulary.pieces, question, right),
        comment=_comment(question.conversation, right, rare),
        tags=tuple(sorted(_tags(question.conversation, right))),
        wrong=grouped_answers(gives),
    )


def _tags(given: Conversation, right: RightPrompt) -> Iterator[str]:
    """What an engine may not have."""
    yield "conversation"
    yield from (name for name in ("tools", "documents", "extra") if getattr(given, name))
    if right.text is None:
        yield "raises"


def _comment(given: Conversation, right: RightPrompt, shows: Sequence[str]) -> str:
    """In printable ASCII who speaks, what else is passed, and which faults it shows, those that few show first."""
    roles = [str(one.get("role")) for one in given.messages]
    more = [f"{len(found)} {name}" for name in ("tools", "documents") if (found := getattr(given, name)) is not None]
    more += [*given.extra, *(["the beginning of the answer"] if given.add_generation_prompt else [])]
    more += ["the template raises an error"] if right.text is None else []
    named = f"; shows {', '.join(shows[:_NAMED])}" + (f" and {len(shows) - _NAMED} more" if len(shows) > _NAMED else "")
    told = f"{', '.join((*roles, *more)) or 'no message'}{named if shows else ''}"
    return "".join(one if " " <= one <= "~" else "?" for one in told)[:_LONGEST]
