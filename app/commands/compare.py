"""``compare``: compare two files; statistics and alignments by the same jobs as in the window."""

from __future__ import annotations

import argparse
import os
import shutil
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from functools import partial
from importlib import import_module
from typing import Any

from wavediff.app.commands.command import Command
from wavediff.app.commands.inputs import read_given, request_of
from wavediff.app.commands.method_options import COMPARE_OPTIONS, method_options, usual_methods
from wavediff.app.commands.options import cluster_of
from wavediff.app.commands.pictures import write_pictures
from wavediff.app.commands.progress import hint
from wavediff.app.commands.view_options import OF_LETTERS, OF_MATCHES, asked_of, check_drawn, check_view, usual_view
from wavediff.app.ui.kernel_names import kernel_name
from wavediff.core.base.errors import ExportError, WavediffError, count_noun
from wavediff.core.base.numbers import LEAST_GCUPS, duration, speed
from wavediff.core.export import terminal, terminal_lines
from wavediff.core.export.comparison import SPLIT_GAP, Comparison
from wavediff.core.export.registry import COMPARISON, FILMS, PICTURES, RECORD, TIMINGS
from wavediff.core.jit import background_compile, compile_cache
from wavediff.core.jobs.cancel import CancelToken
from wavediff.core.jobs.choices import Device, View
from wavediff.core.jobs.edit_result import Skip
from wavediff.core.jobs.events import DeviceChosen
from wavediff.core.methods import method_of
from wavediff.core.methods.base import TracebackMethod
from wavediff.core.methods.default import default_method
from wavediff.core.methods.lines import LINES
from wavediff.core.methods.options import accepted
from wavediff.core.methods.second import NO_PROOF, ProofJob
from wavediff.core.methods.statistics import gcups, measures
from wavediff.core.methods.wording import apart_text, left_out
from wavediff.core.run.dispatch import estimated_seconds, require_device, runs_uncompiled
from wavediff.core.run.runner import run_job
from wavediff.core.screening.jobs import ChanceJob, screen_job
from wavediff.core.screening.notices import ASK_SECONDS, LONG_SECONDS, PairNotice, Screened, chance_notice
from wavediff.core.sequences.letter_rules import Ambiguity
from wavediff.core.sequences.read_as import ReadAs
from wavediff.core.sequences.sequence import Sequence
from wavediff.core.system.machine import cores


def run(arguments: argparse.Namespace) -> int:
    """Return the exit code: 0 if the sequences are equal under the case rule, else 1.

    Raises:
        Cancelled: Ctrl+C or a request to end.
        WavediffError: any error, in one line. If a format cannot hold the sequences, the others are written first.
    """
    if arguments.rearranged or arguments.seed_letters or arguments.all_records or arguments.view in OF_MATCHES:
        return int(import_module("wavediff.app.commands.rearranged").run(arguments))
    check_drawn(arguments)
    given, inputs = arguments.alignment, (arguments.a, arguments.b, arguments.alignment)
    command = Command(arguments, (*COMPARISON, TIMINGS, *RECORD), tuple(filter(None, inputs)))
    command.reporter.names = arguments.names
    files, cluster = command.files, cluster_of(arguments)
    letters = bool(given or cluster or command.device is Device.GPU or arguments.view in OF_LETTERS)
    lines = arguments.view == View.LINES or any(kind.method == LINES.id for kind in files.paths)
    methods = usual_methods(arguments, letters=letters, lines=lines)
    method = methods[0]
    options = method_options(arguments, method, COMPARE_OPTIONS)
    method.check({**accepted(method.options, options), **options})
    if not method.of_letters and arguments.format == ReadAs.AUTO:
        arguments.format = str(ReadAs.TEXT)  # also where its lines look like a sequence
    reporter, cancel = command.reporter, command.cancel
    files.require_method(method.id)
    if method.values(options)["traceback"] is TracebackMethod.NONE and files.first_alignment_option():
        raise ExportError(f"{files.first_alignment_option()} needs the alignment, which '--traceback none' leaves out")
    if method.values(options)["traceback"] is TracebackMethod.NONE and given:
        raise ExportError("--alignment is shown next to ours, which '--traceback none' leaves out")
    if arguments.trace in [*TracebackMethod]:
        raise ExportError(f"--trace {arguments.trace} names a file; is '--traceback {arguments.trace}' meant?")
    if cluster is None:
        require_device(method.job_type, command.device)
    aligned = method.values(options)["traceback"] is not TracebackMethod.NONE
    if len(methods) == 1:
        check_view(arguments, aligned=aligned, unit=method.unit)
    with command.working():
        a, b, records = read_given(command)
        if len(methods) > 1:
            method = default_method(a, b, single_lines=arguments.single_lines)
            options = method_options(arguments, method, COMPARE_OPTIONS)
            check_view(arguments, aligned=aligned, unit=method.unit)
        arguments.method = method.id
        request = request_of(command, method, options, a, b, records)
        a, b = request.a, request.b
        command.files, refused = files.fitting(a, b)
        # A map of a few blocks would show nothing.
        finer = method.finer(len(a) * len(b), method.values(options)) if command.pictures.paths else {}
        job = request.job(arguments.threads or cores(), **finer)
        if cluster is not None:
            import_module("wavediff.core.run.cluster.run").check(job)
            job = replace(job, cluster=cluster)
        # Where nothing is kept, nothing that a child compiles would be found here.
        compiles = compile_cache.state().folder is not None and not runs_uncompiled(job)
        seconds = estimated_seconds(job, command.device)
        wanted = not arguments.quiet or arguments.json is not None or seconds >= ASK_SECONDS
        with (
            background_compile.compile_in_parallel(compile_cache.ready()) if compiles else nullcontext(),
            screening(a, b, job, cancel, wanted=wanted) as screened,
        ):
            if seconds >= LONG_SECONDS:
                known = screened.known()
                job = known.informed(job)
                if known.notice is not None and seconds >= ASK_SECONDS and not arguments.anyway:
                    ask_first(known.notice, seconds, command)
                elif known.notice is not None:
                    reporter.notices([known.notice], method.id)
            result = replace(command.run(job, command.device), ambiguity=Ambiguity(arguments.ambiguity))
            if arguments.prove and not getattr(result, "exact", True):
                reporter.notice(NO_PROOF)
            elif arguments.prove:
                result = replace(result, proof=command.run(ProofJob(pair=job, result=result)))
            notices = screened.after(result)
        reporter.notices(notices, method.id)
        answer = request.answer(
            result, job.threads,
            split_gap=SPLIT_GAP if arguments.split is None else arguments.split, vcf_strict=arguments.vcf_strict,
            timings=tuple(reporter.timings), notices=notices, recorded=reporter.record,
        )  # fmt: skip
        command.files, lacking = command.files.possible(answer)
        refused += lacking
        command.write(answer)
        make = partial(_picture, command, answer, job)
        usual_picture = usual_view(method.unit, result.alignment is not None)
        for kinds, usual in ((PICTURES, usual_picture), (FILMS, View.MAP)):
            view = View(arguments.view or usual)
            write_pictures(command.pictures.only(kinds), arguments, partial(make, view, kinds is FILMS))
    command.tell(_answer_lines(answer, command))
    if refused:
        raise ExportError("; ".join(refused))
    return 0 if method.same(answer.result, len(answer.a), len(answer.b)) else 1


def _picture(command: Command, answer: Comparison, job: Any, view: View, moves: bool, size: dict[str, Any]) -> Any:
    app, given = import_module("wavediff.app.ui.pair"), command.arguments.alignment
    file = app.GivenFile(os.path.abspath(given), command.arguments.record_alignment or 0) if given else None
    comparison = app.Comparison(
        job, answer.a, answer.b, answer.fold_case, answer.result, answer.options, answer.given, file
    )
    made, asked = import_module("wavediff.app.window.pictures.view_pictures"), asked_of(view, command.arguments)
    pictured = made.view_picture(
        view, comparison, answer.recorded, answer.timings, command.cancel, moves=moves, asked=asked, **size
    )
    if moves and pictured.frames is None:
        raise WavediffError("no block of this run was timed, so nothing moves: try --view cells, which plays each cell")
    return pictured


def _answer_lines(answer: Comparison, command: Command) -> Iterator[str]:
    arguments, stream = command.arguments, command.files.summary_stream
    width = shutil.get_terminal_size((terminal.USUAL_WIDTH, 0)).columns
    mark = terminal_lines.wanted(arguments.color, stream, os.environ)
    if arguments.title:
        yield mark(arguments.title, terminal_lines.Style.ANSWER)
    yield from terminal.lines(answer, width=width, mark=mark, everything=arguments.all)
    if arguments.verbose:
        yield ""
        yield from _figures(answer, command.reporter.device)


def _figures(answer: Comparison, device: DeviceChosen | None) -> list[str]:
    a, b, result, method = answer.a, answer.b, answer.result, answer.method
    lines = []
    for label, one in (("A", a), ("B", b)):
        facts = (count_noun(len(one), "letter"), str(one.alphabet), one.orientation.text(len(one)))
        lines.append(f"{label}  {one.name}: {', '.join(filter(None, facts))}")
    figures = {measure.key: measure for measure in measures(method, result, len(a), len(b))}
    lines += method.summary(result, len(a), len(b), figures)
    lines += [f"ambiguity codes: {text}"] if (text := apart_text(result, a, b)) else []
    lines += _skipped(method.skips(result) or (), result.n_cells)
    lines.append(f"strategy: {result.strategy} ({result.reason})" if result.reason else f"strategy: {result.strategy}")
    lines.append(f"checked: {result.checked}")
    if device is not None:
        lines.append(f"device: {device.device} ({device.reason})")
    rate = gcups(result.n_cells if result.cells else 0, result.wall_seconds)
    shown = f", {speed(rate)}" if rate >= LEAST_GCUPS else ""
    cells = f"{count_noun(result.n_cells, 'cell')}{left_out(method, result)}"
    parts = [f"{kernel_name(one.kernel)} {one.cells:,}" for one in answer.timings if one.cells]
    each = f" ({', '.join(parts)})" if len(parts) > 1 else ""
    computed = f"computed {result.cells:,}, repeats included{each}{shown}"
    lines.append(f"time: {result.wall_seconds:.3f} s on {result.device}, matrix {cells}, {computed}")
    rule = ("case ignored" if answer.fold_case else "case counts") + (", U is T" if a.u_is_t else "")
    lines.append(f"{'the same' if method.same(result, len(a), len(b)) else 'different'} ({rule})")
    return lines


def _skipped(skips: tuple[Skip, ...], n_cells: int) -> list[str]:
    if not skips:
        return []
    parts = [f"{_share(skip.cells / n_cells)} {skip.reason.text}" for skip in skips if n_cells]
    timed = [skip.seconds for skip in skips if skip.seconds is not None]
    return [f"skipped: {', '.join(parts)}" + (f"; about {1000 * sum(timed):,.1f} ms saved" if timed else "")]


def _share(part: float) -> str:
    return f"{part:.1%}" if part >= 0.001 else "under 0.1%"


class PairScreening:
    """Notices on a pair, computed in a separate thread; none without ``screened``."""

    def __init__(self, job: Any, cancel: CancelToken, screened: Future[Screened] | None) -> None:
        self._job, self._cancel, self._found = job, cancel, screened

    def after(self, result: Any) -> tuple[PairNotice, ...]:
        """Return the notices for ``result``; may compute the chance level (milliseconds)."""
        if self._found is None:
            return ()
        known, job, chance = self.known(), self._job, None
        n, m = int(job.a.size), int(job.b.size)
        share = method_of(job).shown_identity(result, n, m)
        if share is not None and known.could_be_chance(share, n, m):
            expected = run_job(ChanceJob(pair=job), cancel=self._cancel)
            chance = (
                None
                if expected is None
                else chance_notice(share, expected, n, m, end_to_end=method_of(job).end_to_end(job))
            )
        return known.with_answer(chance, method_of(job).id)

    def known(self) -> Screened:
        """Wait for the screening; running out of memory there does not fail the comparison."""
        try:
            return Screened() if self._found is None else self._found.result()
        except MemoryError:
            return Screened()


def ask_first(notice: PairNotice, seconds: float, command: Command) -> None:
    """Ask on a terminal whether to run a long comparison that cannot show what ``notice`` reports.

    Raises:
        WavediffError: declined, or no terminal to ask on.
    """
    long = f"a comparison of about {duration(seconds)}"
    if command.asks:
        command.reporter.notices([notice], command.arguments.method)
        answer = command.ask(f"This is {long}. Compare all the same? [y/N] ")
        if answer.strip().lower() in ("y", "yes"):
            return
    better = hint(notice, command.arguments.method)
    raise WavediffError(f"{long} was not started: {notice.text}{better}{' or' if better else ': try'} --anyway")


@contextmanager
def screening(a: Sequence, b: Sequence, job: Any, cancel: CancelToken, *, wanted: bool) -> Iterator[PairScreening]:
    """Screen the pair of ``job`` in the background; leaving the context waits for the thread."""

    look = screen_job(a, b, job) if wanted else None
    if look is None:
        yield PairScreening(job, cancel, None)
        return
    with ThreadPoolExecutor(1, "screening") as thread:
        yield PairScreening(job, cancel, thread.submit(run_job, look, cancel=cancel))
