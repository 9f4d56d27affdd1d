"""What the tests of the reader share: make files, read pieces cut anywhere, and a reader that is slow and plain."""

from __future__ import annotations

import io
import re
from collections.abc import Iterable
from importlib import import_module
from pathlib import Path

import pytest

from wavediff.core.jobs.events import run_to_end
from wavediff.core.reading import Load, parse, read
from wavediff.core.reading.formats import Reading
from wavediff.core.reading.run import read_pieces
from wavediff.core.sequences.sequence import Sequence


def load_pieces(pieces: Iterable[bytes], head: int = 1, counted: bool = True) -> Load:
    """Read bytes that come in just these pieces, but for the first, which has 14 bytes and ``head`` at least."""
    cut = list(pieces)
    data = b"".join(cut)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(import_module("wavediff.core.reading.run"), "HEAD_BYTES", head)
        how = Reading("pieces", len(data), "pieces", counted=counted)
        return run_to_end(read_pieces(lambda: iter(cut), io.BytesIO(data), how))


def records(load: Load) -> list[tuple[str, str, bytes]]:
    return [(load.name(k), load.description(k), load.sequence(k).letters.tobytes()) for k in range(load.n_records)]


def read_bytes(folder: Path, data: bytes, name: str = "file.fa") -> Load:
    """Write ``data`` to a file and read it, and see that a paste of the same bytes reads the same."""
    path = folder / name
    path.write_bytes(data)
    load = read(path)
    assert [r[1:] for r in records(parse(data))] == [r[1:] for r in records(load)]
    return load


def slow_fasta(data: bytes) -> list[tuple[str, str, bytes]]:
    """Read FASTA a line at a time: the oracle. A ``>`` inside a sequence line starts a record there."""
    out: list[tuple[str, str, bytes]] = []
    for line in re.split(rb"\r\n|\r|\n", data):
        body, mark, header = line.partition(b">")
        if body.strip():
            name, description, letters = out[-1]
            out[-1] = name, description, letters + re.sub(rb"[\s.-]", b"", body)
        if mark:
            words = header.decode("utf-8", "backslashreplace").split(None, 1)
            out.append((words[0] if words else "", words[1].rstrip() if len(words) > 1 else "", b""))
    return out


def noticed(read: Load | Sequence) -> tuple[str, ...]:
    return tuple(one.text for one in read.notices)
