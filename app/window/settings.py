"""Persistent settings, validated on loading."""

from __future__ import annotations

import contextlib
import json
from dataclasses import dataclass, field, fields, replace
from enum import StrEnum
from operator import attrgetter
from pathlib import Path
from typing import Any

from platformdirs import user_config_path

from wavediff.app.compare.cell_styles import Colouring
from wavediff.app.compare.pair.pair_state import JobOptions
from wavediff.app.compare.pair_view import PairView
from wavediff.app.ui.settings_file import SettingsFile
from wavediff.app.ui.theme import Scheme
from wavediff.core.base.errors import printable
from wavediff.core.base.numbers import number
from wavediff.core.jobs.cluster import Cluster
from wavediff.core.methods import METHODS
from wavediff.core.methods.base import AUTOMATIC
from wavediff.core.methods.options import Option, Options, joined

MAX_SHOWN_CHARACTERS = 120  # of what is said of a value that makes no sense
MAX_REPORTED_VALUES = 2  # of such values


def config_folder() -> Path:
    """Return the settings folder, which may not exist."""
    return user_config_path("wavediff", appauthor=False)


@dataclass(slots=True)
class Settings:
    """Settings; most fields are named as in the file.

    Attributes:
        scheme: light, dark or system.
        geometry: of the window, as saved by Qt; empty: none.
        layout: of its parts, see ``Arrangement.content``.
        choices: method, device and ``kept`` options; the case rule is per pair.
        cluster: for many pairs; without an address this computer.
        folder: last folder of the file dialogs.
        replay_short_runs: replay a short run once, automatically.
        alignment_font_px: of the letters; 0: by the system font.
        hidden_tracks: kinds of hidden features and tracks, separated by tabs.
        lines_inline: lines of A above those of B, not next to them. lines_tab_width: in cells.
        at_start: texts of the settings as read, without invalid values.
    """

    scheme: Scheme = Scheme.SYSTEM
    geometry: bytes = b""
    layout: dict[str, Any] = field(default_factory=dict)
    choices: JobOptions = field(default_factory=JobOptions)
    cluster: Cluster = field(default_factory=Cluster)
    folder: str = ""
    replay_short_runs: bool = True
    alignment_font_px: int = 0
    alignment_wrapped: bool = True
    alignment_colouring: Colouring = Colouring.PLAIN
    alignment_ruler_of_b: bool = False
    zoom_strip_folded: bool = False
    hidden_tracks: str = ""
    lines_inline: bool = False
    lines_coloured: bool = True
    lines_folds_open: bool = False
    lines_tab_width: int = 4
    lines_font_size: int = 13
    lines_wrapped: bool = True
    at_start: dict[str, str] = field(default_factory=dict, compare=False)

    def note(self, view: PairView) -> None:
        """Store the display options of a view."""
        canvas = view.canvas
        self.alignment_font_px, self.alignment_wrapped = canvas.chosen_font_size, canvas.wrapped
        self.alignment_colouring, self.alignment_ruler_of_b = canvas.colouring, canvas.b_ruler
        self.zoom_strip_folded, self.hidden_tracks = view.strip.folded, "\t".join(sorted(view.annotator.hidden))
        for name in _LINES:
            setattr(self, f"lines_{name}", getattr(view.lines, name))

    def show(self, view: PairView) -> None:
        """Apply the display options to ``view``, sizes clamped."""
        if self.alignment_font_px:
            view.canvas.set_font_size(self.alignment_font_px)
        view.canvas.set_colouring(self.alignment_colouring)
        view.actions_by_id["set_wrapped"].setChecked(self.alignment_wrapped)
        view.actions_by_id["set_b_ruler"].setChecked(self.alignment_ruler_of_b)
        view.actions_by_id["set_strip_folded"].setChecked(self.zoom_strip_folded)
        view.annotator.hidden = frozenset(filter(None, self.hidden_tracks.split("\t")))
        for name in _LINES:
            getattr(view.lines, f"set_{name}")(getattr(self, f"lines_{name}"))


_LINES = [each.name.removeprefix("lines_") for each in fields(Settings) if each.name.startswith("lines_")]
# Options of methods that are kept, by the key that the methods share.
_KEPT: dict[str, list[Option]] = {}
for _option_ in (option for method in METHODS for option in method.options if option.kept and option.shown):
    _KEPT.setdefault(_option_.id, []).append(_option_)
# Names in the file, and the places in ``Settings`` of what they hold. Texts are read as what the default is.
_STORED = {
    **{name: f"choices.{name}" for name in ("method", "device")},
    **{each.name: each.name for each in fields(Settings) if each.name not in ("choices", "cluster", "at_start")},
    **{f"cluster_{name}": f"cluster.{name}" for name in ("address", "ca", "certificate", "key")},
}


def load(file: SettingsFile) -> Settings:
    """Load the settings; invalid values become defaults, reported in ``file.problem``."""
    settings, bad = Settings(), dict[str, str]()
    for name in (name for name in (*_STORED, *_KEPT) if name in file.texts):
        try:
            settings = _with(settings, name, file.texts[name])
        except ValueError as error:
            bad[name] = f"{name}: {printable(str(error), MAX_SHOWN_CHARACTERS)}"
    settings.at_start = {name: text for name, text in _texts(settings).items() if name not in bad}
    if bad and not file.problem:
        listed, more = [*bad.values()][:MAX_REPORTED_VALUES], len(bad) - MAX_REPORTED_VALUES
        problems = "; ".join([*listed, *([f"and {number(more)} more"] if more > 0 else [])])
        file.problem = f"{printable(str(file.path))}: {problems}; defaults are used for that"
    return settings


def save(file: SettingsFile, settings: Settings) -> str:
    """Save changed values; return a one-line error, or an empty string.

    Unchanged settings keep the value in the file, which another window may have changed.
    """
    return file.update({name: text for name, text in _texts(settings).items() if settings.at_start.get(name) != text})


def _texts(settings: Settings) -> dict[str, str]:
    texts = {name: _text(attrgetter(place)(settings)) for name, place in _STORED.items()}
    return texts | {id_: _option_text(owners, settings.choices.options) for id_, owners in _KEPT.items()}


def _text(value: object) -> str:
    if isinstance(value, bytes):
        return value.hex()
    return json.dumps(value) if isinstance(value, bool | dict) else str(value)


def _option_text(owners: list[Option], options: Options) -> str:
    value = options.get(owners[0].id, owners[0].default)
    owner = next((one for one in owners if one.accepts(value)), owners[0])
    return owner.text(value) or owner.text(owner.default)


def _with(settings: Settings, name: str, text: str) -> Settings:
    """Return settings with a value of the file; ValueError: invalid."""
    if name in _KEPT:
        value = _option(_KEPT[name], text)
        usual = all(owner.default == value for owner in _KEPT[name])
        return settings if usual else replace(settings, choices=settings.choices.with_options(**{name: value}))
    part, _, attribute = _STORED[name].rpartition(".")
    changes = {attribute: _value(attrgetter(_STORED[name])(settings), text)}
    return replace(settings, **({part: replace(getattr(settings, part), **changes)} if part else changes))


def _option(owners: list[Option], text: str) -> Any:
    for owner in owners:
        with contextlib.suppress(ValueError):
            return owner.parse(text)[owner.id]
    return owners[0].parse(text)


def _value(default: Any, text: str) -> Any:
    known: dict[str, Any]
    match default:
        case bytes():
            return bytes.fromhex(text)
        case bool():
            known = {"true": True, "false": False}
        case StrEnum():
            known = {member.value: member for member in type(default)}
        case str():
            known = {id_: id_ for id_ in (AUTOMATIC, *(method.id for method in METHODS))}
            known = known if default == AUTOMATIC else {text: text}
        case _:  # a size, or the layout
            with contextlib.suppress(ValueError, RecursionError):
                value = json.loads(text)
                if type(value) is type(default) and (default == {} or 0 <= value < 1000):
                    return value
            raise ValueError(f"'{text}' is not {'a JSON object' if default == {} else 'a number from 0 to 999'}")
    if text not in known:
        raise ValueError(f"'{text}' is not {joined(list(known), 'or')}")
    return known[text]
