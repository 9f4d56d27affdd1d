"""The pairs that were compared last, newest first."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Signal

from wavediff.app.ui.json_store import JsonStore
from wavediff.core.base.errors import count_noun, printable
from wavediff.core.sequences.read_as import ReadAs
from wavediff.core.sequences.sequence import Alphabet

MAX_PAIRS = 20
MAX_WORD = 8192  # characters of a word that was chosen, such as the path of a matrix


@dataclass(frozen=True, slots=True)
class RecordRef:
    """A record (1-based) of a file, and how it was read where a person said so."""

    path: str
    record: int = 1
    read_as: ReadAs = ReadAs.AUTO
    alphabet: Alphabet | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "path", os.path.abspath(self.path))

    @property
    def exists(self) -> bool:
        return os.path.isfile(self.path)


@dataclass(frozen=True, slots=True)
class RecentPair:
    """``words``: what was chosen for the pair, see ``PairState.words``."""

    a: RecordRef
    b: RecordRef
    words: Mapping[str, str] = field(default_factory=dict, compare=False)

    @property
    def records(self) -> tuple[tuple[str, int], ...]:
        """The records that are compared, however they were read."""
        return tuple((place.path, place.record) for place in (self.a, self.b))

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
        self._unsaved = False
        self._pairs = self._read()

    @property
    def pairs(self) -> tuple[RecentPair, ...]:
        return tuple(self._pairs)

    def look_again(self) -> None:
        """Take over what other windows have added or cleared; nothing while our own could not be saved."""
        before, self._pairs = self._pairs, self._pairs if self._unsaved else self._read()
        if before != self._pairs:
            self.changed.emit()

    def add(self, pair: RecentPair) -> str:
        """Put a pair on top; return why it could not be saved in one line, or nothing."""

        def on_top(found: dict[str, Any]) -> dict[str, Any]:
            others = self._pairs if self._unsaved else _pairs(found)
            self._pairs = [pair, *(each for each in others if each.records != pair.records)][:MAX_PAIRS]
            return _content(self._pairs)

        return self._change(on_top)

    def update(self, records: tuple[tuple[str, int], ...], pair: RecentPair) -> str:
        """Put ``pair`` in the place of that of ``records``, where that is still listed; return as ``add`` does."""

        def in_place(found: dict[str, Any]) -> dict[str, Any]:
            pairs = self._pairs if self._unsaved else _pairs(found)
            self._pairs = list(dict.fromkeys(pair if each.records == records else each for each in pairs))
            return _content(self._pairs)

        return self._change(in_place)

    def clear(self) -> str:
        def none(_found: dict[str, Any]) -> dict[str, Any]:
            self._pairs = []
            return _content([])

        return self._change(none)

    def _read(self) -> list[RecentPair]:
        """Return what the file has; of what makes no sense ``store.problem`` then says how much it is."""
        found = self._store.load()
        bad = _n_bad(found)
        if bad and not self._store.problem:
            said = f"{count_noun(bad, 'recent pair')} left out, of wrong type or without a path"
            self._store.problem = f"{printable(str(self._store.path))}: {said}"
        return _pairs(found)

    def _change(self, change: Callable[[dict[str, Any]], dict[str, Any]]) -> str:
        problem = self._store.update(change)
        self._unsaved = bool(problem)
        self.changed.emit()
        return problem


def _pairs(found: dict[str, Any]) -> list[RecentPair]:
    listed = found.get("pairs")
    read = (_pair(each) for each in listed[: 10 * MAX_PAIRS]) if isinstance(listed, list) else ()
    return list(dict.fromkeys(each for each in read if each is not None))[:MAX_PAIRS]


def _n_bad(found: dict[str, Any]) -> int:
    listed = found.get("pairs", [])
    return sum(_pair(each) is None for each in listed) if isinstance(listed, list) else 1


def _content(pairs: list[RecentPair]) -> dict[str, Any]:
    saved = ({"a": _saved(pair.a), "b": _saved(pair.b), "chosen": dict(pair.words)} for pair in pairs)
    return {"pairs": list(saved)}


def _pair(found: object) -> RecentPair | None:
    if not isinstance(found, dict):
        return None
    a, b = _place(found.get("a")), _place(found.get("b"))
    return RecentPair(a, b, _words(found.get("chosen"))) if a is not None and b is not None else None


def _words(found: object) -> dict[str, str]:
    words = found.items() if isinstance(found, dict) else ()
    return {name: word for name, word in words if isinstance(word, str) and len(word) < MAX_WORD}


def _saved(place: RecordRef) -> dict[str, object]:
    saved: dict[str, object] = {"path": place.path, "record": place.record}
    if place.read_as is not ReadAs.AUTO:
        saved["read_as"] = str(place.read_as)
    if place.alphabet is not None:
        saved["alphabet"] = str(place.alphabet)
    return saved


def _place(found: object) -> RecordRef | None:
    if not isinstance(found, dict):
        return None
    path, record = found.get("path"), found.get("record", 1)
    if not isinstance(path, str) or not 0 < len(path) < 8192 or "\0" in path or not os.path.isabs(path):
        return None
    if type(record) is not int or not 1 <= record < 1 << 31:
        return None
    read_as, alphabet = found.get("read_as", "auto"), found.get("alphabet")
    if read_as not in list(ReadAs) or alphabet not in (None, *Alphabet):
        return None
    return RecordRef(path, record, ReadAs(read_as), None if alphabet is None else Alphabet(alphabet))
