"""No control cut off: on small screens and large ones, at 100 to 200 %, light and dark, each panel in front."""

import os

import pytest

from tests.journeys.stage import LEAVE, Home, play

SCREENS = [(800, 500), (1024, 640), (1280, 720), (1600, 1000), (2560, 1440)]  # as the person sees them, in points
SCALES = (1.0, 1.5, 2.0)


def looks_round(me, width, height, german=False):
    """Every panel in front, with every method, in light and in dark."""
    me.wait_for_first_answer()
    assert me.sees("16.569" if german else "16,569"), "the numbers of the locale"
    me.resize(width, height)
    faults = {}

    def look(where):
        me.wait_idle()
        for fault in me.cut_off():
            faults.setdefault(fault, where)

    for dark in (False, True):
        if dark:
            me.key("Ctrl+Shift+T")
        for method in me.options("Method"):
            me.choose("Method", method)
            look(method)
            me.picture(f"{method} {'dark' if dark else 'light'}")
    for title in me.panels():
        me.show_panel(title)
        look(title)
        me.picture(title)
    assert not faults, "\n".join(f"{fault} ({where})" for fault, where in faults.items())


CASES = [
    pytest.param(scale, size, marks=() if (scale, size) == (1.0, (1280, 720)) else pytest.mark.journey)
    for scale in SCALES
    for size in SCREENS
    if scale * size[0] <= 3840 and (scale != 1.5 or size in (SCREENS[0], SCREENS[2], SCREENS[3]))
]


@pytest.mark.parametrize(("scale", "size"), CASES)
def test_no_control_is_cut_off(tmp_path, scale, size):
    if os.environ.get("QT_QPA_PLATFORM") != "offscreen" and size == SCREENS[0]:
        pytest.skip("on a large screen this is a window made small, which has a test of its own")
    pixels = (round(scale * size[0]), round(scale * size[1]))
    play(
        Home(tmp_path),
        looks_round,
        leave=LEAVE[int(scale * 2) % len(LEAVE)],
        environment={"QT_SCALE_FACTOR": str(scale)},
        screen=pixels,
        width=size[0],
        height=size[1],
    )


@pytest.mark.journey
@pytest.mark.parametrize("size", [(1280, 800), (1920, 1080)], ids=str)
@pytest.mark.parametrize("scale", SCALES)
def test_no_control_is_cut_off_with_german_numbers_and_buttons(tmp_path, scale, size):
    pixels = (round(scale * size[0]), round(scale * size[1]))
    play(
        Home(tmp_path),
        looks_round,
        leave="key",
        environment={"QT_SCALE_FACTOR": str(scale), "LC_ALL": "de_DE.UTF-8", "LANG": "de_DE.UTF-8"},
        screen=pixels,
        width=size[0],
        height=size[1],
        german=True,
    )


def grows_and_shrinks(me):
    """Small, with every panel opened while there was room; and large again."""
    me.wait_for_first_answer()
    me.choose("Method", me.options("Method")[-1])
    for title in me.panels():
        me.show_panel(title)
    for width, height in ((800, 500), (1600, 1000), (1024, 640)):
        me.resize(width, height)
        me.wait_idle()
        me.picture(f"{width}")
        faults = me.cut_off()
        assert not faults, f"at {width} × {height}:\n" + "\n".join(faults)


@pytest.mark.journey
def test_no_control_is_cut_off_in_a_window_made_small(tmp_path):
    play(Home(tmp_path), grows_and_shrinks, leave="close")
