"""Settings kept between two runs; each value is checked before it is believed."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from enum import StrEnum
from functools import partial
from operator import attrgetter
from pathlib import Path
from typing import Any, TypeVar

from platformdirs import user_config_path

from wavediff.app.compare.alignment_view import AlignmentView
from wavediff.app.compare.cell_styles import Colouring
from wavediff.app.compare.lines.lines_view import LinesView
from wavediff.app.ui.settings_file import SettingsFile
from wavediff.app.ui.theme import Scheme
from wavediff.app.window.pair.pair_state import JobOptions
from wavediff.core.base.errors import printable
from wavediff.core.base.numbers import number
from wavediff.core.jobs.cluster import Cluster
from wavediff.core.methods import METHODS
from wavediff.core.methods.base import AUTOMATIC
from wavediff.core.methods.options import Option, Options, joined

T = TypeVar("T")
MAX_TAB_WIDTH = 16
MAX_SHOWN_CHARACTERS = 120  # of what is said of a value that makes no sense
MAX_REPORTED_VALUES = 2  # of such values


def config_folder() -> Path:
    """Return the folder of our settings; it need not exist yet."""
    return user_config_path("wavediff", appauthor=False)


@dataclass(frozen=True, slots=True)
class LetterStyle:
    """Attributes:
    size: of the letters in pixels; 0: what fits the system's font.
    wrapped: lines as wide as the window, or one long line.
    colouring: what the bases' colours are put on.
    b_ruler: the letters of B have a ruler too.
    strip_folded: the zoom strip is a line. hidden_tracks: kinds of features and tracks that are off, a tab between two.
    """

    size: int = 0
    wrapped: bool = True
    colouring: Colouring = Colouring.PLAIN
    b_ruler: bool = False
    strip_folded: bool = False
    hidden_tracks: str = ""

    @classmethod
    def of(cls, view: AlignmentView) -> LetterStyle:
        canvas = view.canvas
        hidden = "\t".join(sorted(view.annotator.hidden))
        return cls(canvas.chosen_font_size, canvas.wrapped, canvas.colouring, canvas.b_ruler, view.strip.folded, hidden)

    def show(self, view: AlignmentView) -> None:
        """Let ``view`` show letters like this; a size that no longer fits is made to fit."""
        if self.size:
            view.canvas.set_font_size(self.size)
        view.actions_by_id["set_wrapped"].setChecked(self.wrapped)
        view.canvas.set_colouring(self.colouring)
        view.actions_by_id["set_b_ruler"].setChecked(self.b_ruler)
        view.actions_by_id["set_strip_folded"].setChecked(self.strip_folded)
        view.annotator.hidden = frozenset(filter(None, self.hidden_tracks.split("\t")))


@dataclass(frozen=True, slots=True)
class LineStyle:
    """Attributes:
    inline: lines of A above those of B, not next to them. coloured: by syntax. folds_open: no equal lines are folded.
    tab_width: cells of a tab. font_size: pixels. wrapped: long lines take several rows.
    """

    inline: bool = False
    coloured: bool = True
    folds_open: bool = False
    tab_width: int = 4
    font_size: int = 13
    wrapped: bool = True

    @classmethod
    def of(cls, view: LinesView) -> LineStyle:
        return cls(*(getattr(view, each.name) for each in fields(cls)))

    def show(self, view: LinesView) -> None:
        """Let ``view`` show lines like this; sizes that do not fit are made to fit."""
        view.set_inline(self.inline)
        view.set_coloured(self.coloured)
        view.set_folds_open(self.folds_open)
        view.set_tab_width(min(max(self.tab_width, 1), MAX_TAB_WIDTH))
        view.set_font_size(self.font_size)
        view.set_wrapped(self.wrapped)


@dataclass(slots=True)
class Settings:
    """Attributes:
    scheme: light, dark or as the system has it.
    geometry: of the window, as Qt saved it; empty = none.
    layout: of its parts, see ``Arrangement.content``.
    letters: size, wrapping, rulers and colours of the alignment, and its strip.
    lines: how lines are shown.
    replays: whether a short run is played once by itself.
    cluster: that computes many pairs; without an address none does.
    folder: that was used last.
    choices: method, device and those options of the methods that are kept; the case rule follows each pair.
    at_start: texts of these as they were read, but for values that made no sense.
    """

    scheme: Scheme = Scheme.SYSTEM
    geometry: bytes = b""
    layout: dict[str, Any] = field(default_factory=dict)
    choices: JobOptions = field(default_factory=JobOptions)
    letters: LetterStyle = field(default_factory=LetterStyle)
    lines: LineStyle = field(default_factory=LineStyle)
    replays: bool = True
    cluster: Cluster = field(default_factory=Cluster)
    folder: str = ""
    at_start: dict[str, str] = field(default_factory=dict, compare=False)


# Names in the file, and the places in ``Settings`` of what they hold. Texts are read as what the default is.
_STORED = {
    **{name: name for name in ("scheme", "folder", "geometry", "layout")},
    **{name: f"choices.{name}" for name in ("method", "device")},
    "alignment_font_px": "letters.size",
    "alignment_wrapped": "letters.wrapped",
    "alignment_colouring": "letters.colouring",
    "alignment_ruler_of_b": "letters.b_ruler",
    "zoom_strip_folded": "letters.strip_folded",
    "hidden_tracks": "letters.hidden_tracks",
    **{f"lines_{each.name}": f"lines.{each.name}" for each in fields(LineStyle)},
    "replay_short_runs": "replays",
    **{f"cluster_{name}": f"cluster.{name}" for name in ("address", "ca", "certificate", "key")},
}


def load(file: SettingsFile) -> Settings:
    """Return what the file has; of values that make no sense the default, which ``file.problem`` then says."""
    settings, parts, bad = Settings(), dict[str, dict[str, Any]](), dict[str, str]()

    def take(name: str, read: Callable[[str], T], default: T) -> T:
        try:
            return read(file.texts[name]) if name in file.texts else default
        except ValueError as error:
            bad[name] = f"{name}: {printable(str(error), MAX_SHOWN_CHARACTERS)}"
            return default

    for name, place in _STORED.items():
        part, _, attribute = place.rpartition(".")
        default = attrgetter(place)(settings)
        parts.setdefault(part, {})[attribute] = take(name, partial(_value, default), default)
    options = {id_: take(id_, partial(_option, owners), owners[0].default) for id_, owners in _KEPT.items()}
    parts["choices"]["options"] = {
        id_: value for id_, value in options.items() if any(owner.default != value for owner in _KEPT[id_])
    }
    of_parts = {part: replace(getattr(settings, part), **values) for part, values in parts.items() if part}
    settings = replace(settings, **parts[""], **of_parts)
    settings.at_start = {name: text for name, text in _texts(settings).items() if name not in bad}
    if bad and not file.problem:
        told, more = [*bad.values()][:MAX_REPORTED_VALUES], len(bad) - MAX_REPORTED_VALUES
        problems = "; ".join([*told, *([f"and {number(more)} more"] if more > 0 else [])])
        file.problem = f"{printable(str(file.path))}: {problems}; defaults are used for that"
    return settings


def save(file: SettingsFile, settings: Settings) -> str:
    """Write what was changed since it was read; return why that failed in one line, or nothing.

    What was not changed stays as the file has it by now: another window may have changed it.
    """
    return file.update({name: text for name, text in _texts(settings).items() if settings.at_start.get(name) != text})


def _texts(settings: Settings) -> dict[str, str]:
    texts = {name: _text(attrgetter(place)(settings)) for name, place in _STORED.items()}
    return texts | {id_: _option_text(owners, settings.choices.options) for id_, owners in _KEPT.items()}


def _text(value: object) -> str:
    if isinstance(value, bytes):
        return value.hex()
    return json.dumps(value) if isinstance(value, bool | dict) else str(value)


def _value(default: Any, text: str) -> Any:
    match default:
        case bytes():
            return bytes.fromhex(text)
        case bool():
            return _one_of({"true": True, "false": False}, text)
        case StrEnum():
            return _one_of({member.value: member for member in type(default)}, text)
        case int():
            return _size(text)
        case dict():
            return _object(text)
    ids = (AUTOMATIC, *(method.id for method in METHODS))
    return _one_of(dict(zip(ids, ids, strict=True)), text) if default == AUTOMATIC else text


def _kept() -> dict[str, list[Option]]:
    """Return the options that are kept, by the key that their methods share."""
    options: dict[str, list[Option]] = {}
    for option in (option for method in METHODS for option in method.options if option.kept and option.shown):
        options.setdefault(option.id, []).append(option)
    return options


_KEPT = _kept()


def _option_text(owners: list[Option], options: Options) -> str:
    value = options.get(owners[0].id, owners[0].default)
    owner = next((one for one in owners if one.accepts(value)), owners[0])
    return owner.text(value) or owner.text(owner.default)


def _option(owners: list[Option], text: str) -> Any:
    for owner in owners:
        with contextlib.suppress(ValueError):
            return owner.parse(text)[owner.id]
    return owners[0].parse(text)


def _one_of(known: Mapping[str, T], text: str) -> T:
    if text not in known:
        raise ValueError(f"'{text}' is not {joined(list(known), 'or')}")
    return known[text]


def _object(text: str) -> dict[str, Any]:
    with contextlib.suppress(ValueError, RecursionError):
        if isinstance(found := json.loads(text), dict):
            return found
    raise ValueError(f"'{text}' is not an object of JSON")


def _size(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 4):
        raise ValueError(f"'{text}' is not a number from 0 to 999")
    return int(text)
