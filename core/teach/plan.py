"""Scenes defined by moments (next match, last tie), valid for any letters.

A step is a number, or words: ``start``, ``end``, ``middle`` (of what is left), ``next`` and ``this`` (after what was
seen, or it), and ``next NAME``, ``this NAME``, ``last NAME`` with a name of ``Trace.moments``;
``before`` in front is a step less.
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
        say: a sentence in place of those of the steps. ask: what is asked of ``first``. each: every step is stopped at,
            not the first alone.
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
        first, last: see above; what lies between the scene before and a ``first`` in words is a scene too.
        every: it is asked for each so many steps; 0: for the first alone. given: ``say`` is true of the lesson's own
            inputs only.
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
        own: the inputs are not the lesson's: what asks, says or steps beyond what there is is left out.
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
    """Yield a scene, or one per ``every`` steps."""
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
