"""Player of a lesson: position, speed, unit, question. Independent of clock and window."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import replace
from itertools import accumulate
from typing import NamedTuple

from wavediff.core.base.errors import WavediffError
from wavediff.core.base.numbers import number
from wavediff.core.teach.language import in_language
from wavediff.core.teach.lesson import MAX_SENTENCE_LETTERS, Lesson, Part
from wavediff.core.teach.plan import Scene
from wavediff.core.teach.questions import (
    LEVELS,
    MAX_TRIES,
    Arrows,
    Marked,
    Question,
    ask,
    can_ask,
    fresh_question,
    kinds_of,
    mark,
)
from wavediff.core.teach.scene import Trace
from wavediff.core.teach.unit import Unit

MAX_COUNTED_CELLS = 1 << 14  # of a table whose paths are counted at once, in some 20 ms
READ_MS, LETTER_MS = 2_000, 50  # to read a sentence: at least, and for each of its letters
STEP_MS = 500  # of a step whose sentence was read before
SPEEDS = (0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0)


class Frame(NamedTuple):
    """Step of a unit in a scene; without a scene after the user chose a unit."""

    part: Part
    scene: Scene | None
    unit: Unit
    step: int


def reading_ms(sentence: str) -> int:
    return READ_MS + LETTER_MS * len(sentence)


def frame_ms(frame: Frame) -> int:
    """Return the display time of a frame in milliseconds, from the length of its sentence.

    It is ``STEP_MS`` for a sentence equal to that of the step before, except in a scene that stops at each step, and
    for a unit chosen by the user.
    """
    part, scene, _, step = frame
    if scene is None:
        return STEP_MS
    sentence = part.sentence(scene, step)
    stays = step > scene.first and not scene.each and sentence == part.sentence(scene, step - 1)
    return STEP_MS if stays else reading_ms(sentence)


def frame_at(lesson: Lesson, step: int | None, number: int | None = None) -> Frame:
    """Return the frame of ``step`` in the first scene that has it; without a step the last frame of the first part.

    Args:
        number: scene with the step, from 1. If this scene begins with a question, the step before it is valid too.

    Raises:
        WavediffError: no scene has the step.
    """
    if step is None:
        part = lesson.parts[0]
        return Frame(part, part.scenes[-1], part.scenes[-1].unit, part.scenes[-1].last)
    scenes = [(part, scene) for part in lesson.parts for scene in part.scenes]
    for k, (part, scene) in enumerate(scenes, 1):
        asked = number == k and scene.ask is not None and step == scene.first - 1
        if number in (None, k) and (asked or scene.first <= step <= scene.last):
            return Frame(part, scene, scene.unit, step)
    last = max(scene.last for _, scene in scenes)
    where = f"; its last one is {last}" if number is None else f" in its scene {number} of {len(scenes)}"
    raise WavediffError(f"'{lesson.id}' has no step {step}{where}")


class Player:
    """Plays the scenes of a lesson, or all steps of a unit of a part.

    Attributes:
        lesson: the lesson. at: index of the current frame. playing: whether ``tick`` continues. asking: whether scenes
            ask.
        every: steps between additional questions; 0: only the questions of the scenes. level: maximum of ``LEVELS`` for
            additional and random questions.
        question: open question that hides the frame, or None.
        marked: the last wrong answer, until its question is left.
        unit: unit whose steps are played; None: the scenes of the lesson are played.
    """

    def __init__(self, lesson: Lesson) -> None:
        self.lesson = lesson
        self.unit: Unit | None = None
        self.asking, self.playing = True, False
        self.every, self.level = 0, len(LEVELS)
        self.question: Question | None = None
        self.marked: Marked | None = None
        self._tries = 0
        self._again: Question | None = None  # that was not answered: one of its kind is asked of a later step
        self._fresh: Frame | None = None  # of a question on demand
        self._answered: set[int] = set()  # scenes, by ``id``
        self._told = ""  # answer of the question that was asked last, while its frame is seen
        self._speed, self._due = SPEEDS.index(1.0), 0.0
        self._set_frames(
            [Frame(part, scene, scene.unit, scene.first) for part in lesson.parts for scene in part.scenes]
        )

    def _set_frames(self, beginnings: list[Frame]) -> None:
        counts = [
            (frame.part.trace.steps(frame.unit) if frame.scene is None else frame.scene.last) - frame.step + 1
            for frame in beginnings
        ]
        self._beginnings, self._ends, self.at = beginnings, list(accumulate(counts)), 0

    @property
    def n_frames(self) -> int:
        return self._ends[-1]

    @property
    def marks(self) -> list[int]:
        return [0, *self._ends[:-1]]

    @property
    def frame(self) -> Frame:
        """The current frame; while a question is open, the one before its answer."""
        frame = self._fresh or self._frame(self.at)
        return frame if self.question is None else frame._replace(step=self.question.shown)

    @property
    def shown_at(self) -> int:
        """``at``; for a question on demand, the index of the frame nearest to the step of the question."""
        fresh = self._fresh
        if fresh is None:
            return self.at

        def misses(at: int) -> tuple[bool, int, bool]:
            part, _, unit, step = self._frame(at)
            known = step if unit == fresh.unit or part is not fresh.part else part.trace.same(unit, step, fresh.unit)
            return part is not fresh.part, abs(known - fresh.step), unit != fresh.unit

        return min(range(self.n_frames), key=misses)

    def _frame(self, at: int) -> Frame:
        number = bisect_right(self._ends, at)
        beginning = self._beginnings[number]
        return beginning._replace(step=beginning.step + at - self.marks[number])

    def all_milliseconds(self) -> list[int]:
        return [frame_ms(self._frame(at)) for at in range(self.n_frames)]

    @property
    def sentence(self) -> str:
        """The open question, its revealed answer, or the sentence of the frame."""
        if self.question is not None:
            both = self.question.text if self.marked is None else f"{self.marked.hint} {self.question.text}"
            return both if self.marked is None or len(both) <= MAX_SENTENCE_LETTERS else self.marked.hint
        if self._told:
            return self._told
        part, scene, unit, step = self.frame
        return part.trace.say(unit, step) if scene is None else part.sentence(scene, step)

    @property
    def stops(self) -> list[int]:
        """Indices of the frames at which ``jump`` stops.

        These are the first frame of each scene, its last frame if the next scene does not continue there, and all
        frames of scenes with ``each``.
        """
        steps: list[int] = []
        following = [*self._beginnings[1:], None]
        for first, end, beginning, other in zip(self.marks, self._ends, self._beginnings, following, strict=True):
            scene, last = beginning.scene, beginning.step + end - 1 - first
            goes_on = other is not None and other.part is beginning.part and other.unit == beginning.unit
            goes_on &= other is not None and other.step in (last, last + 1)
            steps += range(first, end) if scene is not None and scene.each else [first]
            steps += [] if goes_on else [end - 1]
        return list(dict.fromkeys(steps))

    @property
    def coming(self) -> str:
        """Text that ``jump`` shows next: answer, question or sentence; empty at the end."""
        if self.question is not None:
            return self._answer_of(self.question)
        at = next((stop for stop in self.stops if stop > self.at), None)
        if at is None:
            return ""
        part, scene, unit, step = self._frame(at)
        if scene is None:
            return part.trace.say(unit, step)
        asks = self.asking and scene.ask is not None and id(scene) not in self._answered
        if asks and scene.ask is not None and step == scene.first:
            return ask(part.trace, unit, step, scene.ask).text
        return part.sentence(scene, step)

    @property
    def at_end(self) -> bool:
        return self.at + 1 >= self.n_frames

    @property
    def speed(self) -> float:
        return SPEEDS[self._speed]

    def change_speed(self, by: int) -> None:
        self._speed = max(0, min(self._speed + by, len(SPEEDS) - 1))

    def seek(self, at: int) -> None:
        """Go to a frame, dropping the open question."""
        self.at = max(0, min(at, self.n_frames - 1))
        self._fresh = None
        self._ask(None)

    def seek_step(self, step: int, number: int | None = None) -> None:
        """Go to ``step`` in scene ``number`` (from 1) or in the first scene with it; no-op if there is none."""
        scenes = zip(self._beginnings, self.marks, self._ends, strict=True)
        for k, (beginning, first, end) in enumerate(scenes, 1):
            if number in (None, k) and first <= first + step - beginning.step < end:
                self.seek(first + step - beginning.step)
                return

    def jump(self, by: int) -> bool:
        """Go to the next (or previous) stop and ask its question; an open question is answered first.

        An unanswered question is repeated at a similar step before the next stop, if any.

        Returns:
            False without such a stop: at the end of the last scene, and at the start.
        """
        if by > 0 and self.question is not None:
            self.tell()
            return True
        others = [stop for stop in self.stops if (stop > self.at if by > 0 else stop < self.at)]
        if others and by > 0:
            self._seek_on(next((at for at in range(self.at + 1, others[0]) if self._asks_again(at)), others[0]))
        elif others:
            self.seek(others[-1])
        return bool(others)

    def step(self) -> None:
        """Advance by a step; questions are asked on arrival."""
        if self.question is not None or self.at_end:
            self.playing = False
            return
        self._seek_on(self.at + 1)

    def _seek_on(self, at: int) -> None:
        again = self._again
        self.seek(at)
        self._again = again
        self.playing &= not self.at_end
        self._ask_here()

    def _asks_again(self, at: int) -> bool:
        """Return whether frame ``at`` asks a question again that was not answered."""
        again, (part, _, unit, step) = self._again, self._frame(at)
        return self.asking and again is not None and again.unit == unit and can_ask(part.trace, unit, step, again.kind)

    def _ask_here(self) -> None:
        """Ask the question of this frame, if any: that of the scene, a repeated or an additional one."""
        part, scene, unit, step = self._frame(self.at)
        if not self.asking:
            return
        if scene is not None and scene.ask is not None and step == scene.first and id(scene) not in self._answered:
            self._ask(ask(part.trace, unit, step, scene.ask))
        elif self._again is not None and self._asks_again(self.at):
            self._ask(part.trace.ask(unit, step, self._again.kind))
        elif self.every and step % self.every == 0:
            some = (kind for kind in part.trace.kinds(unit) if kind in kinds_of(self.level))
            kinds = [kind for kind in some if can_ask(part.trace, unit, step, kind)]
            self._ask(part.trace.ask(unit, step, kinds[step // self.every % len(kinds)]) if kinds else None)

    def _ask(self, question: Question | None) -> None:
        self.question, self.marked, self._tries, self._told, self._again = question, None, 0, "", None
        self.playing &= question is None

    def ask_fresh(self, seed: int) -> bool:
        """Ask about a random step of this part; False if impossible. See ``fresh_question``."""
        part = self.frame.part
        question = fresh_question(part.trace, part.units, seed, self.level)
        if question is not None:
            self._fresh = Frame(part, None, question.unit, question.step)
            self._ask(question)
        return question is not None

    def back(self) -> None:
        self.seek(self.at - 1)

    def play(self, on: bool) -> None:
        """Play or pause; at the end it restarts."""
        self.playing = on and self.question is None
        if self.playing and self.at_end:
            self.seek(0)
        self._due = 0.0

    def tick(self, seconds: float) -> bool:
        """Advance the time by ``seconds``; return whether the frame changed. May skip several steps."""
        before = self.at
        self._due += seconds * 1000 * self.speed
        while self.playing and self._due >= (seen := frame_ms(self.frame)):
            self._due -= seen
            self.step()
        return self.at != before

    def choose_unit(self, unit: Unit | None) -> None:
        """Show the steps of ``unit`` from the current progress on; None: return to the lesson's scenes."""
        part, _, old, step = self.frame
        self.unit, self._fresh = unit, None
        self._ask(None)
        if unit is None:
            scenes = [
                Frame(each, scene, scene.unit, scene.first) for each in self.lesson.parts for scene in each.scenes
            ]
            self._set_frames(scenes)
            self.at = next(at for at, mark in zip(self.marks, scenes, strict=True) if mark.part is part)
        else:
            at = part.trace.same(old, step, unit)
            self._set_frames([Frame(part, None, unit, 0)])
            self.at = at

    def answer(self, given: set[str]) -> Marked:
        """Mark an answer; a correct one, or the last of ``MAX_TRIES``, reveals the frame."""
        question, language = self.question, self.frame.part.language
        assert question is not None
        marked = mark(question, given)
        marked = replace(marked, hint=in_language(language, marked.hint))
        self._tries += question.is_try(given)
        self.marked = None if marked.is_right else marked
        if marked.is_right:
            self.tell()
        elif self._tries >= MAX_TRIES:
            self.tell()
            self.marked, self._told, self._again = marked, f"{marked.hint} {question.answer}", question
        return marked

    def tell(self) -> None:
        """Reveal the answer and its frame, and do not repeat the question of this scene."""
        question, scene = self.question, self._frame(self.at).scene
        if question is None:
            return
        if scene is not None and self._fresh is None:
            self._answered.add(id(scene))
        shown_answer = self._answer_of(question)
        self._ask(None)
        self._told = shown_answer

    def _answer_of(self, question: Question) -> str:
        part, scene, _, step = self._frame(self.at)
        if self._fresh is not None or scene is None:
            return question.answer
        return part.sentence(scene, step) if scene.say else question.why


def path_sentence(trace: Trace, arrows: Arrows, path: int) -> str:
    """Return a sentence about path number ``path`` (from 1); for an LCS also with the numbers of its alignments."""
    if arrows.bits.size > MAX_COUNTED_CELLS:
        return f"Optimal path {number(path)}."
    text = f"Optimal path {number(path)} of {number(arrows.n_paths)}."
    try:
        matchings, subsequences = trace.value_of("matchings"), len(trace.value_of("subsequences"))
    except KeyError:
        return text
    return (
        f"{text} Alignments that match other letters: {number(matchings)}. Subsequences that differ: "
        f"{number(subsequences)}."
    )
