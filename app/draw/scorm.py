"""Lesson as a SCORM 1.2 package: a zip of its page, which reports the score to a learning platform."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from html import escape
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from wavediff.app.draw.page import SCRIPT, lesson_page
from wavediff.core.teach.lesson import Lesson

PAGE, MANIFEST = "index.html", "imsmanifest.xml"
DATE = (1980, 1, 1, 0, 0, 0)  # of each file: equal lessons are equal packages
FORM = """<?xml version="1.0" encoding="UTF-8"?>
<manifest identifier="wavediff-{id}" version="1.0" xmlns="http://www.imsproject.org/xsd/imscp_rootv1p1p2"
 xmlns:adlcp="http://www.adlnet.org/xsd/adlcp_rootv1p2">
<metadata><schema>ADL SCORM</schema><schemaversion>1.2</schemaversion></metadata>
<organizations default="lessons"><organization identifier="lessons"><title>{title}</title>
<item identifier="lesson" identifierref="page"><title>{title}</title></item></organization></organizations>
<resources><resource identifier="page" type="webcontent" adlcp:scormtype="sco" href="{page}">
<file href="{page}"/></resource></resources>
</manifest>
"""


def package(lesson: Lesson) -> Iterator[bytes]:
    """Yield the package of a lesson."""
    report = SCRIPT.with_name("scorm.js").read_text("utf-8")
    page = lesson_page(lesson, lesson.command("--scorm", f"{lesson.id}.zip"), report=report)
    name = re.sub(r"[^A-Za-z0-9_.-]", "-", lesson.id)  # an identifier in XML
    manifest = FORM.format(id=name, title=escape(lesson.title), page=PAGE)
    made = io.BytesIO()
    with ZipFile(made, "w", ZIP_DEFLATED) as zipped:
        for name, text in ((MANIFEST, manifest), (PAGE, page)):
            zipped.writestr(ZipInfo(name, DATE), text.encode(), ZIP_DEFLATED)
    yield made.getvalue()
