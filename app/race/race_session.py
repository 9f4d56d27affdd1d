"""State of a race of kernels: participants, progress, result; no widgets."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import Signal, Slot

from wavediff.app.race.race_lane_view import RaceLane
from wavediff.app.ui.background_task import SideSession
from wavediff.app.ui.notices import Severity
from wavediff.app.ui.pair import Pair
from wavediff.core.base.errors import WavediffError
from wavediff.core.base.numbers import number
from wavediff.core.export.race import RaceAnswer
from wavediff.core.jit import background_compile
from wavediff.core.jobs.choices import Device, gpu_unused
from wavediff.core.jobs.events import Compiled, Event, RaceRun
from wavediff.core.methods import METHODS
from wavediff.core.methods.base import Method, RaceKernel
from wavediff.core.methods.race_job import AUTO_ROUNDS, MAX_KERNELS, make_race_job, race_kernels
from wavediff.core.methods.race_result import RaceEntryResult, RaceResult
from wavediff.core.run.race_run import unfit
from wavediff.core.sequences.letter_rules import Ambiguity
from wavediff.core.sequences.sequence import Sequence
from wavediff.core.system.machine import GraphicsCard, cores

NOT_ASKED = "not checked yet"
BUSY_TEXT = "Stop the running comparison first (Esc): it would distort the times"
READY_TEXT = "Choose up to four kernels; each runs alone, one after the other"


class Race(SideSession):
    """Session that runs a race on its own thread, without other jobs, which would distort the times.

    Args:
        folds_case: returns whether the case of the pair is ignored. others_busy: returns whether other jobs run.
        stop_others: stops them.

    Signals:
        changed: choices, ``running`` or ``exit_code`` changed.
        lined_up: the kernels changed.
        finished: a ``RaceAnswer``, or None when the pair changed.
    """

    lined_up = Signal()
    finished = Signal(object)
    outdated_text = "Options have changed: race again"

    def __init__(
        self,
        pair: Pair,
        folds_case: Callable[[], bool],
        others_busy: Callable[[], bool],
        stop_others: Callable[[], None],
    ) -> None:
        super().__init__("race", "The race failed", READY_TEXT, "")
        self._pair, self._folds_case = pair, folds_case
        self._others_busy, self._stop_others = others_busy, stop_others
        self.method: Method = METHODS[0]
        self._own_method = False  # chosen for the race; else it is that of the window
        self.path, self.rounds, self.ambiguity = True, AUTO_ROUNDS, Ambiguity.MISSING
        self.no_gpu: str | None = NOT_ASKED
        self.lanes = tuple(RaceLane() for _ in range(MAX_KERNELS))
        self.n_lanes = 0
        self.outcome: RaceAnswer | None = None
        self._wanted: dict[Method, set[str] | None] = dict.fromkeys(METHODS)  # None: the usual ones
        self._made: Callable[..., RaceAnswer]
        self._ended = 0
        self._disturbed = self._waits = False
        self.slot.part_reported.connect(self._on_leg_event)
        self.slot.probed.connect(self._probed)
        pair.changed.connect(self.forget)

    @property
    def held_up(self) -> bool:
        """True if a requested race waits for other jobs; ``status`` reports it."""
        return self.status == BUSY_TEXT

    @property
    def race_kernels(self) -> dict[str, RaceKernel]:
        return race_kernels(self.method)

    def why_not(self, id_: str) -> str | None:
        kernel = self.race_kernels[id_]
        no_gpu = self.no_gpu if kernel.device == Device.GPU else None
        return unfit(self.method, kernel, path=self.path) or (no_gpu and gpu_unused(no_gpu))

    @property
    def chosen(self) -> tuple[str, ...]:
        """Ids of the selected kernels in display order."""
        wanted = self._wanted[self.method]
        if wanted is None:
            wanted = set([id_ for id_ in self.method.usual if self.why_not(id_) is None][:MAX_KERNELS])
        return tuple(id_ for id_ in self.race_kernels if id_ in wanted and self.why_not(id_) is None)

    @property
    def asked(self) -> tuple[object, ...]:
        return self.method, self.chosen, self.path, self.rounds, self.ambiguity, self._folds_case()

    def choose(self, id_: str, on: bool) -> None:
        """Select or deselect a kernel; selections beyond ``MAX_KERNELS`` are refused with a message."""
        wanted = set(self.chosen)
        if on and len(wanted | {id_}) > MAX_KERNELS:
            self.notice(Severity.INFO, f"Up to {number(MAX_KERNELS)} kernels can race: remove one first")
        else:
            wanted = wanted | {id_} if on else wanted - {id_}
        self._wanted[self.method] = wanted
        self.changed.emit()

    def set_up(self, *, method: Method | None = None, path: bool | None = None, rounds: int | None = None) -> None:
        if method is not None and method != self.method:
            self.method, self._own_method = method, True
        self.path = self.path if path is None else path
        self.rounds = self.rounds if rounds is None else rounds
        self.ask()
        self.changed.emit()

    def follow(self, method: Method, ambiguity: Ambiguity) -> None:
        """Use the window's ``method``, unless another was chosen here or has raced.

        Args:
            ambiguity: how the answer counts ambiguity codes.
        """
        self.ambiguity = ambiguity
        if method.race_kernels and method != self.method and not self._own_method and not self.n_lanes:
            self.method = method
            if self.no_gpu != NOT_ASKED:  # it may be another's answer
                self.ask()
        self.changed.emit()

    def ask(self) -> None:
        """Check for a graphics card; ``changed`` follows, immediately except for the first time."""
        self.slot.probe(self.method.job_type)

    def run(self) -> None:
        """Run the selected kernels on the pair; refuse while other jobs run."""
        both = self._pair.complete
        if both is None:
            self.notice(Severity.INFO, "A race needs a pair: open A and B first")
        elif self._others_busy():
            self.status = BUSY_TEXT
            self.changed.emit()
        elif not self.chosen:
            self.notice(Severity.INFO, "Select a kernel first")
        else:
            self._begin(*both)

    def run_when_free(self) -> None:
        self._waits = True
        self.look_round()

    def run_instead(self) -> None:
        self._stop_others()
        self.run()

    def _begin(self, a: Sequence, b: Sequence) -> None:
        self.stop()
        self._waits = False
        fold_case, ids = self._folds_case(), self.chosen
        try:
            job = make_race_job(
                self.method, ids, a, b, fold_case=fold_case, path=self.path, rounds=self.rounds,
                threads=cores(), ambiguity=self.ambiguity,
            )  # fmt: skip
        except WavediffError as error:
            self.refuse(error)
            return
        background_compile.pause()
        self._made, self._ended, self._disturbed = partial(RaceAnswer, a, b, fold_case, path=self.path), 0, False
        self.answered = self.asked
        self.outcome, self.n_lanes = None, len(ids)
        for lane, leg in zip(self.lanes, job.legs, strict=False):
            lane.assign(leg.race_kernel, len(a), len(b))
        self.lined_up.emit()
        self.finished.emit(None)
        self._submit(job, "Starting…")

    def stop(self) -> None:
        """Stop at once; results stay visible."""
        text = f"Stopped after {number(self._ended)} of {number(self._total)} runs"
        if self.slot.stop():
            self._halt()
            self._end(text)

    @property
    def _total(self) -> int:
        job = self.slot.job
        if job is None:
            return 0
        if job.rounds:
            return len(job.legs) * int(job.rounds)
        return sum(lane.n_rounds for lane in self.lanes[: self.n_lanes])

    @property
    def results(self) -> list[RaceEntryResult]:
        return [lane.result for lane in self.lanes[: self.n_lanes] if lane.result is not None]

    @Slot()
    def forget(self) -> None:
        """Clear everything of the previous pair."""
        self.stop()
        self._waits = False
        self.outcome, self.n_lanes, self.answered = None, 0, None
        self.status = READY_TEXT
        self.lined_up.emit()
        self.finished.emit(None)
        self.changed.emit()

    @Slot()
    def look_round(self) -> None:
        """React to other jobs: mark disturbed times, or start a waiting race."""
        if self._waits and not self._others_busy():
            self.run()
        if self.held_up and not self._others_busy():
            self.status = READY_TEXT if self.outcome is None else self.outcome.result.verdict()
            self.changed.emit()
        if self.running and not self._disturbed and self._others_busy():
            self._disturbed = True
            self.notice(Severity.WARNING, "Timing disturbed: another job ran during the race")

    @Slot(object, object, object)
    def _probed(self, _job_type: type, reason: str | None, _card: GraphicsCard | None) -> None:
        if reason != self.no_gpu:
            self.no_gpu = reason
            self.changed.emit()

    @Slot(object)
    def _on_event(self, event: Event) -> None:
        if not isinstance(event, RaceRun):
            return
        job = self.slot.job
        if event.result is None:
            leg = job.legs[event.leg]
            self.lanes[event.leg].begin(leg.job.id, event.round)
            self.status = f"{leg.race_kernel.name} runs"
            if event.round or job.rounds > 1:
                self.status = f"{self.status}, round {number(event.round + 1)} of {number(job.most_rounds)}"
        else:
            self._ended += 1
            self.share = self._ended / self._total
            self.lanes[event.leg].end(event.result)
        self.changed.emit()

    @Slot(object)
    def _on_leg_event(self, event: Event) -> None:
        if isinstance(event, Compiled):
            background_compile.pause()  # what else it would compile now would be felt by the clocks
        for lane in self.lanes[: self.n_lanes]:
            lane.apply(event)

    @Slot(object)
    def _on_result(self, result: RaceResult) -> None:
        self.outcome = self._made(result, threads=cores(), disturbed=self._disturbed)
        self._end(result.verdict())
        self.finished.emit(self.outcome)

    @Slot(object)
    def _fail(self, error: BaseException) -> None:
        self._halt()
        super()._fail(error)

    def _halt(self) -> None:
        for lane in self.lanes[: self.n_lanes]:
            lane.stop()
