"""State of a pair: where A and B come from, and everything that was chosen for them alone."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any

from wavediff.app.compare.differences_order import Listing
from wavediff.app.ui.pair import Side
from wavediff.app.window.pair.job_options import JobOptions
from wavediff.app.window.pair.sequence_loader import ReadItem
from wavediff.core.methods import METHODS
from wavediff.core.methods.options import Text, parsed
from wavediff.core.sequences.letter_rules import CaseRule, UracilRule
from wavediff.core.sequences.orientation import FORWARD, Orientation, Strand

LISTED = ("sort", "least", "kinds")  # words of ``Listing``


@dataclass(frozen=True, slots=True)
class PairState:
    """State that ends with its pair; undo restores it, and the recent list keeps it.

    Attributes:
        job: method, device and options.
        sources: of the sides that there are, pasted text included.
        orientation: of B.
        listing: order and filter of the list of differences.
        go_to: text of *Go to*.
    """

    job: JobOptions
    sources: Mapping[Side, ReadItem] = field(default_factory=dict)
    orientation: Orientation = FORWARD
    listing: Listing = field(default_factory=Listing)
    go_to: str = ""

    @property
    def words(self) -> dict[str, str]:
        """The choices as typed on the command line, by the names of its options; ``shift`` and ``go-to`` are ours."""
        how, case = self.orientation, self.job.fold_case
        return {
            "method": self.job.method,
            **self.job.typed,
            **({} if case is None else {"case": str(CaseRule.FOLD if case else CaseRule.EXACT)}),
            **({"orient": str(how.strand)} if how.strand is not Strand.PLUS else {}),
            **({"topology": "circular", "shift": str(how.shift)} if how.circular else {}),
            **({"letters": str(self.job.letters)} if self.job.letters is not UracilRule.AUTO else {}),
            **({"normalize": "nfc"} if any(one.form == "NFC" for one in self.sources.values()) else {}),
            **{name: word for name, word in self.listing.words.items() if name in LISTED},
            **({"go-to": self.go_to} if self.go_to else {}),
        }

    @classmethod
    def of(cls, words: Mapping[str, str], job: JobOptions) -> PairState:
        """Return the state that ``words`` describe; each that makes no sense is left out.

        Args:
            job: for what ``words`` do not say.
        """
        method = {one.id: one for one in METHODS}.get(words.get("method", ""), job.chosen)
        options: dict[str, Any] = {}
        for id_, word in words.items():
            option = method.option(id_)
            with suppress(ValueError):  # a file that is gone is reported when it is used
                options |= {id_: word} if isinstance(option, Text) else parsed(method.options, {id_: word})
        case = {str(CaseRule.FOLD): True, str(CaseRule.EXACT): False}.get(words.get("case", ""))
        letters = UracilRule.EXACT if words.get("letters") == UracilRule.EXACT else UracilRule.AUTO
        strand = Strand.MINUS if words.get("orient") == Strand.MINUS else Strand.PLUS
        circular, shift = words.get("topology") == "circular", words.get("shift", "")
        turn = int(shift) if circular and shift.isascii() and shift.isdigit() and len(shift) < 14 else 0
        listing = Listing()
        with suppress(ValueError, KeyError):
            listing = Listing.of({name: words[name] for name in LISTED if name in words})
        return cls(
            replace(job, method=method.id, fold_case=case, letters=letters).with_options(**options),
            orientation=Orientation(strand, circular, turn),
            listing=listing,
            go_to=words.get("go-to", ""),
        )
