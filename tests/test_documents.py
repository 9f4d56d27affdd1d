"""The pages: commands can be typed as they stand there, options and files exist, links lead somewhere."""

import doctest
import os
import re
import runpy
import shlex
import shutil
import subprocess
from contextlib import nullcontext
from importlib import import_module
from pathlib import Path

import pytest
import yaml

from tests.cli.helpers import call, options
from tests.cluster import local_cluster
from tests.pages import DOCS, answered, blocks, on, untimed
from wavediff.app.commands import cli, complete
from wavediff.app.ui.samples import FOLDER as SAMPLES
from wavediff.app.ui.samples import SAMPLES as SAMPLE_PAIRS
from wavediff.core.system.version import VERSION

ROOT = Path(__file__).parents[1]
README = ROOT / "README.md"
PAGES = sorted([*ROOT.glob("*.md"), *DOCS.glob("*.md"), *SAMPLES.glob("*.md")])
README_LINES = 110
MADE_PAGES = runpy.run_path(str(ROOT / ".ci" / "made_pages.py"))
# Written when the site is built; ``test_made_pages`` makes one of them.
MADE = {"rooms.svg", *(f"tour/{file}" for file in MADE_PAGES["PICTURES"])}
SET_UP = ["make run", "make", "source .venv/bin/activate", "cd resources/demo"]  # and git, as in the pages


def name(page):
    return page.relative_to(ROOT).as_posix()


def typed(page):
    """The calls of the program in the blocks of a page, as words."""
    for line in "".join(blocks(page.read_text(encoding="utf-8"))).splitlines():
        if re.match(r"(\$ )?wavediff ", line):
            yield shlex.split(line.removeprefix("$ ").partition(" > ")[0], comments=True)[1:]


def test_readme_is_one_page():
    text = README.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= README_LINES
    assert f"{len(list((ROOT / 'resources' / 'lessons').glob('*.toml')))} lessons" in text
    assert len(SAMPLE_PAIRS) == 4
    assert "four samples" in text


def answers(page):
    """Return (words, answer) of each command of a page; one for a card is as on the CPU."""
    return [on("cpu", *one) if "--device gpu" in one[0] else one for one in answered(page.read_text(encoding="utf-8"))]


@pytest.mark.parametrize("page", [page for page in PAGES if answers(page)], ids=name)
def test_each_command_of_a_page_prints_what_stands_below_it(tmp_path, monkeypatch, capsys, page):
    monkeypatch.chdir(shutil.copytree(SAMPLES, tmp_path / "demo"))
    captioned = re.compile(r"^:caption: (\S+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
    for file, text in captioned.findall(page.read_text(encoding="utf-8")):
        Path(file).write_text(text, encoding="utf-8")
    calls = answers(page)
    assert len(calls) == (3 if page == README else len(calls))
    for command, printed in calls:
        with local_cluster() if "--scheduler" in command else nullcontext() as cluster:
            here = command if cluster is None else re.sub(r"tcp://\S+", cluster.address, command)
            code, out, _ = call(capsys, *shlex.split(here))
        assert (untimed(out), code < 2) == (untimed(printed), True), command


@pytest.mark.parametrize("page", [page for page in PAGES if ">>> " in page.read_text(encoding="utf-8")], ids=name)
def test_each_statement_of_a_page_gives_what_stands_below_it(page):
    failed, tried = doctest.testfile(str(page), module_relative=False, encoding="utf-8")
    assert (failed, tried > 1) == (0, True)


def test_the_other_commands_of_readme_are_those_that_are_set_up_here():
    """What ``activate`` finds is tried in ``test_environment``, an installation in ``tests/packaging``."""
    others = [
        line for block in blocks(README.read_text(encoding="utf-8")) if "$ " not in block for line in block.split("\n")
    ]
    git = blocks((DOCS / "commands.md").read_text(encoding="utf-8").partition("## git\n")[2])[0].splitlines()
    assert [line.partition("  ")[0] for line in others if line] == SET_UP + git
    assert SAMPLES == ROOT / "resources" / "demo"
    if shutil.which("make") is None:
        pytest.skip("needs make")
    for goal in ("", 'run FILES="A.fa B.fa"', "docs"):
        command = ["make", "--dry-run", *shlex.split(goal)]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=60)
        assert done.returncode == 0, done.stderr
        assert ("main.py A.fa B.fa" in done.stdout) == ("FILES" in goal)


@pytest.mark.skipif(shutil.which("make") is None, reason="needs make")
def test_make_alone_lists_each_target_on_one_line():
    alone = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}  # not below another make
    done = subprocess.run(["make"], cwd=ROOT, capture_output=True, text=True, check=True, timeout=60, env=alone)
    (phony,) = re.findall(r"^\.PHONY: (.*)$", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    lines = re.findall(r"^make (\w+) +\w.{8,}$", done.stdout, re.MULTILINE)
    assert sorted(lines) == sorted(set(phony.split()) - {"help", "need-python"})
    assert (len(lines), done.stderr) == (len(done.stdout.splitlines()), "")


@pytest.mark.parametrize("page", [page for page in PAGES if list(typed(page))], ids=name)
def test_each_command_of_a_page_is_understood(page):
    for words in typed(page):
        arguments, rest = cli.parser().parse_known_args(complete(words))
        assert rest == [], words
        assert arguments.command in words or "open" in arguments.command


def test_each_option_of_compare_is_explained():
    explained = (DOCS / "compare.md").read_text(encoding="utf-8") + (DOCS / "files.md").read_text(encoding="utf-8")
    every = options("compare")
    assert len(every) > 40
    assert {one for one in every if not re.search(rf"{one}\b", explained)} == {"-h", "--help"}


def anchors(page):
    """Where links into a page lead, as GitHub and MyST name headings."""
    headings = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading).lower().replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_no_link_is_dead(page):
    text = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    for target, anchor in re.findall(r"\]\((?!https?:)([^)#\s]*)#?([^)\s]*)\)", text):
        there = (page.parent / target).resolve() if target else page
        assert there.exists() or target in MADE, target
        assert not anchor or anchor in anchors(there), f"{target}#{anchor}"


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_no_page_asks_a_package_index_for_our_name(page):
    assert not re.search(r"install +['\"]?wavediff", page.read_text(encoding="utf-8"))


def test_the_citation_is_of_this_version():
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert (cited["cff-version"], cited["title"], cited["version"]) == ("1.2.0", "Wavediff", VERSION)
    assert cited["message"]
    assert cited["license"] == "MIT"
    assert cited["authors"] == [{"name": "The Wavediff authors"}]


def test_each_documented_name_is_in_its_module():
    text = (DOCS / "api.md").read_text(encoding="utf-8")
    found = re.findall(r"^\.\. automodule:: (\S+)\n   :members: (.*)$", text, re.MULTILINE)
    assert len(found) > 10
    named = [(module, one) for module, names in found for one in names.split(", ")]
    assert [one for one in named if getattr(import_module(one[0]), one[1]).__module__ != one[0]] == []
