"""Short help of each command (usual options, three examples), and the examples of the full help."""

from __future__ import annotations

import argparse
import re
from copy import copy

from wavediff.app.commands import NO_DEFAULTS
from wavediff.app.commands.help_format import Formatter

# Options of the short help and three examples with what they are for, by command; "" is the program itself. The name of
# the program goes before an example, or in the place of {}.
USUAL: dict[str, tuple[str, tuple[tuple[str, str], ...]]] = {
    "": ("--help --version", (
        ("A.fa B.fa", "open the window with two files"),
        ("compare A.fa B.fa", "the answer, and the letters of both below each other"),
        ("help compare", "all options of compare"),
    )),
    "open": ("--method --record-a --record-b --orient --topology --ends --view --at --case --format", (
        ("A.fa B.fa", "two sequences"),
        ("A.fa B.fa --method swap --at A:5000", "compared with swaps, opened at letter 5,000 of A"),
        ("open compare", "a file with the name of a command"),
    )),
    "compare": ("--method --case --ends --orient -w --all --verbose --output --json --diff", (
        ("compare A.fa B.fa", "two sequences: the answer, and the letters of both below each other"),
        ("compare genome.fa gene.fa --ends a --paf gene.paf", "place a gene in a genome"),
        ("compare old.py new.py -w --diff changes.patch", "two texts by lines; by words with --method words"),
    )),
    "difftool": ("--window --method --case --all --color --verbose --quiet", (
        ("difftool old.fa new.fa", "as compare, but exit code 0 if they differ"),
        ("difftool old/ new/", "each file that differs in two folders"),
        ('difftool "$LOCAL" "$REMOTE" "$MERGED"', "the command for git's setting difftool.wavediff.cmd"),
    )),
    "batch": ("--method --pairs --format --case --threads --tsv --json --png --quiet", (
        ("batch many.fa --tsv distances.tsv", "each record with every other"),
        ("batch old.fa new.fa", "first with first, second with second"),
        ("batch *.fa --tree nj --png map.png", "all records of many files, as a heat map with a tree"),
    )),
    "contigs": ("--topology --seed-letters --record-a --device --all --tsv --agp --fasta --paf --quiet", (
        ("contigs reference.fa assembly.fa", "which contig lies where, on which strand, and what is missing"),
        ("contigs reference.fa assembly.fa --agp a.agp --fasta ordered.fa", "contigs ordered and oriented, gaps as N"),
        ("contigs plasmid.gb assembly.fa.gz --topology circular", "contigs over the origin of a circle"),
    )),
    "race": ("--method --kernels --alignment --rounds --record-a --record-b --threads --json --png --quiet", (
        ("race A.fa B.fa", "the usual kernels of the edit distance"),
        ("race A.fa B.fa --kernels cpu,cpu-full --no-alignment", "two kernels, only the distance"),
        ("race A.fa B.fa --method lcs --json race.json", "answers and times as JSON"),
    )),
    "search": ("--patterns --errors --edits --both-strands --alphabet --limit --all --output --tsv --quiet", (
        ("search GGRCC genome.fa --both-strands", "a restriction site"),
        ("search genome.fa --patterns primers.txt -k 2 --bed hits.bed", "many patterns, up to 2 mismatches each"),
        ("search GAATTC genomes/", "all files in a folder and below"),
    )),
    "bwt": ("--inverse --sorter --record --case --compression --threads --json --quiet --save-index", (
        ("bwt A.fa", "primary index and runs of the transform"),
        ("bwt A.fa --save-index A.index", "an index, to be searched by find"),
        ("bwt A.fa B.fa --json -", "two sequences joined, as JSON"),
    )),
    "find": ("--count-only --limit --record --case --threads --tsv --json --save-index --quiet", (
        ("find GATTACA A.fa", "where A has GATTACA"),
        ("find GATTACA TATA A.index --tsv hits.tsv", "in an index of bwt --save-index"),
        ("find A C G T A.fa --count-only", "how often A has each"),
    )),
    "lesson": ("--a --b --step --text --html --json --png --mp4 --notes --quiet", (
        ("lesson", "list the lessons"),
        ("lesson edit-table --a kitten --b sitting --html page.html", "an animated page"),
        ("lesson edit-table --step 42", "one step as text"),
    )),
    "doctor": ("--json", (
        ("doctor", "cores, vectors, memory, graphics cards, caches"),
        ("doctor --json", "the same as JSON"),
        ("doctor || echo something will not work", "its exit code in a script"),
    )),
    "worker": ("", (
        ("worker tcp://host:8786", "join a cluster"),
        ("worker tcp://host:8786 --nthreads 4", "with four threads"),
        ("worker tls://host:8786 --tls-ca-file ca.pem --tls-cert me.pem --tls-key me.key", "encrypted"),
    )),
    "completion": ("", (
        ('eval "$({} completion bash)"', "completion in this bash; in ~/.bashrc in all of them"),
        ("{} completion fish | source", "completion in this fish"),
        ("completion man > wavediff.1", "for 'man ./wavediff.1'"),
    )),
    "compile-kernels": ("", ()),
    "setup": ("", (
        ("setup", "after an installation"),
        ("doctor", "shows where the kernels are"),
        ("compare A.fa B.fa", "compiles nothing now"),
    )),
    "desktop": ("--remove", (
        ("desktop", "add a launcher and file types for this user"),
        ("desktop --remove", "remove both"),
        ("XDG_DATA_HOME=/usr/local/share {} desktop", "for all users"),
    )),
}  # fmt: skip


def short_help(parser: argparse.ArgumentParser) -> str:
    """Return usage, the usual options with the first clause of their help, and the examples."""
    words = USUAL[_command(parser)][0].split()
    formatter = Formatter(parser.prog)
    formatter.add_usage(parser.usage, parser._actions, parser._mutually_exclusive_groups)
    formatter.add_text(parser.description)
    options = [action for action in parser._actions if action.option_strings]
    arguments = [action for action in parser._actions if not action.option_strings]
    usual = [action for action in options if {*words} & {*action.option_strings}]
    for heading, actions in (("arguments", arguments), ("usual options", usual)):
        formatter.start_section(heading)
        formatter.add_arguments(map(_shortened, actions))
        formatter.end_section()
    rest = len(options) - len(usual) - 2  # without -h and --help
    formatter.add_text(f"--help shows {rest} more options" if rest > 0 else "")
    return formatter.format_help() + examples(parser)


def ending(parser: argparse.ArgumentParser) -> str:
    """Return the epilog of the full help: examples, and the location of the defaults."""
    if _command(parser):
        return examples(parser)
    from wavediff.app.commands.defaults import VARIABLE, path

    firsts = tuple(call for _, calls in USUAL.values() for call in calls[:1])
    return f"{examples(parser, firsts)}\ndefaults: options in {VARIABLE} and in {path()}; {NO_DEFAULTS} takes none\n"


def examples(parser: argparse.ArgumentParser, calls: tuple[tuple[str, str], ...] = ()) -> str:
    command = _command(parser)
    name = parser.prog.removesuffix(command).rstrip()
    calls = calls or USUAL[command][1]
    lines = [(words.format(name) if "{}" in words else f"{name} {words}".rstrip(), text) for words, text in calls]
    width = max((len(line) for line, _ in lines), default=0)
    return "".join(["\nexamples:\n" if lines else "", *(f"  {line:<{width}}  # {text}\n" for line, text in lines)])


def _command(parser: argparse.ArgumentParser) -> str:
    return next((name for name in USUAL if name and parser.prog.endswith(f" {name}")), "")


def first_clause(text: str | None) -> str:
    return re.split(r"; | \(", text or "")[0]


def _shortened(action: argparse.Action) -> argparse.Action:
    one = copy(action)
    one.help = first_clause(action.help)
    return one
