"""Who uses the program: clicks, types, drops and reads, from a thread beside it, and knows nothing of its inside.

What is done to the window is put into its queue and not waited for: a click may open a dialog that has a loop of its
own, as those for files do. What is asked of the window is answered in its own thread, and in words. Names are those
that are seen, or that a screen reader says.
"""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QApplication,
    QComboBox,
    QMainWindow,
    QTableView,
    QWidget,
)

from tests.journeys import hands, screen
from tests.journeys.asker import LOOK_SECONDS, PATIENCE_SECONDS, Asker, Lost

DIALOG_SECONDS, PANEL_SECONDS, FOCUS_SECONDS, AGAIN_SECONDS = 30.0, 10.0, 2.0, 5.0


class Person(Asker):
    """Hands, eyes and patience.

    Attributes:
        folder: of files that this journey may write.
    """

    def __init__(self, folder: Path, pictures: Path | None, name: str) -> None:
        super().__init__()
        self.folder = folder
        self._pictures, self._name, self._n_pictures = pictures, name, 0

    # Eyes

    def read(self) -> list[str]:
        """All that is written in the windows, line by line."""
        return self.look(screen.texts)

    def sees(self, text: str) -> bool:
        return any(text in line for line in self.read())

    def wait_to_see(self, text: str, seconds: float = PATIENCE_SECONDS) -> None:
        self.wait_until(lambda: self.sees(text), f"{text!r} is seen", seconds)

    def is_enabled(self, name: str, within: str = "") -> bool:
        return self.look(lambda: screen.find(name, within=within).isEnabled())

    def is_there(self, name: str, within: str = "") -> bool:
        """Whether something called ``name`` is seen."""
        return self.look(lambda: any(name in screen.names(each) for each in screen.children(QWidget, within)))

    def is_ticked(self, name: str, within: str = "") -> bool:
        with self.reaching(name, within):
            return self.look(lambda: screen.find(name, QAbstractButton, within).isChecked())

    def focused(self) -> str:
        """What has the focus, described; nothing where nothing has."""

        def look() -> str:
            at = QApplication.focusWidget()
            return screen.described(at) if at is not None else ""

        return self.look(look)

    def options(self, name: str, within: str = "") -> list[str]:
        """The entries of a chooser that can be chosen."""
        with self.reaching(name, within):
            return self.look(lambda: screen.options(screen.find_choice(name, within)))

    def chosen(self, name: str, within: str = "") -> str:
        with self.reaching(name, within):
            return self.look(lambda: screen.chosen(screen.find_choice(name, within)))

    def table(self, name: str, within: str = "") -> list[list[str]]:
        return self.look(lambda: screen.cells(screen.find(name, QAbstractItemView, within)))

    def differences(self) -> list[list[str]]:
        """Rows in sight of the list of differences; none while there is no list, as during another run."""
        with suppress(Lost):
            return self.table("List of differences", "Differences")
        return []

    def clipboard(self) -> str:
        return self.look(lambda: QGuiApplication.clipboard().text())

    def menus(self) -> dict[str, list[tuple[str, bool]]]:
        """Each menu of the bar: its entries, and whether each can be chosen."""
        return self.look(screen.menus)

    def description(self, name: str) -> str:
        """What a screen reader says of something beside its name."""
        return self.look(lambda: screen.find(name).accessibleDescription())

    def named(self, name: str) -> list[str]:
        """What is written in the widgets called ``name``."""
        return self.look(lambda: screen.written_in(name))

    def size_of(self, name: str) -> tuple[int, int]:
        """Width and height of a widget, in logical pixels."""
        return self.look(lambda: screen.find(name).size().toTuple())

    def middle_of(self, name: str) -> tuple[int, int]:
        """Where on the screen a widget is, in pixels."""

        def look() -> tuple[int, int]:
            widget = screen.find(name)
            at = widget.mapToGlobal(widget.rect().center()) * widget.devicePixelRatioF()
            return at.x(), at.y()

        return self.look(look)

    def menu_is_open(self) -> bool:
        return not self.look(hands.no_popup)

    def names_seen(self) -> list[str]:
        return self.look(lambda: [name for each in screen.children(QWidget) for name in screen.names(each)])

    def choosers(self) -> list[str]:
        """The names of all that can be chosen for the comparison, outside the panels and under Options."""
        found = ["Method", *(each for each in self.look(screen.choosers) if each != "Method")]
        self.open_options()
        found += self.look(screen.choosers)
        self.close_popover()
        return found

    def kind_of(self, name: str, within: str = "") -> str:
        """What sort of control is called so: a ``box`` to choose of, a ``tick``, a ``number``."""
        with self.reaching(name, within):
            return self.look(lambda: screen.kind_of(screen.find(name, within=within)))

    def panels(self) -> list[str]:
        """The titles of all panels, also of those that are closed."""
        return self.look(screen.panels)

    def panels_seen(self) -> list[str]:
        """Those that are in front."""
        return self.look(lambda: [each for each in screen.panels() if screen.panel_is_seen(each)])

    def window_size(self) -> list[int]:
        return self.look(lambda: list(screen.main_window().size().toTuple()))

    def is_dark(self) -> bool:
        return self.look(screen.is_dark)

    def print_of(self, name: str) -> str:
        """A digest of how a widget is painted."""
        return self.look(lambda: screen.print_of(screen.find(name)))

    def buttons(self, within: str) -> list[str]:
        """The names of the buttons of a panel that can be pressed."""
        return self.look(lambda: screen.buttons(within))

    def entries(self) -> list[str]:
        """The entries of the menu that is open which can be taken."""
        return self.look(hands.entries)

    def messages(self) -> str:
        """The message that stands above everything; empty where there is none."""
        return self.look(screen.message)

    def file_dialog_is_open(self) -> bool:
        return self.look(_file_dialog)

    def picture(self, name: str) -> None:
        """Save what is seen, where pictures are wanted; the whole screen where there is one."""
        folder = self._pictures
        if folder is None:
            return
        stem = folder / f"{self._name}-{self._n_pictures:02}-{name}".replace(" ", "_")
        self._n_pictures += 1

        def take() -> None:
            if QGuiApplication.platformName() == "offscreen":
                for number, window in enumerate(screen.windows()):
                    window.grab().save(f"{stem}{f'-{number}' if number else ''}.png")
            else:
                QGuiApplication.primaryScreen().grabWindow(0).save(f"{stem}.png")

        self.ask(take)

    # Hands

    def click(self, name: str, within: str = "", *, twice: bool = False) -> None:
        self._wait_for(name, within)
        self.act(f"click {name!r}", lambda: hands.click(screen.find(name, within=within), twice=twice))

    def _wait_for(self, name: str, within: str) -> None:
        """What is used may follow a result a little later; where it does not come, the deed says what is missing."""
        self.comes_true(lambda: self.ask(lambda: screen.is_usable(name, within)), AGAIN_SECONDS)

    def click_at(self, name: str, across: float, down: float, within: str = "", *, twice: bool = False) -> None:
        """Click a place of something that is painted, by the shares of its width and height."""
        what = f"click {name!r} at {across:.0%} across, {down:.0%} down"
        self.act(what, lambda: hands.click_at(screen.find(name, within=within), across, down, twice=twice))

    def click_heading(self, table: str, heading: str, within: str = "") -> None:
        """Click the heading of a column, as to sort by it."""
        self.act(
            f"click the heading {heading!r} of {table!r}",
            lambda: hands.click_heading(screen.find(table, QTableView, within), heading),
        )

    def click_row(self, table: str, row: int, within: str = "") -> None:
        """Click a row of a table, the first one in sight being 0; rows may follow their result a little later."""
        self.wait_until(lambda: self.is_there(table, within), f"{table!r} is seen")
        self.wait_until(lambda: len(self.table(table, within)) > row, f"{table!r} has a row {row}")
        self.act(f"click row {row} of {table!r}", lambda: hands.click_row(screen.find(table, QTableView, within), row))

    def click_right(self, name: str, within: str = "") -> None:
        """Open the menu of a widget, as a right click does."""
        self.act(f"click {name!r} with the right button", lambda: hands.ask_menu(screen.find(name, within=within)))

    def tick(self, name: str, on: bool, within: str = "") -> None:
        """Click what stays down, where it is not as wanted."""
        with self.reaching(name, within):
            self._wait_for(name, within)
            self.act(f"tick {name!r}: {on}", lambda: hands.tick(screen.find(name, QAbstractButton, within), on))

    def choose(self, name: str, entry: str, within: str = "") -> None:
        """Open a chooser and take an entry of its list, or click a segment."""
        with self.reaching(name, within):
            boxed = self.ask(lambda: isinstance(screen.find_choice(name, within), QComboBox))
            self.act(f"open {name!r}", lambda: hands.open_choice(screen.find_choice(name, within), entry))
            if boxed:
                self.act(f"choose {entry!r} of {name!r}", lambda: hands.take_of_list(entry))
            self.wait_for_no_popup()

    @contextmanager
    def reaching(self, name: str, within: str = "") -> Iterator[None]:
        """Open what is under Options where ``name`` is not seen, and close it afterwards."""
        hidden = not within and not self.question() and not self.ask(lambda: screen.is_outside_panels(name))
        if hidden:
            self.open_options()
        yield
        if hidden:
            self.close_popover()

    def open_options(self) -> None:
        self.click("Options")
        self.wait_until(self.popover_is_open, "the options are open", DIALOG_SECONDS)

    def open_chip(self, side: str) -> None:
        """Open what is known of A or B, by its key."""
        self.key(f"Alt+{side}")
        self.wait_until(self.popover_is_open, f"the popover of {side} is open", DIALOG_SECONDS)

    def popover_is_open(self) -> bool:
        return self.ask(lambda: screen.popover() is not None)

    def close_popover(self) -> None:
        self.act("close the popover", hands.close_popover)

    def key(self, keys: str) -> None:
        """Press keys as Qt names them ("Ctrl+R", "Tab"), where the focus is."""
        self.wait_for_focus()
        self.act(f"press {keys}", lambda: hands.press(keys))

    def type(self, text: str) -> None:
        """Type letters where the focus is."""
        self.wait_for_focus()
        self.act(f"type {text[:60]!r}", lambda: hands.type_letters(text))

    def fill(self, name: str, text: str, within: str = "") -> None:
        """Click into a field, type over what is there and leave it."""
        with self.reaching(name, within):
            self.click(name, within)
            self.key("Ctrl+A")
            self.type(text)
            if self.popover_is_open():
                self.key("Return")

    def menu(self, head: str, entry: str) -> None:
        """Open a menu of the bar and click an entry."""
        self.act(f"open the menu {head}", lambda: hands.open_menu(head))
        self.act(f"take {entry!r}", lambda: hands.take_entry(entry))

    def open_submenu(self, head: str, entry: str) -> list[str]:
        """Open a menu in a menu of the bar; return its entries, and close it."""
        self.menu(head, entry)
        found = self.entries()
        self.close_menus()
        return found

    def take_entry(self, entry: str) -> None:
        """Click an entry of the menu that is open."""
        self.act(f"take {entry!r}", lambda: hands.take_entry(entry))

    def drop(
        self, paths: Sequence[Path] = (), text: str = "", on: str = "", within: str = "", *, move: bool = False
    ) -> str:
        """Drag files or text over the window and let go over ``on``; return what the source is told was done."""
        told: list[str] = []

        def deed() -> None:
            target = screen.find(on, within=within) if on else None
            told.append(hands.drop(hands.mime_of(paths, text), target, move=move))

        what = ", ".join(path.name for path in paths) or repr(text[:40])
        self.act(f"drop {what} on {on or 'the edge of the window'}", deed)
        return told[0]

    def wheel(self, name: str, steps: int, within: str = "", *, ctrl: bool = False, down: float = 0.5) -> None:
        """Turn the wheel over the middle of something, or over the share ``down`` of its height."""
        held = Qt.KeyboardModifier.ControlModifier if ctrl else Qt.KeyboardModifier.NoModifier
        self.act(
            f"wheel {steps} on {name!r}", lambda: hands.turn_wheel(screen.find(name, within=within), steps, held, down)
        )

    def put_on_clipboard(self, text: str) -> None:
        self.act(f"copy {text[:40]!r} elsewhere", lambda: QGuiApplication.clipboard().setText(text))

    def resize(self, width: int, height: int) -> None:
        """Drag the corner of the window."""
        self.act(f"resize to {width} × {height}", lambda: screen.main_window().resize(width, height))

    # Whatever there is, by a number that chooses of it

    def click_any(self, number: int, but: Sequence[str]) -> None:
        """Click one of the buttons that can be clicked."""
        self._any("click", hands.buttons(but), number, hands.click)

    def choose_any(self, number: int) -> None:
        """Open one of the choosers and take one of its entries."""
        name = self._any("open", hands.boxes, number, hands.click)
        if name:
            self.act("choose", lambda: hands.take_any_of_list(number))
            self.wait_until(lambda: self.ask(hands.no_popup), "the list has closed", DIALOG_SECONDS)

    def wheel_any(self, number: int, steps: int, *, ctrl: bool) -> None:
        """Turn the wheel over something."""
        held = Qt.KeyboardModifier.ControlModifier if ctrl else Qt.KeyboardModifier.NoModifier
        self._any("wheel", hands.anything, number, lambda each: hands.turn_wheel(each, steps, held))

    def _any(self, what: str, there: Callable[[], list[QWidget]], number: int, deed: Callable[..., object]) -> bool:
        def one() -> QWidget | None:
            found = there()
            return found[number % len(found)] if found else None

        def described() -> str:
            found = one()
            return screen.described(found) if found is not None else ""

        def do() -> None:  # to what is there by now
            found = one()
            if found is not None:
                deed(found)

        name = self.ask(described)
        if name:
            self.act(f"{what} {name}", do)
        return bool(name)

    # What takes several steps

    def wait_for_window(self) -> None:
        def there() -> bool:
            return any(isinstance(each, QMainWindow) for each in screen.windows())

        self.wait_until(lambda: self.ask(there), "the window is there")

    def wait_for_first_answer(self) -> None:
        """Open two mitochondria where nothing is open, and wait until the pair is compared and shown."""
        self.wait_until(lambda: self.is_there("Open the sample") or any(self.named("Result")), "there is a beginning")
        if self.is_there("Open the sample"):
            self.click("Human and orang-utan")
        self.wait_until(lambda: any(self.named("Result")), "the first answer is shown")
        self.wait_idle()

    def wait_idle(self, seconds: float = PATIENCE_SECONDS) -> None:
        """Wait until nothing is read or computed: Stop is grey in the menu."""
        self.wait_until(lambda: not self.ask(screen.busy), "nothing is read or computed", seconds)

    def wait_idle_or_asked(self, seconds: float = PATIENCE_SECONDS) -> None:
        """Wait as ``wait_idle``, or until a dialog asks something: reading goes on when it is answered."""
        done = "nothing is read or computed, or a dialog asks something"
        self.wait_until(lambda: bool(self.question()) or not self.ask(screen.busy), done, seconds)

    def name_files(self, paths: Sequence[Path], kind: str = "") -> None:
        """Fill in the dialog for files that is open: a type, the names, Enter."""
        self.wait_for_file_dialog()
        if kind:
            self.act("open the types of files", hands.open_file_kinds)
            self.act(f"choose {kind!r}", lambda: hands.take_of_list(kind))
            self.wait_for_no_popup()
        several = len(paths) > 1
        # Several are named in one folder, to which one goes first.
        for text in (
            (str(paths[0].parent), " ".join(f'"{path.name}"' for path in paths)) if several else (str(paths[0]),)
        ):
            self.act("go to the name of the file", hands.go_to_file_name)
            self.type(text)
            self.act("press Return", hands.enter)
        if not self.comes_true(lambda: not self.file_dialog_is_open(), AGAIN_SECONDS):
            # Names that complete what was typed are looked for in a thread; a list of them may have taken the key,
            # and the dialog have gone to a folder above.
            self.act("go to the name of the file again", hands.go_to_file_name)
            self.type(text)
            self.act("press Return again", hands.enter)
        self.wait_until(lambda: not self.file_dialog_is_open(), "the dialog for files has closed", DIALOG_SECONDS)
        self.wait_for_no_popup()

    def clear_messages(self) -> None:
        while self.messages():
            self.click("Dismiss this message")

    def wait_for_focus(self) -> None:
        """Wait until keys go to the window in front; a window manager may keep the focus to itself for good."""
        end = time.monotonic() + FOCUS_SECONDS
        while not self.ask(hands.keys_arrive) and time.monotonic() < end:
            time.sleep(LOOK_SECONDS)

    def wait_for_no_popup(self) -> None:
        """A list blinks before it closes."""
        self.wait_until(lambda: self.ask(hands.no_popup), "the list has closed", DIALOG_SECONDS)

    def question(self) -> str:
        """The title of the dialog that is in front, or nothing."""
        return self.look(screen.question)

    def put_away_files(self) -> None:
        """Cancel the dialog for files, where one is open."""
        while self.file_dialog_is_open():
            self.act("cancel the dialog for files", hands.cancel_files)

    def put_away_all(self) -> None:
        """Close all menus and dialogs."""
        self.close_menus()
        self.put_away_files()
        while self.question():
            self.key("Esc")

    def cut_off(self) -> list[str]:
        """Every control that is cut off, a line each."""
        return self.look(screen.cut_off)

    def answer_questions(self) -> bool:
        """Say OK to every dialog that has opened, as to that which asks for a record; return whether one had."""
        asked = bool(self.question())
        while self.question():
            self.click("OK")
        return asked

    def close_menus(self) -> None:
        self.act("close the menus", hands.close_menus)

    def file_kinds(self) -> list[str]:
        """The types of files that the open dialog offers."""
        self.wait_for_file_dialog()
        return self.ask(hands.file_kinds)

    def wait_for_file_dialog(self) -> None:
        self.wait_until(self.file_dialog_is_open, "a dialog for files is open", DIALOG_SECONDS)

    def show_panel(self, title: str) -> None:
        """Bring a panel to the front: by the View menu."""
        if not self.ask(lambda: screen.panel_is_seen(title)):
            self.menu("View", title)
        seen = f"{title!r}, which was opened, is seen and does not lie behind another panel"
        self.wait_until(lambda: self.ask(lambda: screen.panel_is_seen(title)), seen, PANEL_SECONDS)

    def leave(self, strategy: str) -> None:
        """End the program: by the ``menu``, a ``key``, the ``close`` button, or a signal by its name.

        After ``nothing`` the journey has seen to it that it ends.
        """
        self.say(f"leave by {strategy}")
        if strategy == "menu":
            self.menu_unwatched("File", "Quit")
        elif strategy == "key":
            self.wait_for_focus()
            self._relay.wanted.emit(lambda: hands.press("Ctrl+Q"))
        elif strategy == "close":
            self._relay.wanted.emit(lambda: screen.main_window().windowHandle().close())
        elif strategy != "nothing":
            os.kill(os.getpid(), getattr(signal, strategy))

    def menu_unwatched(self, head: str, entry: str) -> None:
        """As ``menu``, and nothing is asked of the window afterwards."""
        self.act(f"open the menu {head}", lambda: hands.open_menu(head))
        self._relay.wanted.emit(lambda: hands.take_entry(entry))


def _file_dialog() -> bool:
    return hands.file_dialog() is not None
