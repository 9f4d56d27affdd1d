"""The versions of the program and of its JSON documents, in one place."""

from __future__ import annotations

from typing import Any

VERSION = "0.1.0"
SCHEMA_VERSION = 1  # of all documents of ``resources/wavediff.schema.json``; one more where a key changes or goes


def schema(kind: str) -> dict[str, Any]:
    """Return the first keys of a JSON document of a kind."""
    return {"schema": f"wavediff/{kind}", "schema_version": SCHEMA_VERSION}
