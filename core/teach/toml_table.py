"""Validated access to TOML tables."""

from __future__ import annotations

from typing import Any

from wavediff.core.base.errors import InputError
from wavediff.core.teach.plan import Step

MAX_STEPS = 1 << 20  # of a unit


class Table:
    """TOML table; reading a value removes it, and ``end`` reports a remaining one as an error."""

    def __init__(self, source: str, where: str, data: dict[str, Any]) -> None:
        self.source, self.where, self._data = source, where, dict(data)

    def _pop(self, key: str, kind: type, right: str, default: Any = None) -> Any:
        value = self._data.pop(key, default)
        if value is None:
            raise InputError(self.source, f"{self.where} has no '{key}'", f"{right} is wanted")
        if not isinstance(value, kind) or isinstance(value, bool):
            raise InputError(self.source, f"{self.where}: '{key}' is {value!r}", f"{right} is wanted")
        return value

    def text(self, key: str, default: str | None = None) -> str:
        return str(self._pop(key, str, "a text", default))

    def number(self, key: str, least: int, most: int, default: int | None = None) -> int:
        value = int(self._pop(key, int, "a number", default))
        if not least <= value <= most:
            raise InputError(self.source, f"{self.where}: '{key}' is {value:,}", f"{least:,} to {most:,} is possible")
        return value

    def step(self, key: str, default: Step) -> Step:
        """Return a step as a number, or in words."""
        value = self._data.pop(key, default)
        if isinstance(value, str):
            return value
        self._data[key] = value
        return self.number(key, 0, MAX_STEPS)

    def is_true(self, key: str) -> bool:
        value = self._data.pop(key, False)
        if not isinstance(value, bool):
            raise InputError(self.source, f"{self.where}: '{key}' is {value!r}", "true or false is wanted")
        return value

    def one_of(self, key: str, names: tuple[str, ...], default: str | None = None) -> str:
        value = self.text(key, default)
        if value not in names:
            raise InputError(self.source, f"{self.where}: '{key}' is '{value}'", f"one of {', '.join(names)} is wanted")
        return value

    def values(self, key: str, default: list[Any]) -> list[Any]:
        return list(self._pop(key, list, "a list", default))

    def optional(self, *keys: str) -> dict[str, Any]:
        """Return the existing values among ``keys``, unvalidated."""
        return {key: self._data.pop(key) for key in keys if key in self._data}

    def mapping(self, key: str) -> dict[str, Any]:
        return dict(self._pop(key, dict, "a table", {}))

    def tables(self, key: str) -> list[Table]:
        tables = self.values(key, [])
        if not tables or not all(isinstance(table, dict) for table in tables):
            raise InputError(self.source, f"{self.where} has no [[{key}]]", "one or more are wanted")
        return [Table(self.source, f"{key} {place}", table) for place, table in enumerate(tables, 1)]

    def end(self) -> None:
        if self._data:
            raise InputError(self.source, f"{self.where}: '{next(iter(self._data))}' means nothing here")
