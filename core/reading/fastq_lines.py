"""FASTQ as four lines a record: letters and qualities that go over several lines are joined.

Cock et al. (2010), The Sanger FASTQ file format for sequences with quality scores, Nucleic Acids Research 38(6).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain

import numpy as np

_BATCH_RECORDS = 1000
_SEQUENCE = re.compile(rb"[A-Za-z*.\-]*\n?")
_QUALITY = re.compile(rb"[!-~]*\n?")


class FourLines:
    """Pieces of FASTQ with four lines a record. From the first record that is no FASTQ on they are as they were.

    Attributes:
        n_joined: records that had more lines.
        n_renamed: records with another name behind ``+``, which is dropped.
        n_saved: lines fewer than there were.
    """

    def __init__(self, pieces: Iterator[bytes]) -> None:
        self._pieces = pieces
        self.n_joined = self.n_renamed = self.n_saved = 0

    def __iter__(self) -> Iterator[bytes]:
        held, n_ends = list[bytes](), 0
        for piece in self._pieces:
            held.append(piece)
            n_ends += piece.count(b"\n")
            if n_ends < 4:
                continue
            data = b"".join(held)
            size = _bytes_of_four_lines(data)
            yield data[:size]
            rest = data[size:]
            held, n_ends = [rest], rest.count(b"\n")
            if n_ends >= 4:
                yield from self._joined(_lines(chain(held, self._pieces)))
                return
        yield from self._joined(_lines(iter(held)))

    def _joined(self, lines: Iterator[bytes]) -> Iterator[bytes]:
        out = list[bytes]()
        for head in lines:
            read = [head]
            record = self._record(read, lines)
            out.append(b"".join(read) if record is None else record)
            if record is None or len(out) >= _BATCH_RECORDS:
                yield b"".join(out)
                out.clear()
            if record is None:
                yield from lines
        yield b"".join(out)

    def _record(self, read: list[bytes], lines: Iterator[bytes]) -> bytes | None:
        """Return a record in four lines; None where it is none. Its lines are appended to ``read``."""
        letters, qualities, name = list[bytes](), list[bytes](), read[0][1:].rstrip(b"\n")
        if not read[0].startswith(b"@"):
            return None
        for line in lines:
            read.append(line)
            if line.startswith(b"+"):
                break
            if _SEQUENCE.fullmatch(line) is None:
                return None
            letters.append(line.rstrip(b"\n"))
        again = read[-1][1:].rstrip(b"\n")
        if not letters or (len(letters) > 1 and not all(letters)):
            return None
        left = sum(map(len, letters))
        for line in lines:
            read.append(line)
            text = line.rstrip(b"\n")
            if _QUALITY.fullmatch(line) is None or len(text) > left or (left and not text):
                return None
            qualities.append(text)
            left -= len(text)
            if not left:
                break
        if left:  # a last record without letters may lack its last line
            return None
        self.n_joined += len(read) > 4
        self.n_renamed += again not in (b"", name)
        self.n_saved += max(0, len(read) - 4)
        return b"@%s\n%s\n+\n%s\n" % (name, b"".join(letters), b"".join(qualities))


def _bytes_of_four_lines(data: bytes) -> int:
    """Return the bytes of the records of four lines that ``data`` begins with."""
    codes = np.frombuffer(data, np.uint8)
    at = np.flatnonzero(codes == ord("\n"))
    at = at[: at.size // 4 * 4]
    starts, ends = np.concatenate([[0], at[:-1] + 1]).reshape(-1, 4), at.reshape(-1, 4)
    size = ends - starts
    fit = (codes[starts[:, 0]] == ord("@")) & (codes[starts[:, 2]] == ord("+")) & (size[:, 1] == size[:, 3])
    for k in np.flatnonzero(fit & (size[:, 2] > 1)).tolist():
        fit[k] = data[starts[k, 0] + 1 : ends[k, 0]] == data[starts[k, 2] + 1 : ends[k, 2]]
    n = int(np.argmin(fit)) if not fit.all() else len(fit)
    return int(ends[n - 1, 3]) + 1 if n else 0


def _lines(pieces: Iterator[bytes]) -> Iterator[bytes]:
    held = list[bytes]()
    for piece in pieces:
        first, end, rest = piece.partition(b"\n")
        held.append(first + end)
        if not end:
            continue
        yield b"".join(held)
        lines = rest.splitlines(keepends=True)
        held = [lines.pop()] if lines and not lines[-1].endswith(b"\n") else []
        yield from lines
    if last := b"".join(held):
        yield last
