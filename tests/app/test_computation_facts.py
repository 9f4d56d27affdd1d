"""The facts of a run speak of what was done, and a large run says before it begins what would need less memory."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest
from pytestqt.qtbot import QtBot

from tests.app import fakes
from wavediff.app.compare.computation_facts import computed_text, facts_of
from wavediff.app.ui.block_map.block_map import BlockMapModel
from wavediff.app.ui.devices import DeviceModel
from wavediff.app.ui.notices import Severity
from wavediff.app.ui.pair import Comparison
from wavediff.app.window import session as session_module
from wavediff.app.window.main_window import MainWindow
from wavediff.core.base.numbers import percent
from wavediff.core.jobs.choices import Device
from wavediff.core.jobs.edit_result import Skip, SkipReason
from wavediff.core.jobs.events import MemoryForecast, Planned
from wavediff.core.methods.base import Method, TracebackMethod
from wavediff.core.methods.edit import EDIT
from wavediff.core.methods.lcs import LCS, LcsJob, Strategy
from wavediff.core.methods.swap import SWAP
from wavediff.core.run.rates import estimate_memory, lean_traceback
from wavediff.core.run.runner import run_job
from wavediff.core.sequences.sequence import Sequence


def sequence(letters: str) -> Sequence:
    from wavediff.core.jobs.read import ParseJob

    found: Sequence = run_job(ParseJob(text=letters)).sequence(0)
    return found


def test_equal_ends_are_skipped_also_where_the_traceback_computes_more_cells(qtbot: QtBot) -> None:
    a, b = sequence("ACGTTGCA" * 300), sequence("ACGTTGCA" * 100 + "TTT" + "GATTACAG" * 100 + "ACGTTGCA" * 100)
    job = LCS.job(a, b, {"strategy": Strategy.FULL}, fold_case=True)
    events: list[object] = []
    result = run_job(job, device=Device.CPU, report=events.append)
    (plan,) = (event for event in events if isinstance(event, Planned))
    result = replace(result, cells=2 * result.n_cells)
    outcome, model = Comparison(job, a, b, True, result), BlockMapModel()
    model.start(job.id, len(a), len(b))
    model.plan = plan
    assert computed_text(model, outcome).endswith(" of the matrix computed, the rest skipped")


def test_equal_sequences_need_no_table(qtbot: QtBot) -> None:
    a, model = sequence("ACGTTGCA" * 300), BlockMapModel()
    job = EDIT.job(a, a, {}, fold_case=True)
    outcome = Comparison(job, a, a, True, run_job(job, device=Device.CPU))
    model.start(job.id, len(a), len(a))
    assert computed_text(model, outcome) == "No table needed: A and B are equal"


@pytest.mark.parametrize("method", [EDIT, SWAP, LCS], ids=lambda one: one.id)
def test_a_share_that_is_not_computed_is_skipped(qtbot: QtBot, method: Method) -> None:
    a, b = sequence("ACGTTGCA" * 20), sequence("ACGTTGCA" * 5 + "CA" + "ACGTTGCA" * 9 + "GT" + "ACGTTGCA" * 6)
    job = method.job(a, b, {}, fold_case=True)
    outcome, model = Comparison(job, a, b, True, run_job(job, device=Device.CPU)), BlockMapModel()
    model.start(job.id, len(a), len(b))
    devices = cast("DeviceModel", SimpleNamespace(chosen=None))
    facts = {fact.name: fact.value for fact in facts_of(model, outcome, devices)}
    assert ("Skipped" in facts) is not facts["Computed"].startswith(percent(1))


@pytest.mark.parametrize(
    ("share", "said"), [(0.0, "Whole matrix computed"), (0.6, "40 % of the matrix computed, the rest skipped")]
)
def test_the_sentence_over_the_map_speaks_of_what_was_computed(qtbot: QtBot, share: float, said: str) -> None:
    a, b = sequence("ACGT" * 10), sequence("GTTA" * 10)
    job = EDIT.job(a, b, {"band": "none"}, fold_case=True)
    result = run_job(job, device=Device.CPU)
    skips = (Skip(SkipReason.MONOTONE, 1, round(share * result.n_cells), 0.0),) if share else ()
    result = replace(result, strategy="full", reason="too small for a band", skips=skips)
    outcome, model = Comparison(job, a, b, True, result), BlockMapModel()
    model.start(job.id, len(a), len(b))
    assert computed_text(model, outcome).startswith(said)
    devices = cast("DeviceModel", SimpleNamespace(chosen=None))
    facts = {fact.name: fact.value for fact in facts_of(model, outcome, devices)}
    assert ("Skipped" in facts) is bool(share)
    if share:
        assert facts["Computed"] == f"{percent(1 - share)} of the matrix, in whole blocks"
    assert "every cell" not in facts["Strategy"]
    # As in the glossary, files and the command line: cells of the whole matrix in the time of the whole run.
    many = {"n_cells": 8_000_000_000, "cells": 8_000_000_000}
    slow = replace(outcome, result=replace(result, **many, wall_seconds=2.0, kernel_seconds=1.0))
    facts = {fact.name: fact.value for fact in facts_of(model, slow, devices)}
    rate = "4.0 GCUPS, skipped cells included" if share else "4.0 GCUPS"
    assert (facts["Speed"], facts["Time"]) == (rate, "2.0 s, of which kernels 1.0 s")
    none = replace(outcome, result=replace(result, skips=(), cells=0, n_cells=3_000, wall_seconds=0.0052))
    facts = {fact.name: fact.value for fact in facts_of(model, none, devices)}
    assert (facts["Matrix"], facts["Computed"]) == ("3,000 cells", "0 % of the matrix")
    assert (facts["Time"], "Speed" in facts) == ("5.2 ms", False)
    # Of a method that lists no skips the cells say it: equal ends are hatched on its map.
    job = LCS.job(a, b, {}, fold_case=True)
    found = run_job(job, device=Device.CPU)
    result = replace(found, strategy="full", reason="x", cells=round((1 - share) * found.n_cells))
    assert LCS.skips(result) is None
    assert computed_text(model, Comparison(job, a, b, True, result)).startswith(said)


def test_the_traceback_that_needs_least_memory_is_found() -> None:
    a, b = sequence("ACGT" * 30_000), sequence("GTTA" * 30_000)
    job = LCS.job(a, b, {}, fold_case=True)
    list(run_job(replace(job, a=job.a[:10], b=job.b[:10]), device=Device.CPU).alignment.ops)  # loads the kernels
    lean, now = lean_traceback(job), estimate_memory(job)
    assert lean is not None
    assert now is not None
    entry, most = lean
    assert entry.value is TracebackMethod.HIRSCHBERG
    found = estimate_memory(replace(job, path=entry.value))
    assert found is not None
    assert most == found.most <= now.most / 2
    assert lean_traceback(replace(job, path=TracebackMethod.NONE)) is None


def test_a_run_above_a_gigabyte_says_so_beside_the_answer_and_offers_less(
    qtbot: QtBot, window: MainWindow, pair: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    session = window.session
    with qtbot.waitSignal(session.compared):
        session.open_paths(pair)
    entry = LCS.option("traceback").entry(TracebackMethod.HIRSCHBERG)
    monkeypatch.setattr(session_module, "lean_traceback", lambda _job: (entry, 400_000_000))
    session.slot.reported.emit(MemoryForecast(1, 900_000_000, 900_000_000, 8_000_000_000))
    assert window.answer.notices.pressing is None
    session.slot.reported.emit(MemoryForecast(1, 3_000_000_000, 3_000_000_000, 8_000_000_000))
    notice = window.answer.notices.pressing
    assert notice is not None
    assert notice.level is Severity.WARNING
    assert notice.text == "This needs about 3.0 GB of memory; 8.0 GB are free"
    assert notice.actions[0].text == "Traceback Hirschberg: at most 400 MB"
    with qtbot.waitSignal(session.compared) as got:
        window.answer.notices.act(notice, notice.actions[0])
    assert isinstance(got.args[0].job, LcsJob)
    assert got.args[0].job.path is TracebackMethod.HIRSCHBERG
    assert "traceback" not in session.start.options  # of this pair alone
    with qtbot.waitSignal(session.compared):
        window.history.undo()
    assert session.choices.options.get("traceback") is not TracebackMethod.HIRSCHBERG
    # It is there before the run begins, also where that waits for Run; with the answer it is of no use.
    large = MemoryForecast(1, 3_000_000_000, 3_000_000_000, 8_000_000_000)
    monkeypatch.setattr(session_module, "memory_warning", lambda job: large if job.path is not entry.value else None)
    submitted, begin = [], session.slot.submit

    def submit(job: LcsJob, device: Device) -> None:
        submitted.append(window.answer.notices.pressing)
        begin(job, device)

    monkeypatch.setattr(session.slot, "submit", submit)
    with qtbot.waitSignal(session.compared):
        session.run()
    assert [one.text for one in submitted if one] == [notice.text]
    assert window.answer.notices.pressing is None
    monkeypatch.setattr(session_module, "estimated_seconds", lambda *_: 5.0)
    session.choose(traceback=TracebackMethod.NONE)
    assert window.answer.notices.pressing == notice
    assert not session.running
    for path in (TracebackMethod.HIRSCHBERG, TracebackMethod.NONE, TracebackMethod.BLOCKS):
        session.choose(traceback=path)
        assert bool(window.answer.notices.pressing) is (path is TracebackMethod.NONE)
    fakes.Lcs.endless = True
    session.choose(traceback=TracebackMethod.NONE)
    session.run()
    assert window.answer.notices.pressing == notice
    session.stop()
    assert window.answer.notices.pressing is None
    session._warn_of_memory(large, None)
    monkeypatch.setattr(session.screening, "stop", lambda: True)  # the pair was looked at before the run
    session.stop()
    assert window.answer.notices.pressing is None


def test_an_error_ends_with_the_next_success_but_not_with_its_own_drop(
    qtbot: QtBot, window: MainWindow, pair: tuple[Path, Path]
) -> None:
    def errors() -> list[str]:
        return [one.text for one in window.answer.notices.notices if one.level is Severity.ERROR]

    session = window.session
    session.notice(Severity.ERROR, "gone.fa: there is no such file")
    qtbot.wait(1)
    session.notice(Severity.ERROR, "https://x: not a file of this computer")  # said of the drop that follows
    with qtbot.waitSignal(session.compared):
        session.open_paths(pair)
    assert errors() == ["https://x: not a file of this computer"]
    qtbot.wait(1)
    with qtbot.waitSignal(session.compared):
        session.run()
    assert errors() == []


def test_the_sentence_over_the_map_names_the_side_whose_letters_occur_in_the_other(qtbot: QtBot) -> None:
    short, long = sequence("ACGT" * 10), sequence("ACGTT" * 10)
    for a, b, said in ((short, long, "all letters of A occur in B"), (long, short, "all letters of B occur in A")):
        job, model = EDIT.job(a, b, {}, fold_case=True), BlockMapModel()
        outcome = Comparison(job, a, b, True, replace(run_job(job, device=Device.CPU), strategy="subsequence"))
        model.start(job.id, len(a), len(b))
        assert computed_text(model, outcome) == f"No table needed: {said} in this order"
