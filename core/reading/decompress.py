"""Decompression by content in chunks; every byte of the container is accounted for."""

from __future__ import annotations

import bz2
import lzma
import zipfile
from collections.abc import Callable, Iterator
from functools import reduce
from itertools import chain
from typing import BinaryIO, Protocol, cast

from wavediff.core.base.errors import InputError, NotEnoughMemory, count_noun, printable
from wavediff.core.base.notices import Notice, NoticeKind
from wavediff.core.base.numbers import count, number
from wavediff.core.reading.files import READ_BYTES, size_text
from wavediff.core.reading.formats import BZIP2, GZIP, LONGEST_MAGIC, XZ, ZIP, ZSTD, container
from wavediff.core.system.machine import available_memory

_INPUT_BYTES = 1 << 16  # small, as what follows a member is copied once a member
_MAX_NESTING = 3
_KEPT = "nothing of it is kept"

LARGE_BYTES, LARGE_FACTOR = 256_000_000, 100
"""Limits of bytes and compression ratio above which unpacking raises a notice."""

_BGZF_END = bytes.fromhex("1f8b08040000000000ff0600424302001b0003000000000000000000")
_MEMBER = {GZIP: b"\x1f\x8b\x08", BZIP2: b"BZh", XZ: b"\xfd7zXZ", ZSTD: b"\x28\xb5\x2f\xfd"}


class _Decoder(Protocol):
    """Protocol of the decompressors in isal, bz2 and lzma."""

    @property
    def eof(self) -> bool: ...
    @property
    def needs_input(self) -> bool: ...
    @property
    def unused_data(self) -> bytes: ...
    def decompress(self, data: bytes, max_length: int = -1) -> bytes: ...


class _Zstd:
    """zstandard with the same interface; it gets small input chunks, as its output is unlimited."""

    _FEED = 1 << 12  # a block makes at most 128 KiB of 4 bytes: 128 MiB from here at the worst

    def __init__(self, limit: int) -> None:
        import zstandard

        window = min(max(limit, 1 << 23), 1 << 31)  # every decoder must have 8 MiB; the format ends at 2 GiB on 64 bits
        self._object = zstandard.ZstdDecompressor(max_window_size=window).decompressobj()
        self._data, self._at = b"", 0
        self.eof = False

    @property
    def needs_input(self) -> bool:
        return self._at >= len(self._data)

    @property
    def unused_data(self) -> bytes:
        return self._object.unused_data + self._data[self._at :]

    def decompress(self, data: bytes, max_length: int = -1) -> bytes:
        if data:
            self._data, self._at = self._data[self._at :] + data, 0
        out = []
        size = 0
        while not self.eof and not self.needs_input and (max_length < 0 or size < max_length):
            part = self._object.decompress(self._data[self._at : self._at + self._FEED])
            self._at += self._FEED
            self.eof = self._object.eof
            out.append(part)
            size += len(part)
        return b"".join(out)


def _gzip(_limit: int) -> _Decoder:
    from isal import igzip_lib

    return cast(_Decoder, igzip_lib.IgzipDecompressor(flag=igzip_lib.DECOMP_GZIP))


# What unpacks, using no more than so many bytes itself.
_NEW: dict[str, Callable[[int], _Decoder]] = {
    GZIP: _gzip,
    BZIP2: lambda _: bz2.BZ2Decompressor(),
    XZ: lambda limit: lzma.LZMADecompressor(memlimit=limit),
    ZSTD: _Zstd,
}


def peek(pieces: Iterator[bytes], least: int = 1) -> tuple[bytes, Iterator[bytes]]:
    """Return the first ``least`` bytes or more (fewer if the input ends) as one piece, and all pieces again."""
    head = b""
    while len(head) < least and (piece := next(pieces, None)) is not None:
        head += piece
    return head, chain([head] if head else [], pieces)


def opened(
    pieces: Iterator[bytes], raw: BinaryIO, source: str, size: int, notices: list[Notice]
) -> tuple[list[str], Iterator[bytes]]:
    """Return the names of the nested containers, outermost first, and the decompressed pieces.

    Args:
        pieces: content of the file from its start.
        raw: the same file as a seekable file object, for zip.
        size: size of the file in bytes.
        notices: list to which notices are added (trailing bytes, nested containers, a very small file).

    Decompressed pieces have at least ``PIECE / 2`` bytes, except the last one. Empty pieces let the job be cancelled.

    Raises:
        InputError: damaged, cut off, or a zip with more than one file.
        NotEnoughMemory: over nine tenths of the free memory.
    """
    head, pieces = peek(pieces, LONGEST_MAGIC)
    limit, names = available_memory() * 9 // 10, list[str]()
    while (kind := container(head)) is not None:
        names.append(kind)
        if len(names) > _MAX_NESTING or (kind == ZIP and len(names) > 1):
            raise InputError(source, " inside ".join(reversed(names)), "take the inner file out first")
        pieces = _unzip(raw, source, notices) if kind == ZIP else _inflate(pieces, kind, source, limit, notices)
        head, pieces = peek(_gathered(pieces), LONGEST_MAGIC)
    if len(names) > 1:
        within = reduce(lambda outer, inner: f"{inner} inside {outer}", names)
        notices.append(Notice(NoticeKind.UNPACKED, f"{within}: decompressed {number(len(names))} times"))
    return names, _limited(pieces, source, size, limit, notices) if names else pieces


def _gathered(pieces: Iterator[bytes]) -> Iterator[bytes]:
    held: list[bytes] = []
    size = empty = 0
    for piece in pieces:
        if piece:
            held.append(piece)
            size += len(piece)
        else:
            empty += 1
        if size >= READ_BYTES // 2:
            yield b"".join(held)
            held, size, empty = [], 0, 0
        elif empty >= 16:
            yield b""
            empty = 0
    yield b"".join(held)


def _limited(pieces: Iterator[bytes], source: str, size: int, limit: int, notices: list[Notice]) -> Iterator[bytes]:
    total = 0
    for piece in pieces:
        total += len(piece)
        if total > limit:
            raise NotEnoughMemory(
                f"{InputError(source, 'more than ' + size_text(limit))} after decompression, and no more memory is"
                " free; split the file or free memory"
            )
        yield piece
    if total > LARGE_BYTES and total > LARGE_FACTOR * size:
        text = (
            f"{size_text(size)} were unpacked to {size_text(total)}, {number(total / size)} times as much: check "
            "that this is the right file"
        )  # fmt: skip
        notices.append(Notice(NoticeKind.UNPACKED, text))


class _Garbage:
    """Counter of bytes after the compressed data; detects a member hidden in them."""

    def __init__(self, magic: bytes) -> None:
        self.size, self.has_member = 0, False
        self._magic, self._tail = magic, b""

    def add(self, data: bytes) -> None:
        self.size += len(data)
        window = self._tail + data
        self.has_member = self.has_member or self._magic in window
        self._tail = window[-len(self._magic) + 1 :]


def _inflate(pieces: Iterator[bytes], kind: str, source: str, limit: int, notices: list[Notice]) -> Iterator[bytes]:
    garbage = _Garbage(_MEMBER[kind])
    decoder: _Decoder | None = None
    carry = last = b""
    bgzf = zeros = done = 0
    cut = False
    for piece, is_last in chain(((piece, False) for piece in _slices(pieces)), [(b"", True)]):
        data, carry = carry + piece, b""
        last = (last + piece)[-len(_BGZF_END) :]
        done += len(piece)
        while data:
            if garbage.size:
                garbage.add(data)
                break
            if decoder is None:
                rest = data.lstrip(b"\0")
                zeros += len(data) - len(rest)
                data = rest
                if len(data) < LONGEST_MAGIC and not is_last:
                    carry = data  # too short to know
                    break
                if container(data) != kind:
                    cut = is_last and _MEMBER[kind].startswith(data)
                    garbage.add(data)
                    break
                bgzf += kind == GZIP and data[3:4] == b"\4" and data[12:14] == b"BC"
                decoder = _NEW[kind](limit)
            yield from _drain(decoder, data, kind, source, done)
            data = b""
            if decoder.eof:
                data, decoder = decoder.unused_data, None
        yield b""
    if decoder is not None or cut:
        raise InputError(source, f"the {kind} data are cut off after {count_noun(done, 'byte')}", _KEPT)
    if garbage.has_member:
        raise InputError(
            source, f"the {kind} data are damaged: {count_noun(garbage.size, 'byte')} cannot be read", _KEPT
        )
    if bgzf and not garbage.size and not zeros and last != _BGZF_END:
        text = "the end mark of the BGZF data is missing: more data may have followed"
        notices.append(Notice(NoticeKind.DAMAGED, text))
    if garbage.size:
        text = f"{count(garbage.size, 'byte', 'bytes')} after the end of the {kind} data ignored: no {kind} data"
        notices.append(Notice(NoticeKind.DAMAGED, text))
    if zeros:
        text = f"{count(zeros, 'zero byte', 'zero bytes')} between or after the {kind} data ignored"
        notices.append(Notice(NoticeKind.DAMAGED, text))


def _drain(decoder: _Decoder, data: bytes, kind: str, source: str, at: int) -> Iterator[bytes]:
    try:
        out = decoder.decompress(data, READ_BYTES)
        yield out
        while not decoder.eof and (out or not decoder.needs_input):
            out = decoder.decompress(b"", READ_BYTES)
            yield out
            if not out:
                break
    except GeneratorExit:
        raise
    except Exception as error:  # each library has its own kinds, OSError and ValueError among them
        if isinstance(error, MemoryError) or "memory" in str(error).lower():
            problem = f"unpacking the {kind} data needs more memory than is free"
            way_out = "free memory, or compress the file again with a smaller dictionary or window"
            raise NotEnoughMemory(str(InputError(source, problem, way_out))) from error
        raise InputError(source, f"the {kind} data are damaged before byte {at:,} ({error})", _KEPT) from error


def _slices(pieces: Iterator[bytes]) -> Iterator[bytes]:
    for piece in pieces:
        for start in range(0, len(piece), _INPUT_BYTES):
            yield piece[start : start + _INPUT_BYTES]


def _unzip(raw: BinaryIO, source: str, notices: list[Notice]) -> Iterator[bytes]:
    try:
        with zipfile.ZipFile(raw) as archive:
            files = [i for i in archive.infolist() if not i.is_dir() and not i.filename.startswith("__MACOSX/")]
            if len(files) != 1:
                names = ", ".join(printable(i.filename, 60) for i in files[:5]) + (", …" if len(files) > 5 else "")
                problem = f"a zip with {len(files)} files: {names}" if files else "an empty zip"
                raise InputError(source, problem, "a zip with a single file is read; take the wanted one out")
            text = f"zip: the file {printable(files[0].filename, 60)} in it was read"
            notices.append(Notice(NoticeKind.UNPACKED, text))
            with archive.open(files[0]) as member:
                while piece := member.read(READ_BYTES):
                    yield piece
    except (InputError, GeneratorExit):
        raise
    except Exception as error:  # BadZipFile, RuntimeError for a password, NotImplementedError, zlib.error, ...
        reason = printable(str(error).split("\n")[0], 120) or type(error).__name__
        raise InputError(source, f"the zip cannot be read ({reason})", _KEPT) from error
