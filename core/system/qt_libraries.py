"""System libraries and display required by Qt on Linux, checked without loading Qt.

The set-up script runs this before any package is installed, the window before Qt could end the process.
"""

from __future__ import annotations

import ctypes
import os
import re
import socket
import sys
from collections.abc import Mapping
from pathlib import Path

# soname -> package of Debian and Ubuntu; what Qt's core, widgets, X11 and offscreen plugins link to
# beyond the C and C++ run time.
NEEDED: Mapping[str, str] = {
    "libEGL.so.1": "libegl1",
    "libGL.so.1": "libgl1",
    "libGLX.so.0": "libglx0",
    "libOpenGL.so.0": "libopengl0",
    "libX11.so.6": "libx11-6",
    "libX11-xcb.so.1": "libx11-xcb1",
    "libdbus-1.so.3": "libdbus-1-3",
    "libfontconfig.so.1": "libfontconfig1",
    "libfreetype.so.6": "libfreetype6",
    "libglib-2.0.so.0": "libglib2.0-0",
    "libgthread-2.0.so.0": "libglib2.0-0",
    "libxcb.so.1": "libxcb1",
    "libxcb-cursor.so.0": "libxcb-cursor0",
    "libxcb-glx.so.0": "libxcb-glx0",
    "libxcb-icccm.so.4": "libxcb-icccm4",
    "libxcb-image.so.0": "libxcb-image0",
    "libxcb-keysyms.so.1": "libxcb-keysyms1",
    "libxcb-randr.so.0": "libxcb-randr0",
    "libxcb-render.so.0": "libxcb-render0",
    "libxcb-render-util.so.0": "libxcb-render-util0",
    "libxcb-shape.so.0": "libxcb-shape0",
    "libxcb-shm.so.0": "libxcb-shm0",
    "libxcb-sync.so.1": "libxcb-sync1",
    "libxcb-util.so.1": "libxcb-util1",
    "libxcb-xfixes.so.0": "libxcb-xfixes0",
    "libxcb-xkb.so.1": "libxcb-xkb1",
    "libxkbcommon.so.0": "libxkbcommon0",
    "libxkbcommon-x11.so.0": "libxkbcommon-x11-0",
    "libzstd.so.1": "libzstd1",
}
NEEDED_BY_WAYLAND: Mapping[str, str] = {
    "libwayland-client.so.0": "libwayland-client0",
    "libwayland-cursor.so.0": "libwayland-cursor0",
    "libwayland-egl.so.1": "libwayland-egl1",
}
_X_SERVER_SECONDS = 1.0  # seconds to wait for an X server


def missing() -> list[str]:
    """Return the sonames of missing libraries; empty except on Linux."""
    if not sys.platform.startswith("linux"):
        return []
    wanted = {**NEEDED, **(NEEDED_BY_WAYLAND if os.environ.get("WAYLAND_DISPLAY") else {})}
    return [soname for soname in wanted if not _loads(soname)]


def _loads(soname: str) -> bool:
    try:
        ctypes.CDLL(soname)
    except OSError:
        return False
    return True


def install_line(sonames: list[str]) -> str:
    """Return the command that installs ``sonames`` on Debian and Ubuntu."""
    packages = {**NEEDED, **NEEDED_BY_WAYLAND}
    return "sudo apt-get install -y " + " ".join(sorted({packages[name] for name in sonames}))


def why_no_display(environ: Mapping[str, str] = os.environ) -> str | None:
    """Return why no window can be opened, as a sentence, or None."""
    platform = environ.get("QT_QPA_PLATFORM", "")
    if not sys.platform.startswith("linux") or platform.split(":")[0].split(";")[0] not in ("", "xcb", "wayland"):
        return None
    wayland, display = environ.get("WAYLAND_DISPLAY"), environ.get("DISPLAY")
    if wayland and os.path.exists(Path(environ.get("XDG_RUNTIME_DIR", "/"), wayland)):
        return None
    if display:
        return _why_no_x(display)
    return "there is no display (neither DISPLAY nor WAYLAND_DISPLAY names one)"


def _why_no_x(display: str) -> str | None:
    parts = re.fullmatch(r"(?:(?:unix|[^:/]*/unix)?|(?P<host>\[.*\]|[^:/]+)):(?P<number>\d+)(?:\.\d+)?", display)
    if parts is None:
        return None  # unknown syntax: left to Qt
    number = int(parts["number"])
    addresses: list[tuple[socket.AddressFamily, object]]
    if parts["host"]:
        addresses = [(socket.AF_INET, (parts["host"].strip("[]"), 6000 + number))]
    else:
        path = f"/tmp/.X11-unix/X{number}"
        addresses = [(socket.AF_UNIX, path), (socket.AF_UNIX, f"\0{path}")]
    for family, address in addresses:
        try:
            with socket.socket(family, socket.SOCK_STREAM) as client:
                client.settimeout(_X_SERVER_SECONDS)
                client.connect(address)  # type: ignore[arg-type]
                return None
        except OSError:
            continue
    return f"there is no display: no X server answers at DISPLAY={display}"
