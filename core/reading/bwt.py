"""Reader of transform files; all fields and sections are validated before use."""

from __future__ import annotations

import os
from collections.abc import Generator, Iterator

import numpy as np

from wavediff.core.base.arrays import Letters, Words
from wavediff.core.base.errors import InputError
from wavediff.core.jobs.bwt import MAX_SAMPLE_INTERVAL, LoadBwtJob
from wavediff.core.jobs.bwt_format import FOLDED, HEADER_BYTES, MAGIC, MAX_NAME_BYTES, SAMPLED, VERSION, Header, crc32
from wavediff.core.jobs.bwt_result import SavedBwt
from wavediff.core.jobs.events import Progress
from wavediff.core.reading.files import RegularFile, begins_with

_PIECE_BYTES = 1 << 22


def is_bwt(path: str | os.PathLike[str]) -> bool:
    """Return whether the file has our magic bytes; False if unreadable."""
    return begins_with(path, MAGIC)


def run(job: LoadBwtJob) -> Generator[Progress, None, SavedBwt]:
    """Read ``job.path``; see ``SavedBwt``.

    Raises:
        InputError: no such file, or damaged; the message names the field or section.
        NotEnoughMemory: larger than free memory.
    """
    with RegularFile(job.path) as file:
        source, data = file.source, np.empty(file.size, np.uint8)
        at = 0
        for piece in file.pieces():
            data[at : at + len(piece)] = np.frombuffer(piece, np.uint8)
            at += len(piece)
            if at == len(piece):
                _check_magic(source, piece)
            yield Progress(job.id, "read", at, file.size)
        file.require_unchanged()
    header = _header(source, data)
    sections: list[Letters] = []
    start = HEADER_BYTES
    sizes = (header.name_size, header.n, 8 * header.n_words, 4 * header.n_samples)
    sums = (header.crc_name, header.crc_last, header.crc_marks, header.crc_samples)
    for name, size, right in zip(("name", "last column", "marks", "samples"), sizes, sums, strict=True):
        section = data[start : start + size]
        checksum = 0
        for lo in range(0, size, _PIECE_BYTES):
            checksum = crc32(section[lo : lo + _PIECE_BYTES].data, checksum)
            yield Progress(job.id, "check", start + lo, file.size)
        if checksum != right:
            place = f"the {name} at byte {start:,}"
            raise _damaged(source, f"{place} has another checksum ({checksum:08x}, not {right:08x})")
        sections.append(section)
        start += size
    name_bytes, last, marks, samples = sections
    saved = SavedBwt(
        name=name_bytes.tobytes().decode("utf-8", "surrogateescape"),
        fold_case=bool(header.flags & FOLDED),
        last=_own(last),
        primary=header.primary,
        n_runs=header.n_runs,
        every=header.every,
        marks=_own(marks).view("<u8").astype(np.uint64, copy=False) if header.n_words else None,
        samples=_own(samples).view("<i4").astype(np.int32, copy=False) if header.n_words else None,
    )
    yield from _check_runs(job, source, saved)
    if saved.marks is not None:
        yield from _check_samples(job, source, saved, saved.marks)
    return saved


def _own(section: Letters) -> Letters:
    out = section.copy()  # aligned, and free of the rest of the file
    out.setflags(write=False)
    return out


def _damaged(source: str, problem: str) -> InputError:
    return InputError(source, f"damaged: {problem}", "make the file again with 'bwt --save-index'")


def _check_magic(source: str, piece: bytes) -> None:
    if piece[: len(MAGIC)] != MAGIC:
        raise InputError(source, "no file of a transform", "one is written by 'bwt --save-index'")


def _header(source: str, data: Letters) -> Header:
    if data.size < HEADER_BYTES:
        _check_magic(source, data.tobytes())
        raise _damaged(source, f"{data.size:,} bytes, and the header alone has {HEADER_BYTES}")
    header, checksum, right = Header.unpack(data[:HEADER_BYTES].tobytes())
    if header.version != VERSION:
        raise InputError(source, f"version {header.version} of the format", f"this program reads version {VERSION}")
    if checksum != right:
        raise _damaged(source, f"the header has another checksum ({right:08x}, not {checksum:08x})")
    sampled = bool(header.flags & SAMPLED)
    for field, value, fits in (
        ("flags", header.flags, header.flags & ~(FOLDED | SAMPLED) == 0),
        ("number of letters", header.n, header.n < 2**31),
        ("primary row", header.primary, header.primary <= header.n),
        ("number of runs", header.n_runs, header.n_runs <= header.n),
        (
            "distance of the samples",
            header.every,
            1 <= header.every <= MAX_SAMPLE_INTERVAL if sampled else header.every == 0,
        ),
        ("size of the name", header.name_size, header.name_size <= MAX_NAME_BYTES),
    ):
        if not fits:
            raise _damaged(source, f"invalid {field} in the header: {value:,}")
    if data.size != header.file_size:
        raise _damaged(source, f"{data.size:,} bytes, and the header tells of {header.file_size:,}")
    return header


def _check_runs(job: LoadBwtJob, source: str, saved: SavedBwt) -> Iterator[Progress]:
    last, runs = saved.last, int(saved.last.size > 0)
    for lo in range(0, last.size, _PIECE_BYTES):
        part = last[lo : lo + _PIECE_BYTES + 1]
        runs += int(np.count_nonzero(part[1:] != part[:-1]))
        yield Progress(job.id, "check", lo, last.size)
    if runs != saved.n_runs:
        raise _damaged(source, f"{saved.n_runs:,} runs are declared, and the last column has {runs:,}")


def _check_samples(job: LoadBwtJob, source: str, saved: SavedBwt, marks: Words) -> Iterator[Progress]:
    """Check that sampled positions are distinct, each with a mark, and that of the primary row is 0."""
    samples, n_marks, before = saved.samples, 0, 0
    assert samples is not None
    seen = np.zeros(samples.size, bool)
    for lo in range(0, samples.size, _PIECE_BYTES // 4):
        part = samples[lo : lo + _PIECE_BYTES // 4]
        if part.size and not 0 <= int(part.min()) <= int(part.max()) < samples.size:
            raise _damaged(source, "a sample is of a position beyond the end")
        seen[part] = True
        yield Progress(job.id, "check", lo, samples.size)
    if not seen.all():
        raise _damaged(source, "a position is sampled twice, and another not at all")
    for lo in range(0, marks.size, _PIECE_BYTES // 8):
        counts = np.bitwise_count(marks[lo : lo + _PIECE_BYTES // 8])
        n_marks += int(counts.sum(dtype=np.int64))
        whole = saved.primary // 64
        before += int(counts[: max(0, whole - lo)].sum(dtype=np.int64))
        yield Progress(job.id, "check", lo, marks.size)
    word, bit = int(marks[saved.primary // 64]), saved.primary % 64
    before += (word & ((1 << bit) - 1)).bit_count()
    past = int(marks[-1]) >> (saved.last.size % 64 + 1)
    if past or n_marks != samples.size:
        raise _damaged(source, f"{n_marks:,} rows are marked for {samples.size:,} samples")
    if not word >> bit & 1 or samples[before] != 0:
        raise _damaged(source, f"row {saved.primary:,} is declared the primary one, and its sample is not position 0")
