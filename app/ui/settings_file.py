"""Settings file: INI by ``QSettings``, validated on reading, safe for several windows."""

from __future__ import annotations

import contextlib
import json
import os
import time
from collections.abc import Mapping
from pathlib import Path

from PySide6.QtCore import QLockFile, QSettings

from wavediff.core.base.errors import WavediffError, printable
from wavediff.core.reading.files import read_small

MAX_FILE_BYTES = 1 << 20  # bytes; ours have a few thousand
RECENT = "recent/"  # keys of the recent pairs; the later one is the greater


class SettingsFile:
    """Settings as texts by name. Only changed values are written; Qt locks and merges the file.

    Attributes:
        texts: values of the file, including later changes.
        problem: one line for the user if the file could not be read, else empty.
        is_new: there was no file, not even one of an older version (JSON, imported once).
    """

    def __init__(self, path: Path) -> None:
        self.path, self.problem = path, ""
        self._file: QSettings | None = None
        self.texts: dict[str, str] = {}
        old = {} if os.path.exists(path) else _migrated(path.parent)
        self.is_new = not os.path.exists(path) and not old
        lock = QLockFile(f"{path}.lock")  # Qt takes it to write: no other window replaces the file while it is read
        try:
            lock.lock()
            content = read_small(path, MAX_FILE_BYTES, "too large") if os.path.exists(path) else b""
            lock.unlock()
            self._open()
        except WavediffError as error:
            self.problem = f"{printable(str(path))}: not read: {str(error).partition(': ')[2]}; defaults are used"
            if not os.path.isfile(path) or path.stat().st_size <= MAX_FILE_BYTES:
                return
        if self._file is None or self._fails or (content and not self.texts):
            bad = path.with_name(path.name + ".bad")
            with contextlib.suppress(OSError):
                os.replace(path, bad)
            why = "is damaged" if self._file else "is too large"
            self.problem = f"{printable(str(path))} {why}: defaults are used, the old file is kept as {bad.name}"
            self._open()
        if old:
            self.update(old)

    def _open(self) -> None:
        self._file = QSettings(str(self.path), QSettings.Format.IniFormat)
        self.refresh()

    def refresh(self) -> None:
        if self._file is not None:
            self._file.sync()
            self.texts = {name: str(self._file.value(name)) for name in self._file.allKeys()}

    def update(self, changes: Mapping[str, str | None]) -> str:
        """Write texts, and remove names with None; return a one-line error, or an empty string."""
        if self._file is None:
            kept = {**self.texts, **changes}
            self.texts = {name: text for name, text in kept.items() if text is not None}
            return f"{printable(str(self.path))}: not written, because it could not be read"
        for name, text in changes.items():
            self._file.remove(name) if text is None else self._file.setValue(name, text)
        self.refresh()
        return f"{printable(str(self.path))}: not written" if self._fails else ""

    @property
    def _fails(self) -> bool:
        return self._file is not None and self._file.status() is not QSettings.Status.NoError


def recent_name(number: int = 0) -> str:
    """Return a name for a recent pair that sorts after all earlier ones; ``number``: index among several new ones."""
    return f"{RECENT}{time.time_ns() + number:020}-{os.getpid()}"


def _migrated(folder: Path) -> dict[str, str]:
    """Return the texts of ``settings.json`` and ``recent.json`` (older versions); empty if damaged."""
    values: dict[str, object] = {}
    for name in ("settings.json", "recent.json"):
        with contextlib.suppress(OSError, WavediffError, ValueError, RecursionError):
            read = json.loads(read_small(folder / name, MAX_FILE_BYTES, "too large"))
            values |= read if isinstance(read, dict) else {}
    pairs = values.pop("pairs", [])
    texts = {name: value if isinstance(value, str) else json.dumps(value) for name, value in values.items()}
    listed = reversed(pairs) if isinstance(pairs, list) else ()
    return texts | {recent_name(number): json.dumps(pair) for number, pair in enumerate(listed)}
