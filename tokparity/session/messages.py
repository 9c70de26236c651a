"""Messages between two processes of this program, on a socket: pickled values, each behind its length."""

from __future__ import annotations

import pickle
import socket
import struct
from typing import Any

_LENGTH = struct.Struct("<Q")
_CHUNK = 1 << 20


class GoneError(Exception):
    """The process at the other end is gone. No ConnectionError: a closed pipe of whoever listens is one too."""


def send(control: socket.socket, message: object) -> None:
    """Send a value; raises ConnectionError where nobody is there."""
    data = pickle.dumps(message)
    control.sendall(_LENGTH.pack(len(data)) + data)


def receive(control: socket.socket) -> Any:
    """The next value; raises GoneError where there will be none."""
    (length,) = _LENGTH.unpack(_exactly(control, _LENGTH.size))
    return pickle.loads(_exactly(control, length))


def _exactly(control: socket.socket, size: int) -> bytes:
    data = bytearray()
    while len(data) < size:
        try:
            more = control.recv(min(size - len(data), _CHUNK))
        except ConnectionError:
            raise GoneError from None
        if not more:
            raise GoneError
        data += more
    return bytes(data)
