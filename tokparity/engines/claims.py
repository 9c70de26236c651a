"""What an engine may claim beside ids, put to it as the conformance kit puts texts: streams, spans and prompts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from tokparity.engines.buffers import Ids, Texts
from tokparity.engines.engine_name import parse
from tokparity.engines.process.client import Client
from tokparity.engines.process.frames import Kind
from tokparity.engines.renderers import renderer_of
from tokparity.laws import LAWS, TAKES_BACK
from tokparity.outcome import Failure, Outcome, Rendering, Spanning, Streaming
from tokparity.questions.conversation import Conversation
from tokparity.questions.render import Render, Template
from tokparity.questions.stream import Stream
from tokparity.span_laws import LAWS as SPAN_LAWS
from tokparity.span_laws import judged

Verdict = Literal["ok", "wrong", "left out", "note"]

PLAIN = b"The capital of France is Paris."
_EMOJI = "你好 👩\u200d👩 café.".encode()
_CUTS = 12  # the first ids of a row that is cut everywhere, also within its characters
_TEMPLATE = Template("{{ messages[0]['content'] }}|{{ messages | length }}")
_RAISING = Template("{{ raise_exception('no roles') }}")


@dataclass(frozen=True)
class Check:
    """One rule, whether the engine keeps it, and what was seen."""

    verdict: Verdict
    rule: str
    detail: str = ""


def told(failure: Failure) -> str:
    """How an engine failed."""
    return f"{failure.kind}: {failure.message}"


def claimed(client: Client) -> Iterator[Check]:
    """The checks of what an engine that encodes says that it can do besides; what it does not say is left out."""
    yield _streams(client)
    yield _spans(client)
    yield from prompts(client)


def _streams(client: Client) -> Check:
    """Also of ids that end within a character, of which nothing may be left for the next stream."""
    rule = "streams what the same ids decode to, a delta for each id and one at the end"
    able = client.capabilities
    if not able.streams:
        return Check("left out", rule, "it says that it does not stream")
    plain, many = (_row(client, text) for text in (PLAIN, _EMOJI))
    cut = (row for length in range(1, min(_CUTS, len(many))) for row in (many[:length], plain))
    asked = [Stream(tuple(row)).row for row in (plain, many, [], *cut)] + [Stream(tuple(many), tuple(plain)).row]
    found = client.submit_decode(Ids.from_list(asked), able.skip_special[-1], Kind.STREAM).result()
    for i in range(len(found)):
        outcome = found.outcome(i)
        if isinstance(outcome, Failure):
            return Check("wrong", rule, told(outcome))
        if isinstance(outcome, Streaming) and outcome.law:
            # A stream cannot be right where decoding takes text back; what our engines' libraries do is known of them.
            is_its_own = outcome.law != TAKES_BACK and parse(client.engine).is_outside
            return Check(
                "wrong" if is_its_own else "note",
                rule,
                f"{LAWS[outcome.law]}, at delta {outcome.place} of {len(outcome.deltas)}",
            )
    return Check("ok", rule, f"{len(found)} streams")


def _spans(client: Client) -> Check:
    rule = "says which characters of a text each id comes from"
    if not client.capabilities.spans:
        return Check("left out", rule, "it says that it does not")
    texts = [PLAIN, _EMOJI, b"", b"  two words  "]
    found = client.submit_spans(Texts.from_list(texts), client.capabilities.add_special[0], False).result()
    for i, text in enumerate(texts):
        outcome = found.outcome(i)
        if isinstance(outcome, Failure):
            return Check("wrong", rule, told(outcome))
        if isinstance(outcome, Spanning) and (law := judged(text.decode(), outcome, None).law):
            return Check("wrong", rule, f"{SPAN_LAWS[law]}: {list(outcome.spans)!s:.80} for {text.decode()!r}")
    return Check("ok", rule, f"{len(texts)} texts")


def renders(client: Client) -> bool:
    """Whether the engine says that it makes prompts of conversations."""
    if renderer_of(client.engine) != client.engine:
        return False  # our own engines have renderers of their own, which we test
    (outcome,) = _prompts(client, [_TEMPLATE])
    return not (isinstance(outcome, Failure) and outcome.kind == "unsupported")


def prompts(client: Client) -> Iterator[Check]:
    """A template is rendered with its conversation, and what it raises is told; a server has its own template."""
    rule = "makes the prompt that a chat template and a conversation give"
    if not renders(client):
        yield Check("left out", rule, "it says that it does not")
        return
    outcomes = _prompts(client, [_TEMPLATE] * 3)
    wanted = [f"{name}|1" for name in _NAMES[:3]]
    failure = next((one for one in outcomes if isinstance(one, Failure)), None)
    seen = [one.prompt for one in outcomes if isinstance(one, Rendering)]
    if failure is not None:
        yield Check("wrong", rule, told(failure))
    elif seen != wanted:
        yield Check("note", rule, f"{_TEMPLATE.text!r} gave {seen[0]!r:.60} for {wanted[0]!r}")
    else:
        yield Check("ok", rule, f"{len(wanted)} prompts")
    (outcome,) = _prompts(client, [_RAISING])
    rule = "says what a template raises"
    if isinstance(outcome, Failure):
        yield Check("wrong", rule, told(outcome))
    else:
        prompt = outcome.prompt if isinstance(outcome, Rendering) else None
        yield Check("ok", rule) if prompt is None else Check("note", rule, f"it gave the prompt {prompt!r:.60}")


_NAMES = ("Hi", "naïve 你好", "a\nb")


def _prompts(client: Client, templates: Sequence[Template]) -> list[Outcome]:
    asked = [
        Render(template, Conversation(({"role": "user", "content": name},)))
        for template, name in zip(templates, _NAMES, strict=False)
    ]
    found = client.submit_render(Texts.from_list([one.packed() for one in asked])).result()
    return [found.outcome(i) for i in range(len(asked))]


def _row(client: Client, text: bytes) -> list[int]:
    return client.encode(Texts.from_list([text]), client.capabilities.add_special[0], False).row(0)
