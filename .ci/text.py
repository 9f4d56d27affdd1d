"""Check text files before a commit: ends of lines and files, marks of a merge, and that TOML, YAML and JSON parse.

python .ci/text.py FILE ...
"""

from __future__ import annotations

import json
import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import yaml

_MERGE = re.compile(rb"^(<{7}|>{7}|\|{7}) ", re.MULTILINE)
_BLANKS_AT_END = re.compile(rb"[ \t]+$", re.MULTILINE)
# What is given to the program as somebody else would write it, and blanks at the end of a line are a line break.
_AS_IT_IS = {".fa", ".fasta", ".fastq", ".md", ".txt"}


def main(names: list[str]) -> int:
    """Print what is wrong with each file; return 1 where anything is."""
    found = [f"{name}: {fault}" for name in names for fault in faults(Path(name))]
    print("\n".join(found), end="\n" if found else "")
    return int(bool(found))


def faults(path: Path) -> Iterator[str]:
    """Yield what is wrong with one file, with the line where it has one."""
    content = path.read_bytes()
    if path.suffix not in _AS_IT_IS:
        for match in _BLANKS_AT_END.finditer(content):
            yield f"{_line(content, match.start())}: blanks at the end of the line"
    for match in _MERGE.finditer(content):
        yield f"{_line(content, match.start())}: the mark of a merge"
    if content and not content.endswith(b"\n"):
        yield "no end of line at the end of the file"
    if content.endswith(b"\n\n"):
        yield "empty lines at the end of the file"
    if (at := content.find(b"\r")) >= 0:
        yield f"{_line(content, at)}: a carriage return"
    try:
        if path.suffix in (".toml", ".cfg"):
            tomllib.loads(content.decode())
        elif path.suffix in (".yaml", ".yml"):
            yaml.safe_load(content)
        elif path.suffix == ".json":
            json.loads(content)
    except (ValueError, yaml.YAMLError) as error:
        yield " ".join(str(error).split())


def _line(content: bytes, at: int) -> int:
    return content.count(b"\n", 0, at) + 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
