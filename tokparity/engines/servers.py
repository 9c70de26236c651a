"""The servers that `http:URL` knows: how each is recognized, how it is asked, and what it cannot be asked.

Facts from the servers' own sources and API pages: llama.cpp tools/server, llama-cpp-python llama_cpp/server/app.py,
vLLM entrypoints/openai, SGLang srt/entrypoints/openai, text-generation-inference router.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from tokparity.engines.answers import WrongAnswerError
from tokparity.engines.hello import capabilities_from_json
from tokparity.engines.protocol import ANY, Capabilities
from tokparity.engines.reply import checked, decoded_of
from tokparity.errors import FormatError
from tokparity.questions.json_text import strict

Json = Mapping[str, Any]

NEXT = "see whether the server runs, and whether the URL is that of its root"
"""What to do where there is no answer."""


@dataclass(frozen=True)
class Server:
    """One kind of server. `sign` is the path that it is asked first, `is_it` whether the reply to that is its.

    `encode` makes the body of a request from a text, add_special and parse_special. `decode` makes it from ids and
    skip_special. `ids` and `text` say where the answers are. `version` reads its version from the reply to `sign`.
    """

    name: str
    sign: str
    is_it: Callable[[Json], bool]
    able: Capabilities
    tokenize: str
    encode: Callable[[str, bool, bool], Json]
    ids: Callable[[Any], Any]
    detokenize: str = ""
    decode: Callable[[list[int], bool], Json] = field(default=lambda ids, skip: {"tokens": ids})
    text: Callable[[Any], Any] = field(default=lambda said: said["text"])
    stream: str = ""
    """The path that decodes rows of ids one after another, as the exec protocol spells it; empty where it has none."""
    spans: str = ""
    """The same for the path that encodes texts with the characters of each id."""
    version: Callable[[Json], str] = field(default=lambda said: str(said.get("version", "")))
    template: str = ""
    """The path that makes a prompt of a conversation with the server's own template; empty where it has none."""
    model: Callable[[Json], str] = field(default=lambda said: "")
    """Its own name for the model that it has open, as the reply to `sign` has it; empty where it has none."""

    says: Callable[[Json], Capabilities] | None = None
    """What it can be asked where the reply to `sign` says that itself."""

    def can(self, said: Json) -> Capabilities:
        """What it can be asked."""
        return self.able if self.says is None else self.says(said)

    def told(self, said: Json) -> str:
        """The server, its version, and its own name for the model, as far as the reply to `sign` says them."""
        told, model = f"{self.name} {self.version(said)}".strip(), self.model(said)
        return f"{told}, with {model}" if model else told


def _paths(said: Json) -> Json:
    """The paths of an OpenAPI description."""
    found = said.get("paths")
    return found if isinstance(found, dict) else {}


def _version(said: Json) -> str:
    """The version in an OpenAPI description."""
    found = said.get("info")
    return str(found.get("version", "")) if isinstance(found, dict) else ""


def _tokens(said: Any) -> Any:
    return said["tokens"]


def _with_flag(text: str, add_special: bool, parse_special: bool) -> Json:
    return {"prompt": text, "add_special_tokens": add_special}


LLAMA_CPP = Server(
    name="llama.cpp's server",
    sign="/props",
    is_it=lambda said: "default_generation_settings" in said or "build_info" in said,
    able=Capabilities(ANY, skip_special=(False,)),
    tokenize="/tokenize",
    encode=lambda text, add, parse: {"content": text, "add_special": add, "parse_special": parse},
    ids=_tokens,
    detokenize="/detokenize",
    text=lambda said: said["content"],
    template="/apply-template",
    version=lambda said: str(said.get("build_info", "")),
    model=lambda said: str(said.get("model_alias") or said.get("model_path") or "").rpartition("/")[2],
)
LLAMA_CPP_PYTHON = Server(
    name="llama-cpp-python's server",
    sign="/openapi.json",
    is_it=lambda said: "/extras/tokenize" in _paths(said),
    able=Capabilities(ANY, add_special=(True,), parse_special=(True,), skip_special=(True,)),
    tokenize="/extras/tokenize",
    encode=lambda text, add, parse: {"input": text},
    ids=_tokens,
    detokenize="/extras/detokenize",
    version=_version,
)
TGI = Server(
    name="text-generation-inference",
    sign="/info",
    is_it=lambda said: "model_id" in said and ("router" in said or "max_concurrent_requests" in said),
    able=Capabilities(ANY, add_special=(True,), parse_special=(True,), decodes=False),
    tokenize="/tokenize",
    encode=lambda text, add, parse: {"inputs": text},
    ids=lambda said: [token["id"] for token in said],
    model=lambda said: str(said["model_id"]),
)
SGLANG = Server(
    name="SGLang",
    sign="/get_model_info",
    is_it=lambda said: "model_path" in said and "is_generation" in said,
    able=Capabilities(ANY, parse_special=(True,)),
    tokenize="/tokenize",
    encode=_with_flag,
    ids=_tokens,
    detokenize="/detokenize",
    decode=lambda ids, skip: {"tokens": ids, "skip_special_tokens": skip},
    model=lambda said: str(said["model_path"]),
)
VLLM = Server(
    name="vLLM",
    sign="/openapi.json",
    is_it=lambda said: {"/tokenize", "/detokenize"} <= set(_paths(said)),
    able=Capabilities(ANY, parse_special=(True,), skip_special=(False,)),
    tokenize="/tokenize",
    encode=_with_flag,
    ids=_tokens,
    detokenize="/detokenize",
    text=lambda said: said["prompt"],
    version=_version,
)

PROTOCOL = Server(
    name="a server of the exec protocol",
    sign="/hello",
    is_it=lambda said: type(said.get("protocol")) is int,
    able=Capabilities(ANY),
    says=lambda said: capabilities_from_json({**checked(said), "invalid_utf8": False}),
    tokenize="/encode",
    encode=lambda text, add, parse: {"texts": [text], "add_special": add, "parse_special": parse},
    ids=lambda said: said["ids"][0],
    detokenize="/decode",
    decode=lambda ids, skip: {"ids": [ids], "skip_special": skip},
    text=lambda said: decoded_of(said["texts"][0]),
    stream="/stream",
    spans="/spans",
    version=lambda said: " ".join(str(said[key]) for key in ("name", "version") if key in said),
)
"""A program of anybody's that answers the requests of the exec protocol, each at the path that is called like it."""

SERVERS = (LLAMA_CPP, TGI, SGLANG, LLAMA_CPP_PYTHON, VLLM, PROTOCOL)
"""In the order in which their signs are looked for. vLLM comes behind others that have its paths as well."""


def found_in(look: Callable[[], Any], path: str, reply: Any) -> Any:
    """What is looked for in a reply; WrongAnswerError where it is not there."""
    try:
        return look()
    except (KeyError, TypeError, IndexError):
        message = f"{path} answered {json.dumps(reply)[:120]}, which does not contain the answer"
        raise WrongAnswerError(message, "see whether the server's version is one that tokparity knows") from None


def read(url: str, path: str, status: int, content: bytes, where: str) -> Any:
    """The JSON of an answer; WrongAnswerError where it is none, with what to do. `where` is what it redirects to."""
    said = content[:200].decode("utf-8", "replace")
    if 300 <= status < 400:
        raise WrongAnswerError(f"{url}{path} redirects to {where!r:.120}", "name that URL, if you trust it")
    if status in (401, 403):
        raise WrongAnswerError(f"{path} asks for a key: {said!r}", "set TOKPARITY_HTTP_KEY")
    if status != 200:
        raise WrongAnswerError(f"{path} answered {status}: {said!r}", "see the server's log")
    try:
        return strict(content)
    except FormatError as error:
        raise WrongAnswerError(f"the answer of {path} cannot be read: {error.message}", NEXT) from None


def why(error: Exception) -> str:
    """What an error says, or of which kind it is."""
    return f"{type(error).__name__}: {error}"[:300] if str(error) else type(error).__name__
