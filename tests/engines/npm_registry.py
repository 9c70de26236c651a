"""A registry of npm on this machine: one package in several versions, as large as it says or not."""

from __future__ import annotations

import hashlib
import io
import json
import tarfile
from base64 import b64encode
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread


@contextmanager
def registry(name: str, versions: Mapping[str, int | None], files: Mapping[str, str]) -> Iterator[str]:
    """The address of a registry with these versions of a package, each with the size that it says."""
    bodies: dict[str, bytes] = {}

    class Handler(BaseHTTPRequestHandler):
        """Answers with what there is."""

        def do_GET(self) -> None:
            """The list of versions, or an archive."""
            body = bodies.get(self.path.partition("?")[0])
            self.send_response(200 if body else 404)
            self.send_header("Content-Length", str(len(body or b"")))
            self.end_headers()
            self.wfile.write(body or b"")

        def log_message(self, format: str, *args: object) -> None:
            """Nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        address = f"http://127.0.0.1:{server.server_port}/"
        packages = {}
        for version, size in versions.items():
            manifest = {"name": name, "version": version, "scripts": {"postinstall": "touch ran"}}
            archive = _archive({**files, "package.json": json.dumps(manifest)})
            bodies[f"/{name}-{version}.tgz"] = archive
            integrity = f"sha512-{b64encode(hashlib.sha512(archive).digest()).decode()}"
            dist = {"tarball": f"{address}{name}-{version}.tgz", "integrity": integrity, "unpackedSize": size}
            packages[version] = {**manifest, "hasInstallScript": True, "dist": dist}
        listing = {"name": name, "dist-tags": {"latest": list(versions)[-1]}, "versions": packages}
        bodies[f"/{name}"] = json.dumps(listing).encode()
        Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield address
        finally:
            server.shutdown()


def _archive(files: Mapping[str, str]) -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:gz") as archive:
        for path, text in files.items():
            entry = tarfile.TarInfo(f"package/{path}")
            entry.size = len(text.encode())
            archive.addfile(entry, io.BytesIO(text.encode()))
    return buffer.getvalue()
