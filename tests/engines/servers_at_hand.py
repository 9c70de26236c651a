"""Servers for tests, in threads of this process: each answers in the recorded shape of a real one."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Reply = tuple[int, Any] | bytes
Answers = Mapping[str, Callable[[dict[str, Any]], Reply]]


def ids_of(text: str) -> list[int]:
    """One id for each byte."""
    return list(text.encode())


def text_of(ids: list[int]) -> str:
    """The text of such ids."""
    return bytes(ids).decode("utf-8", "replace")


def with_bos(text: str, add: bool) -> list[int]:
    """The ids with a 1 before them where special tokens are added."""
    return [1, *ids_of(text)] if add else ids_of(text)


PATHS = {"/tokenize": {}, "/detokenize": {}}

SHAPES: Mapping[str, Answers] = {
    "llama.cpp's server b8681": {
        "/props": lambda said: (200, {"default_generation_settings": {"n_ctx": 512}, "build_info": "b8681"}),
        "/tokenize": lambda said: (200, {"tokens": with_bos(said["content"], said["add_special"])}),
        "/detokenize": lambda said: (200, {"content": text_of(said["tokens"])}),
    },
    "vLLM 0.10.0": {
        "/openapi.json": lambda said: (200, {"info": {"title": "FastAPI", "version": "0.10.0"}, "paths": PATHS}),
        "/tokenize": lambda said: (
            200,
            {"count": 1, "max_model_len": 8192, "tokens": with_bos(said["prompt"], said["add_special_tokens"])},
        ),
        "/detokenize": lambda said: (200, {"prompt": text_of(said["tokens"])}),
    },
    "SGLang": {
        "/get_model_info": lambda said: (200, {"model_path": "a/b", "tokenizer_path": "a/b", "is_generation": True}),
        "/openapi.json": lambda said: (200, {"paths": PATHS}),
        "/tokenize": lambda said: (
            200,
            {"tokens": with_bos(said["prompt"], said["add_special_tokens"]), "count": 1, "max_model_len": 8192},
        ),
        "/detokenize": lambda said: (200, {"text": text_of(said["tokens"])}),
    },
    "text-generation-inference 3.3.4": {
        "/info": lambda said: (200, {"model_id": "a/b", "router": "text-generation-router", "version": "3.3.4"}),
        "/tokenize": lambda said: (
            200,
            [{"id": i, "text": chr(i), "start": 0, "stop": 1} for i in with_bos(said["inputs"], True)],
        ),
    },
    "llama-cpp-python's server 0.3.36": {
        "/openapi.json": lambda said: (
            200,
            {"info": {"version": "0.3.36"}, "paths": {"/extras/tokenize": {}, "/extras/detokenize": {}}},
        ),
        "/extras/tokenize": lambda said: (200, {"tokens": with_bos(said["input"], True)}),
        "/extras/detokenize": lambda said: (200, {"text": text_of(said["tokens"])}),
    },
}
"""What a server says that it is, and what it answers."""


@contextmanager
def trickling(pause: float) -> Iterator[str]:
    """A server that sends spaces, one by one, until nobody reads them; its URL."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.end_headers()
            with suppress(OSError):
                while True:
                    self.wfile.write(b" ")
                    time.sleep(pause)

        def log_message(self, format: str, *args: object) -> None:
            """Nothing is told."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()


@contextmanager
def served(
    answers: Answers, is_down: Callable[[list[str]], bool] = lambda asked: False
) -> Iterator[tuple[str, list[str]]]:
    """A server with these answers; its URL, and the paths that it was asked. While it `is_down` it hangs up."""
    asked: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            self._answer({})

        def do_POST(self) -> None:
            self._answer(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))

        def log_message(self, format: str, *args: object) -> None:
            """Nothing is told."""

        def _answer(self, said: dict[str, Any]) -> None:
            asked.append(self.path)
            if is_down(asked):
                self.close_connection = True
                return
            found = answers.get(self.path, lambda said: (404, {"error": "not found"}))(said)
            status, body = (200, found) if isinstance(found, bytes) else (found[0], json.dumps(found[1]).encode())
            self.send_response(status)
            if 300 <= status < 400:
                self.send_header("Location", str(found[1]))
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}", asked
    finally:
        server.shutdown()
        server.server_close()


def wait_until(holds: Callable[[], bool], seconds: float = 60.0) -> None:
    """Return as soon as it holds; TimeoutError if it never does."""
    deadline = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > deadline:
            raise TimeoutError(f"it did not happen within {seconds:g} s")
        time.sleep(0.05)
