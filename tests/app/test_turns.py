"""Parts of a result are shown one after the other, each when the one before it was painted."""

from PySide6.QtWidgets import QWidget

from wavediff.app.ui.background_task import Turns


class Part(QWidget):
    """Notes when it is shown anew, and when it is painted."""

    def __init__(self, name, notes):
        super().__init__()
        self._name, self._notes = name, notes

    def show_result(self):
        self._notes.append(f"{self._name} shown")
        self.update()

    def paintEvent(self, _event):  # noqa: N802
        self._notes.append(f"{self._name} painted")


def test_each_is_painted_before_the_next_is_shown(qtbot):
    notes = []
    turns, parts = Turns(), [Part(name, notes) for name in ("letters", "list", "map")]
    for part in parts:
        qtbot.addWidget(part)
        part.show()
        qtbot.waitExposed(part)
    qtbot.waitUntil(lambda: len(notes) >= 3)
    notes.clear()
    for part in parts:
        turns.put(part.show_result)
    turns.put(parts[0].show_result)  # waits already
    assert notes == []
    qtbot.waitUntil(lambda: "map painted" in notes)
    assert notes == [f"{name} {what}" for name in ("letters", "list", "map") for what in ("shown", "painted")]


def test_what_is_put_meanwhile_has_a_turn_too(qtbot):
    done = []
    turns = Turns()

    def first():
        done.append(1)
        turns.put(lambda: done.append(2))

    turns.put(first)
    qtbot.waitUntil(lambda: done == [1, 2])
