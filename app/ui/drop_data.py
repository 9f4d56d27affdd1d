"""Content of a drag or of the clipboard: files of this machine, text, or a reason against it."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote_to_bytes

from PySide6.QtCore import QMimeData, Qt, QUrl
from PySide6.QtGui import QDropEvent

from wavediff.core.base.errors import printable


@dataclass(frozen=True, slots=True)
class DropData:
    """Attributes:
    paths: local files, in the order of the drag.
    text: when there are no files.
    refused: one line for each thing that cannot be taken.
    """

    paths: tuple[Path, ...] = ()
    text: str = ""
    refused: tuple[str, ...] = ()


def accept(event: QDropEvent) -> None:
    """Answer a drag, or the drop that ends it, with a copy: a source that is told of a move may delete its file."""
    event.setDropAction(Qt.DropAction.CopyAction)
    event.accept()


def parse_drop(mime: QMimeData) -> DropData:
    """Read the drag at once; it is gone when the drop event ends."""
    paths: list[Path] = []
    refused: list[str] = []
    for url in mime.urls():
        if url.isLocalFile() and (os.name == "nt" or url.host() in {"", "localhost"}):
            paths.append(local_path(url))
        else:
            address = printable(url.toDisplayString(), 120)
            refused.append(f"{address}: this is on another machine; save it here and drop the file")
    text = mime.text() if not mime.hasUrls() and mime.hasText() else ""
    if not paths and not refused and not text:
        refused.append("Nothing readable was dropped. Drop files or text")
    return DropData(tuple(paths), text, tuple(refused))


def local_path(url: QUrl) -> Path:
    """Return the path of a ``file:`` URL; bytes of a name that are no UTF-8 survive."""
    if os.name == "nt":
        return Path(url.toLocalFile())
    encoded = bytes(url.toEncoded(QUrl.ComponentFormattingOption.FullyEncoded).data())
    path = encoded.removeprefix(b"file://")
    path = path.removeprefix(b"localhost")
    return Path(os.fsdecode(unquote_to_bytes(path.split(b"#")[0].split(b"?")[0])))
