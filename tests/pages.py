"""Commands of the pages and the answers below them; must load without Qt and without the packages for a cluster."""

import re
from pathlib import Path

DOCS = Path(__file__).parents[1] / "resources" / "docs"


def blocks(text):
    """Return the blocks of code of a page, without the fences."""
    return re.findall(r"^```[a-z]*\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def answered(text):
    """Return (words of the command, answer) of each command of a page that has an answer below it."""
    parts = [part for block in blocks(text) for part in block.split("$ wavediff ")[1:]]
    return [(words, printed) for words, _, printed in (part.partition("\n") for part in parts)]


def on(device, words, printed):
    """Return a command of one device and its answer, both for another device."""
    answer = re.sub(r" · (CPU|GPU)$", f" · {device.upper()}", printed, flags=re.MULTILINE)
    return re.sub(r"--device [cg]pu", f"--device {device}", words), answer


def untimed(text):
    return re.sub(r" · [\d.,]+ (µs|ms|s) · ", " · time · ", text.strip())
