"""Write the chat templates that llama.cpp is tested with, and compare its expected prompts with ours.

`python scripts/chat_templates.py FOLDER` fetches the source distribution of llama-cpp-python (pinned; nothing of it is
in this repository), writes each template as FOLDER/NAME.jinja, and prints what differs from what its tests expect.
"""

from __future__ import annotations

import hashlib
import re
import sys
import tarfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from tokparity.chat import Renderer
from tokparity.chat.causes import CAUSES, Cause
from tokparity.chat.compare import Answer
from tokparity.engines.renderers import engine_of
from tokparity.models.archive import LLAMA_CPP, download
from tokparity.outcome import Rendering
from tokparity.questions.json_text import literal, plain
from tokparity.questions.render import Conversation, Render, Template

SIZE, SHA256 = 76589250, "832db0699007f1be95a7e41ef12e88926b02ba836461e36a36372db2760c1a2e"
LLAMA = "vendor/llama.cpp"
TESTS = f"{LLAMA}/tests/test-chat-template.cpp"
ROLES = ("system", "user", "assistant", "user", "assistant", "user")
SAID = (
    *("You are a helpful assistant", "Hello", "Hi there", "Who are you"),
    *("   I am an assistant   ", "Another question"),
)

MERGES = next(cause for cause in CAUSES if cause.name == "merges_system")
STRING = re.compile(r'"((?:[^"\\]|\\.)*)"', re.DOTALL)
CASE = re.compile(r"\{\s*/\* \.name= \*/.*?\n        \}", re.DOTALL)
FIELD = re.compile(r"/\* \.(\w+?)=? \*/\s*(?:U8C\()?(.*?)(?=/\* \.|\Z)", re.DOTALL)
ESCAPES = {"n": "\n", "t": "\t", '"': '"', "\\": "\\", "'": "'", "r": "\r", "0": "\0"}


@dataclass(frozen=True)
class Case:
    """One template of the tests, with what llama.cpp's Jinja is expected to make of a conversation."""

    name: str
    template: str
    expected: str
    tokens: dict[str, str]
    messages: tuple[dict[str, str], ...]
    is_of_jinja: bool


def members(folder: Path) -> Iterator[tuple[str, str]]:
    """The source distribution's templates and tests, by path; SystemExit where it is not the pinned file."""
    path = download(LLAMA_CPP, folder)
    packed = path.read_bytes()
    if (len(packed), hashlib.sha256(packed).hexdigest()) != (SIZE, SHA256):
        raise SystemExit(f"{path.name} is another file than the pinned one: {len(packed)} bytes")
    with tarfile.open(path) as archive:
        for member in archive:
            name = LLAMA_CPP.member(member.name) or ""
            if name == TESTS or (name.startswith(f"{LLAMA}/models/templates/") and name.endswith(".jinja")):
                file = archive.extractfile(member)
                assert file is not None
                yield name, file.read().decode("utf-8")


def cases(source: str) -> list[Case]:
    """The cases of the test, in its order."""
    return [_case(found.group()) for found in CASE.finditer(source)]


def _case(text: str) -> Case:
    fields = dict(FIELD.findall(text))
    said = {name: "".join(map(_unescaped, STRING.findall(value))) for name, value in fields.items()}
    messages = [{"role": role, "content": content} for role, content in zip(ROLES, SAID, strict=True)]
    more = [_unescaped(one) for one in STRING.findall(fields.get("extra_conversation", ""))]
    messages += [{"role": role, "content": content} for role, content in zip(more[::2], more[1::2], strict=True)]
    tokens = {f"{name}_token": said.get(f"{name}_token", "") for name in ("bos", "eos")}
    expected = said.get("expected_output_jinja") or said["expected_output"]
    is_of_jinja = "false" not in fields.get("supported_with_jinja", "")
    return Case(said["name"], said["template_str"], expected, tokens, tuple(messages), is_of_jinja)


def _unescaped(text: str) -> str:
    return re.sub(r"\\(.)", lambda found: ESCAPES[found.group(1)], text)


def question(case: Case) -> Render:
    """What the test asks."""
    conversation = Conversation(case.messages, add_generation_prompt=True)
    return Render(Template(case.template, case.name), conversation, case.tokens)


def compared(found: list[Case], renderer: str, cause: Cause | None = None) -> list[tuple[Case, Answer]]:
    """The cases on which a renderer writes another prompt than expected, also with a cause."""
    questions = [question(case) if cause is None else cause.asked(question(case)) for case in found]
    with Renderer(engine_of(renderer)) as asked:
        pairs = list(zip(found, asked.render(questions), strict=True))
    return [(case, one) for case, one in pairs if not isinstance(one, Rendering) or one.prompt != case.expected]


def main(folder: Path) -> int:
    """Write the templates, and compare; 1 where a prompt is not explained."""
    folder.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory() as temporary:
        read = dict(members(Path(temporary)))
    found = cases(read.pop(TESTS))
    templates = {Path(name).stem: text for name, text in read.items()}
    templates |= {f"test-{re.sub(r'[^A-Za-z0-9.-]+', '-', case.name)}": case.template for case in found}
    for name, text in templates.items():
        (folder / f"{name}.jinja").write_text(text, encoding="utf-8", newline="")
    print(f"{len(templates)} templates, {len(found)} of them with an expected prompt")
    asked = [case for case in found if case.is_of_jinja]
    others = 0
    for renderer in ("jinja2", "transformers"):
        differ = compared(asked, renderer)
        left = compared([case for case, _ in differ], renderer, MERGES)
        print(
            f"{renderer}: of {len(asked)} prompts {len(asked) - len(differ)} are the expected ones, "
            f"{len(differ) - len(left)} with {MERGES.name}, {len(left)} are others"
        )
        others += len(left)
        for case, answer in left:
            got = literal(answer.prompt or answer.raised) if isinstance(answer, Rendering) else plain(answer.message)
            print(f"  {plain(case.name)}\n    expected {literal(case.expected)}\n    got      {got}")
    return 1 if others else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
