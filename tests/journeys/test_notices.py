"""What an answer does not show: said beside it, and mended with a click."""

from pathlib import Path

import numpy as np
import pytest

from tests.journeys.stage import Home, play
from wavediff.core.sequences.orientation import reverse_complement

pytestmark = pytest.mark.journey
LETTERS = np.frombuffer(b"ACGT", np.uint8)


def write(path, letters):
    path.write_bytes(b">" + path.stem.encode() + b"\n" + letters + b"\n")
    return str(path)


def answer(me):
    return " ".join(line for line in me.named("Result") if line)


def random_then_a_plasmid(me, files):
    """Random letters are called so; a plasmid of the other strand is turned with a click; a part is placed."""
    me.wait_for_first_answer()
    me.resize(1400, 800)
    noise, plasmid, part = ([Path(one) for one in pair] for pair in files)
    me.drop(noise)
    me.wait_to_see("No more alike than random letters of this composition")
    me.picture("random letters")
    me.drop(plasmid)
    me.wait_to_see("B is on the other strand")
    assert not me.sees("No more alike")
    me.picture("the other strand")
    me.click("Compare as reverse complement, from A 1,501")
    me.wait_until(lambda: "No differences" in answer(me), "it is turned")
    assert not me.sees("B is on the other strand")
    me.key("Ctrl+Z")
    me.wait_to_see("B is on the other strand")
    me.drop(part)
    me.wait_to_see("B is contained in A: 100 % of B, at 1,001–2,000")
    me.click("Place B inside A")
    me.wait_until(lambda: not me.sees("B is contained in A"), "it is placed")
    me.picture("placed")


def test_what_an_answer_does_not_show(tmp_path):
    chance = np.random.default_rng(3)
    a, b, plasmid = (LETTERS[chance.integers(0, 4, n)].tobytes() for n in (200_000, 200_000, 4_000))
    turned = reverse_complement(plasmid[1_500:] + plasmid[:1_500])
    made = {"noise": (a, b), "plasmid": (plasmid, turned), "part": (plasmid, plasmid[1_000:2_000])}
    files = [[write(tmp_path / f"{name}_{i}.fa", one) for i, one in enumerate(pair)] for name, pair in made.items()]
    play(Home(tmp_path), random_then_a_plasmid, files=files)
