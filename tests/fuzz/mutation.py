"""Mutations of a file: of its bytes, of its words, and of its values where it is JSON."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable
from copy import deepcopy
from typing import Any

MAX_INPUT_BYTES = 1 << 16
ODD_BYTES = (*(bytes([one]) for one in b"\0\xff\n\r\"'\\{}[]%"), b"\xe2\x80\xae", b"\xed\xa0\x80")
ODD_WORDS = (
    "0", "-1", "1", "255", "65536", "2147483647", "2147483648", "4294967296", "9223372036854775807", "1e308", "-0.0",
    "nan", "NaN", "Infinity", "1" + "0" * 400, "true", "null", "[]", "{}", '""', '"x"', "[[]]", "../x",
    "/proc/self/environ", "{a.b}", "{a[0]}", "{x.__class__}", "%s", "A" * 5000,
)  # fmt: skip
ODD_VALUES: tuple[Any, ...] = (
    None, True, False, 0, -1, 1, 255, 1 << 31, 1 << 63, 10**400, 0.5, 1e308, float("nan"), float("inf"), "", "x", "\0",
    "\u202e", "../x", "/proc/self/environ", "A" * 5000, [], {}, [[]], [0] * 6, [1 << 40] * 6, {"a": 1},
)  # fmt: skip
_WORD = re.compile(rb"-?\d+(?:\.\d+)?|\"[^\"\n]*\"|\w+")
Mutator = Callable[[bytes, random.Random], bytes]


def flipped(data: bytes, rng: random.Random) -> bytes:
    """Change, insert, delete or repeat some bytes."""
    made = bytearray(data)
    for _ in range(1 + rng.randrange(4)):
        at = rng.randrange(len(made) + 1)
        length = min(1 << rng.randrange(8), len(made) - at)
        match rng.randrange(5):
            case 0 if at < len(made):
                made[at] ^= 1 << rng.randrange(8)
            case 1:
                made[at:at] = rng.choice(ODD_BYTES)
            case 2:
                del made[at : at + length]
            case 3:
                made[at:at] = made[at : at + length]
            case _:
                made[at : at + length] = rng.randbytes(length)
    return bytes(made)


def cut(data: bytes, rng: random.Random) -> bytes:
    return data[: rng.randrange(len(data) + 1)]


def reworded(data: bytes, rng: random.Random) -> bytes:
    """Replace numbers, names and quoted texts by odd ones, or by others of the same file."""
    words = list(_WORD.finditer(data))
    if not words:
        return flipped(data, rng)
    made = data
    for one in sorted(rng.sample(words, min(len(words), 1 + rng.randrange(3))), key=lambda word: -word.start()):
        new = rng.choice(words)[0] if rng.randrange(2) else rng.choice(ODD_WORDS).encode()
        made = made[: one.start()] + new + made[one.end() :]
    return made


def revalued(data: bytes, rng: random.Random) -> bytes:
    """Replace, remove or repeat values of a JSON document; other files are reworded."""
    try:
        document = json.loads(data)
    except (ValueError, RecursionError):
        return reworded(data, rng)
    for _ in range(1 + rng.randrange(3)):
        places = list(_places(document))
        if not places:
            break
        holder, key = rng.choice(places)
        match rng.randrange(4):
            case 0 if isinstance(holder, dict):
                del holder[key]
            case 1:
                other, its = rng.choice(places)
                holder[key] = json.loads(json.dumps(other[its])) if _is_small(other[its]) else None
            case 2 if isinstance(holder, list):
                holder.extend(deepcopy(holder[key]) for _ in range(rng.randrange(1, 20)))
            case _:
                holder[key] = deepcopy(rng.choice(ODD_VALUES))
    return json.dumps(document).encode()


def _places(value: Any) -> list[tuple[Any, Any]]:
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [found for key, one in inside for found in [(value, key), *_places(one)]]


def _is_small(value: Any) -> bool:
    return len(json.dumps(value)) < MAX_INPUT_BYTES // 4


MUTATORS: tuple[Mutator, ...] = (flipped, cut, reworded, revalued)


def mutated(data: bytes, rng: random.Random, mutators: tuple[Mutator, ...] = MUTATORS) -> bytes:
    """Return ``data`` after one to three mutations; the same for the same state of ``rng``."""
    for _ in range(1 + rng.randrange(3)):
        data = rng.choice(mutators)(data, rng)[:MAX_INPUT_BYTES]
    return data
