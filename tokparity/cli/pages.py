"""The server behind `tokparity serve`: it serves one folder to browsers on this machine only."""

from __future__ import annotations

import sys
from functools import partial
from http import HTTPStatus
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from stat import S_ISDIR, S_ISREG
from typing import IO, Any, cast

from tokparity.cli.console import complain
from tokparity.errors import UsageError

INDEX = "index.html"
LOOPBACK = "127.0.0.1"
_TEXT = {name: f"{kind}; charset=utf-8" for name, kind in (
    (".html", "text/html"), (".atom", "application/atom+xml"), (".csv", "text/csv"), (".jsonl", "application/jsonl"),
    (".md", "text/plain"))}  # fmt: skip


def server(root: Path, port: int) -> Server:
    """One for a folder; port 0 takes any that is free."""
    try:
        return Server((LOOPBACK, port), partial(Pages, directory=str(root)))
    except (OSError, OverflowError) as error:
        raise UsageError(f"cannot answer at port {port}: {error}", "leave --port out for one that is free") from error


class Server(ThreadingHTTPServer):
    """One that says in a line what went wrong with a request, and nothing of who hung up."""

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Called where the error was caught."""
        error = sys.exc_info()[1]
        if not isinstance(error, ConnectionError):
            complain(f"a request was not answered: {error!r}")


class Pages(SimpleHTTPRequestHandler):
    """Serves the files below one folder to requests that name this machine."""

    extensions_map = SimpleHTTPRequestHandler.extensions_map | _TEXT

    def send_head(self) -> Any:
        """Send the file; send an error if the request names another host (a foreign page pointed its name to us) or no
        file of ours."""
        port = cast(Server, self.server).server_port
        if self.headers.get("Host", "") not in (f"{LOOPBACK}:{port}", f"localhost:{port}"):
            self.send_error(HTTPStatus.MISDIRECTED_REQUEST)
        elif not self.translate_path(self.path):
            self.send_error(HTTPStatus.NOT_FOUND)
        else:
            return super().send_head()
        return None

    def translate_path(self, path: str) -> str:
        """Where the links of a path end, if that is a plain file or a folder below ours; else nothing."""
        named = super().translate_path(path)
        of_folder = named.endswith("/")  # without it the browser is sent to the name that has it
        try:
            found = Path(named, INDEX if of_folder else "").resolve(strict=True)
            mode = found.stat().st_mode
        except (OSError, RuntimeError, ValueError):  # nothing is there, links in a circle, a NUL
            return ""
        known = S_ISREG(mode) or (S_ISDIR(mode) and not of_folder)
        return str(found) if known and found.is_relative_to(Path(self.directory).resolve()) else ""

    def list_directory(self, path: Any) -> IO[bytes] | None:  # type: ignore[override]
        """No list: who looks for a page finds it from the index."""
        self.send_error(HTTPStatus.NOT_FOUND)
        return None

    def end_headers(self) -> None:
        """Tell browsers not to guess the type of a file from its content, and not to cache it."""
        self.send_header("X-Content-Type-Options", "nosniff")
        self.send_header("Cache-Control", "no-store")
        super().end_headers()

    def log_message(self, format: str, *args: Any) -> None:
        """Log nothing: a requested path may hold anything, and is private."""
