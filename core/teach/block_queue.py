"""Blocks and workers: the queue, the calls and the strips on the same blocks, each of which takes a step.

Sources: Sudo and Shinohara 2009, Fig. 1; Kawanami and Fujimoto 2011, Fig. 1.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from wavediff.core.base.numbers import count, number
from wavediff.core.teach.counted_trace import OneUnitTrace
from wavediff.core.teach.inputs import given, of_inputs, whole
from wavediff.core.teach.questions import Kind
from wavediff.core.teach.scene import Grid, Lanes, Scene, Sheet
from wavediff.core.teach.schedule import Rule, simulate
from wavediff.core.teach.unit import Unit

MAX_SIDE, MAX_WORKERS = 32, 16
RULE_NAMES = {
    Rule.QUEUE: "queue",
    Rule.CALLS: "calls",
    Rule.STRIPS: "strips",
    Rule.ALONE: "one worker",
}


class BlockQueueTrace(OneUnitTrace):
    """Schedules of one table of blocks, a step a block.

    Args:
        rules: the first one's times are in the table; all have lanes.
    """

    def __init__(self, rows: int, cols: int, workers: int, rules: tuple[Rule, ...]) -> None:
        self.shape, self.workers, self.rules = (rows, cols), workers, rules
        self._runs = {rule: simulate(np.ones((rows, cols)), workers, rule) for rule in Rule}
        self._began, self._ended = (getattr(self._runs[rules[0]], name).astype(np.int32) for name in ("began", "ended"))
        self._total = int(max(self._runs[rule].seconds for rule in rules))
        inputs = {"rows": rows, "cols": cols, "workers": workers, "rules": [str(rule) for rule in rules]}
        super().__init__(inputs, Unit.TIME, self._total, Kind.WRITES)
        self._lanes = self._all_lanes()
        self._most_ready = max(len(self._ready(k)) for k in range(self._total + 1))

    def _ready(self, k: int) -> list[tuple[int, int]]:
        """Return the blocks that can be begun after step ``k``, row by row."""
        done = np.zeros((self.shape[0] + 1, self.shape[1] + 1), np.bool_)
        done[0], done[:, 0] = True, True
        done[1:, 1:] = self._ended <= k
        open_ = done[:-1, 1:] & done[1:, :-1] & ~done[1:, 1:]
        return [(int(i), int(j)) for i, j in np.argwhere(open_)]

    def scene_at(self, k: int) -> Scene:
        rows, cols = self.shape
        left, top = (tuple(str(place + 1) for place in range(n)) for n in (rows, cols))
        grid = Grid("", self._ended, self._ended, left, top)
        return Scene((grid, self._list(k), replace(self._lanes, now=float(k))))

    def _list(self, k: int) -> Sheet:
        """Return the blocks that are ready; which of them are taken next is what can be asked."""
        rows = [(f"{i + 1}, {j + 1}", str(i + j + 1)) for i, j in self._ready(k)]
        rows += [("", "")] * (self._most_ready - len(rows))
        return Sheet("Ready blocks", ("block", "antidiagonal"), tuple(rows))

    def _all_lanes(self) -> Lanes:
        runs = [self._runs[rule] for rule in self.rules]
        names = tuple(f"{RULE_NAMES[rule]} {worker + 1}" for rule in self.rules for worker in range(self.workers))
        labels = tuple(str(i + j + 1) for i, j in np.ndindex(self.shape))
        return Lanes(
            names,
            np.concatenate([run.began.ravel() for run in runs]),
            np.concatenate([run.ended.ravel() for run in runs]),
            np.concatenate([one.by.ravel().astype(np.int64) + self.workers * place for place, one in enumerate(runs)]),
            labels * len(runs),
            total=float(self._total),
        )

    def say_at(self, k: int) -> str:
        if k == 0:
            return (
                f"{number(self.shape[0] * self.shape[1])} blocks and {count(self.workers, 'worker', 'workers')}. The "
                "first block waits for nobody. A bar is named by its antidiagonal."
            )
        rule = self.rules[0]
        end = int(self._runs[rule].seconds)
        if k > end:
            return f"{RULE_NAMES[rule].capitalize()}: done since step {number(end)}. The others go on."
        busy, ready = int((self._ended == k).sum()), len(self._ready(k))
        if k == end:
            return (
                f"Step {number(k)}: the last block. A worker had to wait for a block "
                f"{count(self._idle(rule), 'time', 'times')}."
            )
        if busy == self.workers:
            return f"Step {number(k)}: no worker waits. After it {count(ready, 'block', 'blocks')} can be computed."
        others = (
            ", the others wait for the end of the call"
            if rule is Rule.CALLS
            else ". No other block can be computed yet"
        )
        compute = "computes" if busy == 1 else "compute"
        return f"Step {number(k)}: {number(busy)} of {number(self.workers)} workers {compute}{others}."

    def _idle(self, rule: Rule) -> int:
        workers = 1 if rule is Rule.ALONE else self.workers
        return int(workers * self._runs[rule].seconds) - self.shape[0] * self.shape[1]

    def _value(self, name: str) -> Any:
        first, _, rest = name.partition(" ")
        if first == "row" and rest.isdigit() and 1 <= int(rest) <= self.shape[0]:
            return self._ended[int(rest) - 1].tolist()
        if first in ("time", "idle") and rest in tuple(Rule):
            rule = Rule(rest)
            return int(self._runs[rule].seconds) if first == "time" else self._idle(rule)
        return {"blocks": self.shape[0] * self.shape[1], "workers": self.workers}[name]

    def _question(self, k: int) -> tuple[str, set[str]]:
        k = min(k, int(self._ended.max()))
        blocks = {f"{i},{j}" for i, j in np.argwhere(self._ended == k).tolist()}
        what = "block is" if len(blocks) == 1 else f"{number(len(blocks))} blocks are"
        return f"Which {what} computed in step {number(k)}?", blocks


@of_inputs(
    rows=whole(1, MAX_SIDE, 5),
    cols=whole(1, MAX_SIDE, 8),
    workers=whole(1, MAX_WORKERS, 2),
    rules=given(["queue", "calls"]),
)
def block_queue_trace(rows: int, cols: int, workers: int, rules: Any) -> BlockQueueTrace:
    """Return the trace of ``rows`` x ``cols`` blocks, ``workers``, and ``rules``, names of ``Rule``."""
    known = tuple(Rule)
    if not isinstance(rules, list | tuple) or not rules or not all(rule in known for rule in rules):
        raise ValueError(f'\'rules\' is {rules!r}; some of {", ".join(Rule)} are wanted, as ["queue", "calls"]')
    return BlockQueueTrace(rows, cols, workers, tuple(Rule(rule) for rule in rules))
