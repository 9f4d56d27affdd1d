"""Recently compared pairs, newest first."""

from __future__ import annotations

import json
import os
from collections.abc import Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Signal

from wavediff.app.compare.pair.sequence_loader import ReadItem
from wavediff.app.ui.pair import Side
from wavediff.app.ui.settings_file import RECENT, SettingsFile, recent_name
from wavediff.core.base.errors import count_noun, printable
from wavediff.core.base.file_names import split_name
from wavediff.core.sequences.read_as import ReadAs
from wavediff.core.sequences.sequence import Alphabet

MAX_PAIRS = 20
MAX_WORD = 8192  # characters of a word that was chosen, such as the path of a matrix


@dataclass(frozen=True, slots=True)
class RecentPair:
    """Pair in the recent list: see ``ReadSequence.listed``; ``words``: its options, see ``PairState.words``."""

    a: ReadItem
    b: ReadItem
    words: Mapping[str, str] = field(default_factory=dict, compare=False)

    @property
    def records(self) -> tuple[tuple[str, int], ...]:
        """The compared records, regardless of reading options."""
        return tuple((str(want.path), want.record) for want in (self.a, self.b))

    @property
    def missing(self) -> tuple[str, ...]:
        paths = dict.fromkeys(str(path) for want in (self.a, self.b) for path in (want.path, want.features) if path)
        return tuple(path for path in paths if not os.path.isfile(split_name(path).file))

    @property
    def title(self) -> str:
        """Names of both files on one line; equal names are distinguished by their folders."""
        a, b = (Path(path) for path, _ in self.records)
        if a.name == b.name and a.parent != b.parent:
            names = (f"{a.parent.name}/{a.name}", f"{b.parent.name}/{b.name}")
        else:
            names = (a.name, b.name)
        shown = [
            printable(name, 40) + (f" #{record}" if record > 1 else "")
            for name, (_, record) in zip(names, self.records, strict=True)
        ]
        return f"{shown[0]}  —  {shown[1]}"


class RecentPairs(QObject):
    """Up to 20 pairs; invalid entries of the file are ignored, and removed at the next change.

    Signals:
        changed: the list changed.
    """

    changed = Signal()

    def __init__(self, file: SettingsFile) -> None:
        super().__init__()
        self._file = file
        self._named = self._read()

    @property
    def pairs(self) -> tuple[RecentPair, ...]:
        return tuple(self._named.values())

    def look_again(self) -> None:
        """Reload entries that other windows added or cleared."""
        self._file.refresh()
        before, self._named = self._named, self._read()
        if before != self._named:
            self.changed.emit()

    def add(self, pair: RecentPair) -> str:
        """Add a pair at the top; return a one-line error if saving failed, or an empty string."""
        self.look_again()
        others = [name for name, each in self._named.items() if each.records != pair.records][: MAX_PAIRS - 1]
        return self._change({recent_name(): _text(pair)}, others)

    def update(self, records: tuple[tuple[str, int], ...], pair: RecentPair) -> str:
        """Replace the entry of ``records`` by ``pair``, if still listed; the result is that of ``add``."""
        self.look_again()
        named = {name: _text(pair) for name, each in self._named.items() if each.records == records}
        return self._change(named, self._named)

    def clear(self) -> str:
        return self._change({}, ())

    def _read(self) -> dict[str, RecentPair]:
        """Return the pairs by name, newest first; ``problem`` of the file counts invalid ones."""
        texts = [
            (name, text) for name, text in sorted(self._file.texts.items(), reverse=True) if name.startswith(RECENT)
        ]
        read = {name: pair for name, text in texts if (pair := _pair(text)) is not None}
        bad = len(texts) - len(read)
        if bad and not self._file.problem:
            said = f"{count_noun(bad, 'recent pair')} ignored: wrong type or missing path"
            self._file.problem = f"{printable(str(self._file.path))}: {said}"
        newest = {pair: name for name, pair in reversed(read.items())}
        return {name: pair for name, pair in read.items() if newest[pair] == name}

    def _change(self, new: Mapping[str, str], others: Collection[str]) -> str:
        """Write ``new`` and delete all entries except ``new`` and ``others``."""
        gone = [name for name in self._file.texts if name.startswith(RECENT) and name not in others]
        problem = self._file.update({**dict.fromkeys(gone), **new})
        self._named = self._read()
        self.changed.emit()
        return problem


def _text(pair: RecentPair) -> str:
    return json.dumps({"a": _saved(pair.a), "b": _saved(pair.b), "chosen": dict(pair.words)})


def _pair(text: str) -> RecentPair | None:
    with suppress(ValueError, TypeError, LookupError, RecursionError):
        document = json.loads(text)
        a, b = (_read_item(side, document[side.lower()]) for side in Side)
        return RecentPair(a, b, _words(document.get("chosen")))
    return None


def _words(document: object) -> dict[str, str]:
    words = document.items() if isinstance(document, dict) else ()
    return {name: word for name, word in words if isinstance(word, str) and len(word) < MAX_WORD}


def _saved(want: ReadItem) -> dict[str, object]:
    return {
        "path": str(want.path),
        "record": want.record,
        **({"read_as": str(want.read_as)} if want.read_as is not ReadAs.AUTO else {}),
        **({} if want.alphabet is None else {"alphabet": str(want.alphabet)}),
        **({} if want.features is None else {"features": str(want.features)}),
    }


def _read_item(side: Side, document: dict[str, Any]) -> ReadItem:
    """Parse a stored request; ValueError, TypeError, LookupError: invalid."""
    path, record, features = document["path"], document.get("record", 1), document.get("features", "")
    fits = _is_path(path) and (features == "" or _is_path(features)) and type(record) is int and 1 <= record < 1 << 31
    alphabet = document.get("alphabet")
    if not fits:
        raise ValueError
    how = ReadAs(document.get("read_as", ReadAs.AUTO)), None if alphabet is None else Alphabet(alphabet)
    return ReadItem(side, Path(path), "", record, *how, features=Path(features) if features else None)


def _is_path(value: object) -> bool:
    return isinstance(value, str) and 0 < len(value) < MAX_WORD and "\0" not in value and os.path.isabs(value)
