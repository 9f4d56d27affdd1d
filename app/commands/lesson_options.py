"""Options of ``lesson``."""

from __future__ import annotations

from typing import Any

from wavediff.app.commands.options import add_output, add_pictures, letters, listed
from wavediff.core.export.registry import LESSON
from wavediff.core.teach.unit import Unit


def add_lesson(commands: Any) -> None:
    lesson = commands.add_parser(
        "lesson",
        usage="%(prog)s [OPTION...] [NAME|FILE|all]",
        description="Show how a comparison is computed, step by step: as text, or as one HTML file that plays from "
        "disk. Without a name the lessons are listed.",
        epilog="exit codes: 0, 2 error",
    )
    lesson.add_argument("name", nargs="?", metavar="NAME|FILE", help="a lesson of the list, 'all', or a file (TOML)")
    lesson.add_argument(
        "--a", metavar="LETTERS", help="other letters in place of A, of its first part that takes letters"
    )
    lesson.add_argument("--b", metavar="LETTERS", help="the same of B")
    lesson.add_argument(
        "--set",
        metavar="NAME=VALUE",
        action="append",
        default=[],
        help="another input of its first part that has one so called, as workers=6 or block=4,4",
    )
    lesson.add_argument("--unit", choices=listed(Unit), help="what one step computes")
    lesson.add_argument("--step", type=letters, metavar="K", help="as text: this step alone")
    lesson.add_argument(
        "--scene", type=letters, metavar="N", help="of a picture: whose --step it is (default: the first that has it)"
    )
    lesson.add_argument("--check", action="store_true", help="only check the file: what it expects, and its sentences")
    lesson.add_argument("--no-answers", action="store_true", help="notes: questions stay open")
    written = add_output(lesson, *LESSON, verbose="", unless="; as text where nothing is named")
    add_pictures(lesson, written, "--step, or the last one", "the whole lesson")
    written.add_argument("--notes", metavar="F", help="a PDF to hand out: a scene and its words a page")
    written.add_argument("--html-folder", metavar="DIR", help="of 'all': a page a lesson, and one that lists them")
