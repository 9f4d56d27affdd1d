"""A person has the answer proven."""

import pytest

from tests.journeys.stage import Home, play

pytestmark = pytest.mark.journey


def proof(me):
    me.wait_for_first_answer()
    me.wait_until(lambda: me.is_there("Prove"), "a proof is offered", 30)
    answer = me.named("Result")
    me.click("Prove")
    me.wait_to_see("ame out the same by", 60)
    me.picture("proven")
    assert me.named("Result") == answer
    me.click("Edits with swaps")
    me.wait_until(lambda: me.named("Result") != answer, "another answer is there", 60)
    me.wait_until(lambda: not me.sees("ame out the same by"), "that one is not proven", 30)


def test_an_answer_is_proven(tmp_path):
    play(Home(tmp_path), proof)
