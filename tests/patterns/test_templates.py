"""The templates are those of Figure 1, nested and symmetric."""

from engine.patterns.templates import (
    OFFSETS,
    SYMMETRIES,
    offset_index,
    ring_of,
    ring_table,
    transform_offset,
)
from tests.reference import patterns as twin


def test_rings_are_those_of_figure_1() -> None:
    assert {offset: ring_of(*offset) for offset in twin.RING} == twin.RING


def test_ring_table_is_indexed_by_offset() -> None:
    rings = ring_table()
    assert len(rings) == OFFSETS == len(twin.RING)
    assert all(rings[offset_index(*offset)] == ring for offset, ring in twin.RING.items())


def test_the_eight_symmetries_differ() -> None:
    images = {transform_offset(1, 2, symmetry) for symmetry in range(SYMMETRIES)}
    assert images == {move(1, 2) for move in twin.SYMMETRIES}
    assert len(images) == SYMMETRIES
