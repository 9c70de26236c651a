"""A server of this machine that remembers what it was asked for: no file may make anybody ask it."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any


class Listening:
    """A server of this machine, and what it was asked for."""

    def __init__(self, port: int, asked: list[str]) -> None:
        self.url = f"http://127.0.0.1:{port}"
        self.asked = asked


@contextmanager
def listening() -> Iterator[Listening]:
    """A server that answers everything, and remembers it."""
    asked: list[str] = []

    class Answers(BaseHTTPRequestHandler):
        """Answers with nothing."""

        def do_GET(self) -> None:
            """Remember what was asked."""
            asked.append(self.path)
            self.send_response(200)
            self.end_headers()

        do_HEAD = do_POST = do_GET

        def log_message(self, format: str, *args: Any) -> None:
            """Nothing."""

    with HTTPServer(("127.0.0.1", 0), Answers) as server:
        answering = threading.Thread(target=server.serve_forever, daemon=True)
        answering.start()
        try:
            yield Listening(server.server_port, asked)
        finally:
            server.shutdown()
            answering.join()
