"""``desktop``: add launcher, icon and file types to the user's desktop, or remove them.

By the specifications of freedesktop.org (Desktop Entry, Icon Theme, Shared MIME-info): writes files to the user's data
folder, and updates its indexes by the system's tools if these are installed.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

from wavediff.core.base.errors import ExportError, WavediffError, printable
from wavediff.core.export.atomic import write_atomic
from wavediff.core.system import program

ID = "wavediff"  # of the launcher, also what the window says it belongs to
LAUNCHER = f"applications/{ID}.desktop"
ICON = f"icons/hicolor/scalable/apps/{ID}.svg"
TYPES = f"mime/packages/{ID}.xml"
# type, what the user calls it, other names of it, endings
FORMATS = (
    (
        "text/x-fasta", "FASTA sequences", ("chemical/seq-na-fasta", "chemical/seq-aa-fasta", "application/x-fasta"),
        ("fa", "fasta", "fas", "fna", "ffn", "faa", "frn"),
    ),
    ("text/x-fastq", "FASTQ reads", ("chemical/seq-na-fastq", "application/x-fastq"), ("fq", "fastq")),
)  # fmt: skip
# What the system's tools make of the folders: of no use without a file of anybody's to index.
_APPLICATIONS_INDEX = ("mimeinfo.cache",)
_TYPES_INDEX = (
    "XMLnamespaces", "aliases", "generic-icons", "globs", "globs2", "icons", "magic", "mime.cache", "subclasses",
    "treemagic", "types", "version",
)  # fmt: skip
_TOOL_SECONDS = 60


def run(arguments: argparse.Namespace) -> int:
    """Write the files, or delete them with ``--remove``, and list them.

    Raises:
        WavediffError: the system has no freedesktop, or the folder cannot be written.
    """
    if sys.platform in ("win32", "darwin"):
        raise WavediffError("'desktop' is for systems whose desktop follows freedesktop.org, such as Linux and BSD")
    data = data_folder()
    try:
        if not arguments.remove:
            install(data)
            _say(f"in {data}: {LAUNCHER}, {ICON}, {TYPES}; '{program.name()} desktop --remove' removes them")
        else:
            gone = remove(data)
            _say(f"removed from {data}: {', '.join(gone)}" if gone else f"nothing to remove in {data}")
    except OSError as error:
        raise ExportError(f"{printable(str(error.filename or data))}: {error.strerror or error}") from error
    return 0


def data_folder() -> Path:
    """Return the user's data folder: ``XDG_DATA_HOME`` if it is an absolute path (XDG Base Directory Specification)."""
    named = os.environ.get("XDG_DATA_HOME", "")
    return Path(named) if os.path.isabs(named) else Path.home() / ".local" / "share"


def install(data: Path) -> None:
    """Write launcher, icon and file types below ``data`` and update its indexes."""
    icon = (program.ROOT / "resources" / f"{ID}.svg").read_bytes()
    for name, content in ((ICON, icon), (TYPES, types().encode()), (LAUNCHER, launcher(program.command()).encode())):
        (data / name).parent.mkdir(parents=True, exist_ok=True)
        write_atomic(data / name, content)
    _renew(data)


def remove(data: Path) -> list[str]:
    """Delete the files of ``install``, and folders and indexes that become useless; return the files."""
    gone = [name for name in (LAUNCHER, ICON, TYPES) if os.path.isfile(data / name)]
    for name in gone:
        (data / name).unlink()
    if gone:
        _renew(data)
    left = [data / name for name in gone]
    if gone and not any((data / "applications").rglob("*.desktop")):
        left += [data / "applications" / name for name in _APPLICATIONS_INDEX]
    if gone and not any((data / "mime" / "packages").glob("*.xml")):
        left += [data / "mime" / name for name in (*_TYPES_INDEX, *(f"{name}.xml" for name, *_ in FORMATS))]
    for file in left:
        file.unlink(missing_ok=True)
        _delete_empty(data, file)
    return gone


def launcher(command: tuple[str, ...]) -> str:
    words = " ".join(map(_quoted, command))
    return (
        "[Desktop Entry]\n"
        "Type=Application\n"
        "Version=1.1\n"
        "Name=Wavediff\n"
        "GenericName=Sequence comparison\n"
        "Comment=Shows how two sequences differ, and the computation that finds it\n"
        f"Exec={words} %F\n"
        f"Icon={ID}\n"
        "Terminal=false\n"
        "Categories=Science;Biology;Qt;\n"
        "Keywords=alignment;DNA;diff;edit distance;FASTA;LCS;\n"
        f"MimeType={''.join(f'{name};' for name, *_ in FORMATS)}\n"
        f"StartupWMClass={ID}\n"
        "StartupNotify=true\n"
    )


def types() -> str:
    """Return the file types as shared MIME-info XML."""
    lines = ['<?xml version="1.0" encoding="UTF-8"?>']
    lines.append('<mime-info xmlns="http://www.freedesktop.org/standards/shared-mime-info">')
    for name, comment, aliases, endings in FORMATS:
        lines += [f'  <mime-type type="{name}">', f"    <comment>{comment}</comment>"]
        lines += ['    <sub-class-of type="text/plain"/>', f'    <icon name="{ID}"/>']
        lines += [f'    <alias type="{alias}"/>' for alias in aliases]
        lines += [f'    <glob pattern="*.{ending}"/>' for ending in endings]
        lines.append("  </mime-type>")
    return "\n".join([*lines, "</mime-info>", ""])


def _quoted(word: str) -> str:
    """Quote one word of an ``Exec`` line, as value and as file content."""
    if any(ord(letter) < 32 for letter in word):
        raise WavediffError(f"{printable(word)}: a launcher cannot start a program whose path has control characters")
    inside = "".join(f"\\{letter}" if letter in '"`$\\' else letter for letter in word)
    return f'"{inside}"'.replace("\\", "\\\\").replace("%", "%%")


def _renew(data: Path) -> None:
    """Refresh the desktop's databases; without these tools the desktop does it at the next login."""
    folders = (("update-mime-database", data / "mime"), ("update-desktop-database", data / "applications"))
    for tool, folder in folders:
        program = shutil.which(tool)
        if program is not None and os.path.isdir(folder):
            with contextlib.suppress(OSError, subprocess.TimeoutExpired):
                subprocess.run(
                    [program, folder], stdin=subprocess.DEVNULL, capture_output=True, check=False, timeout=_TOOL_SECONDS
                )
    with contextlib.suppress(OSError):
        os.utime(data / "icons" / "hicolor")  # an index of icons that is older than its folder does not count


def _delete_empty(data: Path, file: Path) -> None:
    with contextlib.suppress(OSError):  # the first that is not empty ends it
        for folder in file.relative_to(data).parents[:-1]:
            (data / folder).rmdir()


def _say(text: str) -> None:
    sys.stdout.write(f"{printable(text)}\n")
    sys.stdout.flush()
