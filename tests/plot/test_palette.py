"""Colours are told apart with every kind of colour vision, and from the paper."""

from itertools import combinations

import numpy as np
import pytest

from peculiar.report.palette import (
    CLEAN,
    GROUP_COLOURS,
    GROUP_MARKERS,
    HIGH,
    INK,
    LINES,
    LOW,
    ORDINARY,
    OUTLIER,
    OUTLIER_MARKER,
)

VISION = {  # linear RGB as it is seen (Machado, Oliveira and Fernandes 2009, severity 1)
    "usual": np.eye(3),
    "protanopia": [[0.152, 1.053, -0.205], [0.115, 0.786, 0.099], [-0.004, -0.048, 1.052]],
    "deuteranopia": [[0.367, 0.861, -0.228], [0.280, 0.673, 0.047], [-0.012, 0.043, 0.969]],
    "tritanopia": [[1.256, -0.077, -0.179], [-0.078, 0.931, 0.148], [0.005, 0.691, 0.304]],
}
TO_XYZ = [[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]


def linear(colour):
    c = np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)]) / 255
    return np.where(c <= 0.04045, c / 12.92, ((c + 0.055) / 1.055) ** 2.4)


def lab(rgb):
    ratio = TO_XYZ @ np.clip(rgb, 0, 1) / [0.9505, 1.0, 1.089]
    x, y, z = np.where(ratio > 0.008856, np.cbrt(ratio), 7.787 * ratio + 16 / 116)
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


def contrast_with_white(colour):
    return 1.05 / (linear(colour) @ TO_XYZ[1] + 0.05)


@pytest.mark.parametrize("vision", VISION)
@pytest.mark.parametrize(
    "colours", [(OUTLIER, CLEAN, *GROUP_COLOURS), LINES, (HIGH, LOW, ORDINARY)]
)
def test_colours_are_told_apart(colours, vision):
    seen = [lab(VISION[vision] @ linear(colour)) for colour in colours]
    assert min(np.linalg.norm(a - b) for a, b in combinations(seen, 2)) > 15  # 2 is just noticed


def test_a_red_and_a_green_are_not_told_apart_by_everybody():
    red, green = (lab(VISION["protanopia"] @ linear(c)) for c in ("#c8500a", "#7a6a00"))
    assert np.linalg.norm(red - green) < 15


@pytest.mark.parametrize("colour", [OUTLIER, CLEAN, HIGH, LOW, *GROUP_COLOURS[:2]])
def test_marks_stand_out_on_white(colour):
    assert contrast_with_white(colour) > 3  # as WCAG asks of graphics


@pytest.mark.parametrize("colour", [INK, ORDINARY])
def test_text_can_be_read_on_white(colour):
    assert contrast_with_white(colour) > 4.5  # as WCAG asks of text


def test_groups_have_shapes_of_their_own():
    assert len({OUTLIER_MARKER, *GROUP_MARKERS}) == 1 + len(GROUP_COLOURS)
