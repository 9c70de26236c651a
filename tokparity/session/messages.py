"""Messages between two processes of this program on a socket: pickled values, each after its length."""

from __future__ import annotations

import os
import pickle
import socket
import struct
from typing import Any

from tokparity.errors import TokparityError

_LENGTH = struct.Struct("<Q")
_CHUNK = 1 << 20


SentError = tuple[type[Exception], tuple[Any, ...], int | None]
"""What an error was made of, and the number of the system's error that was its cause."""


class GoneError(Exception):
    """An error that says that the process at the other end is gone.

    It is no ConnectionError, because a closed pipe of this command's reader is one, too.
    """


def send(control: socket.socket, message: object) -> None:
    """Send a value; raises ConnectionError where nobody is there."""
    data = pickle.dumps(message)
    control.sendall(_LENGTH.pack(len(data)) + data)


def receive(control: socket.socket) -> Any:
    """The next value; raises GoneError where there will be none."""
    (length,) = _LENGTH.unpack(_exactly(control, _LENGTH.size))
    return pickle.loads(_exactly(control, length))


def error_sent(error: TokparityError | OSError) -> SentError:
    """An error so that it can be raised again by another process: causes and notes that hold anything stay here."""
    if isinstance(error, OSError):
        return OSError, (error.errno, error.strerror, error.filename), None
    cause = error.__cause__
    return type(error), (error.message, error.hint), cause.errno if isinstance(cause, OSError) else None


def error_received(sent: SentError) -> Exception:
    """The error that was sent."""
    kind, made_of, number = sent
    error = kind(*made_of)
    error.__cause__ = None if number is None else OSError(number, os.strerror(number))
    return error


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
