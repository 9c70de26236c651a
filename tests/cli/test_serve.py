"""`serve`: this machine's browser sees the folder, nobody else sees anything, and Ctrl-C ends it."""

from __future__ import annotations

import http.client
import os
import re
import signal
import socket
import struct
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tokparity.cli import main


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A folder with a page, a feed, a folder without a page, and a link that leads out."""
    (tmp_path / "secret").write_text("secret")
    root = tmp_path / "site"
    (root / "empty").mkdir(parents=True)
    (root / "index.html").write_text("<p>here")
    (root / "feed.atom").write_text("<feed/>")
    (root / "out").symlink_to(tmp_path / "secret")
    for name, end in (("leads", tmp_path / "secret"), ("circle", root / "circle" / "index.html"), ("back", root)):
        (root / name).mkdir()
        (root / name / "index.html").symlink_to(end)
    (root / "round").symlink_to(root / "round")
    (root / "within").symlink_to(root / "index.html")
    (root / "folder").symlink_to(tmp_path)
    (root / "pipes").mkdir()
    for pipe in ("pipe", "pipes/index.html"):
        os.mkfifo(root / pipe)
    (root / "zero").symlink_to("/dev/zero")
    return root


@pytest.fixture
def served(site: Path) -> Iterator[tuple[subprocess.Popen[str], int]]:
    """The command, and its port."""
    command = [sys.executable, "-m", "tokparity", "serve", str(site)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        address = re.match(r"http://127\.0\.0\.1:(\d+)/", process.stdout.readline())
        assert address is not None
        yield process, int(address[1])
        process.kill()


def asked(port: int, path: str, host: str = "", method: str = "GET") -> tuple[int, str, bytes]:
    """Status, content type and body of an answer."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    connection.request(method, path, headers={"Host": host} if host else {})
    answer = connection.getresponse()
    body = answer.read()
    connection.close()
    return answer.status, answer.getheader("Content-Type", ""), body


def test_it_answers_and_ends(served: tuple[subprocess.Popen[str], int]) -> None:
    """The page and the feed with their types; after Ctrl-C 130, and nothing on standard error."""
    process, port = served
    assert (200, "text/html; charset=utf-8", b"<p>here") == asked(port, "/")
    assert (200, "application/atom+xml; charset=utf-8") == asked(port, "/feed.atom")[:2]
    process.send_signal(signal.SIGINT)
    assert (130, "") == (process.wait(30), process.stderr.read() if process.stderr else "")


def test_nobody_else_sees_anything(served: tuple[subprocess.Popen[str], int]) -> None:
    """No other name of ours, no link out of the folder, no list of files, no other method."""
    process, port = served
    assert 421 == asked(port, "/", host="evil.example")[0]
    assert 200 == asked(port, "/", host=f"localhost:{port}")[0]
    for path in ("/out", "/../secret", "/%2e%2e/secret", "/empty/", "/nowhere", "/%00"):
        status, _, body = asked(port, path)
        assert (404, False) == (status, body == b"secret")
    assert 501 == asked(port, "/", method="POST")[0]
    with socket.create_connection(("127.0.0.1", port)) as gone:  # reset in the middle of its request
        gone.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        gone.sendall(b"GET / HTTP/1.1\r\n")
    assert 200 == asked(port, "/")[0]
    process.terminate()
    assert (143, "") == (process.wait(30), process.stderr.read() if process.stderr else "")


def test_only_plain_files_of_the_folder_are_served(served: tuple[subprocess.Popen[str], int]) -> None:
    """Links that lead out, also of a folder's page, links in a circle, pipes and devices: 404, and nothing waits."""
    process, port = served
    assert (200, b"<p>here") == asked(port, "/within")[::2]
    assert 301 == asked(port, "/empty")[0]
    paths = ("/leads/", "/leads/index.html", "/circle/", "/round", "/round/", "/back/", "/pipe", "/pipes/", "/zero")
    for path in (*paths, "/folder/secret", "/folder", "/index.html/", "/" + "a" * 5000, "/" + "a/" * 5000):
        status, _, body = asked(port, path)
        assert (404, False) == (status, b"secret" in body), path
    process.terminate()
    assert (143, "") == (process.wait(30), process.stderr.read() if process.stderr else "")


def test_what_cannot_be_shown(tmp_path: Path, site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A folder without a page, two folders, a port that is none."""
    for words, why in (
        ([str(tmp_path)], "there is no index.html"),
        ([str(site), str(site)], "serve takes one folder, found 2"),
        ([str(site), "--port", "99999"], "cannot answer at port 99999"),
    ):
        assert 2 == main(["serve", *words])
        assert why in capsys.readouterr().err
