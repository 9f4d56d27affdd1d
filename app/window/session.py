"""State of the window without widgets: pair, options and jobs."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from PySide6.QtCore import Signal, Slot

from wavediff.app.batch.batch_session import BatchSession
from wavediff.app.bwt.bwt_session import BwtSession
from wavediff.app.compare.cell_session import CellSession
from wavediff.app.compare.computation_facts import computed_text
from wavediff.app.compare.dots.dots_session import DotsSession
from wavediff.app.compare.other_run import FinerRun, ProofSession, RecordReader
from wavediff.app.compare.pair.history import Answer, Answers
from wavediff.app.compare.pair.pair_reader import PairReader
from wavediff.app.compare.pair.pair_screening import OrientationFinder, PairScreening, swapped_orientation
from wavediff.app.compare.pair.pair_state import JobOptions, LastJob, PairState, Question, WholePair, question
from wavediff.app.compare.pair.recent import RecentPairs
from wavediff.app.compare.skipped_work import SkippedWorkModel
from wavediff.app.compare.statistics_model import StatisticsModel
from wavediff.app.compare.timings_model import TimingsModel
from wavediff.app.race.race_session import Race
from wavediff.app.search.search_session import Search
from wavediff.app.ui.background_task import JobSlot, on
from wavediff.app.ui.block_map.block_map import BlockMapModel, Phase
from wavediff.app.ui.devices import DeviceModel
from wavediff.app.ui.notices import RUN, Action, Notice, Severity
from wavediff.app.ui.pair import Comparison, Side
from wavediff.core.base.notices import NoticeKind
from wavediff.core.jobs.choices import Device
from wavediff.core.jobs.events import DeviceChosen, Event, MemoryForecast, NoticeRaised, memory_text
from wavediff.core.jobs.verification import Proof
from wavediff.core.methods.base import AUTOMATIC
from wavediff.core.methods.default import default_method
from wavediff.core.methods.free_ends import Ends, overlong_text
from wavediff.core.run.dispatch import estimated_seconds
from wavediff.core.run.rates import WARN_BYTES, lean_traceback, memory_warning
from wavediff.core.screening.notices import Offer
from wavediff.core.sequences.letter_rules import UracilRule
from wavediff.core.sequences.orientation import Orientation, Strand
from wavediff.core.sequences.sequence import Sequence

FORECAST = "forecast"  # a notice is about: the memory of a run to come, or of the one under way
AUTO_RECOMPUTE_SECONDS = 1.0  # estimated: what takes less is compared again by itself after a choice


class Session(PairReader):
    """Owns the comparison job and the background sessions; results that arrive too late are dropped.

    Signals:
        phase_changed: a run began or ended (``running``, ``wavefront.phase``).
        compared: a ``Comparison``. recounted: the comparison has new statistics, see ``JobOptions.ambiguity``.
        proven: the outcome has a proof.
    """

    phase_changed = Signal()
    compared = Signal(object)
    recounted = Signal(object)
    proven = Signal()

    def __init__(self, recent: RecentPairs, start: JobOptions) -> None:
        super().__init__(recent, start)
        self.wavefront = BlockMapModel()
        self.timings, self.statistics, self.ledger = TimingsModel(), StatisticsModel(), SkippedWorkModel(self)
        self.outcome: Comparison | None = None
        self.devices = DeviceModel()
        self._answers = Answers(self.wavefront, self.timings, self.devices)
        self.last_run: Comparison | None = None  # without its result
        self._jobs = LastJob()
        self._asked: Question | None = None  # of the last run
        self._answered: Question | None = None  # by the outcome
        self._before: PairState | None = None  # B is oriented as was asked for then
        self.trial: int | None = None  # k of the band that is tried instead of the chosen one
        self.slot = JobSlot("compute", self, self._finished, self._failed)
        self._finder = OrientationFinder(self.pair)
        self.screening = PairScreening()
        self.many = BatchSession()
        self.search = Search(self.pair, lambda: self.fold_case)
        self.transform = BwtSession(self.pair, lambda: self.fold_case)
        self.race = Race(self.pair, lambda: self.fold_case, lambda: self._others_busy, self.stop)
        self.race.follow(start.chosen, start.ambiguity)
        self.finer, self.records, self.cells = FinerRun(), RecordReader(), CellSession(self.wavefront)
        self.dots = DotsSession(
            self.pair, lambda: self.running or self.screening.waiting, self._contigs_along_a, self._files,
            lambda: self._state.all_records,
        )  # fmt: skip
        self.dots.all_records_chosen.connect(lambda: self.note(all_records=self.dots.all_records))
        self.blocks.chosen_device = self.contigs.chosen_device = self.dots.chosen_device = lambda: self.choices.device
        self.compared.connect(self.cells.show_outcome)
        self.proof = ProofSession()
        self.proof.proven.connect(self._proven)
        sides = self.search, self.finer, self.race, self.cells, self.dots, self.blocks, self.contigs, self.proof
        self.sides = (self.many, self.transform, *sides)
        for each in (*self.sides, self.records, self.screening, self._finder):
            each.noticed.connect(self.noticed)
            each.replaced.connect(self.replaced)
            each.crashed.connect(self.crashed)
        on(self.race.look_round, self.phase_changed, *(each.changed for each in self.sides))
        self.choices_changed.connect(lambda: self.race.follow(self.choices.chosen, self.choices.ambiguity))
        for one in (self.search, self.transform):
            self.choices_changed.connect(one.changed)
        self.screening.settled.connect(self._screened)
        self.screening.taken.connect(self.take_offer)
        self.screening.blocks_wanted.connect(self.arrange)
        self.screening.shows_blocks = lambda: self.rearranged
        self.slot.reported.connect(self._on_event)
        self._finder.found.connect(self._orient)
        self._finder.refused.connect(self.choices_changed)

    @property
    def running(self) -> bool:
        return self.slot.job is not None

    @property
    def busy(self) -> bool:
        return self._others_busy or self.race.running or self.screening.waiting

    @property
    def _others_busy(self) -> bool:
        return self.running or any(each.running for each in self.sides if each is not self.race)

    @property
    def stale(self) -> bool:
        """True if the outcome belongs to other options than the current ones."""
        return self.outcome is not None and self._answered != self._question()

    @property
    def earlier(self) -> bool:
        """True if the outcome is not that of the last run with the current options."""
        return self.outcome is not None and (self.stale or self.outcome.job.id != self.wavefront.job_id)

    @property
    def refused(self) -> bool:
        """True if the pair cannot be compared with the current options."""
        return self.pair.complete is not None and self._job(self.choices) is None

    @property
    def as_asked(self) -> bool:
        """True if the last run used the current options."""
        return self._asked == self._question()

    @property
    def other_run(self) -> str:
        """Method of a running job whose options are no longer current, or an empty string."""
        if not self.running or self.last_run is None or self.as_asked:
            return ""
        return self.last_run.method.name

    def choose(self, **changes: Any) -> None:
        """Change fields of ``choices`` or method options; fast comparisons (< 1 s) run at once.

        The device and ``kept`` options apply to all pairs, others to this pair.
        """
        before, new = self.state, self.choices.changed(**changes)
        others = ("device", *([] if self.pair.complete else ["method"]))
        kept = {name: changes[name] for name in others if name in changes} | JobOptions(options=changes).kept
        self.start = self.start.changed(**kept)
        if new != self.choices:
            recoded = self._set_choices(new)
            name = "Choice of the method" if new.method != before.job.method else "Choice of an option"
            self.done.emit(name, before)
            self._pair_replaced(*Side) if recoded else self._follow()

    def start_with(self, method: str) -> None:
        self.start = replace(self.start, method=method)
        if self.pair.complete is None:
            self.choose(method=method)

    def _set_choices(self, new: JobOptions) -> bool:
        """Set the options; return whether the letters change."""
        new_method, recoded = new.method != self.choices.method, new.letters is not self.choices.letters
        self._state = replace(self._state, job=new)
        if recoded:
            self.pair.choose_uracil(new.letters)
        self._count_as_chosen()
        self.choices_changed.emit()
        if new_method and self.devices.asked:
            self.probe_gpu()
        return recoded

    @Slot(object)
    def take_offer(self, offer: Offer) -> None:
        before, now = self.state, self.pair.orientation
        if offer.ends:
            self._set_choices(self.choices.changed(method="edit", ends=Ends(offer.ends)))
        if offer.method:
            self._set_choices(self.choices.changed(method=offer.method))
        if offer.minus or offer.origin is not None:
            strand = now.strand.other if offer.minus else now.strand
            self._find_orientation(before, strand, circular=now.circular or offer.origin is not None)
        else:
            self.done.emit(offer.text, before)
            self.run()

    def _compare_as(self, name: str, **changes: Any) -> None:
        before = self.state
        self._set_choices(self.choices.changed(**changes))
        self.done.emit(name, before)
        self.run()

    def _follow(self) -> None:
        """Compare the pair with current options, if not done yet and fast."""
        self._show_pair(self.outcome)
        if self.find_blocks():
            self.screening.forget_answer()
            self.replaced.emit(frozenset({FORECAST, RUN}))
            if self.slot.stop():
                self._end(Phase.STOPPED)
            if self.outcome is None:
                self.wavefront.clear()
            return
        both = self.pair.complete
        if (answer := self._answers.of(self._question())) is not None:
            self._take_back(answer)
            return
        if both is None or (self.running and self.as_asked):
            return
        job = self._job(self.choices)
        if job is None or estimated_seconds(job, self.choices.device) < AUTO_RECOMPUTE_SECONDS:
            self.run()  # which says what is wrong
        else:
            self._forecast(job)

    def _take_back(self, answer: Answer) -> None:
        """Restore an earlier answer, cancelling the run of other options."""
        self.replaced.emit(frozenset({FORECAST}))
        if self.outcome is not answer.outcome or self.wavefront.job_id != answer.outcome.job.id:
            self.slot.stop()
            self.replaced.emit(frozenset({RUN}))
            self._answers.show_run(answer)
            self._answered = self._asked = answer.question
            self._set_outcome(answer.outcome)
            self._count_as_chosen()
            self.phase_changed.emit()
            self.compared.emit(self.outcome)
        self.screening.answered(answer.outcome)

    def _question(self) -> Question | None:
        choices = self.choices if self.trial is None else self.choices.in_band(self.trial)
        job = self._job(choices)
        return None if job is None else question(job, choices.device)

    def _job(self, choices: JobOptions) -> Any:
        return self._jobs.of(self.pair.complete, choices, fold_case=self.fold_case)

    def probe_gpu(self) -> None:
        """Check whether the GPU supports the chosen method; ``devices.changed`` follows."""
        self.devices.ask(self.choices.chosen.job_type)

    def swap(self) -> None:
        both = self.pair.complete
        if both is not None:
            before = self.state
            outcome = self.outcome if self.outcome is not None and self.outcome.b is both[1] else None
            alignment = None if outcome is None else outcome.result.alignment
            state = replace(before, go_to="", job=replace(before.job, fold_case=None))
            self._swap(replace(state, orientation=swapped_orientation(*both, alignment)))
            self.done.emit("Swap A and B", before)

    def orient(self, strand: Strand | None = None, *, circular: bool = False, opens: bool = False) -> None:
        """Compare this strand of B (None: best for A); a circular B is rotated to fit.

        The search runs on a separate thread; then the pair is compared. ``opens``: no undo step.
        """
        self._find_orientation(None if opens else self.state, strand, circular=circular)

    def _find_orientation(self, before: PairState | None, strand: Strand | None, *, circular: bool) -> None:
        self._before = before
        self._finder.ask(strand, circular=circular)

    @Slot(object)
    def _orient(self, orientation: Orientation) -> None:
        before, now = self._before, self.state
        turns = orientation != self.pair.orientation
        self.pair.orient(orientation)
        if self.state != (before or now):
            if before is not None:
                self.done.emit("Orientation of B", before)
            self._pair_replaced(Side.B) if turns else self.run()

    def _choose_as(self, state: PairState) -> None:
        self._finder.stop()
        turns = state.orientation != self.pair.orientation
        if turns:
            self.pair.orient(state.orientation)
        self._state = replace(state, job=self.choices)
        recoded = self._set_choices(state.job)
        self._pair_replaced(*(Side if recoded else (Side.B,))) if turns or recoded else self._follow()

    def run(self) -> None:
        """Compare the pair; a running job and a trial are cancelled."""
        self.trial = None
        if not self.find_blocks(again=True):
            self._run(self.choices)

    def try_threshold(self, k: int) -> None:
        """Compare the pair in a band for ``k`` edits as a trial; ``end_trial`` reverts."""
        if self.pair.complete is not None and self.choices.banded:
            self.trial = k
            self._run(self.choices.in_band(k))

    def end_trial(self) -> None:
        """End a trial, if any, and compare with the chosen options."""
        if self.trial is not None:
            self.run()

    def _run(self, choices: JobOptions) -> None:
        both = self.pair.complete
        if both is None:
            self.notice(Severity.INFO, f"{self.pair.first_empty!s} is missing: drop a file, open one or paste text")
            return
        (a, b), fold_case = both, self.fold_case
        self._jobs = LastJob()  # each run has a job of its own, and reads its files again
        job = self._job(choices)
        if job is None:
            self.slot.stop()
            self.wavefront.clear()
            self.phase_changed.emit()
            self.notice(Severity.ERROR, self._jobs.refusal, RUN)
            return
        self.race.stop()  # its clocks would feel this
        self.proof.stop()
        device = choices.device
        self._forecast(job)
        if not self.screening.allows(job, a, b, estimated_seconds(job, device)):
            if self.slot.stop():
                self.wavefront.end(Phase.STOPPED)
            if self.outcome is None:
                self.wavefront.clear()
            self.phase_changed.emit()
            return
        self.last_run = Comparison(job, a, b, fold_case, None, choices.typed)
        self.cells.run_begins(self.last_run)
        self.slot.submit(self.screening.informed(job, a, b), device)
        self.replaced.emit(frozenset({RUN}))
        self._asked = question(job, device)
        follows = self.trial is not None and self.outcome is not None
        n, m = (len(a), len(b)) if choices.chosen.of_letters else (0, 0)  # as many as its plan says
        self.wavefront.start(job.id, n, m, keep_picture=follows)
        self.devices.start(job.id)
        self.timings.start(job.id, "cpu" if device is Device.AUTO else str(device))
        self.phase_changed.emit()

    def stop(self) -> None:
        """Cancel reading and computing; the window is usable at once."""
        for each in (self.loader, self._finder, *self.sides):
            each.stop()
        if self.screening.stop():
            self.replaced.emit(frozenset({FORECAST}))
            self.phase_changed.emit()
        if self.slot.stop():
            self._end(Phase.STOPPED)
            self.screening.unanswered()

    @Slot(bool)
    def _screened(self, begins: bool) -> None:
        self.phase_changed.emit()
        if begins:
            self.run()

    def close(self) -> bool:
        """End all threads; False if one is stuck (see ``JobWorker.close``)."""
        self.slot.stop()
        self.statistics.close()
        parts = self.loader, self.slot, self._finder, self.screening, self.devices, self.records, *self.sides
        ended = [each.close() for each in parts]  # close all, even after a failure
        return all(ended)

    def _keep(self) -> Any:
        return self._answers.all, [each.kept() for each in self.sides]

    def _begin_with(
        self, sequences: Mapping[Side, Sequence | None], state: PairState, whole: WholePair | None = None
    ) -> None:
        """Compare the sequences just read, or the existing pair."""
        self._finder.stop()
        answers, kept = ((), ()) if whole is None else whole.kept
        for side, known in zip(self.sides, kept, strict=False):
            side.take_up(known)
        before, self._state = self.choices.method, state
        self._forget_answer()
        self.pair.uracil = state.job.letters
        if sequences:
            self.pair.replace(sequences)
        both = self.pair.complete
        if both is not None and state.job.method == AUTOMATIC:
            self._state = replace(state, job=replace(state.job, method=default_method(*both).id))
        self.pair.orient(state.orientation)
        unplaced = self._check_contigs()
        self.opened.emit()
        self._pair_replaced(*(sequences or Side), answers=answers)
        if unplaced:
            self.notice(Severity.WARNING, unplaced, *Side)
        if self.choices.method != before and self.devices.asked:
            self.probe_gpu()
        self._check_form()

    def _pair_replaced(self, *sides: Side, answers: tuple[Answer, ...] = ()) -> None:
        self.replaced.emit(frozenset({*sides, RUN}))
        for side, sequence in ((side, self.pair[side]) for side in sides):
            for one in () if sequence is None else sequence.notices:
                exact = Action("Compare U and T as two letters", partial(self.choose, letters=UracilRule.EXACT))
                action = exact if one.kind is NoticeKind.U_IS_T else None
                self.noticed.emit(Notice(Severity.INFO, f"{side!s}: {one}", frozenset({side}), action))
        self._finder.tell()
        self._forget_answer()
        self._answers.all = answers
        self.choices_changed.emit()
        if self.pair.complete is not None:
            self._follow() if answers else self.run()

    def _forget_answer(self) -> None:
        self.trial, self._answers.all = None, ()
        self.slot.stop()
        self._set_outcome(None)
        self.wavefront.clear()
        self.timings.start(0, "")  # none, until a job starts

    @Slot(object)
    def _on_event(self, event: Event) -> None:
        self.wavefront.apply(event)
        self.timings.apply(event)
        self.devices.apply(event)
        if isinstance(event, MemoryForecast) and event.most >= WARN_BYTES:
            self._warn_of_memory(event, self.slot.job)
        elif isinstance(event, DeviceChosen) and event.device != Device.CPU:
            self.replaced.emit(frozenset({FORECAST}))
        elif isinstance(event, NoticeRaised) and event.text == overlong_text(self.slot.job):
            whole = Action("Compare whole", partial(self._compare_as, "Compare whole", ends=Ends.NONE))
            self.noticed.emit(Notice(Severity.WARNING, event.text, frozenset({RUN}), whole))
        elif isinstance(event, NoticeRaised | MemoryForecast):
            self.pass_on(event, RUN)

    def _forecast(self, job: Any) -> None:
        """Show the memory forecast of ``job`` before it starts; unloaded modules report it later themselves."""
        self.replaced.emit(frozenset({FORECAST}))
        event = memory_warning(job) if job.modules.cpu in sys.modules else None
        if event is not None and event.most >= WARN_BYTES and self.choices.device is not Device.GPU:
            self._warn_of_memory(event, job)

    def _warn_of_memory(self, event: MemoryForecast, job: Any) -> None:
        """Show the memory of a large run until it ends, and offer a traceback that needs less."""
        lean, action = lean_traceback(job), None
        if lean is not None:
            text = f"Traceback {lean[0].name}: at most {memory_text(lean[1])}"
            action = Action(text, partial(self._compare_as, text, traceback=lean[0].value))
        self.replaced.emit(frozenset({FORECAST}))
        self.noticed.emit(Notice(Severity.WARNING, event.text, frozenset({FORECAST, *Side}), action))

    @Slot(object, object)
    def _finished(self, result: Any, _job: Any) -> None:
        assert self.last_run is not None
        asked = replace(self.last_run, result=replace(result, ambiguity=self.choices.ambiguity))
        result = asked.method.compared(asked.result, asked.a, asked.b)
        outcome = replace(asked, result=result, a=result.read[0], b=result.read[1])
        self._answered = self._asked
        self._set_outcome(outcome)
        self._end(Phase.DONE)
        self._answers.add(self._asked, outcome)
        self.compared.emit(outcome)
        if self.trial is None:
            self.screening.answered(outcome)

    def _count_as_chosen(self) -> None:
        """Apply the rule for ambiguity codes to the figures; both counts are known."""
        if self.outcome is not None and self.outcome.result.ambiguity is not self.choices.ambiguity:
            result = replace(self.outcome.result, ambiguity=self.choices.ambiguity)
            self._set_outcome(replace(self.outcome, result=result))
            self.recounted.emit(self.outcome)

    @Slot(object, object)
    def _proven(self, job: Any, proof: Proof) -> None:
        if self.outcome is not None and self.outcome.job is job:
            self._set_outcome(replace(self.outcome, result=replace(self.outcome.result, proof=proof)))
            self.proven.emit()

    def _set_outcome(self, outcome: Comparison | None) -> None:
        self.outcome = outcome
        if outcome is not None:
            self._answers.update(outcome)
        self._show_pair(outcome)
        self.statistics.show(outcome)
        self.ledger.show(outcome, self.wavefront.grid, computed_text(self.wavefront, outcome))

    @Slot(object)
    def _failed(self, error: BaseException) -> None:
        self._end(Phase.FAILED)
        self.report_error(error, "The comparison failed", RUN, choose=self._compare_as)

    def _end(self, phase: Phase) -> None:
        self.replaced.emit(frozenset({FORECAST}))
        self.wavefront.end(phase)
        self.timings.flush()
        self.phase_changed.emit()
