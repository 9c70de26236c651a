"""A server's tokenize and detokenize as an engine: `http:URL`, asked what it is (see `servers`).

Only that URL is ever asked: what redirects elsewhere is an error, and a proxy is used only where TOKPARITY_HTTP_PROXY
names one. TOKPARITY_HTTP_KEY is sent as a bearer token. Which model the server has open is its own affair; it is to be
the one that it is compared with. A server that always recognizes special tokens is asked only for texts that spell
none, where it makes no difference.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, replace
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import urlsplit

from tokparity.engines.answers import AwayError, WrongAnswerError, rows_of, text_of
from tokparity.engines.buffers import Ids, Texts
from tokparity.engines.hello import UNVERSIONED, Hello
from tokparity.engines.prompting import prompt_of
from tokparity.engines.protocol import ANY, Capabilities, Options
from tokparity.engines.reply import deltas_of, spans_of
from tokparity.engines.servers import NEXT, SERVERS, Server, found_in, read, why
from tokparity.engines.spans import spanning
from tokparity.engines.specials import refuse_spelled, spelled
from tokparity.errors import EngineError, MissingDependencyError, UsageError

if TYPE_CHECKING:
    import httpx

    from tokparity.engines.engine_name import EngineName
    from tokparity.outcome import Spanning

Item = TypeVar("Item")

_CONNECT, _ANSWER = 3.0, 15.0
"""Seconds for a connection, and for the next bytes of an answer."""
_WHOLE = 60.0
"""Seconds for all of an answer, whose bytes may come one a second."""
_AT_A_TIME = 4
_ATTEMPTS, _PAUSE = 3, 0.1
_BUSY = (429, 502, 503, 504)
_MOST = 64 << 20
"""Bytes of one answer."""


ANYTHING = Capabilities(ANY)
"""What a server can be asked as long as it has not said what it is."""


@dataclass(frozen=True)
class Endpoint:
    """An engine that is a server; its capabilities are known when it has said which server it is."""

    NAME: str
    url: str
    CAPABILITIES: Capabilities = ANYTHING

    def version(self) -> str:
        """It is told on opening."""
        return UNVERSIONED

    def open(self, path: str, options: Options) -> EndpointModel:
        """Ask the server what it is; the path is not sent, for the server has a model open."""
        model = EndpointModel(self.NAME, self.url, spelled(path))
        model.recognise()
        return model


def endpoint(name: EngineName) -> Endpoint:
    """The engine of that name; UsageError where the URL is none, MissingDependencyError without httpx."""
    try:
        parts = urlsplit(name.url)
        is_url = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:  # brackets that do not close, a port that is not a number
        is_url = False
    if not is_url:
        raise UsageError(f"engine {str(name)!r} names no URL", "write http:URL, such as http://127.0.0.1:8080")
    if parts.username or parts.password or parts.query or parts.fragment:
        message = f"the URL of the engine at {parts.hostname!r} has a user, a query or a fragment"
        raise UsageError(message, "give the server's address alone; a key goes into TOKPARITY_HTTP_KEY")
    if find_spec("httpx") is None:
        message = f"engine {str(name)!r} needs httpx, which is not installed"
        raise MissingDependencyError(message, "install it: pip install 'tokparity[http]'")
    return Endpoint(str(name), name.url.rstrip("/"))


class EndpointModel:
    """The model that a server has open. Connections are those of this very process, made when they are needed."""

    def __init__(self, name: str, url: str, specials: frozenset[str] = frozenset()) -> None:
        self._name, self._url, self._specials = name, url, specials
        self._server: Server = SERVERS[0]
        self._clients: dict[int, httpx.Client] = {}
        self._away, self._is_known = threading.Event(), False
        self.hello = Hello(ANYTHING)

    def recognise(self) -> None:
        """Find out what the server is; EngineError where it cannot be reached or is none that is known."""
        said: dict[str, Any] = {}
        try:
            for server in SERVERS:
                if server.sign not in said:
                    said[server.sign] = self._asked("GET", server.sign, None, (404, 405, 501))
                reply = said[server.sign]
                if isinstance(reply, dict) and server.is_it(reply):
                    able = server.can(reply)
                    self._server, self._is_known = replace(server, able=able), True
                    able = replace(able, parse_special=(False, True)) if self._specials else able
                    self.hello = Hello(able, server.told(reply))
                    return
        except WrongAnswerError as error:
            raise EngineError(f"engine {self._name!r}: {error.message}", error.hint) from error
        finally:
            self._close()
        message = f"engine {self._name!r}: {self._url} is not a server that tokparity knows"
        raise EngineError(message, f"it knows {', '.join(server.name for server in SERVERS)}")

    def encode(self, texts: Texts, add_special: bool, parse_special: bool) -> Ids:
        """One request for each text, a few at a time."""
        server, given = self._server, texts.to_strs()
        self._away.clear()
        if parse_special not in server.able.parse_special:
            refuse_spelled(given, self._specials, server.name)

        def one(text: str) -> Any:
            reply = self._asked("POST", server.tokenize, dict(server.encode(text, add_special, parse_special)))
            return found_in(lambda: server.ids(reply), server.tokenize, reply)

        rows = rows_of(self._each(one, given), f"{server.name}'s {server.tokenize}")
        if len(rows.data) and int(rows.data.min()) < 0:
            raise WrongAnswerError(f"{server.tokenize} gave id {int(rows.data.min())}", "let it return no id below 0")
        return rows

    def decode(self, ids: Ids, skip_special: bool) -> Texts:
        """One request for each row, a few at a time."""
        server = self._server
        self._away.clear()

        def one(row: list[int]) -> bytes:
            reply = self._asked("POST", server.detokenize, dict(server.decode(row, skip_special)))
            return text_of(found_in(lambda: server.text(reply), server.detokenize, reply), server.detokenize)

        return Texts.from_list(self._each(one, ids.to_list()))

    def stream(self, prefill: Sequence[int], ids: Sequence[int], skip_special: bool) -> Iterator[bytes]:
        """One request, which has all ids."""
        body = {"prefill": [[*prefill]], "ids": [[*ids]], "skip_special": skip_special}
        self._away.clear()
        reply = self._asked("POST", self._server.stream, body)
        return deltas_of(found_in(lambda: reply["deltas"][0], self._server.stream, reply))

    def spans(self, text: str, add_special: bool, parse_special: bool) -> Spanning:
        """One request; the reply has the ids and their spans."""
        server = self._server
        self._away.clear()
        reply = self._asked("POST", server.spans, dict(server.encode(text, add_special, parse_special)))
        ids, spans = found_in(lambda: (server.ids(reply), reply["spans"][0]), server.spans, reply)
        return spanning(rows_of([ids], server.spans).to_list()[0], spans_of(spans))

    def render(self, questions: Texts) -> Texts:
        """One request for each conversation; the template is the server's own."""
        self._away.clear()
        return Texts.from_list([prompt_of(self._server, question, self._asked) for question in questions.to_list()])

    @staticmethod
    def _each(one: Callable[[Item], Any], items: Sequence[Item]) -> list[Any]:
        if len(items) < 2:
            return [one(item) for item in items]
        with ThreadPoolExecutor(_AT_A_TIME) as pool:
            return list(pool.map(one, items))

    def _asked(self, method: str, path: str, body: Any, absent: Sequence[int] = ()) -> Any:
        """The JSON that a path answers; None where its status is among `absent`. AwayError where the server is away."""
        import httpx

        for attempt in range(1, _ATTEMPTS + 1):
            if self._away.is_set():  # as another text of the same batch has found
                raise AwayError(f"the server at {self._url} no longer answers")
            try:
                status, content, where = self._exchanged(method, path, body)
            except httpx.HTTPError as error:
                if attempt == _ATTEMPTS:
                    self._demand_there(why(error))
                    raise WrongAnswerError(f"{self._url}{path} did not answer: {why(error)}", NEXT) from error
            else:
                if status not in _BUSY or attempt == _ATTEMPTS:
                    if status in _BUSY:
                        self._demand_there(f"it answered {status}")
                    return None if status in absent else read(self._url, path, status, content, where)
            time.sleep(_PAUSE * 4 ** (attempt - 1))
        raise AssertionError("the last attempt returns or raises")

    def _demand_there(self, why: str) -> None:
        """Raise AwayError where a server that was recognized does not even say what it is: no text is to blame."""
        import httpx

        if not self._is_known:
            return
        with suppress(httpx.HTTPError):
            if self._exchanged("GET", self._server.sign, None)[0] not in _BUSY:
                return
        self._away.set()
        raise AwayError(f"the server at {self._url} no longer answers: {why}")

    def _exchanged(self, method: str, path: str, body: Any) -> tuple[int, bytes, str]:
        """Status, content and the place that a redirection names."""
        content = bytearray()
        until = time.monotonic() + _WHOLE
        with self._client().stream(method, f"{self._url}{path}", json=body) as response:
            for chunk in response.iter_bytes():
                content += chunk
                if len(content) > _MOST:
                    raise WrongAnswerError(f"{path} answered more than {_MOST >> 20} MiB", "ask for shorter texts")
                if time.monotonic() > until:
                    message = f"{path} sent {len(content)} bytes in {_WHOLE:.0f} s, and no end"
                    raise WrongAnswerError(message, "look in the server's log for what holds it up")
            return response.status_code, bytes(content), response.headers.get("location", "")

    def _client(self) -> httpx.Client:
        """The client of this process: a connection cannot be shared with a parent."""
        import httpx

        if os.getpid() not in self._clients:
            key = os.environ.get("TOKPARITY_HTTP_KEY")
            self._clients[os.getpid()] = httpx.Client(
                timeout=httpx.Timeout(_ANSWER, connect=_CONNECT),
                limits=httpx.Limits(max_connections=_AT_A_TIME),
                headers={"Authorization": f"Bearer {key}"} if key else {},
                proxy=os.environ.get("TOKPARITY_HTTP_PROXY") or None,
                follow_redirects=False,
                trust_env=False,
            )
        return self._clients[os.getpid()]

    def _close(self) -> None:
        """End the connections before this process is forked."""
        for client in self._clients.values():
            client.close()
        self._clients.clear()
