"""Search of many files on a cluster: small files share a task; results keep the order of the files.

A worker reads the file itself if its path, size, modification time and the digest of its first and last bytes are
equal. Otherwise the file is sent as stored, compressed or not.
"""

from __future__ import annotations

import os
import tempfile
from collections import deque
from collections.abc import Generator, Iterator
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from wavediff.core.base.errors import WavediffError, printable
from wavediff.core.base.file_names import Named, split_name
from wavediff.core.jobs.choices import Device
from wavediff.core.jobs.events import Event, EventTotals
from wavediff.core.jobs.search import SearchJob
from wavediff.core.jobs.search_files import FileFound, FileQuery, SearchFilesJob, SearchFilesResult
from wavediff.core.reading.files import RegularFile
from wavediff.core.run import rates
from wavediff.core.run.cluster.client import LARGEST_SENT_BYTES, MIN_TASK_SECONDS, Session, Work
from wavediff.core.run.search_file import search_file

READ_SECONDS_PER_BYTE = 5e-9
FILE_SECONDS = 5e-3  # seconds per file regardless of its size
TASKS_PER_THREAD = 4  # minimum tasks per thread, so that the last ones do not delay the end
EARLY_FILES = 300  # files per thread in advance; further ones wait for their turn
TOO_LARGE = "too large to be sent; it is searched where workers can open it by the same path"
ALIKE_BYTES = 1 << 16  # compared at both ends of a file
PROBE_LETTERS = 1 << 20


class Signature(NamedTuple):
    """Size, modification time (ns), and digest of the first and last bytes of a file."""

    size: int
    changed: int
    ends: bytes


@dataclass(frozen=True, slots=True)
class SentFile:
    """A file of a task.

    Attributes:
        number: position in the order of files. source: name as entered. path, part: absolute path, and searched part.
        data: content as stored; None: the worker opens the path.
        limit: maximum number of hits in the file.
    """

    number: int
    source: str
    path: str
    signature: Signature
    limit: int
    data: bytes | None = None
    part: str | None = None


def run(job: SearchFilesJob, session: Session, device: Device) -> Generator[Event, None, SearchFilesResult]:  # noqa: ARG001
    """Search the files of ``job``; report results in file order."""
    totals = EventTotals()
    yield from totals.watch(session.run(_Files(job, session)))
    return SearchFilesResult(**totals.fields(job.id, "cluster"))


def signature(path: str) -> Signature:
    """Return the signature that identifies the version of a file.

    Raises:
        InputError: no regular file, or it cannot be opened. OSError: the file cannot be read.
    """
    with RegularFile(path) as regular:
        file = regular.raw
        status = os.fstat(file.fileno())
        ends = file.read(ALIKE_BYTES)
        if status.st_size > ALIKE_BYTES:
            file.seek(max(ALIKE_BYTES, status.st_size - ALIKE_BYTES))
            ends += file.read(ALIKE_BYTES)
    return Signature(status.st_size, status.st_mtime_ns, sha256(ends).digest())


def search_group(files: tuple[SentFile, ...], query: FileQuery) -> list[FileFound | None]:
    """Search some files in a thread of a worker; None for files that are missing or differ there."""
    return [_search(file, query) for file in files]


def _search(file: SentFile, query: FileQuery) -> FileFound | None:
    if file.data is None:
        try:
            if signature(file.path) != file.signature:
                return None
        except (OSError, WavediffError):
            return None
        return search_file(Named(file.path, file.part).name, file.source, query, file.limit, 1)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, os.path.basename(file.path))  # a record without a name is called by the file
        path.write_bytes(file.data)
        return search_file(Named(str(path), file.part).name, file.source, query, file.limit, 1)


class _Files(Work[tuple[SentFile, ...]]):
    """See ``wavediff.core.run.cluster.client.Work``."""

    stage, unit, kernel = "searching", "files", "files"

    def __init__(self, job: SearchFilesJob, session: Session) -> None:
        self._job, self._session = job, session
        self._next_number = self._told = self._hits = self._sent_bytes = 0
        self._ended = False
        self._early: dict[int, tuple[SentFile | None, FileFound]] = {}  # whose turn has not come
        self._again: deque[SentFile] = deque()  # to be sent, or to be searched for fewer hits
        probe = SearchJob(
            text=np.zeros(PROBE_LETTERS, np.uint8), patterns=job.query.patterns, errors=job.query.errors,
            both_strands=job.query.both_strands, threads=1,
        )  # fmt: skip
        self._seconds_per_byte = rates.cpu_seconds(probe) / PROBE_LETTERS + READ_SECONDS_PER_BYTE
        all_seconds = sum(self._seconds(_size(split_name(path).file)) for path in job.paths)
        self._group_seconds = min(MIN_TASK_SECONDS, all_seconds / (TASKS_PER_THREAD * session.threads))

    def next(self) -> tuple[SentFile, ...] | None:
        group: list[SentFile] = []
        seconds = 0.0
        for file in self._waiting():
            group.append(file)
            self._sent_bytes += len(file.data or b"")
            seconds += self._seconds(file.signature.size)
            if seconds >= self._group_seconds:
                break
        if not group:
            self._emit_ready()
        return tuple(group) or None

    def submit(self, session: Session, task: tuple[SentFile, ...]) -> Any:
        return session.submit(search_group, task, session.keep("query", self._job.query))

    def enter(self, task: tuple[SentFile, ...], answer: list[FileFound | None]) -> int:
        for file, result in zip(task, answer, strict=True):
            self._sent_bytes -= len(file.data or b"")
            if result is not None:
                self._early[file.number] = replace(file, data=None), result
            else:
                self._again.append(replace(file, data=b""))
        self._emit_ready()
        return 0

    def progress(self) -> tuple[int, int]:
        return self._told, len(self._job.paths)

    def _waiting(self) -> Iterator[SentFile]:
        while self._again and not self._ended:
            file = self._again[0]
            if file.data is not None:
                if self._sent_bytes and self._sent_bytes + file.signature.size > LARGEST_SENT_BYTES:
                    return
                try:
                    if file.signature.size > LARGEST_SENT_BYTES:
                        raise OSError(TOO_LARGE)
                    file = replace(file, data=Path(file.path).read_bytes())
                except OSError as error:
                    self._again.popleft()
                    self._fail(file.number, error)
                    continue
            self._again.popleft()
            yield file
        most_early = EARLY_FILES * self._session.threads
        while self._next_number < len(self._job.paths) and len(self._early) < most_early and not self._ended:
            number, self._next_number = self._next_number, self._next_number + 1
            source = self._job.paths[number]
            named = split_name(source)
            path = os.path.abspath(named.file)
            try:
                yield SentFile(number, source, path, signature(path), self._job.limit, part=named.part)
            except (OSError, WavediffError) as error:
                self._fail(number, error)

    def _seconds(self, size: int) -> float:
        return size * self._seconds_per_byte + FILE_SECONDS

    def _emit_ready(self) -> None:
        """Report finished files in order; search a file again if it exceeds the remaining hits."""
        while self._told in self._early and not self._ended:
            left = self._job.limit - self._hits
            file, answer = self._early.pop(self._told)
            if not left:
                self._ended = True
            elif file is not None and answer.n_hits > left:
                self._again.append(replace(file, limit=left))
                return
            else:
                self._job.take(answer)
                self._told, self._hits = self._told + 1, self._hits + answer.n_hits
                self._ended = not answer.complete

    def _fail(self, number: int, error: OSError | WavediffError) -> None:
        source, nothing = self._job.paths[number], np.zeros(len(self._job.query.patterns), np.int64)
        text = str(error) if isinstance(error, WavediffError) else f"{printable(source)}: {error.strerror or error}"
        self._early[number] = None, FileFound(source=source, counts=nothing, error=text)


def _size(path: str) -> int:
    try:
        return os.stat(path).st_size
    except OSError:
        return 0
