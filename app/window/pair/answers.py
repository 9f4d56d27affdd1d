"""Answers of a pair: each is shown again, with the figures of its run, as soon as its choices come back."""

from __future__ import annotations

from typing import Any, NamedTuple

from wavediff.app.compare.timings_model import TimingsModel
from wavediff.app.ui.block_map.block_map import BlockMapModel
from wavediff.app.ui.comparison import Comparison
from wavediff.app.ui.devices import DeviceModel
from wavediff.app.window.pair.pair_state import Question
from wavediff.core.jobs.events import DeviceChosen, KernelTiming

MAX_ANSWERS = 4  # the map of one and its times take up to 10 MB


class Answer(NamedTuple):
    question: Question | None
    outcome: Comparison
    run: dict[str, Any]  # of ``BlockMapModel.ended``
    timings: tuple[KernelTiming, ...]
    device: DeviceChosen | None


class Answers:
    """The last answers of the pair, at most ``MAX_ANSWERS``, which are ``all``."""

    def __init__(self, wavefront: BlockMapModel, timings: TimingsModel, devices: DeviceModel) -> None:
        self._wavefront, self._timings, self._devices = wavefront, timings, devices
        self.all: tuple[Answer, ...] = ()

    def add(self, question: Question | None, outcome: Comparison) -> None:
        """Add the answer of the run that has just ended."""
        new = Answer(question, outcome, self._wavefront.ended(), self._timings.rows, self._devices.chosen)
        others = [each for each in self.all if each.question != question]
        self.all = (*others, new)[-MAX_ANSWERS:]

    def update(self, outcome: Comparison) -> None:
        """Take other figures of an answer, or its proof."""
        same = (each.outcome.job is outcome.job for each in self.all)
        self.all = tuple(
            each._replace(outcome=outcome) if its else each for each, its in zip(self.all, same, strict=True)
        )

    def of(self, question: Question | None) -> Answer | None:
        """Return the answer to a question; None where it is none, or was not answered."""
        return next((each for each in self.all if question is not None and each.question == question), None)

    def show_run(self, answer: Answer) -> None:
        """Show map, times and device of an answer."""
        self._devices.chosen = answer.device
        self._timings.take_back(answer.timings)
        self._wavefront.take_back(answer.run)
