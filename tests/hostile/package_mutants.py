"""Mutators of packages: members that lead elsewhere, lie about their size or are links; bytes inside the packing."""

from __future__ import annotations

import gzip
import io
import tarfile
import zipfile
from random import Random

from tests.hostile.blind import LIES, flip_bits, overwrite, truncate
from tests.hostile.readings import CONTENT, MEMBER

_TOP = "package/"
_PATHS = (
    *("/etc/tokparity-canary", "../canary", "package/../../canary", "./package/data/../data/tokenizer.json", "", "."),
    *("..", "package", "package/", "C:\\canary", "package\\data\\tokenizer.json", "a" * 5000, "package/\x1b[31m"),
    *("package/\udcff", _TOP + MEMBER, MEMBER),
)
_TYPES = (
    tarfile.SYMTYPE,
    tarfile.LNKTYPE,
    tarfile.FIFOTYPE,
    tarfile.CHRTYPE,
    tarfile.DIRTYPE,
    tarfile.REGTYPE,
    b"x",
    b"S",
)


def _tar(members: list[tuple[tarfile.TarInfo, bytes]]) -> bytes:
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w", format=tarfile.PAX_FORMAT, errors="surrogateescape") as tar:
        for info, data in members:
            tar.addfile(info, io.BytesIO(data))
    return made.getvalue()


def _info(name: str, size: int) -> tarfile.TarInfo:
    info = tarfile.TarInfo(name)
    info.size = size
    return info


def packed_tar() -> bytes:
    """A package of npm, in which one file is wanted."""
    names = ("package.json", MEMBER, "README.md")
    return gzip.compress(_tar([(_info(_TOP + name, len(CONTENT)), CONTENT) for name in names]), mtime=0)


def packed_zip() -> bytes:
    """A wheel with the same file."""
    return _zip([(MEMBER, CONTENT), ("package/__init__.py", b"")])


def _zip(members: list[tuple[str, bytes]]) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as wheel:
        for name, data in members:
            wheel.writestr(zipfile.ZipInfo(name), data)
    return made.getvalue()


def odd_members(data: bytes, random: Random) -> bytes:
    """Members with paths that lead elsewhere, links, devices, and the wanted one twice or as a link to another."""
    members = []
    for _ in range(random.choice((1, 3, 200))):
        info = _info(random.choice(_PATHS) or "x", len(CONTENT))
        info.type, info.linkname = random.choice(_TYPES), random.choice(_PATHS)
        members.append((info, CONTENT if random.random() < 0.5 else random.randbytes(len(CONTENT))))
    if random.random() < 0.5:
        members.append((_info(_TOP + MEMBER, len(CONTENT)), CONTENT))
    return gzip.compress(_tar(members), mtime=0)


def inside_gzip(data: bytes, random: Random) -> bytes:
    """What is packed is damaged, and the packing is sound."""
    return gzip.compress(random.choice((flip_bits, truncate, overwrite))(gzip.decompress(data), random), mtime=0)


def bomb(data: bytes, random: Random) -> bytes:
    """The wanted file, one before it, or what is said of a member unpacks to very many zeros."""
    zeros = bytes(64 << 20)
    if data[:2] == b"PK":
        return _zip([(random.choice((MEMBER, "other")), zeros), (MEMBER, CONTENT)])
    first = _info(random.choice((_TOP + MEMBER, _TOP + "other")), len(zeros))
    first.type = random.choice((tarfile.REGTYPE, tarfile.XHDTYPE, tarfile.GNUTYPE_LONGNAME))
    return gzip.compress(_tar([(first, zeros), (_info(_TOP + MEMBER, len(CONTENT)), CONTENT)]), 1, mtime=0)


def odd_entries(data: bytes, random: Random) -> bytes:
    """A wheel whose members have odd paths, and whose sizes, offsets or counts lie."""
    members = [(random.choice(_PATHS[:-3]).replace("\udcff", "x"), CONTENT) for _ in range(random.choice((1, 3)))]
    made = bytearray(_zip([*members, (MEMBER, CONTENT)]))
    for _ in range(random.choice((0, 1, 3))):
        at = random.choice((made.rfind(b"PK\1\2"), made.rfind(b"PK\5\6"), 0)) + random.randrange(4, 46)
        made[at : at + 4] = (random.choice(LIES) & 0xFFFFFFFF).to_bytes(4, "little")
    return bytes(made)


TAR = (odd_members, inside_gzip, inside_gzip, bomb)
ZIP = (odd_entries, bomb)
