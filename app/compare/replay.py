"""Replay of the last run on its block map, at a viewable speed.

A short run, over before its map was painted, is replayed once automatically.
"""

from __future__ import annotations

from math import floor, log10
from time import perf_counter

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QWidget

from wavediff.app.ui.block_map.block_map import BlockMapModel
from wavediff.app.ui.transport import InputWatch, Transport, less_motion
from wavediff.core.base.numbers import duration, number
from wavediff.core.record.playback import Playback

REPLAY_SECONDS = 8.0  # that a run lasts at normal speed, however long it took
BY_ITSELF_SECONDS = 1.5  # that a run lasts when it is played by itself, at any speed
SHORT_RUN_SECONDS = 1.0  # of a run that is
LEAST_PLACES = 16  # of the map, for anything to be seen
SPEEDS = (0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0)
NORMAL = SPEEDS.index(1.0)
N_STEPS = 400  # from the beginning of a run to its end
STEP_KEY = 4  # steps of an arrow key
FRAME_MS = 16
EVENLY = "Timed in groups; blocks of a group share one time"
KEYS = (Qt.Key.Key_Space, Qt.Key.Key_F, Qt.Key.Key_S)  # of the replay, where the map has the focus


class Replay(QObject):
    """Plays the last attempt of a model on its map; a new run ends it.

    Args:
        canvas: the map, whose keys play and pause.

    Attributes:
        by_itself: play a short run once automatically.

    Signals:
        changed: a replay became available or unavailable.
        moved: displayed time as a share of the run, 0 to 1.
    """

    changed = Signal()
    moved = Signal(float)

    def __init__(self, model: BlockMapModel, transport: Transport, canvas: QWidget, parent: QObject) -> None:
        super().__init__(parent)
        self._model, self.transport, self._canvas = model, transport, canvas
        self._playback: Playback | None = None
        self.by_itself = True
        self._unasked = False  # it plays by itself
        self._at, self._speed, self._since = float(N_STEPS), NORMAL, 0.0
        self._timer = QTimer(self, interval=FRAME_MS, timerType=Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._tick)
        self._input = InputWatch(self)
        self._input.heard.connect(self._interrupt)
        canvas.installEventFilter(self)
        model.figures_changed.connect(self._on_run_changed)
        transport.wanted.connect(self.move)
        transport.sought.connect(self.seek)
        transport.speed_wanted.connect(self.set_speed)
        self._show()

    def show_model(self, model: BlockMapModel) -> None:
        """Select the run of another model, shown at its end."""
        self._pause()
        self._model.show_moment(None)
        self._model.figures_changed.disconnect(self._on_run_changed)
        self._model, self._playback = model, None
        model.figures_changed.connect(self._on_run_changed)
        self._on_run_changed()
        self.seek(N_STEPS)

    @property
    def available(self) -> bool:
        return self._playback is not None

    @property
    def at(self) -> int:
        """The displayed step, 0 to ``N_STEPS``."""
        return int(self._at)

    @property
    def playing(self) -> bool:
        return self._timer.isActive()

    @Slot()
    def _on_run_changed(self) -> None:
        if self._model.playback is not self._playback:
            self._playback = self._model.playback
            self._pause()
            self.seek(N_STEPS)
            self.changed.emit()

    @Slot(str)
    def move(self, where: str) -> None:
        """Perform the action of a transport button."""
        if where == "play":
            self.play(not self.playing)
        elif self.available:
            self.seek({"start": 0, "back": self.at - STEP_KEY, "on": self.at + STEP_KEY, "end": N_STEPS}[where])

    @Slot(int)
    def seek(self, at: float) -> None:
        self._at = float(max(0, min(at, N_STEPS)))
        self._show_moment()

    @Slot(float)
    def seek_seconds(self, seconds: float) -> None:
        """Seek to ``seconds`` after the start of the attempt."""
        if self._playback is not None:
            self.seek(N_STEPS * seconds / self._playback.seconds)

    @Slot(int, int)
    def seek_place(self, row: int, col: int) -> None:
        """Pause halfway through the computation of a block (0-based, of the map)."""
        if self._playback is not None:
            self._pause()
            record = self._playback.record
            ticks = int(record.began[row, col]) + int(record.ended[row, col])
            self.seek_seconds(ticks / 2 * record.seconds_per_tick)

    def play(self, on: bool) -> None:
        """Play or pause; at the end it restarts."""
        if not self.available:
            return
        if on and self.at >= N_STEPS:
            self._at = 0.0
        self._pause()
        if on:
            self._since = perf_counter()
            self._timer.start()
        self._show_moment()

    def play_by_itself(self) -> None:
        """Play a short run once after its answer; any key or click stops it or takes over the replay."""
        model, playback = self._model, self._playback
        wanted = self.by_itself and not less_motion() and self._canvas.isVisible() and not model.keeps_picture
        if wanted and playback and playback.seconds < SHORT_RUN_SECONDS and playback.n_timed >= LEAST_PLACES:
            self._at = 0.0
            self.play(True)
            self._unasked = True
            self._input.turn(True)

    @Slot(object, object)
    def _interrupt(self, widget: QWidget, event: QEvent) -> None:
        """Go to the end, unless the input is for the replay, which the user then controls."""
        asked = self.transport.isAncestorOf(widget)
        if widget is self._canvas and isinstance(event, QKeyEvent):
            asked = event.key() in KEYS
        if asked:
            self._stop_autoplay()
        else:
            self._stop()

    def _stop_autoplay(self) -> None:
        self._input.turn(False)
        self._unasked = False

    def _pause(self) -> None:
        self._timer.stop()
        self._stop_autoplay()

    def _stop(self) -> None:
        self._pause()
        self.seek(N_STEPS)

    def change_speed(self, by: int) -> None:
        self.set_speed(self._speed + by)

    @Slot(int)
    def set_speed(self, at: int) -> None:
        self._speed = max(0, min(at, len(SPEEDS) - 1))
        self._show()

    @Slot()
    def _tick(self) -> None:
        before, self._since = self._since, perf_counter()
        seconds = BY_ITSELF_SECONDS if self._unasked else REPLAY_SECONDS / SPEEDS[self._speed]
        self._at += (self._since - before) * N_STEPS / seconds
        if self._at >= N_STEPS:
            self._stop()
        else:
            self._show_moment()

    def _show_moment(self) -> None:
        share = self._at / N_STEPS
        self._model.show_moment(None if share >= 1 else share)
        self.moved.emit(share)
        self._show()

    def _show(self) -> None:
        seconds = self._model.recorded_seconds
        place = f"{duration(seconds * self._at / N_STEPS)} of {duration(seconds)}"
        longest = max(map(duration, (0.0888, min(seconds, 58.8), seconds)), key=len)
        self.transport.show_place(self.at, N_STEPS, place, f"{longest} of {duration(seconds)}", playing=self.playing)
        evenly = self._playback is not None and self._playback.record.interpolated
        self.transport.place.setToolTip(EVENLY if evenly else "")
        texts = [_short(speed * seconds / REPLAY_SECONDS) for speed in SPEEDS]
        takes = f"takes {duration(REPLAY_SECONDS / SPEEDS[self._speed])}, {texts[self._speed]} the speed of the run"
        self.transport.show_speeds(texts, self._speed, f"The replay {takes}. " if seconds else "")

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Handle Space, F, S and Esc on the map; its arrows, + and − move and zoom."""
        if not self.available or not isinstance(event, QKeyEvent) or event.type() != QEvent.Type.KeyPress:
            return super().eventFilter(watched, event)
        key = Qt.Key.Key_unknown if event.modifiers() else event.key()
        if key == Qt.Key.Key_Space:
            self.play(not self.playing)
        elif key in KEYS:
            self.change_speed(1 if key == Qt.Key.Key_F else -1)
        elif key == Qt.Key.Key_Escape and self.playing:
            self._stop()
        else:
            return False
        return True


def _short(factor: float) -> str:
    """Return the speed relative to the run in two digits: ``2.3×``, ``1/970×``."""
    if factor <= 0:
        return "1×"
    return f"{_two_digits(factor)}×" if factor >= 1 else f"1/{_two_digits(1 / factor)}×"


def _two_digits(value: float) -> str:
    rounded = round(value, 1 - floor(log10(value)))
    return number(rounded, 0 if rounded >= 10 or rounded == int(rounded) else 1)
