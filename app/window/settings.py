"""Settings kept between two runs; each value is checked before it is believed."""

from __future__ import annotations

import contextlib
import json
import re
from collections.abc import Callable, Mapping
from dataclasses import astuple, dataclass, field
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from platformdirs import user_config_path

from wavediff.app.compare.cell_styles import Colouring
from wavediff.app.ui.json_store import JsonStore
from wavediff.app.ui.theme import Scheme
from wavediff.app.window.job_options import JobOptions
from wavediff.app.window.letter_style import LetterStyle
from wavediff.core.base.errors import printable
from wavediff.core.base.numbers import number
from wavediff.core.jobs.choices import Device
from wavediff.core.jobs.cluster import Cluster
from wavediff.core.methods import METHODS
from wavediff.core.methods.options import Option, Options
from wavediff.core.sequences.letter_rules import Ambiguity

T = TypeVar("T")
_HEX = re.compile(r"(?:[0-9a-f]{2}){0,20000}")
MAX_SHOWN_CHARACTERS = 30  # characters of a value that makes no sense
MAX_REPORTED_VALUES = 2  # of such values


_CLUSTER = ("cluster_address", "cluster_ca", "cluster_certificate", "cluster_key")


def config_folder() -> Path:
    """Return the folder of our settings; it need not exist yet."""
    return user_config_path("wavediff", appauthor=False)


@dataclass(slots=True)
class Settings:
    """Attributes:
    scheme: light, dark or as the system has it.
    geometry: of the window, as Qt saved it; empty = none.
    layout: of its parts, see ``Arrangement.content``.
    letters: size, wrapping, rulers and colours of the alignment, and its strip.
    replays: whether a short run is played once by itself.
    cluster: that computes many pairs; without an address none does.
    choices: method, device and those options of the methods that are kept; the case rule follows each pair.
    at_start: what the file would hold for these as they were read, but for values that made no sense.
    """

    scheme: Scheme = Scheme.SYSTEM
    geometry: bytes = b""
    layout: dict[str, Any] = field(default_factory=dict)
    choices: JobOptions = field(default_factory=JobOptions)
    letters: LetterStyle = field(default_factory=LetterStyle)
    replays: bool = True
    cluster: Cluster = field(default_factory=Cluster)
    at_start: dict[str, Any] = field(default_factory=dict, compare=False)


class _Reader:
    """Takes values out of what was found, and notes those that make no sense."""

    def __init__(self, found: dict[str, Any]) -> None:
        self._found = found
        self.bad: dict[str, str] = {}  # what is said of each

    def take(self, name: str, right: str, check: Callable[[Any], Any], default: Any) -> Any:
        """Return what ``check`` makes of the value; ``default`` where there is none, or where it raises ValueError."""
        if name not in self._found:
            return default
        value = self._found[name]
        try:
            return check(value)
        except ValueError:
            shown = printable(json.dumps(value), MAX_SHOWN_CHARACTERS)
            self.bad[name] = f"{name} is {shown}, right is {right}"
            return default

    def member(self, name: str, kind: type[StrEnum], default: StrEnum) -> Any:
        return self.take(name, " or ".join(each.value for each in kind), kind, default)

    def flag(self, name: str, default: bool) -> bool:
        return bool(self.take(name, "true or false", partial(_of, bool), default))


def load(store: JsonStore) -> Settings:
    """Return what the file has; of values that make no sense the default, which ``store.problem`` then says."""
    reader = _Reader(store.load())
    methods = {each.id: each.id for each in METHODS}
    settings = Settings(
        scheme=reader.member("scheme", Scheme, Scheme.SYSTEM),
        geometry=reader.take("geometry", "what Qt saved, in hexadecimal digits", _bytes, b""),
        layout=reader.take("layout", "an object", partial(_of, dict), {}),
        choices=JobOptions(
            method=reader.take("method", " or ".join(methods), partial(_one_of, methods), METHODS[0].id),
            device=reader.member("device", Device, Device.AUTO),
            ambiguity=reader.member("ambiguity", Ambiguity, Ambiguity.MISSING),
            options=_options(reader),
        ),
        letters=LetterStyle(
            size=reader.take("alignment_font_px", "a number from 0 to 999", _size, 0),
            wrapped=reader.flag("alignment_wrapped", True),
            colouring=reader.member("alignment_colouring", Colouring, Colouring.PLAIN),
            b_ruler=reader.flag("alignment_ruler_of_b", False),
            strip_folded=reader.flag("zoom_strip_folded", False),
        ),
        replays=reader.flag("replay_short_runs", True),
        cluster=Cluster(*(reader.take(name, "a text", partial(_of, str), "") for name in _CLUSTER)),
    )
    settings.at_start = {name: value for name, value in _content(settings).items() if name not in reader.bad}
    if reader.bad and not store.problem:
        told, more = [*reader.bad.values()][:MAX_REPORTED_VALUES], len(reader.bad) - MAX_REPORTED_VALUES
        problems = "; ".join([*told, *([f"and {number(more)} more"] if more > 0 else [])])
        store.problem = f"{printable(str(store.path))}: {problems}; defaults are used for that"
    return settings


def save(store: JsonStore, settings: Settings) -> str:
    """Write what was changed since it was read; return why that failed in one line, or nothing.

    What was not changed stays as the file has it by now: another window may have changed it.
    """
    content, missing = _content(settings), object()
    changed = {name: value for name, value in content.items() if settings.at_start.get(name, missing) != value}
    return store.update(lambda now: {**content, **now, **changed})


def _content(settings: Settings) -> dict[str, Any]:
    return {
        "scheme": settings.scheme.value,
        "geometry": settings.geometry.hex(),
        "layout": settings.layout,
        "method": settings.choices.method,
        "device": settings.choices.device.value,
        "ambiguity": settings.choices.ambiguity.value,
        **{id_: _saved(owners, settings.choices.options) for id_, owners in _KEPT.items()},
        "alignment_font_px": settings.letters.size,
        "alignment_wrapped": settings.letters.wrapped,
        "alignment_colouring": settings.letters.colouring.value,
        "alignment_ruler_of_b": settings.letters.b_ruler,
        "zoom_strip_folded": settings.letters.strip_folded,
        "replay_short_runs": settings.replays,
        **dict(zip(_CLUSTER, astuple(settings.cluster), strict=True)),
    }


def _kept() -> dict[str, list[Option]]:
    found: dict[str, list[Option]] = {}
    for option in (option for one in METHODS for option in one.options if option.kept and option.shown):
        found.setdefault(option.id, []).append(option)
    return found


_KEPT = _kept()


def _options(reader: _Reader) -> dict[str, Any]:
    """Return the options that the file has, but for those that are as by default."""
    found = {}
    for id_, owners in _KEPT.items():
        default = owners[0].default
        found[id_] = reader.take(id_, _right(owners), partial(_restored, owners), default)
        if all(one.default == found[id_] for one in owners):
            del found[id_]
    return found


def _saved(owners: list[Option], options: Options) -> Any:
    value = options.get(owners[0].id, owners[0].default)
    return next((one for one in owners if one.accepts(value)), owners[0]).saved(value)


def _restored(owners: list[Option], saved: object) -> Any:
    for one in owners:
        with contextlib.suppress(ValueError):
            return one.restored(saved)
    raise ValueError(saved)


def _right(owners: list[Option]) -> str:
    return " or ".join(dict.fromkeys(word for one in owners for word in one.right.split(" or ")))


def _one_of(known: Mapping[str, T], value: object) -> T:
    if not isinstance(value, str) or value not in known:
        raise ValueError(value)
    return known[value]


def _of(kind: type[T], value: object) -> T:
    if not isinstance(value, kind):
        raise ValueError(value)
    return value


def _size(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value < 1000:
        raise ValueError(value)
    return value


def _bytes(value: object) -> bytes:
    if not isinstance(value, str) or not _HEX.fullmatch(value):
        raise ValueError(value)
    return bytes.fromhex(value)
