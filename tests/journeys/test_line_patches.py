"""Two versions of a module by lines: opened, stepped through, compared otherwise, saved as a patch and applied."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.journeys.person import Person
from tests.journeys.stage import Home, play

pytestmark = pytest.mark.journey
BEFORE = [f"def number_{k}():\n    return {k}\n\n\n" for k in range(40)]
MOVED = "def moved(text):\n    words = text.split()\n    return words\n\n\n"
OLD = "".join([*BEFORE[:3], MOVED, *BEFORE[3:]])
NEW = "import sys\n\n" + "".join([*BEFORE[:20], MOVED, *BEFORE[20:]]).replace("return 9\n", "return  9\n")
ANSWER = "3 hunks: 2 lines added, 1 changed, 1 block moved"
MAP = "Map of the computation"


def over_two_versions(me: Person) -> None:
    me.wait_for_first_answer()
    a, b = me.folder / "old.py", me.folder / "new.py"
    a.write_text(OLD)
    b.write_text(NEW)
    me.drop([a, b])
    me.wait_to_see(ANSWER, 60)
    me.picture("lines")
    me.click("Lines of A and B")
    for k in (1, 2, 3):
        me.key("Alt+Home" if k == 1 else "N")
        me.wait_to_see(f"hunk {k} of 3", 10)
    assert [row[1] for row in me.table("List of hunks", "Differences")] == ["2 added", "5 moved", "1 changed"]
    # The list is sorted, copied and saved as that of differences.
    me.click_heading("List of hunks", "Lines", "Differences")
    me.wait_until(lambda: [row[0] for row in me.table("List of hunks", "Differences")] == ["2", "1", "3"], "sorted", 10)
    me.click_row("List of hunks", 0, "Differences")
    me.wait_to_see("hunk 2 of 3", 10)
    me.key("Ctrl+C")
    me.wait_until(lambda: me.clipboard().startswith("hunk\tkind"), "Ctrl+C copies a hunk", 10)
    assert [line.split("\t")[1] for line in me.clipboard().splitlines()[1:]] == ["moved", "moved"]
    me.click("Save list…", "Differences")
    me.name_files([me.folder / "hunks.tsv"])
    me.wait_until((me.folder / "hunks.tsv").exists, "the list is saved", 30)
    assert [line[0] for line in (me.folder / "hunks.tsv").read_text().splitlines()[1:]] == ["2", "2", "1", "3"]
    me.click_heading("List of hunks", "#", "Differences")
    me.click("Lines of A and B")
    me.key("Alt+End")
    me.key("Shift+N")
    me.wait_to_see("hunk 2 of 3", 10)
    me.key("Ctrl+I")
    me.picture("inline")
    me.key("Ctrl+I")
    # What is ignored counts at once, and is taken back.
    me.tick("White space", True)
    me.wait_to_see("white space ignored", 30)
    me.wait_to_see("2 hunks", 10)
    me.menu("Edit", "Undo")
    me.wait_to_see(ANSWER, 30)
    # The map is of lines: a click goes to one.
    before = me.description("Lines of A and B")
    me.click_at(MAP, 0.8, 0.8)
    me.wait_until(lambda: me.description("Lines of A and B") != before, "a click goes to a line", 10)
    # Letters are one click, and so are the lines again.
    me.click("Letters")
    me.wait_until(lambda: any(" edits · " in line or " edits" in line for line in me.read()), "letters", 60)
    me.click("Lines")
    me.wait_to_see(ANSWER, 30)
    # A patch makes B of A.
    patch = me.folder / "change.diff"
    me.menu("File", "Export the alignment…")
    me.name_files([patch])
    me.wait_until(patch.exists, "the patch is saved", 30)
    if shutil.which("patch"):
        subprocess.run(["patch", "-s", a, patch], check=True, timeout=60)
        assert a.read_text() == NEW


def test_two_versions_of_a_module(tmp_path: Path) -> None:
    play(Home(tmp_path), over_two_versions)
