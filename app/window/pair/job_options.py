"""Choices of the job bar: the method, its options, the device and the case rule."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any, ClassVar

from wavediff.core.jobs.choices import Device
from wavediff.core.methods import METHODS, method
from wavediff.core.methods.base import Method
from wavediff.core.methods.options import Choice, Options, typed
from wavediff.core.sequences.letter_rules import Ambiguity, UracilRule
from wavediff.core.sequences.sequence import Sequence

Question = tuple[object, ...]  # what a job asks of its pair, see ``question``


@dataclass(frozen=True, slots=True)
class JobOptions:
    """Choices of the job bar.

    Attributes:
        method: ``Method.id``.
        fold_case: None = as the alphabets of the pair have it.
        letters: whether U is T in nucleotides.
        ambiguity: how figures take ambiguity codes; no job asks for it.
        options: values by ``Option.id``, of all methods that were chosen so far; what is missing has its default.
    """

    method: str = METHODS[0].id
    device: Device = Device.AUTO
    fold_case: bool | None = None
    letters: UracilRule = UracilRule.AUTO
    ambiguity: Ambiguity = Ambiguity.MISSING
    options: Mapping[str, Any] = field(default_factory=dict)
    own: ClassVar = ("method", "device", "fold_case", "letters", "ambiguity")  # fields that are no options of methods

    @property
    def chosen(self) -> Method:
        return method(self.method)

    @property
    def values(self) -> Options:
        return self.chosen.values(self.options)

    @property
    def typed(self) -> dict[str, str]:
        """Options of the method as typed on the command line, by their ids; those that are not the usual ones."""
        return typed(self.chosen.options, self.values)

    def changed(self, **changes: Any) -> JobOptions:
        """Return these choices with some fields, or options, changed."""
        own = {name: changes.pop(name) for name in self.own if name in changes}
        return replace(self, **own).with_options(**changes)

    def with_options(self, **options: Any) -> JobOptions:
        """Return these choices with some options changed."""
        return replace(self, options={**self.options, **options})

    @property
    def kept(self) -> dict[str, Any]:
        """Options that other pairs have too; the rest was chosen for one pair alone."""
        owners = [one for each in METHODS for one in each.options if one.kept]
        return {
            id_: value
            for id_, value in self.options.items()
            if any(one.id == id_ and one.accepts(value) and one.text(value) for one in owners)
        }

    @property
    def banded(self) -> bool:
        """True where the method can be kept to a band that holds a number of edits."""
        return self.chosen.option("threshold") is not None

    @property
    def band_name(self) -> str:
        """Name of the band that is chosen; empty where the method has none."""
        option = self.chosen.option("threshold")
        band = None if option is None or option.only_with is None else self.chosen.option(option.only_with[0])
        entry = band.entry(self.values[band.id]) if isinstance(band, Choice) else None
        return "" if entry is None else entry.name

    def in_band(self, k: int) -> JobOptions:
        """Return these choices with the band that holds ``k`` edits; the same where the method has none."""
        option = self.chosen.option("threshold")
        if option is None or option.only_with is None:
            return self
        band, fixed = option.only_with
        return self.with_options(**{band: fixed, option.id: k})

    def job(self, a: Sequence, b: Sequence, *, fold_case: bool) -> Any:
        """Return the job that compares ``a`` with ``b`` as chosen, its map as fine as the time allows.

        Raises:
            WavediffError: it cannot be done with these sequences.
        """
        finer = self.chosen.finer(len(a) * len(b), self.values)
        return self.chosen.job(a, b, {**self.options, **finer}, fold_case=fold_case)


def question(job: Any, device: Device) -> Question:
    """Return what ``job`` asks of its pair; jobs that ask alike give alike answers."""
    asked = (each.name for each in fields(job) if each.name not in {"a", "b", "id"})
    return (type(job), device, *((name, getattr(job, name)) for name in asked))
