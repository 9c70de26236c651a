"""An engine in an environment of its own, behind the exec protocol (docs/engines-exec.md): worker.py ENGINE.

The environment's Python, 3.8 or later, runs this file and the adapters, one for each engine. They import only the
standard library and the engine's library. What is asked of a library depends on what the library has, not on its
version number.
"""

from __future__ import annotations

import base64
import json
import os
import runpy
import sys
from typing import Any


def to_bytes(text: Any) -> bytes:
    """The bytes of a text as it travels."""
    return base64.b64decode(text["base64"]) if isinstance(text, dict) else text.encode("utf-8", "surrogatepass")


def to_json(text: Any) -> Any:
    """A decoded text as it travels."""
    if isinstance(text, str):
        text = text.encode("utf-8", "surrogatepass")
    try:
        return text.decode("utf-8")
    except UnicodeDecodeError:
        return {"base64": base64.b64encode(text).decode("ascii")}


def run_beside(name: str) -> dict[str, Any]:
    """What a file beside this one defines; no package is there to import it from."""
    return runpy.run_path(os.path.join(os.path.dirname(os.path.abspath(__file__)), name))


class Opened:
    """A model that an adapter has opened, which takes texts as str, or as bytes where it says `invalid_utf8`."""

    def __init__(self, engine: str, request: dict[str, Any]) -> None:
        self.model = adapter(engine)["Model"](request["path"], request["options"], request["format"])
        self.capabilities = {"invalid_utf8": False, "decodes": True, "skip_special": [False, True]}
        self.capabilities.update(self.model.capabilities())
        self.shut = run_beside("shut.py")["shut"] if getattr(self.model, "SHUTS", True) else lambda: None

    def encode(self, texts: list[bytes], add_special: bool, parse_special: bool) -> Any:
        """The ids of each text."""
        given = texts if self.capabilities["invalid_utf8"] else [text.decode("utf-8") for text in texts]
        return self.model.encode(given, add_special, parse_special)

    def render(self, questions: list[dict[str, Any]]) -> list[dict[str, str]]:
        """A prompt for each, or why there is none; from now on this process opens nothing."""
        self.shut()
        return [self.rendered(question) for question in questions]

    def rendered(self, question: dict[str, Any]) -> dict[str, str]:
        """What the adapter answers; what it raises is an answer too."""
        try:
            return dict(self.model.render(question))
        except Exception as error:  # whatever a library makes of a template
            return {"error": f"{type(error).__name__}: {error}"[:2000]}


GRACE = 2.0
"""Seconds within which a copy that has closed its pipes ends by itself."""

LIBRARIES = {
    "transformers": ("transformers", "tokenizers"),
    "llama.cpp": ("llama-cpp-python",),
    "xllamacpp-server": ("xllamacpp",),
}
"""The distributions behind an engine that is not called like its only one."""


def version(engine: str) -> str:
    """The versions of the libraries behind an engine, and that of Python."""
    from importlib import metadata

    known = [f"{library} {metadata.version(library)}" for library in LIBRARIES.get(engine, (engine,))]
    return f"{', '.join(known)} (Python {python_version(engine)})"


def python_version(engine: str) -> str:
    """That of this very Python, whatever the engine."""
    return "{}.{}.{}".format(*sys.version_info[:3])


def imported(engine: str) -> str:
    """The version of an engine's library, which is imported first."""
    from importlib import import_module, metadata

    beside = adapter(engine)
    if "opened_library" in beside:
        beside["opened_library"]()
    else:
        import_module(beside.get("MODULE", engine.replace("-", "_")))
    return metadata.version(LIBRARIES.get(engine, (engine,))[0])


def adapter(engine: str) -> dict[str, Any]:
    """What the adapter of an engine defines."""
    name = "xllamacpp" if engine == "llama.cpp" else engine.replace("-", "_")
    return run_beside(os.path.join("adapters", f"{name}.py"))


def answer(engine: str, model: Any, request: dict[str, Any]) -> tuple[dict[str, Any], Any]:
    """The reply to one request, and the model that is open then."""
    op = request["op"]
    if op == "hello":
        return {"protocol": 1, "version": version(engine)}, model
    if op == "open":
        model = Opened(engine, request)
        return {"capabilities": model.capabilities}, model
    if op == "encode":
        texts = [to_bytes(text) for text in request["texts"]]
        rows = model.encode(texts, request["add_special"], request["parse_special"])
        return {"ids": [row if isinstance(row, list) else [int(i) for i in row] for row in rows]}, model
    if op == "decode":
        return {"texts": [to_json(text) for text in model.model.decode(request["ids"], request["skip_special"])]}, model
    if op == "stream":
        pairs = zip(request["prefill"], request["ids"])  # noqa: B905 - Python 3.8 has no strict
        deltas = [[to_json(d) for d in model.model.stream(*pair, request["skip_special"])] for pair in pairs]
        return {"deltas": deltas}, model
    if op == "render":
        return {"prompts": model.render(request["questions"])}, model
    if op == "spans":
        flags = request["add_special"], request["parse_special"]
        given = [model.model.spans(to_bytes(text).decode("utf-8"), *flags) for text in request["texts"]]
        return {
            "ids": [[int(i) for i in ids] for ids, _ in given],
            "spans": [list(map(list, s)) for _, s in given],
        }, model
    if op == "save":  # no adapter is asked this: the loader's table is
        model.model.save(request["path"])
        return {}, model
    return {"error": f"unknown op {op!r}"}, model


def serve(engine: str, model: Any, into: Any, out: Any, forks: Any = None) -> None:
    """Answer until there are no more lines or bye is said; `forks` answer what a copy of this process is asked."""
    for line in into:
        request = json.loads(line.decode("utf-8", "surrogatepass"))
        copy = request.get("copy") if forks else None
        if copy is None and request["op"] == "bye":
            break
        if copy is None:
            reply, model = tried(engine, model, request)
        elif request["op"] == "bye":
            reply = {"ended": forks.end(copy)}
        else:
            told = forks.reply(copy, line, lambda into, out, model=model: serve(engine, model, into, out))
            reply = json.loads(told) if told else {"ended": forks.end(copy, GRACE)}
        reply["id"] = request["id"]
        out.write(json.dumps(reply, separators=(",", ":")) + "\n")
        out.flush()


def tried(engine: str, model: Any, request: dict[str, Any]) -> tuple[dict[str, Any], Any]:
    """As `answer`; what is raised is a reply too."""
    try:
        return answer(engine, model, request)
    except BaseException as error:  # a Rust panic is a BaseException
        return {"error": f"{type(error).__name__}: {error}"[:2000]}, model


def main(engine: str) -> None:
    """Answer requests from stdin; what a library prints goes to stderr."""
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    serve(engine, None, sys.stdin.buffer, out, run_beside("forks.py")["Forks"]())


if __name__ == "__main__":
    main(sys.argv[1])
