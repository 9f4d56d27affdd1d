"""Undo of a picture that was opened."""

import random

import pytest
from PySide6.QtCore import Qt

from tests.app.fakes import fasta
from tests.app.parts import open_texts
from tests.app.test_picture_opener import asked
from wavediff.app.commands import cli
from wavediff.core.sequences.orientation import FORWARD, reverse_complement


@pytest.mark.parametrize("words", [["--orient", "minus"], ["--orient", "auto"], ["--topology", "circular"]])
def test_one_undo_brings_back_the_pair_before_a_picture_of_a_turned_one(qtbot, window, tmp_path, words):
    letters = "".join(random.Random(5).choices("ACGT", k=3_000))
    turned = letters[700:] + letters[:700]
    other = turned if "circular" in words else reverse_complement(letters.encode()).decode()
    files = [fasta(tmp_path / f"{name}.fa", (name, text)) for name, text in (("a", letters), ("b", other))]
    assert cli.main(["compare", *map(str, files), "--quiet", *words, "--svg", str(tmp_path / "p.svg")]) in (0, 1)
    session = window.session
    open_texts(session, "kitten", "sitting")
    qtbot.waitUntil(lambda: session.outcome is not None and not session.busy)
    session.open_paths([tmp_path / "p.svg"])
    qtbot.keyClick(asked(qtbot, window), Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: session.outcome is not None and session.outcome.b.orientation != FORWARD)
    window.actions_by_id["undo"].trigger()
    qtbot.waitUntil(lambda: session.outcome is not None and len(session.outcome.a) == 6 and not session.loader.busy)
    assert not window.actions_by_id["undo"].isEnabled()
    window.actions_by_id["redo"].trigger()
    qtbot.waitUntil(lambda: session.outcome is not None and session.outcome.b.orientation != FORWARD)
    assert not window.actions_by_id["redo"].isEnabled()
