"""Bundled sample pairs."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from wavediff.core.sequences.orientation import FORWARD, Orientation
from wavediff.core.system.program import ROOT

FOLDER = ROOT / "resources" / "demo"
DEMO_PAIR = (FOLDER / "mt_human_NC_012920.1.fa", FOLDER / "mt_orangutan.fa")
DEMO_ORIENTATION = Orientation(circular=True, shift=16_025)  # the orang-utan from the first letter of the human one on


@dataclass(frozen=True, slots=True)
class Sample:
    """Sample pair of two files.

    Attributes:
        title: on its button and in the menu.
        tip: a sentence on what it shows.
        orientation: initial one of B.
    """

    title: str
    tip: str
    paths: tuple[Path, Path]
    orientation: Orientation = FORWARD


SAMPLES = (
    Sample(
        "PhiX and its control",
        "A virus and the control of sequencers: five letters differ",
        (FOLDER / "phix174_NC_001422.1.fa", FOLDER / "phix174_illumina_control.fa"),
    ),
    Sample(
        "A turned circle",
        "PhiX on the other strand, with another origin: one click orients it, four differences remain",
        (FOLDER / "phix174_NC_001422.1.fa", FOLDER / "phix174_turned.fa"),
    ),
    Sample(
        "Human and orang-utan",
        "Two mitochondrial genomes that start at the same gene: 15 % of the letters differ",
        DEMO_PAIR,
        DEMO_ORIENTATION,
    ),
    Sample(
        "kitten and sitting",
        "The two words of every lecture on edit distance",
        (FOLDER / "kitten.txt", FOLDER / "sitting.txt"),
    ),
)
