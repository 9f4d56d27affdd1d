"""Versions of the program and of its JSON documents."""

from __future__ import annotations

from typing import Any

VERSION = "0.2.0"
SCHEMA_VERSION = 1  # of all documents of ``resources/wavediff.schema.json``; incremented if a key changes or is removed


def schema(kind: str) -> dict[str, Any]:
    """Return the header fields of a JSON document."""
    return {"schema": f"wavediff/{kind}", "schema_version": SCHEMA_VERSION}


def commit() -> str:
    """Return the commit from which a wheel was built, or of the checkout ("-dirty" after changes); empty: unknown."""
    from wavediff.core.system.program import ROOT  # not at the top: python -m wavediff imports this first

    if (recorded := ROOT / "commit.txt").is_file():
        return recorded.read_text(encoding="ascii").strip()
    if not (ROOT / ".git").exists():
        return ""
    import subprocess

    command = ["git", "-C", str(ROOT), "describe", "--always", "--dirty", "--exclude=*"]
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True, timeout=10).stdout.strip()
    except (OSError, subprocess.SubprocessError):
        return ""
