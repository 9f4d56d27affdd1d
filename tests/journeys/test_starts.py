"""First starts, two windows, and what the next start remembers."""

import contextlib
import json
import os
import time
from pathlib import Path

import psutil
import pytest

from tests.journeys.samples import SAMPLES
from tests.journeys.stage import LEAVE, ROOT, Home, begin, end, play
from wavediff.core.jit import background_compile

COMPILER_SECONDS = 4.0  # that the compiler gets nothing done
FIRST_ANSWER_SECONDS = 240.0  # of a machine that is busy otherwise
CHILDREN_SECONDS = 30.0  # from the end of the window to that of its compilers, which hear nothing while they compile
posix = pytest.mark.skipif(os.name == "nt", reason="a process is held up by signals")


def with_a_slow_compiler(me, leaves_at_once):
    """Nothing is compiled yet, and the children that compile stand still for a while."""
    compilers = set()
    me.wait_until(lambda: me.is_there("Open the sample"), "the empty window is shown")
    me.click("Open the sample")

    def hold_up():
        """Suspend each compiler once it is there; return whether one is."""
        for each in set(psutil.Process().children(recursive=True)) - compilers:
            if _is_compiler(each):
                each.suspend()
                compilers.add(each)
        return bool(compilers)

    def says_why():
        hold_up()
        said = "\n".join(me.read()).casefold()  # which fails where the window does not answer
        return any(word in said for word in ("compil", "optimis", "first start"))

    me.wait_until(hold_up, "a compiler is at work")
    began = time.monotonic()
    while time.monotonic() < began + COMPILER_SECONDS:
        says_why()
        time.sleep(0.2)
    me.wait_until(says_why, "the window says that it compiles")
    me.key("Ctrl+?")
    me.wait_to_see("Next difference", 10)
    me.key("Esc")
    me.choose("Method", "Common letters")
    me.choose("Method", "Edits")
    me.picture("the compiler stands still")
    if leaves_at_once:
        return  # with the children still stopped: the end must not wait for them
    for each in compilers:
        each.resume()
    me.key("Ctrl+R")
    me.wait_for_first_answer()
    me.wait_to_see("phiX174", 10)


@posix
@pytest.mark.journey
@pytest.mark.parametrize("leaves_at_once", [True, False])
def test_a_first_start_with_nothing_compiled(tmp_path, leaves_at_once):
    own = {"WAVEDIFF_CACHE_DIR": str(tmp_path / "kernels")}
    play(Home(tmp_path), with_a_slow_compiler, leave="close", environment=own, leaves_at_once=leaves_at_once)
    end_of_grace = time.monotonic() + CHILDREN_SECONDS
    while (left := _compilers(tmp_path)) and time.monotonic() < end_of_grace:
        for each in left:
            each.resume()  # those that the journey held up
        time.sleep(0.2)
    assert not left, "compilers live on"


def _is_compiler(process):
    """Return whether it runs its own program: suspended before that, it would hold up the thread that starts it."""
    with contextlib.suppress(psutil.Error):
        return background_compile.COMMAND[-1] in process.cmdline()
    return False


def with_nothing_compiled(me, files):
    """The first pair waits for steps of a first start; the next ones run on what is ready, or name their kernel."""
    me.wait_until(lambda: me.is_there("Open the sample"), "the start page is shown")
    me.click("Human and orang-utan")
    said = set()

    def answered(answer):
        said.update(line for line in me.read() if "ptimising" in line or "only once" in line or "first use" in line)
        return any(answer in line for line in me.named("Result"))

    me.wait_until(lambda: answered("2,512 edits"), "the first answer", FIRST_ANSWER_SECONDS)
    assert any("only once" in line for line in said), said
    me.picture("first")
    for answer, pair in (("5 substitutions", files[:2]), ("3 edits", files[2:])):
        said.clear()
        me.drop([Path(one) for one in pair])
        me.wait_until(lambda answer=answer: answered(answer), answer, FIRST_ANSWER_SECONDS)
        assert not [line for line in said if "ptimising" in line or "only once" in line], said
    me.picture("later")


@posix
@pytest.mark.journey
def test_only_the_first_answer_of_a_first_start_waits_for_its_steps(tmp_path):
    demo = ROOT / "resources" / "demo"
    files = ["phix174_NC_001422.1.fa", "phix174_illumina_control.fa", "kitten.txt", "sitting.txt"]
    own = {"WAVEDIFF_CACHE_DIR": str(tmp_path / "kernels")}
    named = [str(demo / one) for one in files]
    play(Home(tmp_path), with_nothing_compiled, leave="close", environment=own, files=named)


def _compilers(folder):
    """The processes that have ``folder`` in their environment."""
    found = []
    for each in psutil.process_iter():
        try:
            if str(folder) in each.environ().get("WAVEDIFF_CACHE_DIR", "") and each.status() != psutil.STATUS_ZOMBIE:
                found.append(each)
        except psutil.Error:
            continue
    return found


# Two windows


def compares(me, sample, go, waits_for):
    """Open a pair while another window does the same; neither may take anything from the other."""
    me.wait_for_first_answer()
    me.drop(SAMPLES[sample].files(me.folder, sample.replace(" ", "_")))
    me.wait_idle()
    (me.folder / go).touch()
    me.wait_until((me.folder / waits_for).exists, "the other window has come as far")
    me.open_chip("A")
    me.click("Open a file as A")
    me.key("Esc")
    me.choose("Method", "Edits")
    me.key("Ctrl+R")
    me.wait_idle()
    me.wait_to_see("1 substitution ·" if sample == "one letter changed" else "3 edits ·", 20)


def reads_recent(me):
    me.wait_for_first_answer()
    pairs = me.open_submenu("File", "Recent pairs")
    for name in ("words_a", "one_letter_changed_a"):
        assert any(name in entry for entry in pairs), f"{name} was compared and is not in the recent pairs: {pairs}"


@pytest.mark.journey
def test_two_windows_at_once(tmp_path):
    home = Home(tmp_path)
    both = [
        begin(home, compares, leave="menu", sample="words", go="one", waits_for="two"),
        # Not by a key: one display has one keyboard, which the other window may have.
        begin(home, compares, leave="close", sample="one letter changed", go="two", waits_for="one"),
    ]
    for process in both:
        end(process, home)
    play(home, reads_recent, leave="close")


# What is kept

# They change the answer, and end with the pair.
OF_ONE_PAIR = ("Ignore case", "k", "Swaps", "Ambiguity", "Order of B's parts", "Seed letters")
# A k belongs to its pair; without a path there are no letters whose look could be compared.
NOT_KEPT = ("Fixed k", "None")


def sets_everything(me, half):
    """Change whatever can be changed for good, and write down what is seen then."""
    me.wait_until(lambda: me.is_there("Open the sample"), "the empty window is shown")
    me.choose("Method", me.options("Method")[1 + half])  # with which pairs begin; that of a pair ends with it
    me.wait_for_first_answer()
    for name in kept(me):
        if me.kind_of(name) == "box" and name != "Method":
            me.choose(name, [entry for entry in me.options(name) if entry not in NOT_KEPT][-1])
        elif me.kind_of(name) == "tick":
            me.tick(name, not me.is_ticked(name))
        me.wait_idle()
    if half:
        me.key("Ctrl+Shift+T")
    me.click("View options")
    me.take_entry("Wrap lines")
    for _ in range(2):
        me.click("View options")
        me.take_entry("Larger letters")
    me.show_panel("Statistics" if half else "Transform")
    me.resize(1180, 760)
    me.key("Ctrl+R")
    me.wait_idle()
    me.picture("before")
    (me.folder / "seen.json").write_text(json.dumps(look(me)))


def finds_everything(me):
    me.wait_for_first_answer()
    me.picture("after")
    was, now = json.loads((me.folder / "seen.json").read_text()), look(me)
    assert was == now, f"set: {was}\nafter a restart: {now}"


def kept(me):
    """The choosers whose value is kept."""
    return [name for name in me.choosers() if name not in OF_ONE_PAIR and not name.startswith("Read")]


def look(me):
    """What a person would miss if it were otherwise after a restart."""
    seen = {}
    for name in kept(me):
        seen[name] = me.chosen(name) if me.kind_of(name) == "box" else me.is_ticked(name)
    seen["one line"] = me.is_there("Columns of the alignment")
    seen["panels"] = sorted(me.panels_seen())
    seen["size"] = me.window_size()
    seen["dark"] = me.is_dark()
    letters = next(name for name in me.names_seen() if name.endswith(" in letters"))
    me.click(letters)  # the caret is where it was clicked
    seen["letters"] = me.print_of(letters)
    return seen


@pytest.mark.journey
@pytest.mark.parametrize("half", [0, 1])
def test_a_restart_finds_what_was_set(tmp_path, half):
    home = Home(tmp_path)
    play(home, sets_everything, leave=LEAVE[half], half=half)
    play(home, finds_everything, leave=LEAVE[2 + half])
