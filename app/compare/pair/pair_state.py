"""State of a pair: sources of A and B, and all choices specific to them."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field, fields, replace
from typing import Any, ClassVar

from wavediff.app.compare.difference_list import Listing
from wavediff.app.compare.pair.sequence_loader import ReadItem, ReadSequence
from wavediff.app.ui.pair import GivenFile, Side
from wavediff.core.base.errors import WavediffError
from wavediff.core.jobs.choices import MAX_K, MIN_K, Device
from wavediff.core.methods import METHODS, method
from wavediff.core.methods.base import AUTOMATIC, Method, TracebackMethod
from wavediff.core.methods.options import Choice, Options, Text, parsed, typed
from wavediff.core.sequences.letter_rules import Ambiguity, CaseRule, UracilRule
from wavediff.core.sequences.orientation import FORWARD, Orientation, Strand, Topology
from wavediff.core.sequences.sequence import Sequence

Question = tuple[object, ...]  # what a job asks of its pair, see ``question``


@dataclass(frozen=True, slots=True)
class JobOptions:
    """Options of the comparison.

    Attributes:
        method: ``Method.id``, or AUTOMATIC.
        fold_case: whether case is ignored; None: by the alphabets of the pair.
        letters: rule for U and T in nucleotides.
        ambiguity: treatment of ambiguity codes in statistics; does not change a job.
        options: values by ``Option.id``, of all methods chosen so far; missing ones have their defaults.
    """

    method: str = AUTOMATIC
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
        """Method options in command-line syntax by id, without defaults."""
        return typed(self.chosen.options, self.values)

    def changed(self, **changes: Any) -> JobOptions:
        own = {name: changes.pop(name) for name in self.own if name in changes}
        return replace(self, **own).with_options(**changes)

    def with_options(self, **options: Any) -> JobOptions:
        return replace(self, options={**self.options, **options})

    @property
    def kept(self) -> dict[str, Any]:
        """Options that apply to other pairs too, without those specific to this pair."""
        owners = [option for each in METHODS for option in each.options if option.kept]
        return {
            id_: value
            for id_, value in self.options.items()
            if any(owner.id == id_ and owner.accepts(value) and owner.text(value) for owner in owners)
            and value is not TracebackMethod.NONE
        }

    @property
    def banded(self) -> bool:
        """True if the method supports a band for a number of edits."""
        return self.chosen.option("threshold") is not None

    @property
    def band_name(self) -> str:
        """Name of the chosen band; empty if the method has none."""
        option = self.chosen.option("threshold")
        band = None if option is None or option.only_with is None else self.chosen.option(option.only_with[0])
        entry = band.entry(self.values[band.id]) if isinstance(band, Choice) else None
        return "" if entry is None else entry.name

    def in_band(self, k: int) -> JobOptions:
        """Return the options with a band for ``k`` edits; unchanged if the method has none."""
        option = self.chosen.option("threshold")
        if option is None or option.only_with is None:
            return self
        band, fixed = option.only_with
        return self.with_options(**{band: fixed, option.id: k})

    def job(self, a: Sequence, b: Sequence, *, fold_case: bool) -> Any:
        """Return the job for ``a`` and ``b``, with as fine a map as time allows.

        Raises:
            WavediffError: invalid for these sequences.
        """
        finer = self.chosen.finer(len(a) * len(b), self.values)
        return self.chosen.job(a, b, {**self.options, **finer}, fold_case=fold_case)


class LastJob:
    """The last job asked for; it is built once per pair and options, since coding a large text takes 0.1 s.

    Attributes:
        refusal: why the last job cannot be built, or an empty string.
    """

    _of: tuple[object, ...] | None = None
    _job: Any = None
    refusal = ""

    def of(self, pair: tuple[Sequence, Sequence] | None, choices: JobOptions, *, fold_case: bool) -> Any:
        """Return the job, or None without a pair or if it cannot be compared with these options."""
        if self._of != (pair, choices, fold_case):
            self._of, self._job, self.refusal = (pair, choices, fold_case), None, ""
            try:
                self._job = None if pair is None else choices.job(*pair, fold_case=fold_case)
            except WavediffError as error:
                self.refusal = str(error)
        return self._job


def question(job: Any, device: Device) -> Question:
    """Return the key of ``job``: equal keys yield equal answers."""
    asked = (each.name for each in fields(job) if each.name not in {"a", "b", "id"})
    return (type(job), device, *((name, getattr(job, name)) for name in asked))


LISTED = ("sort", "least", "kinds")  # words of ``Listing``
USUAL: dict[str, Any] = {
    "letters": UracilRule.AUTO,
    "ambiguity": Ambiguity.MISSING,
}  # of letters, until something else is chosen


@dataclass(frozen=True, slots=True)
class PairState:
    """State specific to a pair; undo restores it, and the recent list stores it.

    Attributes:
        job: method, device and options.
        sources: read requests of existing sides, including pasted text.
        orientation: of B.
        listing: order and filter of the list of differences.
        go_to: text of *Go to*. given: an alignment of another program.
        whole: state of the whole pair, for a range of it.
        seed_letters: seed length of rearranged blocks; 0: automatic; None: no rearranged blocks.
        contigs: place the records of the file of B on A. on: the topology of A for that.
        all_records: show dots of all records of both files.
    """

    job: JobOptions
    sources: Mapping[Side, ReadItem] = field(default_factory=dict)
    orientation: Orientation = FORWARD
    listing: Listing = field(default_factory=Listing)
    go_to: str = ""
    given: GivenFile | None = None
    whole: PairState | None = None
    seed_letters: int | None = None
    contigs: bool = False
    on: Topology = Topology.AUTO
    all_records: bool = False

    @property
    def words(self) -> dict[str, str]:
        """State in command-line syntax by option name; ``shift`` and ``go-to`` are internal."""
        how, case = self.orientation, self.job.fold_case
        return {
            "method": self.job.method,
            **self.job.typed,
            **({} if case is None else {"case": str(CaseRule.of(case))}),
            **({"orient": str(how.strand)} if how.strand is not Strand.PLUS else {}),
            **({"topology": "circular", "shift": str(how.shift)} if how.circular else {}),
            **{id_: str(value) for id_, usual in USUAL.items() if (value := getattr(self.job, id_)) is not usual},
            **{name: word for name, word in self.listing.words.items() if name in LISTED},
            **({"go-to": self.go_to} if self.go_to else {}),
            **({} if self.given is None else self.given.words),
            **({} if self.seed_letters is None else {"rearranged": "", "seed-letters": str(self.seed_letters)}),
            **({"contigs": "" if self.on is Topology.AUTO else str(self.on)} if self.contigs else {}),
            **({"all-records": ""} if self.all_records else {}),
        }

    @classmethod
    def of(cls, words: Mapping[str, str], job: JobOptions) -> PairState:
        """Parse ``words``; invalid ones are ignored.

        Args:
            job: defaults for ``words``.
        """
        words = {name.replace("-", "_"): word for name, word in words.items()}
        methods, devices = {AUTOMATIC, *(one.id for one in METHODS)}, {str(one): one for one in Device}
        named = job.method if words.get("method") not in methods else words["method"]
        job = replace(job, method=named, device=devices.get(words.get("device", ""), job.device))
        options: dict[str, Any] = {}
        for id_, word in words.items():
            option = job.chosen.option(id_)
            with suppress(ValueError):  # a file that is gone is reported when it is used
                options |= {id_: word} if isinstance(option, Text) else parsed(job.chosen.options, {id_: word})
        case = {str(CaseRule.FOLD): True, str(CaseRule.EXACT): False}.get(words.get("case", ""))
        rules = {id_: each for id_, usual in USUAL.items() for each in type(usual) if str(each) == words.get(id_)}
        strand = Strand.MINUS if words.get("orient") == Strand.MINUS else Strand.PLUS
        circular, shift = words.get("topology") == "circular", words.get("shift", "")
        turn = int(shift) if circular and shift.isascii() and shift.isdigit() and len(shift) < 14 else 0
        seeds = [k for k in range(MIN_K, MAX_K + 1) if words.get("seed_letters") == str(k)] or [0]
        listing = Listing()
        with suppress(ValueError, KeyError):
            listing = Listing.of({name: words[name] for name in LISTED if name in words})
        return cls(
            replace(job, fold_case=case, **(USUAL | rules)).with_options(**options),
            orientation=Orientation(strand, circular, turn),
            listing=listing,
            go_to=words.get("go_to", ""),
            given=GivenFile.of(words),
            seed_letters=seeds[0] if words.get("rearranged", "no") != "no" else None,
            contigs="contigs" in words,
            on={str(each): each for each in Topology}.get(words.get("contigs", ""), Topology.AUTO),
            all_records=words.get("all_records", "no") != "no",
        )


@dataclass(frozen=True, slots=True)
class WholePair:
    """A pair of which a range is compared; ``kept``: its results, to restore it."""

    read: Mapping[Side, ReadSequence]
    state: PairState
    kept: Any

    def is_of(self, state: PairState | None) -> bool:
        """Return whether ``state`` is that of this pair, or of a range of it."""
        while state is not None and state.sources != self.state.sources:
            state = state.whole
        return state is not None
