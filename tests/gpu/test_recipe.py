"""The recipe of a card: its commands print on a card what its page shows. ``-rA`` shows their answers and times."""

import shlex
import sys

import pytest

from tests.cli.helpers import call
from tests.pages import DOCS, answered, on, untimed
from wavediff.app.ui.samples import FOLDER as SAMPLES

RECIPE = (DOCS / "recipes.md").read_text(encoding="utf-8").partition("## On a graphics card\n")[2].partition("\n## ")[0]
CALLS = [on("gpu", *one) for one in answered(RECIPE)]


def test_the_recipe_has_commands_for_a_device():
    assert len([words for words, _ in CALLS if "--device gpu" in words]) == 2


@pytest.mark.gpu
@pytest.mark.parametrize(("words", "printed"), CALLS, ids=[words.split()[0] for words, _ in CALLS])
def test_a_card_prints_the_answer_of_the_page(cuda_card, monkeypatch, capsys, words, printed):
    monkeypatch.chdir(SAMPLES)
    for _ in range(2):  # the first call compiles kernels
        code, out, said = call(capsys, *shlex.split(words))
    sys.stdout.write(f"$ wavediff {words}\n{out}{said}")
    assert (code, untimed(out)) == (1, untimed(printed))
