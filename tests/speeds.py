"""Plugin of the whole suite: leaves out what needs a graphics card where there is none, and keeps the durations of
files, so that the longest begin first and ``make quick`` knows what fits into its time.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Generator, Iterator
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from _pytest.runner import runtestprotocol

from tests import kept

UNKNOWN_SECONDS = 3.0  # of a file that has not been run
LONG_SECONDS = 30.0  # of one of the following
# Where nothing has been run these begin, in this order: they take longest, and what one compiles the next ones load, so
# that two workers seldom compile the same.
BEGIN = (
    "core/test_pairwise", "gpu/test_compile", "gpu/test_diagonals", "core/test_affine", "app/test_application",
    "core/test_window", "core/test_search_errors", "core/screening/test_notices", "core/test_compile_cache",
    "gpu/test_bwt", "core/test_fewest_gaps", "gpu/test_jobs",
    "core/test_edit_skips", "core/test_batch", "app/test_panels", "cli/test_streams", "core/test_compile_ahead",
)  # fmt: skip
_NO_CARD = "tests need a graphics card and were left out"


def recorded() -> dict[str, float]:
    """Return file -> CPU seconds, its subprocesses' included, of its last run as part of the suite."""
    try:
        found = json.loads(_record().read_text(encoding="utf-8"))
        return {str(name): float(seconds) for name, seconds in found.items()}
    except (OSError, ValueError, AttributeError, TypeError):
        return {}


def _record() -> Path:
    return kept.folder("durations") / "files.json"


def why_no_card() -> str | None:
    if find_spec("cupy") is None:
        return "no CuPy"
    from cupy.cuda import runtime

    try:
        runtime.getDeviceCount()
    except runtime.CUDARuntimeError as error:
        return str(error)
    return None


class Speeds:
    """State of one process of a run: the controller's, or that of a worker of pytest-xdist."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._input: dict[str, Any] = getattr(config, "workerinput", {})
        self._output: dict[str, Any] | None = getattr(config, "workeroutput", None)
        self._known: dict[str, float] = self._input.get("durations", None) or recorded()
        self._seconds: Counter[str] = Counter()
        self._left_out = 0
        self._why = ""

    @pytest.hookimpl(wrapper=True)
    def pytest_make_collect_report(
        self, collector: pytest.Collector
    ) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
        """Read folders from their end in every second worker: pytest rewrites each file of a new checkout once."""
        report = yield
        if isinstance(collector, pytest.Directory) and self._input.get("workerid", "gw0")[-1] in "13579":
            report.result.reverse()
        return report

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        self._leave_out(items)
        if self._input:
            items.sort(key=lambda item: self._order(_file(item)))

    def _order(self, file: str) -> tuple[float, int, str]:
        """Return a key to sort files by: the longest first, the order of ``BEGIN`` where that is not known."""
        stem = file.removeprefix("tests/").removesuffix(".py")
        place = BEGIN.index(stem) if stem in BEGIN else len(BEGIN)
        unknown = UNKNOWN_SECONDS if place == len(BEGIN) else LONG_SECONDS
        return -self._known.get(file, unknown), place, file

    def _leave_out(self, items: list[pytest.Item]) -> None:
        if "gpu" in self._config.option.markexpr:
            return  # asked for: each says why it cannot run
        twins = [item for item in items if item.get_closest_marker("gpu") is not None]
        if twins and (why := why_no_card()) is not None:
            self._left_out, self._why = len(twins), why
            self._config.hook.pytest_deselected(items=twins)
            gone = set(twins)
            items[:] = [item for item in items if item not in gone]

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        begun = _cpu_seconds()
        try:
            return (yield)
        finally:
            self._seconds[_file(item)] += _cpu_seconds() - begun

    @pytest.hookimpl(specname="pytest_runtest_protocol")
    def pytest_run_in_a_worker(self, item: pytest.Item, nextitem: pytest.Item | None) -> bool | None:
        """Send the controller only what it shows: beginnings, ends and fixtures that were made are half of the work."""
        option = self._config.option
        if not self._input or option.durations is not None or option.xmlpath:
            return None  # as pytest does it
        for report in runtestprotocol(item, log=False, nextitem=nextitem):
            if report.when == "call" or not report.passed:
                item.ihook.pytest_runtest_logreport(report=report)
        return True

    @pytest.hookimpl(optionalhook=True)
    def pytest_configure_node(self, node: Any) -> None:
        node.workerinput["durations"] = self._known

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        told = getattr(node, "workeroutput", {})
        self._seconds.update(told.get("seconds", {}))
        self._left_out, self._why = told.get("left_out", (self._left_out, self._why))

    def pytest_sessionfinish(self) -> None:
        if self._output is not None:
            self._output["seconds"] = dict(self._seconds)
            self._output["left_out"] = self._left_out, self._why
        elif self._seconds and self._whole_files():
            # Once in a while all has to be compiled: a file is not thought to take long for that.
            new_ones = {name: min(n, 2 * self._known.get(name, n) + 1) for name, n in self._seconds.items()}
            text = json.dumps({**self._known, **{name: round(n, 2) for name, n in new_ones.items()}}, indent=0)
            with suppress(OSError):
                place = _record()
                new = place.with_suffix(f".{os.getpid()}")
                new.write_text(text, encoding="utf-8")
                os.replace(new, place)

    def _whole_files(self) -> bool:
        option = self._config.option
        default = self._config.getini("addopts")
        return not option.keyword and option.markexpr in default and not any("::" in one for one in self._config.args)

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        if self._left_out:
            terminalreporter.write_line(f"{self._left_out:,} {_NO_CARD}: {self._why}")


def _file(item: pytest.Item) -> str:
    return item.nodeid.partition("::")[0]


def _cpu_seconds() -> float:
    used = os.times()
    return used.user + used.system + used.children_user + used.children_system
