"""Options of ``lesson`` and of the tool commands."""

from __future__ import annotations

from typing import Any

from wavediff.app.commands.options import add_output, add_pictures, letters, listed
from wavediff.core.export.registry import LESSON
from wavediff.core.teach.language import ENGLISH, LANGUAGES
from wavediff.core.teach.unit import Unit


def add_lesson(commands: Any) -> None:
    lesson = commands.add_parser(
        "lesson",
        usage="%(prog)s [OPTION...] [NAME|FILE|all|reference|new FILE]",
        description="Show how a comparison is computed, step by step: as text, or as one HTML file with the "
        "animation. Without a name the lessons are listed.",
        epilog="exit codes: 0, 2 error",
    )
    lesson.add_argument("name", nargs="?", metavar="NAME|FILE", help="a lesson of the list, 'all', or a file (TOML)")
    lesson.add_argument("file", nargs="?", metavar="FILE", help="for 'new': file that gets a template lesson")
    lesson.add_argument("--a", metavar="LETTERS", help="letters for A, in the first part of the lesson with letters")
    lesson.add_argument("--b", metavar="LETTERS", help="letters for B, in that part")
    lesson.add_argument(
        "--set",
        metavar="NAME=VALUE",
        action="append",
        default=[],
        help="another input, such as workers=6 or block=4,4, in the first part of the lesson that has it",
    )
    lesson.add_argument(
        "--language",
        choices=LANGUAGES,
        default=ENGLISH,
        help=f"of the lessons that are written in it (default: {ENGLISH})",
    )
    lesson.add_argument(
        "--measure",
        metavar="FILE",
        help="run the rows of the result tables that take up to a minute, save the results as FILE and show them",
    )
    lesson.add_argument("--unit", choices=listed(Unit), help="what one step computes")
    lesson.add_argument("--step", type=letters, metavar="K", help="print or draw only this step")
    lesson.add_argument(
        "--scene", type=letters, metavar="N", help="scene of --step in a picture (default: the first with that step)"
    )
    lesson.add_argument("--check", action="store_true", help="only check the expectations and sentences of the file")
    lesson.add_argument("--no-answers", action="store_true", help="--notes: blank lines instead of answers")
    lesson.add_argument("--a-page", type=int, choices=(1, 2, 4), default=2, help="--notes: steps per page (default: 2)")
    lesson.add_argument("--teacher-notes", action="store_true", help="--notes: with the teacher's notes at the end")
    sheet = lesson.add_argument_group("exercises")
    sheet.add_argument(
        "--exercises", type=letters, metavar="N", help="N random questions with their answers, as text or in --notes"
    )
    sheet.add_argument(
        "--level",
        type=int,
        choices=(1, 2, 3),
        default=3,
        help="highest level of --exercises: 1 numbers and arrows, 2 also cells and words, 3 also paths (default: 3)",
    )
    sheet.add_argument("--seed", type=letters, default=1, metavar="S", help="random seed of --exercises (default: 1)")
    written = add_output(lesson, *LESSON, verbose="", unless="; by default the lesson as text")
    add_pictures(lesson, written, "the step of --step, or the last one", "the whole lesson")
    written.add_argument("--notes", metavar="F", help="a PDF hand-out: the steps with their sentences")
    written.add_argument("--slides", metavar="F", help="a PDF of slides, 16:9, one step per page")
    written.add_argument("--html-folder", metavar="DIR", help="'all' or a course: a page for each lesson, and an index")


def add_doctor(commands: Any) -> None:
    about = "Report cores, vectors, memory, GPUs and caches."
    doctor = commands.add_parser("doctor", usage="%(prog)s [--json]", description=about)
    doctor.add_argument("--json", action="store_true", help="as JSON")


def add_bench(commands: Any) -> None:
    commands.add_parser("bench", add_help=False)


def add_worker(commands: Any) -> None:
    worker = commands.add_parser(
        "worker",
        usage="%(prog)s ADDRESS [OPTION...]",
        description="Start a Dask worker with this program; it ends with the cluster or on Ctrl+C. "
        "Options are those of 'dask worker': --nthreads 4, --tls-ca-file F",
    )
    worker.add_argument("address", metavar="ADDRESS", help="address of the scheduler: tcp://host:8786")


def add_desktop(commands: Any) -> None:
    desktop = commands.add_parser(
        "desktop",
        usage="%(prog)s [--remove]",
        description="Write a launcher, an icon and the file types FASTA and FASTQ for this user, as freedesktop.org "
        "specifies (below $XDG_DATA_HOME, else ~/.local/share).",
    )
    desktop.add_argument("--remove", action="store_true", help="remove these files")


def add_setup(commands: Any) -> None:
    commands.add_parser(
        "setup",
        description="Compile all kernels into the cache, so that no command compiles at its first use. "
        "Cached kernels are not compiled again.",
    )


def add_completion(commands: Any) -> None:
    completion = commands.add_parser(
        "completion",
        usage="%(prog)s SHELL",
        description="Print the completion script of a shell (commands, options, values, files); for 'man' the "
        "manual page.",
    )
    completion.add_argument("shell", choices=["bash", "zsh", "fish", "man"], metavar="SHELL", help="%(choices)s")


def add_compile_kernels(commands: Any) -> None:
    """Add the hidden command that compiles kernels, for packagers."""
    command = commands.add_parser(
        "compile-kernels",
        usage="%(prog)s --all --cpu {x86-64,x86-64-v3,x86-64-v4} --out FOLDER",
        description="Compile all kernels for a level of x86-64, to be shipped: the program looks for them in 'kernels' "
        "beside its packages.",
    )
    # What a window or a command starts: for itself, with wishes on standard input.
    command.add_argument("lane", nargs="?", choices=["everything", "walks", "rest"], help="which kernels")
    command.add_argument("--asked", action="store_true", help="only what standard input asks for")
    command.add_argument("--all", action="store_true", help="all kernels, to be shipped")
    command.add_argument("--cpu", choices=["x86-64", "x86-64-v3", "x86-64-v4"], help="the level")
    command.add_argument("--out", metavar="FOLDER", help="gets a folder for the level and the compiler's version")
