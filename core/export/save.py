"""One answer in one format into one file."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from wavediff.core.export.atomic import StrPath, write_atomic
from wavediff.core.export.registry import Format
from wavediff.core.jobs.cancel import CancelToken, heeding


def save(
    kind: Format, path: StrPath, answer: Any, cancel: CancelToken | None = None, inputs: Sequence[StrPath] = ()
) -> int:
    """Write ``answer`` to ``path``, whole or not at all; return the bytes written.

    Args:
        cancel: stops the writing between pieces.
        inputs: files that must not be overwritten.

    Raises:
        Cancelled: asked to stop; the file is as it was before.
        ExportError: it cannot be written.
    """
    chunks = kind.chunks(answer)
    return write_atomic(
        path, chunks if cancel is None else heeding(cancel, chunks), inputs=inputs, size=kind.least_bytes(answer)
    )
