"""Every method with every choice that the window offers, on every kind of pair; then every panel, copy and export.

What there is to choose is found in the window: a new chooser, panel or format is tried without a change here.
"""

import re

import pytest

from tests.journeys import screen
from tests.journeys.asker import Lost
from tests.journeys.samples import SAMPLES
from tests.journeys.stage import LEAVE, Home, play

pytestmark = pytest.mark.journey
# What is there today: that it is found shows that the search for the rest works.
METHODS = {"Common letters", "Edits", "Edits with swaps"}
CHOOSERS = {
    "Common letters": {"Device", "Traceback", "Kernel", "Equal costs"},
    "Edits": {"Device", "Traceback", "Band", "Blocks", "Equal costs"},
}
PANELS = {"Computation", "Many pairs", "Search", "Race", "Transform"}
PANELS |= {"Timings", "Skipped work", "Statistics"}
FORMATS = {"paf", "sam", "fa", "cigar", "tsv", "vcf", "variants", "json"}
# Choices after which the answer may be another one.
OTHER_NUMBERS = {"Ignore case", "Swaps", "k", "Fixed k", "Compatible codes", "As letters"}
OTHER_NUMBERS |= {"Rearranged"}  # blocks are aligned by Edits, whatever is chosen for the whole
OTHER_NUMBERS |= {"Of A: B inside A", "Of B: A inside B", "Of both: overlap"}


def load(me, sample):
    """Drop both files; of several records the first is taken."""
    files = SAMPLES[sample].files(me.folder, "pair")
    me.drop(files)

    def loaded():
        me.answer_questions()
        # A question has the name of its file too: until it is answered the file is being read.
        return not me.ask(screen.busy) and all(me.sees(path.name) for path in files)

    me.wait_until(loaded, f"both files are loaded, and not: {me.messages()}")


def answer(me):
    return " ".join(line for line in me.named("Result") if line)


def expect(me, sample, method, choice):
    """The answer that is shown must be the right one, where the choice changes no number."""
    said, answers = answer(me), SAMPLES[sample].answers()
    right = answers.get("swaps" if "swaps" in method else method)
    if right is None or choice in OTHER_NUMBERS:
        return
    numbers = [int(each.replace(",", "")) for each in re.findall(r"(?<![\d.])\d[\d,]*(?![\d.])", said)]
    assert right in numbers or (right == 0 and "No differences" in said), (
        f"{method}, {choice}: {right} is right, and the window says {said!r}"
    )


def every_choice(me, sample):
    me.wait_for_first_answer()
    load(me, sample)
    methods = me.options("Method")
    assert set(methods) >= METHODS, methods
    for method in methods:
        me.choose("Method", method)
        run(me)
        expect(me, sample, method, "")
        choosers = me.choosers()
        assert set(choosers) >= CHOOSERS.get(method, set()), f"{method} offers {choosers}"
        for name in choosers:
            if name not in ("Method", "Letters by"):  # which is the method too
                try_all(me, sample, method, name)
        for title in me.panels():
            me.show_panel(title)
            me.read()
        run(me)
        expect(me, sample, method, "with all panels open")
        me.picture(method)


def run(me):
    me.key("Ctrl+R")
    me.wait_idle()
    me.clear_messages()


def try_all(me, sample, method, name):
    """Every value of one control, the first one again at the end."""
    kind = me.kind_of(name)
    if kind == "box":
        was, entries = me.chosen(name), me.options(name)
        for entry in [*(one for one in entries if one != was), *(one for one in entries if one == was)]:  # or typed
            me.choose(name, entry)
            run(me)
            expect(me, sample, method, entry)
            if "k" in me.choosers() and name != "k":
                try_all(me, sample, method, "k")
    elif kind == "tick":
        was_on = me.is_ticked(name)
        for on in (not was_on, was_on):
            me.tick(name, on)
            run(me)
            expect(me, sample, method, name if on != was_on else "")
    elif kind == "number":
        for number in ("0", "1", "7"):
            me.fill(name, number)
            run(me)
            expect(me, sample, method, "k")
    else:
        raise Lost(f"{name!r} is a control of a new kind: say here how it is tried")


def every_export(me, sample):
    """Copy and save whatever can be, with the pair compared by each method."""
    me.wait_for_first_answer()
    load(me, sample)
    for method in me.options("Method"):
        me.choose("Method", method)
        run(me)
        copy_letters(me)
        for entry in ("Export the alignment…", "Save timings…"):
            save(
                me,
                lambda entry=entry: me.menu("File", entry),
                f"{method} {entry}",
                FORMATS if "Exp" in entry else set(),
            )
    for title in me.panels():
        me.show_panel(title)
        fill_panel(me, title)
        for name in me.buttons(title):
            if name.startswith("Copy"):
                me.put_on_clipboard("nothing yet")
                me.click(name, title)
                assert me.clipboard() not in ("", "nothing yet"), f"{name} of {title} copies nothing"
            elif name.startswith("Save"):
                save(me, lambda name=name, title=title: me.click(name, title), title, set())


def copy_letters(me):
    """Everything that Copy as offers, of all letters."""
    canvas = next((name for name in me.names_seen() if re.fullmatch(r"Alignment of .* in letters", name)), None)
    if canvas is None:
        return  # nothing but a number was asked for, or there are no letters
    me.click(canvas)
    me.key("Ctrl+A")
    me.key("Ctrl+C")
    assert me.clipboard().startswith(">"), me.clipboard()[:80]
    me.click_right(canvas)
    me.take_entry("Copy as")
    formats = me.entries()
    assert len(formats) >= 3, formats
    me.key("Esc")
    me.close_menus()
    for entry in formats:
        me.put_on_clipboard("nothing yet")
        me.click_right(canvas)
        me.take_entry("Copy as")
        me.take_entry(entry)
        me.wait_until(lambda: me.clipboard() != "nothing yet", f"{entry} is on the clipboard", 10)


def save(me, ask, what, wanted):
    """Save in every format that the dialog offers; a file must come of it, or a sentence why not."""
    assert callable(ask)
    ask()
    kinds = me.file_kinds()
    me.key("Esc")
    me.wait_until(lambda: not me.file_dialog_is_open(), "the dialog has closed", 20)
    suffixes = {found.group(1) for each in kinds if (found := re.search(r"\*\.(\w+)", each))}
    assert suffixes >= wanted, f"{what} offers {kinds}"
    for number, kind in enumerate(kinds):
        found = re.search(r"\*\.(\w+)", kind)
        path = me.folder / f"{re.sub(r'[^a-zA-Z]', '', what)}{number}.{found.group(1) if found else 'out'}"
        me.clear_messages()
        ask()
        me.name_files([path], kind)
        me.wait_until(lambda path=path: path.exists() or me.messages(), f"{path.name} is written or refused", 30)
        assert path.exists() or me.messages() != "", path
        if path.exists():
            check(path)
            path.unlink()


def check(path):
    """What was saved is what its name says."""
    content = path.read_bytes()
    if path.suffix == ".json":
        assert content.lstrip()[:1] in (b"{", b"["), f"{path.name} begins with {content[:60]!r}"
    elif path.suffix == ".sam":
        assert content.startswith(b"@"), f"{path.name} begins with {content[:60]!r}"
    elif path.suffix == ".fa":
        assert content.startswith(b">"), f"{path.name} begins with {content[:60]!r}"
    elif path.suffix == ".tsv":
        assert b"\t" in content, f"{path.name} begins with {content[:60]!r}"


def fill_panel(me, title):
    """Let a panel show something that can be copied and saved."""
    if title == "Search":
        me.fill("Patterns", "AC", title)
        me.key("Ctrl+Return")
    elif title == "Transform":
        me.key("Ctrl+B")
        me.wait_until(lambda: me.is_enabled("Save…", title), "there is a transform")
    elif title == "Many pairs":
        path = me.folder / "many.fa"
        path.write_text("".join(f">r{n}\nACGTACGTAC{'ACGT'[n]}\n" for n in range(4)))
        me.click("Files…", title)
        me.name_files([path])
    elif title == "Race":
        me.click("Race", title)
    me.wait_idle()


@pytest.mark.parametrize("sample", SAMPLES)
def test_every_method_with_every_choice(tmp_path, sample):
    at = list(SAMPLES).index(sample)
    play(Home(tmp_path), every_choice, leave=LEAVE[at % len(LEAVE)], sample=sample)


@pytest.mark.parametrize("sample", SAMPLES)
def test_everything_copied_and_saved(tmp_path, sample):
    at = list(SAMPLES).index(sample) + 1
    play(Home(tmp_path), every_export, leave=LEAVE[at % len(LEAVE)], sample=sample)
