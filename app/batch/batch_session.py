"""State of *Many pairs*: files, options, job and result; no widgets."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from os.path import basename
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Signal, Slot

from wavediff.app.ui.background_task import BackgroundTask, SideSession
from wavediff.app.ui.notices import Severity
from wavediff.core.base.errors import InputError, capitalized
from wavediff.core.base.numbers import LEAST_GCUPS, count, duration, number, speed
from wavediff.core.export.batch import BatchAnswer
from wavediff.core.export.matrix import Tree, tree_of
from wavediff.core.jobs.choices import Device, Pairing, TreeMethod
from wavediff.core.jobs.cluster import TLS, Cluster
from wavediff.core.jobs.events import DeviceChosen, Event, Progress, pass_on, run_to_end
from wavediff.core.jobs.read import ReadJob
from wavediff.core.methods.base import Method
from wavediff.core.methods.batch import BatchJob, BatchResult
from wavediff.core.methods.edit import EDIT
from wavediff.core.methods.options import Option, accepted
from wavediff.core.methods.statistics import gcups
from wavediff.core.reading.gathered import compared_files
from wavediff.core.reading.load import comparable_pools, with_common_characters
from wavediff.core.screening.jobs import Parts, PartsJob
from wavediff.core.screening.notices import PairNotice, alphabets_notices
from wavediff.core.sequences.letter_rules import UracilRule
from wavediff.core.system.machine import cores

if TYPE_CHECKING:
    from wavediff.core.reading import Load

PAIRS_NAMES = {Pairing.ALL_TO_ALL: "All against all", Pairing.ONE_TO_ONE: "One to one"}
MAX_LEAVES = 1000  # of a tree in the window, which takes some seconds


class BatchSession(SideSession):
    """Reads files and compares their records in the background.

    Signals:
        changed: files, choices, ``running`` or ``exit_code`` changed.
        finished: a ``BatchAnswer``, or None when the files changed.
        tree_changed: the tree changed or was removed.
    """

    finished = Signal(object)
    tree_changed = Signal()
    outdated_text = "options have changed: run again"

    def __init__(self) -> None:
        first = "Open the files to compare"
        super().__init__("many-pairs", "Many pairs failed", first, "pairs")
        self.method: Method = EDIT
        self.pairs = Pairing.ALL_TO_ALL
        self.letters = UracilRule.AUTO
        self.device = Device.AUTO
        self.cluster = Cluster()  # without an address this computer computes
        self._workers = ""
        self._options: dict[str, Any] = {}  # by ``Option.id``
        self.loads: tuple[Load, ...] = ()
        self.outcome: BatchAnswer | None = None
        self.tree_method: TreeMethod | None = None
        self.tree: Tree | None = None  # of the outcome, once it is made
        self._trees = BackgroundTask("tree", self, self._tree_made)
        self._fold_case = False
        self._notices: tuple[PairNotice, ...] = ()
        self._job: BatchJob
        self._asked: tuple[Any, ...]  # of the job
        self._result: BatchResult  # of which the parts are searched for
        self._waiting: list[Path | Load] = []
        self._read: list[Load] = []

    def choose(
        self,
        *,
        method: Method | None = None,
        pairs: Pairing | None = None,
        letters: UracilRule | None = None,
        device: Device | None = None,
        cluster: Cluster | None = None,
        **options: Any,
    ) -> None:
        """Change options (also method options); compare again if the job changes."""
        before = self.asked
        self.method, self.pairs = method or self.method, pairs or self.pairs
        self.letters, self.device = letters or self.letters, device or self.device
        self.cluster = cluster or self.cluster
        self._options |= options
        if self.asked != before:
            self.run()

    def choose_tree(self, method: TreeMethod | None) -> None:
        """Build a tree of the records of one file by ``method``; None: file order."""
        self.tree_method = method
        self._make_tree()

    def _make_tree(self) -> None:
        self._trees.stop()
        self.tree, outcome, method = None, self.outcome, self.tree_method
        if method is not None and outcome is not None and outcome.result.own:
            if outcome.a.n_records > MAX_LEAVES:
                self.notice(Severity.WARNING, f"No tree of more than {number(MAX_LEAVES)} records: save it as Newick")
            else:
                steps = tree_of(replace(outcome, tree=method))
                self._trees.start(lambda cancel: run_to_end(pass_on(steps, lambda _: cancel.raise_if_cancelled())))
        self.tree_changed.emit()

    @Slot(object)
    def _tree_made(self, tree: Tree) -> None:
        self.tree = tree
        self.tree_changed.emit()

    @property
    def offered(self) -> tuple[Option, ...]:
        return () if self.method.batch is None else self.method.batch.options

    @property
    def values(self) -> dict[str, Any]:
        return accepted(self.offered, self._options)

    @property
    def asked(self) -> tuple[object, ...]:
        return self.method, self.pairs, self.letters, self.device, self._asked_cluster, self.values

    @property
    def _asked_cluster(self) -> Cluster | None:
        """Cluster that computes, or None; TLS files are stored, and used if the cluster encrypts."""
        address = self.cluster.address
        if not address:
            return None
        return self.cluster if address.startswith(TLS) else Cluster(address)

    def open(self, files: Iterable[Path | Load]) -> None:
        """Read new files, then compare the records of two files, or all against all."""
        self.stop()
        self._waiting, self._read = list(files), []
        if len(self._waiting) != 2:
            self.pairs = Pairing.ALL_TO_ALL
        self._read_next()

    def run(self) -> None:
        if not self.loads or self._waiting:
            self.changed.emit()
            return
        a, b = with_common_characters(self.loads[0], self.loads[-1], self.letters)
        self._notices = alphabets_notices(a.letters, b.letters, (a.whole_alphabet(), b.whole_alphabet()))
        for one in self._notices:
            self.notice(Severity.WARNING, one.text)
        for load, before in zip((a, b)[: len(self.loads)], self.loads, strict=True):
            for notice in load.notices[len(before.notices) :]:
                self.notice(Severity.INFO, f"{load.source}: {notice}")
        own = len(self.loads) == 1
        if self.pairs is Pairing.ONE_TO_ONE and (own or a.n_records != b.n_records):
            have = "one file" if own else f"{number(a.n_records)} and {number(b.n_records)} records"
            needed = "One to one needs two files with the same number of records"
            self.notice(Severity.WARNING, f"{needed}; there is {have}", self._failure)
            self.changed.emit()
            return
        self._fold_case = all(load.whole_alphabet().folds_case for load in self.loads)
        try:
            pool_a, pool_b = comparable_pools(a, None if own else b, self._fold_case)
        except InputError as error:
            self.notice(Severity.WARNING, str(error), self._failure)
            self.changed.emit()
            return
        self._job = BatchJob(
            a=pool_a,
            b=pool_b,
            pairs=self.pairs,
            method=self.method,
            fold_case=self._fold_case,
            alphabets=[one.whole_alphabet() for one in (a, b)],
            options=self.values,
            cluster=self._asked_cluster,
        )
        self._asked = self.asked
        self._submit(self._job, "Reaching the cluster…" if self.cluster.address else "Comparing…", self.device)

    def stop(self) -> None:
        super().stop()
        self._waiting = []

    def _read_next(self) -> None:
        if not self._waiting:
            self.loads, self.outcome, self.answered = compared_files(self._read), None, None
            self.finished.emit(None)
            self._end("")
            self.run()
            return
        first = self._waiting[0]
        if isinstance(first, Path):
            self._submit(ReadJob(path=first), f"Reading {first.name}…")
        else:
            self._add_file(first)

    @Slot(object)
    def _on_event(self, event: Event) -> None:
        super()._on_event(event)
        if isinstance(event, DeviceChosen):
            self._workers = event.reason if event.device == "cluster" else ""
        elif isinstance(event, Progress) and self._workers and event.unit == self._unit:
            self.status = f"{self.status} · {self._workers}"
            self.changed.emit()

    @Slot(object)
    def _on_result(self, result: Load | BatchResult | Parts) -> None:
        if isinstance(result, BatchResult):
            self._result = result
            seeds = all(load.whole_alphabet().is_nucleotide for load in self.loads)
            self._submit(PartsJob(batch=self._job, seeds=seeds), "Checking for contained sequences…")
        elif isinstance(result, Parts):
            self._show(self._result, result)
        else:
            self._add_file(result)

    def _add_file(self, load: Load) -> None:
        read = load.with_record_notices()
        for notice in read.notices:
            self.notice(Severity.INFO, f"{basename(read.source)}: {notice}")
        self._read.append(read)
        self._waiting = self._waiting[1:]
        self._read_next()

    def _show(self, result: BatchResult, parts: Parts) -> None:
        self.answered = self._asked
        self.outcome = BatchAnswer(
            self.loads[0], self.loads[-1], result, self._fold_case, cores(),
            parts=parts, notices=self._notices, letters=self._asked[2], files=tuple(self._read),
            options=self._job.options,
        )  # fmt: skip
        if parts.text:
            self.notice(Severity.INFO, capitalized(parts.text))
        rate = gcups(result.n_cells, result.wall_seconds)
        on_cluster = result.device == "cluster"
        time, device = duration(result.wall_seconds), "cluster" if on_cluster else result.device.upper()
        took = f"{count(result.n_pairs, 'pair', 'pairs')} in {time} on the {device}"
        self._end(" · ".join((took, *([speed(rate)] if rate >= LEAST_GCUPS else []))))
        self.finished.emit(self.outcome)
        self._make_tree()

    @Slot(object)
    def _fail(self, error: BaseException) -> None:
        self._waiting = []
        super()._fail(error)
