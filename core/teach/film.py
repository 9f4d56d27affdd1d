"""Timing of a lesson film by reading speed; subtitles as WebVTT."""

from __future__ import annotations

import os
from collections.abc import Iterable
from html import escape
from itertools import groupby
from typing import NamedTuple

from wavediff.core.base.errors import ExportError
from wavediff.core.teach.lesson import Lesson
from wavediff.core.teach.player import Frame, Player, frame_ms, reading_ms
from wavediff.core.teach.questions import ask
from wavediff.core.teach.unit import Unit

THINK_MS = 5_000  # after a question was read
LEAST_END_MS = 4_000  # of the last step of all
MAX_FRAMES = 2_000
SIGNATURE = "WEBVTT Wavediff"  # with which our subtitles begin


class Moment(NamedTuple):
    """Frame with its sentence or question, and its duration in milliseconds."""

    frame: Frame
    sentence: str
    milliseconds: int
    is_question: bool = False


def moments(lesson: Lesson, unit: Unit | None = None) -> list[Moment]:
    """Return the frames of a film in order.

    Each step is shown for the reading time of its sentence. If the sentence is that of the step before, this time
    counts only in scenes with ``each``. A question precedes the step that answers it.

    Args:
        unit: show all its steps, ``STEP_MS`` each, without questions; None: the scenes of the lesson.

    Raises:
        ExportError: there are more than ``MAX_FRAMES`` steps.
    """
    player = Player(lesson)
    if unit is not None:
        player.choose_unit(unit)
    if player.n_frames > MAX_FRAMES:
        raise ExportError(
            f"the film has {player.n_frames:,} steps, up to {MAX_FRAMES:,} are possible: --unit row or column has fewer"
        )
    moments: list[Moment] = []
    for at in range(player.n_frames):
        player.seek(at)
        frame, sentence = player.frame, player.sentence
        part, scene, _, step = frame
        if scene is not None and step == scene.first and scene.ask is not None:
            asked = ask(part.trace, scene.unit, step, scene.ask)
            shown, thought = frame._replace(step=asked.shown), reading_ms(asked.text) + THINK_MS
            moments.append(Moment(shown, asked.text, thought, is_question=True))
        seen = frame_ms(frame)
        moments.append(Moment(frame, sentence, max(seen, LEAST_END_MS) if player.at_end else seen))
    return moments


def subtitles(moments: Iterable[Moment], command: str) -> str:
    """Return the subtitles of a film as WebVTT, one cue per sentence.

    Args:
        command: command line of the film, stored as a note.
    """
    note = command.replace("\n", " ").replace("-->", "-- >")
    blocks, begun = [SIGNATURE, f"NOTE {note}"], 0
    for sentence, those in groupby(moments, key=lambda one: one.sentence):
        until = begun + sum(one.milliseconds for one in those)
        if sentence:
            blocks.append(f"{_clock(begun)} --> {_clock(until)}\n{escape(sentence, quote=False)}")
        begun = until
    return "\n\n".join(blocks) + "\n"


def is_subtitles(name: str) -> bool:
    """Return whether a file was written by ``subtitles``."""
    if not os.path.isfile(name):
        return False
    with open(name, "rb") as file:
        return file.read(len(SIGNATURE)) == SIGNATURE.encode()


def _clock(milliseconds: int) -> str:
    seconds, thousandths = divmod(milliseconds, 1000)
    return f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}.{thousandths:03}"
