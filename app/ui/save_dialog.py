"""File dialogs, and dropped files."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import ClassVar
from urllib.parse import unquote_to_bytes

from PySide6.QtCore import QMimeData, Qt, QUrl, Signal, Slot
from PySide6.QtGui import QDropEvent
from PySide6.QtWidgets import QFileDialog, QLineEdit, QWidget

from wavediff.app.ui.dialogs import Box, ask_first, fit_screen
from wavediff.core.base.errors import printable
from wavediff.core.export.registry import FILMS, PICTURES, Format


@dataclass(frozen=True, slots=True)
class DropData:
    """Attributes: paths: local files in drag order. text: dropped, or empty. refused: one line per unusable item."""

    paths: tuple[Path, ...] = ()
    text: str = ""
    refused: tuple[str, ...] = ()


def accept(event: QDropEvent) -> None:
    """Accept a drag or drop as a copy; the source of a move may delete its file."""
    event.setDropAction(Qt.DropAction.CopyAction)
    event.accept()


def parse_drop(mime: QMimeData) -> DropData:
    """Parse the drag at once; its data is invalid after the event."""
    paths: list[Path] = []
    refused: list[str] = []
    for url in mime.urls():
        if url.isLocalFile() and (os.name == "nt" or url.host() in {"", "localhost"}):
            paths.append(local_path(url))
        else:
            address = printable(url.toDisplayString(), 120)
            refused.append(f"{address}: this is on another machine; save it here and drop the file")
    text = mime.text() if not mime.hasUrls() and mime.hasText() else ""
    if os.path.isabs(text.strip()) and os.path.isfile(text.strip()):
        paths, text = [Path(text.strip())], ""
    if not paths and not refused and not text:
        refused.append("Nothing readable was dropped. Drop files or text")
    return DropData(tuple(paths), text, tuple(refused))


def local_path(url: QUrl) -> Path:
    """Return the path of a ``file:`` URL, preserving bytes that are not UTF-8."""
    if os.name == "nt":
        return Path(url.toLocalFile())
    encoded = bytes(url.toEncoded(QUrl.ComponentFormattingOption.FullyEncoded).data())
    path = encoded.removeprefix(b"file://").removeprefix(b"localhost")
    return Path(os.fsdecode(unquote_to_bytes(path.split(b"#")[0].split(b"?")[0])))


MAX_NAME_CHARACTERS = 60  # characters of a sequence's name in the name of a file

ALL_FILES = "All files (*)"  # what a dialog lists where nothing is known of the names


def filter_of(kind: Format) -> str:
    return f"{kind.title} ({' '.join(f'*{ending}' for ending in kind.endings)})"


class Folder:
    """Initial folder of dialogs: of the last opened or saved file, else the home folder."""

    last: ClassVar[str] = ""

    @classmethod
    def use(cls, path: Path) -> None:
        cls.last = os.path.dirname(os.path.abspath(path))

    @classmethod
    def now(cls) -> str:
        return cls.last if os.path.isdir(cls.last) else os.path.expanduser("~")


def ask_file(parent: QWidget | None, title: str, kinds: str = ALL_FILES, at: str = "") -> str:
    return str(next(iter(ask_files(parent, title, kinds, at, several=False)), ""))


def ask_files(
    parent: QWidget | None, title: str, kinds: str = ALL_FILES, at: str = "", *, several: bool = True
) -> list[Path]:
    """Ask for files; Qt returns only one if several full paths are typed."""
    dialog = QFileDialog(parent, title, at or Folder.now(), kinds)
    dialog.setFileMode(QFileDialog.FileMode.ExistingFiles if several else QFileDialog.FileMode.ExistingFile)
    fit_screen(dialog)
    accepted, field = dialog.exec(), dialog.findChild(QLineEdit, "fileNameEdit")
    typed = re.findall('"([^"]+)"', field.text()) if isinstance(field, QLineEdit) else []
    names = [dialog.directory().filePath(name) for name in typed] or dialog.selectedFiles()
    dialog.deleteLater()
    for name in names if accepted else ():
        Folder.use(Path(name))
    return [Path(name) for name in names] if accepted else []


def completed(path: Path, formats: tuple[Format, ...], chosen: Format) -> tuple[Path, Format]:
    """Return path and format to write: those of a known suffix, else ``chosen``, whose suffix is added."""
    for each in (chosen, *formats):
        if each.ending_of(path.name):
            return path, each
    return path.with_name(path.name.rstrip(".") + chosen.endings[0]), chosen


def file_stem(*names: str) -> str:
    """Return e.g. ``A_vs_B`` for two sequence names, as a valid file name."""
    safe = (
        "".join(c if c.isalnum() or c in "._-+" else "_" for c in name)[:MAX_NAME_CHARACTERS].strip("._")
        for name in names
    )
    return "_vs_".join(name or "sequence" for name in safe)


class SaveDialog(QFileDialog):
    """Signals: chosen: a ``Path`` and its ``Format``; overwriting is confirmed."""

    chosen = Signal(object, object)

    def __init__(self, parent: QWidget, title: str, formats: tuple[Format, ...], suggested: str) -> None:
        super().__init__(parent, title, Folder.now())
        self._formats = formats
        self.setObjectName("save_dialog")
        self.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        self.setFileMode(QFileDialog.FileMode.AnyFile)
        self.setNameFilters([filter_of(each) for each in formats])
        self.selectNameFilter(filter_of(completed(Path(suggested), formats, formats[0])[1]))
        self.selectFile(suggested)
        self.filterSelected.connect(self._change_suffix)
        self.accepted.connect(self._accept_name)
        self.rejected.connect(self.deleteLater)

    @property
    def _format(self) -> Format:
        wanted = self.selectedNameFilter()
        return next((each for each in self._formats if filter_of(each) == wanted), self._formats[0])

    @Slot()
    def _change_suffix(self) -> None:
        """Change the suffix to the format chosen in the list, as the suffix decides."""
        path = Path(next(iter(self.selectedFiles()), ""))
        if not path.name or os.path.isdir(path):
            return
        old = next(filter(None, (each.ending_of(path.name) for each in self._formats)), "")
        self.selectFile(path.name.removesuffix(path.name[len(path.name) - len(old) :]) + self._format.endings[0])

    @Slot()
    def _accept_name(self) -> None:
        typed, known = Path(self.selectedFiles()[0]), self._formats
        if any(each in PICTURES for each in known):  # a picture or film that is not listed is refused with the reason
            known = (*known, *PICTURES, *FILMS)
        path, kind = completed(typed, known, self._format)
        if path == typed or not os.path.exists(path):
            self._choose(path, kind)
            return
        # The dialog has asked about the name as it was typed only.
        texts = self.windowTitle(), f"{printable(path.name)} exists. Replace it?"
        choose = partial(self._choose, path, kind)
        ask_first(self.parentWidget(), "replace_box", texts, Box.Yes, Box.No, choose, self.open)

    def _choose(self, path: Path, kind: Format) -> None:
        Folder.use(path)
        self.chosen.emit(path, kind)
        self.deleteLater()


def ask_save(
    parent: QWidget, title: str, formats: tuple[Format, ...], suggested: str, save: Callable[[Path, Format], object]
) -> None:
    """Ask for a file name (``suggested`` with a suffix), then call ``save`` with path and format.

    It has no nested event loop: jobs, timers and signals continue.
    """
    dialog = SaveDialog(parent, title, formats, suggested)
    dialog.chosen.connect(save)
    fit_screen(dialog)
    dialog.open()
