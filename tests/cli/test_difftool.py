"""``difftool`` as git calls it in a real repository, and by itself."""

import os
import re
import shutil
import subprocess
import sys
from itertools import pairwise

import pytest

from tests.cli.helpers import ROOT, call, trouble
from tests.test_documents import DOCS, blocks
from wavediff.app.commands import opens_window

OLD = {
    "seq/gene.fa": ">gene\nACGTACGTTTAC\n",
    "many.fa": ">a\nACGT\n>b\nGGGG\n",
    "words.txt": "one kitten\n",
    "header.fa": ">seq old\nACGTACGT\n",
    "end.txt": "no line end",
    "v.vcf": "##fileformat=VCFv4.2\nchr\t5\n",
    "gone.txt": "gone\n",
    "data.bin": b"\0\1\2\3" * 500,
    "damaged.fa.gz": b"\x1f\x8b\x08\x00",
}
NEW = {
    "seq/gene.fa": ">gene\nACGTACCTTTAC\n",
    "many.fa": ">a\nACGT\n>b\nGGCG\n",
    "words.txt": "one sitting\n",
    "header.fa": ">seq new\nACGTACGT\n",
    "end.txt": "no line end\n",
    "v.vcf": "##fileformat=VCFv4.2\nchr\t6\n",
    "new name.txt": "new\n",
    "data.bin": b"\0\1\2\4" * 600,
    "damaged.fa.gz": b"\x1f\x8b\x08\x01",
}
SHOWN = {
    "data.bin": "binary files of 2,000 and 2,400 bytes; --format bytes compares them",
    "end.txt": "Line ends only: A has no line end at its end",
    "gone.txt: deleted": "1 hunk: 1 line removed",
    "header.fa": "No differences",
    "the sequences are equal; the lines differ:": "1 hunk: 1 line changed",
    "v.vcf": "1 hunk: 1 line changed",
    "many.fa": "1 hunk: 1 line changed",
    "new name.txt: new file": "1 hunk: 1 line added",
    "seq/gene.fa": "1 substitution",
    "words.txt": "1 hunk: 1 line changed",
}


def write(folder, files):
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())


@pytest.fixture
def git(tmp_path):
    """Return a function that calls git in a repository with changes, configured as the documents say."""
    if shutil.which("git") is None or os.name != "posix":
        pytest.skip("needs git and a shell")
    repository, tools = tmp_path / "repository", tmp_path / "bin"
    (repository / "seq").mkdir(parents=True)
    tools.mkdir()
    (tools / "wavediff").write_text(f'#!/bin/sh\nexec {sys.executable} {ROOT / "main.py"} "$@"\n')
    (tools / "wavediff").chmod(0o755)
    env = {
        **os.environ,
        "PATH": f"{tools}{os.pathsep}{os.environ['PATH']}",
        "GIT_CONFIG_GLOBAL": str(tmp_path / "gitconfig"),
    }
    env |= {f"GIT_{who}_{what}": "x" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}

    def run(*words):
        return subprocess.run(
            ["git", *words], cwd=repository, env=env, capture_output=True, text=True, check=False, timeout=300
        )

    lines = blocks((DOCS / "commands.md").read_text("utf-8").partition("## git\n")[2])[0]
    subprocess.run(["sh", "-e", "-c", lines], env=env, check=True, timeout=60)
    run("init", "-q")
    write(repository, OLD)
    run("add", ".")
    assert run("commit", "-q", "-m", "first").returncode == 0
    (repository / "gone.txt").unlink()
    write(repository, NEW)
    run("add", ".")
    return run


def answers(out):
    """Title and first line of the answer for each file."""
    lines = out.splitlines()
    return {title: line for title, line in pairwise(lines) if title in SHOWN}


# One kind of change each: by a start of the program for each file. Two folders have all, in one.
FILES = ("gone.txt", "new name.txt", "seq/gene.fa", "damaged.fa.gz")


@pytest.mark.parametrize("words", [["HEAD", "--", *FILES], ["--dir-diff", "HEAD"]], ids=["files", "folders"])
def test_git_shows_each_file_under_its_name(git, words):
    done = git("difftool", "--no-prompt", *words)
    found = answers(done.stdout)
    asked = {title: start for title, start in SHOWN.items() if "--" not in words or title.partition(":")[0] in FILES}
    assert found.keys() == asked.keys()
    for title, start in asked.items():
        assert found[title].startswith(start), title
    assert "\nwavediff: damaged.fa.gz (" in f"\n{done.stderr}"
    assert re.findall(f"git-(?:blob|difftool)|{os.devnull}", done.stderr) == []
    assert done.returncode == 0  # whatever a tool returns, unless --trust-exit-code


def test_a_renamed_file_has_both_names(git):
    git("reset", "-q", "--hard")
    git("mv", "words.txt", "seq/other.txt")
    done = git("difftool", "--no-prompt", "HEAD")
    assert done.stdout.startswith("words.txt → seq/other.txt\nNo differences")


def test_a_notice_names_a_file_once(tmp_path, capsys, monkeypatch):
    """Git names the file of the working tree as the repository does, which the name of the old one ends in."""
    monkeypatch.chdir(tmp_path)
    write(tmp_path, {"old/v.vcf": OLD["v.vcf"], "v.vcf": NEW["v.vcf"]})
    _, _, err = call(capsys, "difftool", tmp_path / "old" / "v.vcf", "v.vcf", "v.vcf")
    assert re.findall(r"note: (v\.vcf .*?): this is VCF", err) == ["v.vcf (old)", "v.vcf (new)"]


def test_git_goes_on_where_files_differ_and_ends_at_an_error(git):
    done = git("difftool", "--no-prompt", "--trust-exit-code", "HEAD", "--", "many.fa", "words.txt")
    assert done.returncode == 0
    assert answers(done.stdout).keys() == {"many.fa", "words.txt"}
    done = git("difftool", "--no-prompt", "--trust-exit-code", "HEAD", "--", "damaged.fa.gz", "words.txt")
    assert done.returncode != 0
    assert "words.txt" not in done.stdout


def test_options_are_those_of_compare(tmp_path, capsys):
    write(tmp_path, {"a.bin": b"\0\1", "b.bin": b"\0\2"})
    pair = tmp_path / "a.bin", tmp_path / "b.bin"
    code, out, _ = call(capsys, "difftool", *pair, "x.bin", "--format", "bytes", "-m", "lcs", "--cigar", "-", "--quiet")
    assert (code, out) == (0, "1=1D1I\n")


def test_what_is_missing_is_named_as_the_repository_does(tmp_path, capsys):
    write(tmp_path, {"a.txt": "one two"})
    trouble(
        call(capsys, "difftool", tmp_path / "a.txt", tmp_path / "none", "seq/x.txt"), "seq/x.txt (new): no such file"
    )


def test_two_folders_go_on_behind_an_error_and_return_it(tmp_path, capsys):
    write(tmp_path / "old", OLD)
    write(tmp_path / "new", NEW)
    code, out, err = call(capsys, "difftool", tmp_path / "old", tmp_path / "new")
    assert (code, answers(out).keys()) == (2, SHOWN.keys())
    errors = [line for line in err.splitlines() if line.startswith("wavediff: ")]
    assert len(errors) == 1
    assert errors[0].startswith("wavediff: damaged.fa.gz (")
    assert str(tmp_path) not in err


def test_the_window_shows_one_file(tmp_path, capsys, monkeypatch):
    opened = []
    monkeypatch.setattr("wavediff.app.commands.difftool.open_window", lambda one: opened.append(one) or 0)
    write(tmp_path, {"a/x": "x", "b/x": "y"})
    pair = str(tmp_path / "a" / "x"), str(tmp_path / "b" / "x")
    assert call(capsys, "difftool", "--window", *pair, "x") == (0, "", "")
    trouble(call(capsys, "difftool", "--window", tmp_path / "a", tmp_path / "b"), "leave out --dir-diff")
    assert call(capsys, "difftool", "--window", os.devnull, pair[1], "x", "-m", "swap") == (0, "", "")
    assert [(one.paths, one.method, one.case) for one in opened] == [
        ([*pair], None, None), ([os.devnull, pair[1]], "swap", None),
    ]  # fmt: skip
    trouble(call(capsys, "difftool", "--window", *pair, "--tsv", "x.tsv"), "--tsv does not go with --window")
    assert opens_window(["difftool", "--window", *pair])
    assert not opens_window(["difftool", *pair])
