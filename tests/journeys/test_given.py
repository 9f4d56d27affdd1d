"""A person drops an alignment made elsewhere on the pair, looks at it in the letters, and drops one alone."""

import pytest

from tests.core.reading.test_alignments import GOOD, A, B
from tests.journeys.stage import Home, play

pytestmark = pytest.mark.journey


def theirs(me):
    me.wait_for_first_answer()
    files = [me.folder / "a.fa", me.folder / "b.fa", me.folder / "own.paf", me.folder / "rows.aln"]
    for path, text in zip(files, (f">a\n{A}\n", f">b\n{B}\n", GOOD.replace("9=1I10=", "8=1I11M"), ROWS), strict=True):
        path.write_text(text)
    me.drop(files[:2])
    me.wait_to_see("in 44 letters")
    me.drop(files[2:3])
    me.wait_to_see("own.paf, line 1, ")
    assert me.sees("edits with swaps")
    me.picture("theirs beside ours")
    answer = me.named("Result")
    me.wait_to_see("disagreement")
    me.key("N")
    me.wait_to_see("disagreement 1 of")
    me.picture("both in the letters")
    me.click("Also show it in the letters")
    me.wait_to_see("Also show it in the letters [ ]")
    me.wait_to_see("difference")
    assert me.named("Result") == answer
    me.drop(files[3:])
    me.wait_to_see("rows.aln")
    me.wait_idle()


ROWS = "CLUSTAL\n\nx   ACGTACGTT-AGCTAGGC\ny   ACGTACG--TAGCTAGGC\n"


def test_an_alignment_that_is_dropped(tmp_path):
    play(Home(tmp_path), theirs)
