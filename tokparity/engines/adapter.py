"""Makes an engine of whatever a user's module holds: a function, an object that encodes, or a whole engine.

A function `text -> list of ids` is enough. An object or class with `encode(text)` may also have `decode(ids)`. A class
that needs one argument gets the model's path, and so does its `open(path)`. A `stream(ids)` gives one text for each id
that comes, and a last one; it may have a parameter `prefill`, the ids of the prompt. A `spans(text)` gives the ids, and
for each its first character and the one behind its last. A parameter named `add_special`,
`parse_special` or `skip_special` receives that flag. Without `add_special`, the model's own prefix and suffix are
added around its ids. Where it adds them itself, they are taken off if they are not wanted. Without `parse_special`, a
function that gives the ids of special tokens for their texts is not asked for such texts where they are plain text.
Without `skip_special`, special tokens are taken out of the ids before they are decoded. A text is str, or bytes where
the parameter is annotated so. CAPABILITIES and `version` are used where they are there.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tokparity.engines.adapted_model import AdaptedModel, pair, parameters
from tokparity.engines.answers import UnsupportedError, counted, rows_of, text_of
from tokparity.engines.buffers import Ids, Texts
from tokparity.engines.hello import UNVERSIONED, Hello
from tokparity.engines.protocol import ANY, Capabilities, Engine, OpenModel, Options, id_list
from tokparity.engines.specials import Specials, specials
from tokparity.errors import EngineError
from tokparity.outcome import Spanning

_BOTH = (False, True)


@dataclass(frozen=True)
class Adapter:
    """An engine around an object of the user's module; `make` returns the object or function for a model's path."""

    NAME: str
    CAPABILITIES: Capabilities
    said: Any
    make: Callable[[str], Any]

    def version(self) -> str:
        """What it says itself."""
        found = getattr(self.said, "version", getattr(self.said, "__version__", UNVERSIONED))
        return str(found() if callable(found) else found)

    def open(self, path: str, options: Options) -> OpenModel:
        """Make the object, or have the user's engine open the model itself."""
        try:
            made = self.make(path)
            opens = _opens(made)
            if opens:
                given = (path, options) if len(parameters(made.open)) > 1 else (path,)
                opened = made.open(*given)
                made = made if opened is None else opened
        except Exception as error:
            told = f"{type(error).__name__}: {error!s:.1000}; it was given {Path(path).name!r}"
            raise EngineError(told, "if it reads another format, give such a file: --tokenizer-json FILE") from error
        if opens:
            if _takes_batches(made):
                return Flattened(made)
            if _takes_batches(self.said):  # and so was thought to honor all flags
                message = f"engine {self.NAME!r}: its open() returned an object whose encode takes one text only"
                hint = "let that encode take (texts, add_special, parse_special), or give the class itself encode(text)"
                raise EngineError(message, hint)
        around = id_list(options, "prefix_ids"), id_list(options, "suffix_ids")
        declares = isinstance(getattr(self.said, "CAPABILITIES", None), Capabilities)
        hello = Hello(self.CAPABILITIES, self.version())
        return AdaptedModel(made, self.NAME, hello, around, Specials() if declares else specials(path))


def adapted(found: Any, name: str) -> Engine:
    """The engine around `found`; raises EngineError where it is nothing that can encode."""
    make: Callable[[str], Any] = lambda path: found  # noqa: E731
    if isinstance(found, type):
        needed = _required(found)
        if len(needed) > 1 or (needed and _opens(found)):
            message = f"engine {name!r} is a class whose constructor needs {', '.join(needed)}"
            raise EngineError(
                message, "let the constructor need nothing, or only the model's path; or name an object instead"
            )
        if needed:
            make = found
        else:
            found = found()
            make = lambda path: found  # noqa: E731
    if not any((_opens(found), hasattr(found, "encode"), callable(found))):
        message = f"engine {name!r} is {type(found).__name__} {found!r:.60}, which cannot be called"
        raise EngineError(message, "name a function text -> list of ids, or an object with encode(text)")
    return Adapter(name, _capabilities(found), found, make)


def _capabilities(found: Any) -> Capabilities:
    """What it says itself, else what its parameters show."""
    said = getattr(found, "CAPABILITIES", None)
    if isinstance(said, Capabilities):
        return said
    if _opens(found) and _takes_batches(found):
        return Capabilities(ANY)
    encode, decode = getattr(found, "encode", found), getattr(found, "decode", None)
    wants, undoes = parameters(encode), parameters(decode)
    return Capabilities(
        ANY,
        invalid_utf8=_takes_bytes(wants),
        parse_special=_BOTH if "parse_special" in wants else (False,),
        decodes=decode is not None,
        skip_special=_BOTH if "skip_special" in undoes else (True,),
        streams=callable(getattr(found, "stream", None)),
        spans=callable(getattr(found, "spans", None)),
    )


def _opens(found: Any) -> bool:
    """Whether it opens a model; something else may be called so."""
    return callable(getattr(found, "open", None))


def _takes_batches(found: Any) -> bool:
    """Whether what can be opened encodes many texts in one call, with all flags, as an `OpenModel` does."""
    if not hasattr(found, "encode"):
        return True
    taken = [p for p in parameters(found.encode).values() if p.name != "self"]
    if not taken or any(p.kind is p.VAR_POSITIONAL for p in taken):
        return True
    first = taken[0]
    is_one = first.name == "text" or first.annotation in (str, bytes, "str", "bytes")
    return not is_one and len(taken) > 2


def _required(kind: type) -> list[str]:
    taken = parameters(kind).values()
    return [p.name for p in taken if p.default is p.empty and p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]


def _takes_bytes(parameters: Mapping[str, inspect.Parameter]) -> bool:
    first = next((p for p in parameters.values() if p.name != "self"), None)
    return first is not None and first.annotation in (bytes, "bytes")


class Flattened:
    """A model of a user's engine, which may answer with lists instead of flat buffers."""

    def __init__(self, model: Any) -> None:
        self._model = model

    def encode(self, texts: Texts, add_special: bool, parse_special: bool) -> Ids:
        """Its `encode`."""
        given = self._asked("encode")(texts, add_special, parse_special)
        if isinstance(given, Ids):
            return given
        return rows_of(counted(given, len(texts), "encode", "list of ids"), "encode")

    def decode(self, ids: Ids, skip_special: bool) -> Texts:
        """Its `decode`."""
        given = self._model.decode(ids, skip_special)
        if isinstance(given, Texts):
            return given
        return Texts.from_list([text_of(text, "decode") for text in counted(given, len(ids), "decode", "text")])

    def stream(self, prefill: Sequence[int], ids: Sequence[int], skip_special: bool) -> Iterator[bytes]:
        """Its `stream`."""
        return (text_of(delta, "stream") for delta in self._model.stream(prefill, ids, skip_special))

    def spans(self, text: str, add_special: bool, parse_special: bool) -> Spanning:
        """Its `spans`."""
        given = self._model.spans(text, add_special, parse_special)
        return given if isinstance(given, Spanning) else pair(given)

    def render(self, questions: Texts) -> Texts:
        """Its `render`."""
        given: Texts = self._asked("render")(questions)
        return given

    def _asked(self, name: str) -> Any:
        """A method of its model; UnsupportedError where it has none."""
        found = getattr(self._model, name, None)
        if found is None:
            raise UnsupportedError(f"it has no `{name}`")
        return found
