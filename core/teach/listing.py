"""Listings next to tables: the recurrence or the paper's listing, with the lines of the current step highlighted."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path

from wavediff.core.teach.language import ENGLISH, in_language
from wavediff.core.teach.scene import Mark, Scene, Sheet, Trace
from wavediff.core.teach.unit import Unit

FILE = Path(__file__).resolve().parents[2] / "resources" / "listings.toml"
START, STEP = "start", "step"  # lit at step 0, and at all others


class Listed:
    """Scenes of a trace with the listing of ``method`` for the unit, if any; ``alone``: the listing only."""

    def __init__(self, trace: Trace, method: str, language: str = ENGLISH, *, alone: bool = False) -> None:
        self._trace, self._listings, self._alone = trace, _listings(language).get(method, {}), alone
        self._moments: dict[Unit, Mapping[str, frozenset[int]]] = {}

    def steps(self, unit: Unit) -> int:
        return self._trace.steps(unit)

    def scene(self, unit: Unit, k: int) -> Scene:
        scene = Scene(()) if self._alone else self._trace.scene(unit, k)
        title, lines = self._listings.get(unit, ("", []))
        if not lines:
            return scene
        now = {START if k == 0 else STEP, *(name for name, steps in self._moments_of(unit).items() if k in steps)}
        every = [line for _, those in self._listings.values() for line in those]
        most, wide = max(len(those) for _, those in self._listings.values()), max(len(text) for _, text in every)
        lines = [*lines, *[([""], "")] * (most - len(lines))]  # as much room in each unit, so that nothing moves
        rows = tuple((text.ljust(wide),) for _, text in lines)
        marks = tuple((Mark.ON if any(name in now for name in names) else Mark.FAINT,) for names, _ in lines)
        return replace(scene, parts=(*scene.parts, Sheet(title, ("",), rows, marks, mono=True)))

    def _moments_of(self, unit: Unit) -> Mapping[str, frozenset[int]]:
        if unit not in self._moments:
            moments = self._trace.moments(unit)
            self._moments[unit] = {name: frozenset(steps) for name, steps in moments.items()}
        return self._moments[unit]


@cache
def _listings(language: str) -> dict[str, dict[str, tuple[str, list[tuple[list[str], str]]]]]:
    """Return title and lines by method and unit; each line with the moments that highlight it."""
    return {
        method: {
            unit: (
                in_language(language, one["title"]),
                [
                    ([names] if isinstance(names, str) else names, in_language(language, text))
                    for names, text in one["lines"]
                ],
            )
            for unit, one in units.items()
        }
        for method, units in tomllib.loads(FILE.read_text("utf-8")).items()
    }
