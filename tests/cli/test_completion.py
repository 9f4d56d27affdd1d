"""Completion as real shells do it, and the manual page as ``man`` shows it."""

import re
import shutil
import subprocess

import pytest

from tests.cli.helpers import actions, call, options
from wavediff.app.commands import cli
from wavediff.core.methods import METHODS
from wavediff.core.methods.base import AUTOMATIC

TYPED = [  # a line, and what its last word may become
    ("compl", "completion"),
    ("compare --topo", "--topology"),
    ("compare --topology ", "auto linear circular"),
    ("compare --traceback ", "checkpoints none hirschberg"),
    ("compare kitten.txt -q --method ", " ".join([*(one.id for one in METHODS), AUTOMATIC])),
    ("compare kit", "kitten.txt"),
    ("compare kitten.txt --paf k", "kitten.txt"),
    ("contigs kitten.txt kit", "kitten.txt"),
    ("lesson edit-t", "edit-table"),
]
FIRST_FILES = [("kit", "kitten.txt"), ("kitten.txt kit", "kitten.txt")]  # in bash by its own default
BASH = """
source ./script
for line in "$@"; do
    COMP_WORDS=(wavediff); for word in $line; do COMP_WORDS+=("$word"); done
    [[ $line == *" " ]] && COMP_WORDS+=("")
    COMP_CWORD=$((${#COMP_WORDS[@]} - 1)) COMPREPLY=()
    "$(complete -p wavediff | sed 's/.*-F \\([^ ]*\\) .*/\\1/')"
    echo "${COMPREPLY[*]}"
done
"""
FISH = """
source ./script
for line in $argv
    echo (complete -C "wavediff $line" | cut -f 1)
end
"""
ZSH = r"""
zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell 'fpath=($PWD $fpath); autoload -Uz compinit; compinit -u -D; bindkey "^I" complete-word'
zpty -w shell 'wavediff() { printf "\x51\x51%s\x51\x51" "$*" }; echo RE''ADY'
zpty -r shell seen '*READY*'
for line in "$@"; do
    zpty -w shell "wavediff $line"$'\t'
    zpty -r shell seen '*QQ*QQ*'
    print -r -- "${${seen#*QQ}%%QQ*}"
done
"""


@pytest.fixture
def completed(tmp_path, capsys):
    """Return a function that runs a script of a shell beside the completion of that shell."""
    (tmp_path / "kitten.txt").write_text("kitten")

    def run(shell, script, lines):
        if shutil.which(shell) is None:
            pytest.skip(f"needs {shell}")
        code, out, err = call(capsys, "completion", shell)
        assert (code, err) == (0, "")
        (tmp_path / ("_wavediff" if shell == "zsh" else "script")).write_text(out)
        (tmp_path / "try").write_text(script)
        done = subprocess.run(
            [shell, "try", *lines], cwd=tmp_path, capture_output=True, text=True, check=True, timeout=60
        )
        assert done.stderr == ""
        return done.stdout.splitlines()

    return run


@pytest.mark.parametrize(("shell", "script"), [("bash", BASH), ("fish", FISH)])
def test_a_shell_completes_commands_options_values_and_files(completed, shell, script):
    typed = TYPED + (FIRST_FILES if shell == "fish" else [])
    found = completed(shell, script, [line for line, _ in typed])
    assert [sorted(one.split()) for one in found] == [sorted(wanted.split()) for _, wanted in typed]


def test_zsh_completes_on_a_terminal(completed):
    lines = [
        "compl",
        "kit",
        "kitten.txt kit",
        "compare --topo",
        "compare --topology c",
        "compare kit",
        "compare kitten.txt --paf k",
    ]
    assert completed("zsh", ZSH, lines) == [
        "completion", "kitten.txt", "kitten.txt kitten.txt", "compare --topology", "compare --topology circular",
        "compare kitten.txt", "compare kitten.txt --paf kitten.txt",
    ]  # fmt: skip


def test_the_first_word_may_be_a_file(capsys):
    assert "\ncomplete -o bashdefault -o default -F _shtab_wavediff wavediff\n" in call(capsys, "completion", "bash")[1]


def test_a_shell_that_is_not_known_is_refused(capsys):
    assert "'csh' is not bash, zsh, fish or man" in call(capsys, "completion", "csh")[2]


@pytest.mark.skipif(shutil.which("groff") is None, reason="needs groff")
def test_the_manual_page_has_every_option_and_no_warning(capsys):
    code, out, err = call(capsys, "completion", "man")
    assert (code, err) == (0, "")
    words = ["groff", "-man", "-ww", "-Tascii", "-P-c", "-P-b", "-P-u", "-P-o"]
    done = subprocess.run(words, input=out, capture_output=True, text=True, check=True, timeout=60)
    assert done.stderr == ""
    commands = next(one for one in actions(cli.parser()) if one.dest == "command")
    for name in (one.dest for one in commands._choices_actions):
        assert re.search(rf"^ +{name}\b", done.stdout, re.MULTILINE)
        if name != "bench":
            _, _, section = done.stdout.partition(f"\nWAVEDIFF {name.upper()}\n")
            section = re.split(r"^[A-Z]", section, maxsplit=1, flags=re.MULTILINE)[0]
            assert {one for one in options(name) if not re.search(rf"(?<![\w-]){one}\b", section)} == set()
