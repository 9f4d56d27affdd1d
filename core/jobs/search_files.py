"""Search of many files: query, and hits per file."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from wavediff.core.base.arrays import Counts
from wavediff.core.base.notices import Notice
from wavediff.core.jobs import Job, KernelModules
from wavediff.core.jobs.choices import Device, SearchLayout
from wavediff.core.jobs.cluster import Cluster
from wavediff.core.jobs.results import Result
from wavediff.core.sequences.letter_rules import CaseRule
from wavediff.core.sequences.orientation import Topology
from wavediff.core.sequences.pattern_list import Pattern
from wavediff.core.sequences.read_as import ReadAs


@dataclass(frozen=True, slots=True, kw_only=True)
class FileQuery:
    """Patterns and search options, the same for each file; see ``wavediff.core.jobs.search.SearchJob``.

    Attributes:
        alphabet: a ``LetterRule``, or ``auto``: by the longest record of a file.
        case: whether a and A match.
        topology: whether all records are circular; ``auto``: by their file.
        read_as: how files are read. encoding: as in ``wavediff.core.jobs.read.ReadJob``.
        outputs: ids of the requested formats. shown: maximum hits to show per file.
        device: for the search.
    """

    patterns: tuple[Pattern, ...]
    alphabet: str = "auto"
    case: CaseRule = CaseRule.AUTO
    both_strands: bool = False
    errors: int = 0
    edits: bool = False
    topology: Topology = Topology.AUTO
    layout: SearchLayout = SearchLayout.AUTO
    read_as: ReadAs = ReadAs.AUTO
    encoding: str = ""
    outputs: tuple[str, ...] = ()
    shown: int = 0
    device: Device = Device.AUTO


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class FileFound:
    """Hits in one file, without its letters.

    Attributes:
        source: file name as entered.
        error: why the file could not be searched; else empty. notices: notices of its reader.
        n_letters, n_records, n_hits: numbers of letters, records and hits in the file.
        counts: int64, shape (n_patterns,): hits of each pattern. lengths: letters of each pattern as searched.
        complete: False if the limit was reached.
        lines: lines of each requested format, in the order of the hits, without a header. device: device of the search.
    """

    source: str
    counts: Counts
    error: str = ""
    notices: tuple[Notice, ...] = ()
    n_letters: int = 0
    n_records: int = 0
    n_hits: int = 0
    lengths: tuple[int, ...] = ()
    complete: bool = True
    lines: dict[str, list[bytes]] = field(default_factory=dict)
    device: str = "cpu"


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class SearchFilesJob(Job):
    """Search of many files on a cluster.

    Attributes:
        paths: of the files, as entered; ``take`` is called for each in this order, on the thread of the job.
        limit: maximum hits in all files together.
    """

    modules = KernelModules("wavediff.core.run.cluster.files")
    cluster_tasks = "files"

    paths: tuple[str, ...]
    query: FileQuery
    take: Callable[[FileFound], None]
    limit: int
    cluster: Cluster = field()


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class SearchFilesResult(Result):
    """Answer to a ``SearchFilesJob``, which was reported file by file."""
