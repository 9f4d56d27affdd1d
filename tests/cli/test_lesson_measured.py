"""``lesson --measure``: both numbers in one table, machine and date beside them, and a file to show them again."""

import json
import re
from datetime import UTC, datetime

from wavediff.app.commands.cli import main

LESSON = """
id = "mine"
title = "Then and now"
source = "none"
minutes = 1
[[part]]
method = "results"
units = ["row"]
[part.inputs]
table = "Table 1"
machines = ["old"]
of = {call = "compare", letters = "ACGT", options = {method = "edit"}}
rows = [{what = "short", figures = [12.5], n = 40, m = 50}, {what = "never", figures = [99.0]}]
[[part.scene]]
id = "all"
from = "end"
"""


def test_what_a_machine_measured_is_shown_beside_the_paper_and_kept(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.toml").write_text(LESSON)
    assert main(["lesson", "mine.toml", "--measure", "now.json", "--no-pager"]) == 0
    shown, told = capsys.readouterr()
    kept = json.loads((tmp_path / "now.json").read_text())
    assert re.search(r"^Table 1: short: \S+ s$", told, re.MULTILINE)
    assert kept["machine"] in shown
    assert f"{datetime.now(UTC):%Y-%m-%d}"[:4] in shown
    assert re.search(r"short\s+12\.5\s+[\d.e-]+$", shown, re.MULTILINE)
    assert re.search(r"never\s+\*99\.0\s+\*–$", shown, re.MULTILINE)
    assert main(["lesson", "mine.toml", "--set", "measured=now.json", "--no-pager"]) == 0
    assert capsys.readouterr().out + "wrote now.json\n" == shown
    page = tmp_path / "page.html"
    assert main(["lesson", "mine.toml", "--set", "measured=now.json", "--html", str(page)]) == 0
    assert kept["machine"] in page.read_text()


def test_a_lesson_without_a_table_has_nothing_to_measure(capsys):
    assert main(["lesson", "edit-table", "--measure", "now.json"]) == 2
    assert "'edit-table' has no table of results to measure" in capsys.readouterr().err
