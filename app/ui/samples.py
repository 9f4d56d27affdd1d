"""Pairs that come with the program, to begin with."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from core.base.translate import tr_noop
from core.system.program import ROOT

FOLDER = ROOT / "resources" / "demo"
DEMO_PAIR = (FOLDER / "mt_human_NC_012920.1.fa", FOLDER / "mt_orangutan.fa")


@dataclass(frozen=True, slots=True)
class Sample:
    """Two files.

    Attributes:
        title: on its button and in the menu.
        tip: a sentence on what is seen.
    """

    title: str
    tip: str
    paths: tuple[Path, Path]


SAMPLES = (
    Sample(
        tr_noop("Human and orang-utan"),
        tr_noop("Two mitochondria: 16,569 and 16,499 letters, a fifth of them different"),
        DEMO_PAIR,
    ),
    Sample(
        tr_noop("PhiX and its control"),
        tr_noop("A virus and what sequencers are checked with: five letters differ"),
        (FOLDER / "phix174_NC_001422.1.fa", FOLDER / "phix174_illumina_control.fa"),
    ),
    Sample(
        tr_noop("Two programs"),
        tr_noop("Two versions of a small program"),
        (FOLDER / "primes_before.txt", FOLDER / "primes_after.txt"),
    ),
    Sample(
        tr_noop("kitten and sitting"),
        tr_noop("The two words of every lecture on edit distance"),
        (FOLDER / "kitten.txt", FOLDER / "sitting.txt"),
    ),
)
