"""The answer line through a run, a stop and a refusal, and the map beside it: in a band, stopped, done again."""

import re
from pathlib import Path

import numpy as np
import pytest

from tests.journeys.stage import Home, play

pytestmark = pytest.mark.journey
MAP = "Map of the computation"
LETTERS = np.frombuffer(b"ACGT", np.uint8)


def write(path, letters):
    path.write_bytes(b">" + path.stem.encode() + b"\n" + letters.tobytes() + b"\n")
    return path


def answer(me):
    return " ".join(line for line in me.named("Result") if line)


def stopped_and_run_again(me, files):
    """A whole matrix of 10^12 cells is stopped: what was computed stays in sight, and Run begins again."""
    me.wait_for_first_answer()
    me.choose("Traceback", "None")
    me.drop([Path(each) for each in files])
    # Until its kernel is compiled nothing is computed, and nothing could be kept.
    me.wait_until(lambda: re.search(r"Comparing… [\d.]*[1-9]", answer(me)), "it says how far it is")
    assert "Esc stops and keeps the map" in answer(me)
    me.wait_until(lambda: me.is_there("Stop"), "the button is Stop while it runs", 10)
    empty = me.print_of(MAP)
    me.wait_until(lambda: me.print_of(MAP) != empty, "the map fills")
    me.picture("running")
    for opens in ("Ctrl+L", "F11", "Ctrl+Shift+O"):  # a field, full screen, a popover: nearer than the run
        me.key(opens)
        me.key("Esc")
    assert "Go to" not in me.focused()
    assert "Comparing…" in answer(me)
    me.key("Esc")
    me.wait_idle(20)
    me.wait_until(
        lambda: "Stopped at" in answer(me) and "Run starts again" in answer(me), "it says where it stopped", 10
    )
    stopped = me.print_of(MAP)
    me.picture("stopped")
    assert me.is_there("Run")
    me.click(MAP)
    me.click("Run")
    me.wait_until(lambda: "Comparing…" in answer(me), "Run starts again")
    me.key("Esc")
    me.wait_idle(20)
    assert me.print_of(MAP) != stopped, "it began anew"
    # A small pair in its place is compared as ever.
    words = me.folder / "kitten.txt", me.folder / "sitting.txt"
    for path in words:
        path.write_text(path.stem)
    me.drop(words)
    me.wait_until(lambda: "3 edits" in answer(me), "two words are compared", 30)
    # Scores of texts need no matrix, and what texts have not is grey.
    me.choose("Letters by", "Scores (affine gaps)")
    me.wait_idle()
    if "Score" not in answer(me):
        me.click("Run")
    me.wait_until(lambda: "Score 0" in answer(me), "four letters match, two do not, and a gap of one costs 2", 60)
    grey = [text for text, enabled in me.menus()["Compare"] if not enabled]
    assert {"Reverse-complement B", "Turn B to fit A"} <= set(grey), me.menus()["Compare"]
    me.key("Ctrl+Shift+R")
    assert not me.messages()


def test_a_run_that_is_stopped(tmp_path):
    chance = np.random.default_rng(1)
    files = [write(tmp_path / f"{name}.fa", LETTERS[chance.integers(0, 4, 1_000_000)]) for name in ("one", "two")]
    play(Home(tmp_path), stopped_and_run_again, files=[str(each) for each in files])


def in_a_band(me, files):
    """A pair alike: a band is computed, the rest hatched with its reason; k can be tried, and given back."""
    me.wait_for_first_answer()
    me.drop([Path(each) for each in files])
    me.wait_until(lambda: me.sees("diagonals, wide enough for an exact answer"), "the band is said")
    me.wait_until(lambda: any("outside the band" in line for line in me.read()), "and why the rest was skipped", 10)
    assert any("exact" in line for line in me.read())
    whole = me.print_of(MAP)
    me.wheel(MAP, 8)
    me.wait_until(lambda: me.print_of(MAP) != whole, "the wheel goes closer", 10)
    me.picture("band")
    me.click(MAP)
    me.wait_until(lambda: not me.sees("A 1 "), "a click in the band goes there", 10)
    me.key("Ctrl+0")
    assert not me.is_there("Edits allowed"), "bands of a long pair take too long to be tried by a slider"
    # Of a short pair k can be tried, and given back.
    short = [me.folder / f"short_{each.name}" for each in map(Path, files)]
    for path, whole in zip(short, map(Path, files), strict=True):
        path.write_bytes(whole.read_bytes()[:2_000] + b"\n")
    me.drop(short)
    me.wait_until(lambda: me.is_there("Edits allowed"), "there is a slider for k", 30)
    me.wait_idle()
    edits = answer(me).split(" · ")[0]
    me.fill("Edits allowed, as a number", "3", "Computation")
    me.key("Return")
    me.wait_until(lambda: answer(me).startswith("At most"), "a band that is too narrow proves a bound only", 20)
    me.picture("k of 3")
    me.click("Back to “Auto”")
    me.wait_until(lambda: answer(me).startswith(edits), "the answer of before is back", 20)


def test_the_map_of_a_band(tmp_path):
    chance = np.random.default_rng(2)
    a = LETTERS[chance.integers(0, 4, 200_000)]
    b, at = a.copy(), chance.choice(a.size, 2_000, replace=False)
    b[at] = LETTERS[(np.searchsorted(LETTERS, a[at]) + 1) % 4]
    keep = np.ones(a.size, np.bool_)
    keep[chance.choice(a.size, 500, replace=False)] = False
    files = [write(tmp_path / "a.fa", a), write(tmp_path / "b.fa", b[keep])]
    play(Home(tmp_path), in_a_band, files=[str(each) for each in files])


def answers_and_notices(me):
    me.wait_for_first_answer()
    before = answer(me)
    # It is text that can be copied.
    me.click("Result")
    me.key("Ctrl+C")
    assert me.clipboard() == before, me.clipboard()
    # A file that cannot be read is refused in its row, the answer comes back when that is put away.
    bad = me.folder / "broken.fa"
    bad.write_bytes(b">x\nACGT\x00ACGT\n")
    me.drop([bad])
    me.wait_until(lambda: "broken.fa" in me.messages(), "the refusal names the file", 20)
    me.picture("refused")
    assert answer(me) == before, "what was compared is still there"
    me.clear_messages()
    # What is said of a file waits behind a button.
    reads = me.folder / "reads.fq"
    reads.write_text("@r\nACGTACGTACGTTTGA\n+\nIIIIIIIIIIIIIIII\n")
    other = write(me.folder / "other.fa", np.frombuffer(b"ACGTACGTACGTTTGC", np.uint8))
    me.drop([reads, other])
    me.wait_until(lambda: "1 substitution" in answer(me), "the pair is compared", 30)
    me.wait_until(lambda: me.is_there("1 notice"), "there is one notice", 10)
    assert not me.messages(), "and nothing presses"
    me.click("1 notice")
    me.wait_to_see("FASTQ: base qualities are not compared", 10)
    me.picture("notices")
    me.key("Esc")
    me.wait_until(lambda: not me.sees("base qualities"), "Esc closes the list", 10)
    me.click("1 notice")
    me.click("Dismiss this message")
    me.wait_until(lambda: not me.is_there("1 notice"), "the notice is gone", 10)
    # An answer of other choices is marked as one, until the pair is compared again.
    for name, said in (("other.fa", "No differences"), ("reads.fq", "1 substitution")):
        me.drop([me.folder / name], on=next(each for each in me.names_seen() if each.startswith("Sequence A")))
        me.wait_until(lambda said=said: answer(me).startswith(said), f"{said} with {name} as A", 30)


def test_answers_and_notices(tmp_path):
    play(Home(tmp_path), answers_and_notices)
