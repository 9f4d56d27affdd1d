"""The pairs that were compared last, newest first."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from app.store import JsonStore
from core.errors import printable

LIMIT = 20


@dataclass(frozen=True, slots=True)
class Place:
    """A record (1-based) of a file."""

    path: str
    record: int = 1

    @property
    def exists(self) -> bool:
        return os.path.isfile(self.path)


@dataclass(frozen=True, slots=True)
class RecentPair:
    a: Place
    b: Place

    @property
    def missing(self) -> tuple[str, ...]:
        """Paths that are gone (or are no files any more)."""
        return tuple(dict.fromkeys(place.path for place in (self.a, self.b) if not place.exists))

    @property
    def title(self) -> str:
        """One line; files of one name are told apart by their folders."""
        a, b = Path(self.a.path), Path(self.b.path)
        if a.name == b.name and a.parent != b.parent:
            names = (f"{a.parent.name}/{a.name}", f"{b.parent.name}/{b.name}")
        else:
            names = (a.name, b.name)
        shown = [
            printable(name, 40) + (f" #{place.record}" if place.record > 1 else "")
            for name, place in zip(names, (self.a, self.b), strict=True)
        ]
        return f"{shown[0]}  —  {shown[1]}"


class RecentPairs(QObject):
    """At most 20 pairs, kept in a file that may hold anything and is then ignored entry by entry.

    Signals:
        changed: the list is another one.
    """

    changed = Signal()

    def __init__(self, store: JsonStore, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._store = store
        found = store.load().get("pairs")
        read = (_pair(each) for each in found[: 10 * LIMIT]) if isinstance(found, list) else ()
        self._pairs = list(dict.fromkeys(each for each in read if each is not None))[:LIMIT]

    @property
    def pairs(self) -> tuple[RecentPair, ...]:
        return tuple(self._pairs)

    def add(self, a: Place, b: Place) -> str:
        """Put a pair on top; return why it could not be saved in one line, or nothing."""
        pair = RecentPair(Place(os.path.abspath(a.path), a.record), Place(os.path.abspath(b.path), b.record))
        if self._pairs[:1] == [pair]:
            return ""
        self._pairs = [pair, *(each for each in self._pairs if each != pair)][:LIMIT]
        self.changed.emit()
        return self._save()

    def clear(self) -> str:
        self._pairs = []
        self.changed.emit()
        return self._save()

    def _save(self) -> str:
        return self._store.save(
            {
                "pairs": [
                    {
                        "a": {"path": pair.a.path, "record": pair.a.record},
                        "b": {"path": pair.b.path, "record": pair.b.record},
                    }
                    for pair in self._pairs
                ]
            }
        )


def _pair(found: object) -> RecentPair | None:
    if not isinstance(found, dict):
        return None
    a, b = _place(found.get("a")), _place(found.get("b"))
    return RecentPair(a, b) if a is not None and b is not None else None


def _place(found: object) -> Place | None:
    if not isinstance(found, dict):
        return None
    path, record = found.get("path"), found.get("record", 1)
    if not isinstance(path, str) or not 0 < len(path) < 8192 or "\0" in path or not os.path.isabs(path):
        return None
    if type(record) is not int or not 1 <= record < 1 << 31:
        return None
    return Place(path, record)
