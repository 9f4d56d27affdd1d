"""Pairs that come with the program, to begin with."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from wavediff.core.system.program import ROOT

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
        "Human and orang-utan",
        "Two mitochondria: 16,569 and 16,499 letters, a fifth of them different",
        DEMO_PAIR,
    ),
    Sample(
        "PhiX and its control",
        "A virus and what sequencers are checked with: five letters differ",
        (FOLDER / "phix174_NC_001422.1.fa", FOLDER / "phix174_illumina_control.fa"),
    ),
    Sample(
        "Two programs",
        "Two versions of a small program",
        (FOLDER / "primes_before.txt", FOLDER / "primes_after.txt"),
    ),
    Sample(
        "kitten and sitting",
        "The two words of every lecture on edit distance",
        (FOLDER / "kitten.txt", FOLDER / "sitting.txt"),
    ),
)
