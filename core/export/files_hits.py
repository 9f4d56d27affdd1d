"""Hits in many files: lines are buffered on disk and written when all files are done."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from tempfile import SpooledTemporaryFile

from wavediff.core.base.arrays import Counts
from wavediff.core.export.hits import has_sizes, header
from wavediff.core.export.json import noticed, text, versions
from wavediff.core.jobs.search_files import FileFound, FileQuery

KEPT_BYTES = 1 << 26  # of lines, in memory
READ_BYTES = 1 << 20


@dataclass(slots=True, eq=False)
class FilesHits:
    """Hits found so far in many files.

    Attributes:
        files: the hits in each file, without their lines. counts: int64: number of hits of each pattern.
        limit: maximum number of hits. n_files: number of files to search.
    """

    query: FileQuery
    counts: Counts
    limit: int
    n_files: int
    files: list[FileFound] = field(default_factory=list)
    wall_seconds: float = 0.0
    device: str = "cpu"
    _lines: dict[str, SpooledTemporaryFile[bytes]] = field(default_factory=dict)

    def take(self, file_hits: FileFound) -> None:
        """Add the hits of the next file."""
        for id_, lines in file_hits.lines.items():
            if id_ not in self._lines:
                self._lines[id_] = SpooledTemporaryFile(KEPT_BYTES)  # noqa: SIM115
            self._lines[id_].writelines(lines)
        file_hits.lines.clear()
        self.files.append(file_hits)
        self.counts = self.counts + file_hits.counts

    def close(self) -> None:
        for line in self._lines.values():
            line.close()

    @property
    def n_hits(self) -> int:
        return sum(file.n_hits for file in self.files)

    @property
    def complete(self) -> bool:
        """False if the search stopped at its limit."""
        return len(self.files) == self.n_files and all(file.complete for file in self.files)

    def lines(self, id_: str) -> Iterator[bytes]:
        kept = self._lines.get(id_)
        if kept is None:
            return
        kept.seek(0)
        while piece := kept.read(READ_BYTES):
            yield piece


def tsv(hits: FilesHits) -> Iterator[bytes]:
    """Yield a header and one line per hit as in ``wavediff.core.export.hits``; the first column is the file name."""
    yield ("\t".join(("file", *header(hits.query.edits, has_sizes(hits.query.patterns)))) + "\n").encode("ascii")
    yield from hits.lines("tsv")


def bed(hits: FilesHits) -> Iterator[bytes]:
    """Yield BED6 lines (without file names)."""
    yield from hits.lines("bed")


def document(hits: FilesHits) -> Iterable[bytes]:
    """Return the JSON statistics of the search, and the number of hits per pattern."""
    query = hits.query
    lengths = next((one.lengths for one in hits.files if one.lengths), [one.n_letters for one in query.patterns])
    counts = zip(query.patterns, lengths, hits.counts.tolist(), strict=True)
    value = {
        "method": "search",
        "hits": hits.n_hits,
        "complete": hits.complete,
        "limit": hits.limit,
        "alphabet": query.alphabet,
        "both_strands": query.both_strands,
        "errors": query.errors,
        "edits": query.edits,
        "n_letters": sum(file.n_letters for file in hits.files),
        "device": hits.device,
        "wall_seconds": hits.wall_seconds,
        "patterns": [{"name": one.name, "length": length, "hits": n} for one, length, n in counts],
        "files": [
            {
                "file": file.source, "error": file.error or None, "n_records": file.n_records,
                "n_letters": file.n_letters, "hits": file.n_hits, "notices": noticed(file.notices),
            }
            for file in hits.files
        ],
        "versions": versions(),
    }  # fmt: skip
    return [text("search-files", value)]
