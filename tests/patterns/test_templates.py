"""The templates are those of Figure 1, nested and symmetric."""

import itertools

import pytest

from engine.patterns.templates import (
    OFFSETS,
    REACH,
    SYMMETRIES,
    TEMPLATES,
    offset_index,
    ring_of,
    ring_table,
    transform_offset,
)
from tests.reference import patterns as twin


def template_offsets(template: int) -> set[tuple[int, int]]:
    """Return the offsets (dx, dy) of a template 1..14; T_14 up to REACH."""
    span = range(-REACH, REACH + 1)
    return {(dx, dy) for dy in span for dx in span if ring_of(dx, dy) <= template}


def test_rings_are_those_of_figure_1() -> None:
    assert {offset: ring_of(*offset) for offset in twin.RING} == twin.RING


def test_ring_table_is_indexed_by_offset() -> None:
    rings = ring_table()
    assert len(rings) == OFFSETS == len(twin.RING)
    assert all(rings[offset_index(*offset)] == ring for offset, ring in twin.RING.items())


@pytest.mark.parametrize(
    ("template", "points"),
    list(enumerate([1, 5, 9, 13, 21, 25, 29, 37, 41, 49, 73, 101, 141, OFFSETS], 1)),
)
def test_template_sizes(template: int, points: int) -> None:
    assert len(template_offsets(template)) == points


def test_templates_are_nested() -> None:
    sets = [template_offsets(template) for template in range(1, TEMPLATES + 1)]
    assert all(small < large for small, large in itertools.pairwise(sets))


@pytest.mark.parametrize("template", range(1, TEMPLATES + 1))
def test_templates_are_symmetric(template: int) -> None:
    offsets = template_offsets(template)
    for symmetry in range(SYMMETRIES):
        assert {transform_offset(*offset, symmetry) for offset in offsets} == offsets


def test_the_eight_symmetries_differ() -> None:
    images = {transform_offset(1, 2, symmetry) for symmetry in range(SYMMETRIES)}
    assert images == {move(1, 2) for move in twin.SYMMETRIES}
    assert len(images) == SYMMETRIES
