"""Ramps of colours whose steps look equally large: lines through Oklab (Ottosson, 2020), cut into equal lengths."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

Colours = npt.NDArray[np.float64]  # n x 3
Pixels = npt.NDArray[np.uint32]

# By Björn Ottosson, "A perceptual color space for image processing" (2020).
_TO_CONES = np.array(
    [[0.4122214708, 0.5363325363, 0.0514459929], [0.2119034982, 0.6806995451, 0.1073969566],
     [0.0883024619, 0.2817188376, 0.6299787005]]
)  # fmt: skip
_TO_LAB = np.array(
    [[0.2104542553, 0.7936177850, -0.0040720468], [1.9779984951, -2.4285922050, 0.4505937099],
     [0.0259040371, 0.7827717662, -0.8086757660]]
)  # fmt: skip
_FINE_STEPS = 4096  # of the line that is cut


def oklab(colours: Colours) -> Colours:
    """Return lightness, a and b of sRGB colours, red, green and blue each from 0 to 1."""
    linear = np.where(colours <= 0.04045, colours / 12.92, ((colours + 0.055) / 1.055) ** 2.4)
    found: Colours = np.cbrt(linear @ _TO_CONES.T) @ _TO_LAB.T
    return found


def srgb(lab: Colours) -> Colours:
    """Return the sRGB colours of ``oklab``; what no screen can show is cut off."""
    linear = np.clip(((lab @ np.linalg.inv(_TO_LAB).T) ** 3) @ np.linalg.inv(_TO_CONES).T, 0, 1)
    return np.where(linear <= 0.0031308, linear * 12.92, 1.055 * linear ** (1 / 2.4) - 0.055)


def ramp(anchors: Sequence[str], n: int) -> Pixels:
    """Return ``n`` colours as 0xffrrggbb from the first of ``anchors`` (``#rrggbb``) to the last, in equal steps."""
    corners = oklab(np.array([[int(anchor[k : k + 2], 16) / 255 for k in (1, 3, 5)] for anchor in anchors]))
    at = np.linspace(0, len(anchors) - 1, _FINE_STEPS)
    line = np.stack([np.interp(at, np.arange(len(anchors)), part) for part in corners.T], 1)
    way = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(line, axis=0), axis=1))])
    cut = np.stack([np.interp(np.linspace(0, way[-1], n), way, part) for part in line.T], 1)
    red, green, blue = np.round(srgb(cut) * 255).astype(np.uint32).T
    found: Pixels = np.uint32(0xFF000000) | red << 16 | green << 8 | blue
    return found
