"""A hundred actions that nobody planned, with a seed: JOURNEY_SEED=7 takes another one, and is named in the report."""

import os
import random
from collections.abc import Callable

import pytest

from tests.journeys.person import Person
from tests.journeys.samples import SAMPLES
from tests.journeys.stage import LEAVE, Home, play

SEED = int(os.environ.get("JOURNEY_SEED", "1"))
ACTIONS = 100
KEYS = ["N", "Shift+N", "Tab", "Shift+Tab", "Esc", "Return", "Space", "Up", "Down", "Left", "Right", "Home", "End"]
KEYS += ["PgUp", "PgDown", "Ctrl+A", "Ctrl+C", "Ctrl+R", "Ctrl+F", "Ctrl+B", "Ctrl+K", "Ctrl+L", "Alt+Down", "F8"]
KEYS += ["Ctrl+0", "Ctrl++", "Ctrl+-", "Alt+\\", "Ctrl+Shift+T", "F1", "Ctrl+Return", "Delete", "Ctrl+Z", "Ctrl+V"]
NOT_CLICKED = ("Show file",)  # opens another program


def wanders(me, seed):
    me.say(f"seed {seed}")
    chance = random.Random(seed)
    me.wait_for_first_answer()
    for number in range(ACTIONS):
        me.say(f"action {number + 1}")
        me.put_away_files()
        chance.choice(DEEDS)(me, chance)
        me.read()
        if chance.random() < 0.3:
            me.wait_idle_or_asked()
    me.put_away_all()
    me.wait_idle()
    me.drop(SAMPLES["words"].files(me.folder, "last"))  # it works as before
    me.wait_to_see("last_b.fa", 60)


def press(me, chance):
    me.key(chance.choice(KEYS))


def type_something(me, chance):
    me.type("".join(chance.choices("ACGTacgt0123456789 :,-%#", k=chance.randrange(1, 8))))


def click(me, chance):
    me.click_any(chance.randrange(1 << 30), NOT_CLICKED)


def choose(me, chance):
    me.choose_any(chance.randrange(1 << 30))


AWAY = "Quit", "Recent pairs", "Manual"  # a browser shows the latter


def take_from_menu(me, chance):
    if me.question():
        return
    head = chance.choice(list(me.menus()))
    entries = [name for name, enabled in me.menus()[head] if enabled and name not in AWAY]
    me.menu(head, chance.choice(entries))


def drop(me, chance):
    if me.question():
        return
    name = chance.choice(sorted(SAMPLES))
    files = SAMPLES[name].files(me.folder, f"random{chance.randrange(9)}")
    me.drop(files[: chance.randrange(1, 3)])


def wheel(me, chance):
    me.wheel_any(chance.randrange(1 << 30), chance.choice([-5, -1, 1, 5]), ctrl=chance.random() < 0.3)


def resize(me, chance):
    me.resize(chance.randrange(700, 1600), chance.randrange(450, 1000))


DEEDS: tuple[Callable[[Person, random.Random], None], ...] = (
    press, press, press, type_something, click, click, click, choose, choose, take_from_menu, drop, wheel, resize,
)  # fmt: skip


@pytest.mark.journey
@pytest.mark.parametrize("seed", range(SEED, SEED + 4))
def test_a_hundred_actions(tmp_path, seed):
    play(Home(tmp_path), wanders, leave=LEAVE[seed % len(LEAVE)], seed=seed)
