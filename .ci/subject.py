"""Check the subject of a commit message: python .ci/subject.py FILE

A plain imperative and the thing: "Fix U/T mismatch in compare", 12 to 66 characters, no clause, no full stop.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

LEAST, MOST = 12, 66  # characters
NOT_PLAIN = {"ask", "begin", "bring", "give", "hand", "have", "hold", "let", "look", "say", "tell", "walk"}
CLAUSES = "so that", "that", "where", "which", "while"  # belong in the body
ENDINGS = ("ing", "ded", "ted", "ved", "xed", "ged")  # of other forms of verbs


def faults(subject: str) -> Iterator[str]:
    """Yield what is wrong with a subject."""
    first = subject.partition(" ")[0]
    if not LEAST <= len(subject) <= MOST:
        yield f"{len(subject)} characters; {LEAST} to {MOST} are right"
    if first != first.capitalize() or not first.isalpha() or first.endswith(ENDINGS):
        yield f"'{first}' is no imperative such as Add, Fix or Remove"
    if first.lower() in NOT_PLAIN:
        yield f"'{first}' says little; use Add, Fix, Remove, Rename, Move, Merge, Simplify, Speed up, Document or Test"
    if subject.endswith(".") or any(f" {word} " in subject for word in CLAUSES):
        yield "a sentence, or a clause; name the thing alone"


def main(file: str) -> int:
    """Print what is wrong with the first line of ``file``; return 1 where anything is."""
    subject = Path(file).read_text(encoding="utf-8").partition("\n")[0]
    found = [] if subject.startswith(("Revert ", "fixup!", "squash!", "Merge ")) else [*faults(subject)]
    sys.stderr.write("".join(f"{subject}: {fault}\n" for fault in found))
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
