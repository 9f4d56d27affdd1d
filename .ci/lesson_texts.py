"""Write the texts of the lessons that ship as calls of ``tr``, for xgettext, which reads no TOML: ``make texts``."""

from __future__ import annotations

import sys
import tomllib
from pathlib import Path

for path in sorted((Path(__file__).parents[1] / "resources" / "lessons").glob("*.toml")):
    lesson = tomllib.loads(path.read_text("utf-8"))
    scenes = [scene for part in lesson["part"] for scene in part.get("scene", ())]
    head = (lesson["title"], lesson["topic"], lesson["source"], lesson["notes"].strip())
    for text in (*head, *(scene["say"] for scene in scenes if "say" in scene)):
        sys.stdout.write(f"tr({text!r})\n")
