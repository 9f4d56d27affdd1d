"""Drawing of the rooms of the source, floor above floor, with an arrow for every room that imports another."""

from __future__ import annotations

from collections import Counter, defaultdict
from html import escape
from pathlib import Path

from tests import import_graph

BOX_WIDTH, BOX_HEIGHT, GAP, FLOOR_HEIGHT, MARGIN = 150, 44, 18, 104, 24  # pixels
COLOURS = {"app": "#4c78a8", "core": "#54a24b", "gpu": "#b279a2"}


def rooms_and_arrows(root: Path) -> tuple[Counter[str], Counter[tuple[str, str]]]:
    """Return the lines of each room and the number of imports of each pair of rooms.

    A room is a package right below ``app``, ``core`` or ``gpu``; what lies loose there is the room of that name.
    """
    graph = import_graph.graph(*import_graph.PACKAGES, exclude_type_checking_imports=True)
    lines: Counter[str] = Counter()
    arrows: Counter[tuple[str, str]] = Counter()
    for module in graph.modules:
        base = import_graph.folder_of(module)
        path = base / "__init__.py" if base.is_dir() else base.with_suffix(".py")
        lines[_room(module, root)] += len(path.read_text(encoding="utf-8").splitlines())
        for other in graph.find_modules_directly_imported_by(module):
            pair = _room(module, root), _room(other, root)
            arrows[pair] += pair[0] != pair[1]
    return +lines, +arrows


def floors(rooms: Counter[str], arrows: Counter[tuple[str, str]]) -> list[list[str]]:
    """Return the rooms by floors, the ground floor first: each room stands above all that it imports."""
    below: defaultdict[str, set[str]] = defaultdict(set)
    for room, other in arrows:
        below[room].add(other)
    height: dict[str, int] = {}

    def of(room: str, above: tuple[str, ...] = ()) -> int:
        if room not in height:
            # A circle would have no ground floor: what closes it is left out.
            height[room] = 1 + max((of(one, (*above, room)) for one in below[room] if one not in above), default=-1)
        return height[room]

    found: defaultdict[int, list[str]] = defaultdict(list)
    for room in sorted(rooms):
        found[of(room)].append(room)
    return [found[floor] for floor in sorted(found)]


def draw(root: Path) -> str:
    """Return the drawing as SVG."""
    rooms, arrows = rooms_and_arrows(root)
    storeys = floors(rooms, arrows)
    width = 2 * MARGIN + max(len(storey) for storey in storeys) * (BOX_WIDTH + GAP) - GAP
    height = 2 * MARGIN + len(storeys) * FLOOR_HEIGHT - (FLOOR_HEIGHT - BOX_HEIGHT)
    at: dict[str, tuple[float, float]] = {}
    for floor, storey in enumerate(reversed(storeys)):
        left = (width - len(storey) * (BOX_WIDTH + GAP) + GAP) / 2
        for place, room in enumerate(storey):
            at[room] = left + place * (BOX_WIDTH + GAP), MARGIN + floor * FLOOR_HEIGHT
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif">',
        f'<rect width="{width}" height="{height}" fill="#ffffff"/>',
    ]
    for (room, other), n in sorted(arrows.items()):
        (x, y), (x2, y2) = at[room], at[other]
        start = f"{x + BOX_WIDTH / 2:.0f} {y + BOX_HEIGHT:.0f}"
        middle = f"{x + BOX_WIDTH / 2:.0f} {(y + y2) / 2 + 20:.0f} {x2 + BOX_WIDTH / 2:.0f} {(y + y2) / 2:.0f}"
        path = f"M {start} C {middle} {x2 + BOX_WIDTH / 2:.0f} {y2:.0f}"
        title = f"<title>{escape(room)} imports {escape(other)} ({n})</title>"
        parts.append(f'<path d="{path}" fill="none" stroke="#888888" stroke-opacity="0.45">{title}</path>')
    for room, (x, y) in at.items():
        fill = COLOURS[room.partition(".")[0]]
        parts.append(f'<rect x="{x:.0f}" y="{y:.0f}" width="{BOX_WIDTH}" height="{BOX_HEIGHT}" rx="6" fill="{fill}"/>')
        for text, dy, size in ((room, 19, 14), (f"{rooms[room]:,} lines", 35, 11)):
            parts.append(
                f'<text x="{x + BOX_WIDTH / 2:.0f}" y="{y + dy:.0f}" font-size="{size}" fill="#ffffff" '
                f'text-anchor="middle">{escape(text)}</text>'
            )
    return "\n".join([*parts, "</svg>\n"])


def _room(module: str, root: Path) -> str:
    first, _, rest = module.removeprefix("wavediff.").partition(".")
    second = rest.partition(".")[0]
    return f"{first}.{second}" if second and root.joinpath(first, second).is_dir() else first
