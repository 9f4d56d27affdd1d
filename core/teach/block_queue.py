"""Orders of computation: staggered words, and schedules of a table's blocks."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from wavediff.core.base.numbers import count, number
from wavediff.core.teach.counted_trace import OneUnitTrace, given, letters, of_inputs, whole
from wavediff.core.teach.questions import Asked, Kind, slip
from wavediff.core.teach.scene import Grid, Lanes, Line, Scene, Sheet, Values
from wavediff.core.teach.schedule import Rule, simulate
from wavediff.core.teach.unit import Unit
from wavediff.core.teach.words import edit_columns

MAX_LETTERS = 128  # of a side


def word_carries(a: str, b: str, height: int) -> Values:
    """Return each word's carry out of the addition that computes D0, int32, shape (words, columns).

    Args:
        height: rows of a word.
    """
    n_words = -(-len(a) // height)
    leaving = np.zeros((n_words, len(b)), np.int32)
    vp = (1 << len(a)) - 1
    for col, here in enumerate(edit_columns(a, b)):
        both = here.eq & vp
        carries = both ^ vp ^ (both + vp)  # bit i: what comes into row i + 1
        for word in range(n_words):
            leaving[word, col] = carries >> min((word + 1) * height, len(a)) & 1
        vp = here.vp
    return leaving


class StaggerTrace(OneUnitTrace):
    """Word additions one by one, next to staggered ones, which are parallel; a step lasts one addition.

    Args:
        height: rows of a word.
    """

    def __init__(self, a: str, b: str, height: int) -> None:
        self._a, self._b, self._height = a, b, height
        self._carries = word_carries(a, b, height)
        self.n_words, self.n_cols = -(-len(a) // height), len(b)
        col = np.arange(self.n_cols, dtype=np.int32)
        word = np.arange(self.n_words, dtype=np.int32)[:, None]
        self._together: Values = col * self.n_words + word + 1
        self._staggered: Values = col + word + 1
        inputs = {"a": a, "b": b, "height": height}
        super().__init__(inputs, Unit.WORD, self.n_words + self.n_cols - 1, Kind.VALUE)

    def scene_at(self, k: int) -> Scene:
        rows = [self._rows(word) for word in range(self.n_words)]
        grids, counts = [], []
        for name, rank in (("in turn", self._together), ("behind", self._staggered)):
            left = tuple(f"{name} {row}" for row in rows)
            grids.append(Grid("c", self._carries, rank, left, tuple(self._b), lines=self._handed(rank, k)))
            counts.append((name, f"{number(int((rank <= k).sum()))} of {number(rank.size)}"))
        return Scene((*grids, Sheet("Words that are added", ("order", "added"), tuple(counts))))

    def _rows(self, word: int) -> str:
        first, end = word * self._height + 1, min((word + 1) * self._height, len(self._a))
        return number(end) if self._height == 1 else f"{number(first)}–{number(end)}"

    def _handed(self, rank: Values, k: int) -> tuple[Line, ...]:
        new = np.argwhere(rank == k).tolist() if k else []
        return tuple(
            Line(((word - 0.25, col + 0.5), (word + 0.25, col + 0.5)), "carry") for word, col in new if word > 0
        )

    def say_at(self, k: int) -> str:
        n, m = self.n_words, self.n_cols
        if k == 0:
            if n == 1:
                return f"1 word of {number(self._height)} rows. Its addition needs no carry from above."
            return (
                f"{number(n)} words of {number(self._height)} rows. The addition of a word needs the carry of the word "
                "above, in its column."
            )
        if k == self.last_step:
            return (
                f"{number(k)} steps, and all {number(n * m)} words are added: {number(m)} columns and {number(n - 1)} "
                f"more. In one column it is at step {number(k)} of {number(n * m)}."
            )
        at_once = int((self._staggered == k).sum())
        if at_once == 1:
            return f"Step {number(k)}: 1 word in either order."
        return (
            f"Step {number(k)}: {number(at_once)} words at once. Each is one column behind the one above, so its carry "
            "is already there."
        )

    def _value(self, name: str) -> Any:
        return {
            "words": self.n_words,
            "columns": self.n_cols,
            "together": int(self._together.max()),
            "ranks": self._staggered.tolist(),
            "late": self.n_words - 1,
        }[name]

    def _question(self, k: int) -> Asked:
        word = min(self.n_words, k)
        rows = self._rows(word - 1)
        text = f"Each a column behind: in which column is the word of rows {rows} in step {number(k)}?"
        slips = [
            slip(k, "That is the column of the first word: this one is behind it."),
            slip(k - word, f"One column off: word {number(word)} is {number(word - 1)} behind the first."),
            slip(word, "That is the number of the word."),
        ]
        return Asked(text, [str(k - word + 1)], slips)


stagger_trace = of_inputs(a=letters(MAX_LETTERS), b=letters(MAX_LETTERS), height=whole(1, MAX_LETTERS, 4))(StaggerTrace)


MAX_SIDE, MAX_WORKERS = 32, 16
RULE_NAMES = {Rule.QUEUE: "queue", Rule.CALLS: "calls", Rule.STRIPS: "strips", Rule.ALONE: "one worker"}


class BlockQueueTrace(OneUnitTrace):
    """Schedules of a table of blocks; a block takes one step.

    Args:
        rules: compared scheduling rules; the table shows the end times of the first, the bars show all.
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

    def _question(self, k: int) -> Asked:
        k = min(k, int(self._ended.max()))
        blocks = {f"{i},{j}" for i, j in np.argwhere(self._ended == k).tolist()}
        what = "block is" if len(blocks) == 1 else f"{number(len(blocks))} blocks are"
        ready = {f"{i},{j}" for i, j in np.argwhere(self._ended == k - 1).tolist()}
        slips = [slip(ready, "Done in the step before.")]
        return Asked(f"Which {what} computed in step {number(k)}?", blocks, slips)


@of_inputs(
    rows=whole(1, MAX_SIDE, 5),
    cols=whole(1, MAX_SIDE, 8),
    workers=whole(1, MAX_WORKERS, 2),
    rules=given(["queue", "calls"]),
)
def block_queue_trace(rows: int, cols: int, workers: int, rules: Any) -> BlockQueueTrace:
    """Return the trace of ``rows`` x ``cols`` blocks with ``workers`` under ``rules`` (names of ``Rule``)."""
    known = tuple(Rule)
    if not isinstance(rules, list | tuple) or not rules or not all(rule in known for rule in rules):
        raise ValueError(f'\'rules\' is {rules!r}; some of {", ".join(Rule)} are wanted, as ["queue", "calls"]')
    return BlockQueueTrace(rows, cols, workers, tuple(Rule(rule) for rule in rules))
