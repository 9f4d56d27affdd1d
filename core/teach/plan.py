"""Scenes defined by moments (next match, last tie), valid for any letters.

A step is a number, or words: ``start``, ``end``, ``middle`` (of the remaining steps), ``next`` and ``this`` (the step
after the last scene, or its last step), and ``next NAME``, ``this NAME``, ``last NAME`` with a name of
``Trace.moments``. A preceding ``before`` subtracts a step.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from wavediff.core.teach.questions import Kind, can_ask
from wavediff.core.teach.scene import Trace
from wavediff.core.teach.unit import Unit

Step = int | str
BEFORE = "before "


@dataclass(frozen=True, slots=True)
class Scene:
    """Range of steps of a unit.

    Attributes:
        say: a sentence that replaces those of the steps. ask: question about ``first``. each: stop at every step, not
            only at the first.
    """

    id: str
    unit: Unit
    first: int
    last: int
    say: str = ""
    ask: Kind | None = None
    each: bool = False


@dataclass(frozen=True, slots=True)
class Plan:
    """Scene definition in a lesson.

    Attributes:
        first, last: steps; those between the preceding scene and a ``first`` in words form a scene too.
        every: steps between questions; 0: only at the first step. given: ``say`` is valid for the inputs of the lesson
            only.
    """

    id: str
    unit: Unit
    first: Step
    last: Step
    say: str = ""
    ask: Kind | None = None
    each: bool = False
    every: int = 0
    given: bool = False


def unknown_name(trace: Trace, unit: Unit, step: Step) -> str:
    """Return the first unknown name of a step in ``unit``, or an empty string."""
    word, _, name = str(step).removeprefix(BEFORE).partition(" ")
    if isinstance(step, int) or (not name and word in ("start", "end", "middle", "next", "this")):
        return ""
    is_known = word in ("next", "this", "last") and name in trace.moments(unit)
    return "" if is_known else name or step or "''"


def scenes_of(plans: Iterable[Plan], trace: Trace, *, own: bool) -> Iterator[Scene]:
    """Yield the scenes that exist for the inputs of a trace.

    Args:
        own: the inputs differ from those of the lesson; impossible questions, sentences and steps are omitted.
    """
    before: Scene | None = None
    for plan in plans:
        seen = 0 if before is None else before.last
        if before is not None and before.unit != plan.unit:
            seen = trace.same(before.unit, min(before.last, trace.steps(before.unit)), plan.unit)
        first, steps = _step(plan.first, trace, plan.unit, seen), trace.steps(plan.unit)
        last = None if first is None else _step(plan.last, trace, plan.unit, first)
        if first is None or last is None:
            continue
        if own:
            last = min(last, steps)
        if first > last and (own or isinstance(plan.first, str) or isinstance(plan.last, str)):
            continue
        goes_on = before is not None and isinstance(plan.first, str) and plan.first not in ("start", "next")
        if goes_on and seen + 1 < first:
            yield Scene(f"{plan.id}-until", plan.unit, seen + 1, first - 1)
        say = "" if own and plan.given else plan.say
        before = Scene(plan.id, plan.unit, first, last, say, plan.ask, plan.each)
        yield from _asked(before, plan.every, trace, own=own)


def _asked(scene: Scene, every: int, trace: Trace, *, own: bool) -> Iterator[Scene]:
    """Yield the scene, or scenes of ``every`` steps each, with its question."""
    for number, first in enumerate(range(scene.first, scene.last + 1, every) if every else (scene.first,)):
        last = min(first + every - 1, scene.last) if every else scene.last
        can = scene.ask is None or not own or can_ask(trace, scene.unit, first, scene.ask)
        id_ = f"{scene.id}-{number}" if number else scene.id
        yield replace(scene, id=id_, first=first, last=last, ask=scene.ask if can else None)


def _step(step: Step, trace: Trace, unit: Unit, seen: int) -> int | None:
    steps = trace.steps(unit)
    if isinstance(step, int):
        return step
    if step.startswith(BEFORE):
        after = _step(step.removeprefix(BEFORE), trace, unit, seen)
        return None if after is None else after - 1
    word, _, name = step.partition(" ")
    if not name:
        named = {"start": 0, "end": steps, "middle": (seen + steps) // 2 + 1, "next": seen + 1, "this": seen}
        return min(named[word], steps) if word != "next" or seen < steps else None
    moments = trace.moments(unit).get(name, ())
    if word == "this":
        return seen if seen in moments else None
    later = [k for k in moments if k > seen]
    return (later[-1] if word == "last" else later[0]) if later else None
