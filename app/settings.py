"""What the program remembers between two runs; each value is checked before it is believed."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from platformdirs import user_config_path

from app.methods import METHODS, Choices
from app.store import JsonStore
from app.theme import Scheme
from app.views.alignment_looks import Colouring
from app.views.letters_look import LettersLook
from core.dispatch import Device
from core.jobs import Band, PathMethod

_HEX = re.compile(r"(?:[0-9a-f]{2}){1,20000}")


def config_folder() -> Path:
    """Return the folder of our settings; it need not exist yet."""
    return user_config_path("wavediff", appauthor=False)


@dataclass(slots=True)
class Settings:
    """Attributes:
    scheme: light, dark or as the system has it.
    geometry, state: of the window, as Qt saved them; empty = none.
    letters: size, wrapping and colours of the alignment.
    choices: method, device, path, band and swaps; the case rule and k follow each pair and are not kept.
    """

    scheme: Scheme = Scheme.SYSTEM
    geometry: bytes = b""
    state: bytes = b""
    choices: Choices = field(default_factory=Choices)
    letters: LettersLook = field(default_factory=LettersLook)


def load(store: JsonStore) -> Settings:
    found = store.load()
    return Settings(
        scheme=_member(Scheme, found.get("scheme"), Scheme.SYSTEM),
        geometry=_bytes(found.get("geometry")),
        state=_bytes(found.get("state")),
        choices=Choices(
            method=next((each.id for each in METHODS if each.id == found.get("method")), METHODS[0].id),
            device=_member(Device, found.get("device"), Device.AUTO),
            path=_member(PathMethod, found.get("path"), PathMethod.BLOCKS),
            band=_member(Band, found.get("band"), Band.AUTO),
            swaps=found.get("swaps") is not False,
        ),
        letters=LettersLook(
            size=_size(found.get("letters_size")),
            wrapped=found.get("letters_wrapped") is not False,
            colouring=_member(Colouring, found.get("letters_colouring"), Colouring.LETTERS),
        ),
    )


def save(store: JsonStore, settings: Settings) -> str:
    """Write; return why that failed in one line, or nothing."""
    return store.save(
        {
            "scheme": settings.scheme.value,
            "geometry": settings.geometry.hex(),
            "state": settings.state.hex(),
            "method": settings.choices.method,
            "device": settings.choices.device.value,
            "path": settings.choices.path.value,
            "swaps": settings.choices.swaps,
            "letters_size": settings.letters.size,
            "letters_wrapped": settings.letters.wrapped,
            "letters_colouring": settings.letters.colouring.value,
            # A fixed k belongs to the pair for which it was typed.
            "band": (Band.AUTO if settings.choices.band is Band.FIXED else settings.choices.band).value,
        }
    )


def _member(kind: Any, value: object, default: Any) -> Any:
    try:
        return kind(value)
    except ValueError:
        return default


def _size(value: object) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 1000 else 0


def _bytes(value: object) -> bytes:
    return bytes.fromhex(value) if isinstance(value, str) and _HEX.fullmatch(value) else b""
