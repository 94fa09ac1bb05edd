"""Zobrist keys of pattern classes, kept per ring and updated stone by stone.

Source: Stern, Herbrich & Graepel (2006), sections 2.1 and 2.3. A pattern's key is the XOR of one
random number for each (offset, color) of its template. Its class contains all patterns that
rotation, mirroring and color reversal make of it, and is identified by the smallest key. Here

* "color" is own or opponent's from the view of the player to move: color reversal costs nothing;
* an empty offset adds nothing. This is the paper's four colors divided by the numbers of "empty".
  Their sum over a ring, a constant, is the ring's salt: the same stones in two templates have two
  keys;
* beyond the edge is another color on an unbounded board;
* the eight keys of a ring are one cache line. The key of T_i under a symmetry is the XOR of the
  rings 1..i;
* the rings beyond KEPT_RINGS keep the values of the empty board. Their stones are added when a
  key of such a template is requested. One stone thus changes 2 x 49 lines instead of 2 x 361.

The number of the local features (section 2.2) is XORed to the smallest of the eight keys.
# Deviates: the paper XORs it to each of them. The classes are the same, but the smallest key can
be kept while features change. A key's low bits are therefore uniform and its highest ones are
not: index tables by low bits.

All numbers come from SplitMix64 with a fixed seed: keys on disk have the same meaning everywhere
for a given PATTERN_KEY_VERSION. Twin: tests/reference/patterns.py.
"""

from functools import lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from engine.errors import BadSetup
from engine.go.board import COLOR, EMPTY, SIZE, Board, Points
from engine.go.geometry import AREA, MAX_SIZE, MIN_SIZE, STRIDE
from engine.jit import kernel, xor_line
from engine.patterns.templates import (
    NEAR_REACH,
    OFFSETS,
    REACH,
    SPAN,
    SYMMETRIES,
    TEMPLATES,
    offset_index,
    ring_of,
    ring_table,
    transform_offset,
)
from engine.randomness import mix_bits

Keys = npt.NDArray[np.uint64]
Bytes = npt.NDArray[np.uint8]

PATTERN_KEY_VERSION = 1
FEATURE_BITS = 8
OWN, OTHER, BEYOND = 0, 1, 2

# Strides of RingHashes.lines: keys of a ring at a vertex (a cache line), of a vertex, of a player.
LINE_KEYS = SYMMETRIES
VERTEX_KEYS = TEMPLATES * LINE_KEYS
PLAYER_KEYS = AREA * VERTEX_KEYS
NOTHING_CHANGED = TEMPLATES + 1
KEPT_RINGS = 10
# In one direction or the other. The straight offset has the smallest ring at that distance.
KEPT_REACH = max(far for far in range(NEAR_REACH + 1) if ring_of(far, 0) <= KEPT_RINGS)

_SEED = 0x596F6D6900000000 + PATTERN_KEY_VERSION  # "Yomi"


class RingHashes(NamedTuple):
    """The ring hashes of all vertices for both players; 1.3 MB, 0.6 MB of them used on 19x19."""

    codes: Keys  # uint64[3 * OFFSETS * 8], own, opponent's, beyond; by offset and symmetry
    ring: Bytes  # uint8[OFFSETS], ring 1..14
    feature_codes: Keys  # uint64[256], XOR of the numbers of the features that are set
    lines: Keys  # uint64[2 * AREA * 14 * 8], player to move, point, ring, symmetry
    stale: Bytes  # uint8[2 * AREA], smallest ring changed since the player's last match
    colors: Bytes  # uint8[AREA], color of the stone included in the lines
    stones: Points  # int64[1 + AREA], their number, then their points
    prefix: Keys  # uint64[MAX_SIZE ** 2 * 8], scratch: vertices' keys of T_i, by symmetry


def splitmix64(seed: int, count: int) -> Keys:
    """Return uint64[count] of the SplitMix64 stream (Steele, Lea & Flood 2014)."""
    with np.errstate(over="ignore"):
        z = np.uint64(seed) + np.arange(1, count + 1, dtype=np.uint64) * np.uint64(
            0x9E3779B97F4A7C15
        )
        stream: Keys = mix_bits(z)
    return stream


@lru_cache(maxsize=1)
def random_numbers() -> tuple[Keys, Keys, Keys]:
    """Return the numbers of (color, offset), rings' salts and features (Stern et al., Sec. 2.3).

    They are uint64[3, OFFSETS] (own, opponent's, beyond the edge), uint64[14] and uint64[8].
    """
    numbers = splitmix64(_SEED, 3 * OFFSETS + TEMPLATES + FEATURE_BITS)
    colors, salts, features = np.split(numbers, [3 * OFFSETS, 3 * OFFSETS + TEMPLATES])
    return colors.reshape(3, OFFSETS), salts, features


def _aligned(count: int) -> Keys:
    """Return uint64[count] that starts at a cache line: eight keys must never straddle two."""
    raw = np.zeros(count + LINE_KEYS, np.uint64)
    start = -(raw.ctypes.data // 8) % LINE_KEYS
    return raw[start : start + count]


@lru_cache(maxsize=1)
def _constants() -> tuple[Keys, Bytes, Keys, Keys]:
    """Return codes uint64[3 * OFFSETS * 8], ring, feature_codes and salts; shared by all."""
    colors, salts, features = random_numbers()
    span = range(-REACH, REACH + 1)
    images = [
        [offset_index(*transform_offset(dx, dy, s)) for s in range(SYMMETRIES)]
        for dy in span
        for dx in span
    ]
    feature_codes = np.zeros(1 << FEATURE_BITS, np.uint64)
    for bit in range(FEATURE_BITS):
        feature_codes[np.arange(1 << FEATURE_BITS) >> bit & 1 == 1] ^= features[bit]
    codes = _aligned(3 * OFFSETS * LINE_KEYS)
    codes[:] = colors[:, images].reshape(-1)
    return codes, ring_table(), feature_codes, salts


@lru_cache(maxsize=MAX_SIZE)
def empty_lines(size: int) -> Keys:
    """Return uint64[AREA * 14 * 8], one player's lines of the empty board of a size (read-only)."""
    if not MIN_SIZE <= size <= MAX_SIZE:
        raise BadSetup(f"unacceptable size: {size} (from {MIN_SIZE} to {MAX_SIZE})")
    codes, ring, _, salts = _constants()
    order = np.argsort(ring, kind="stable")
    starts = np.searchsorted(ring[order], np.arange(1, TEMPLATES + 1))
    lines = np.zeros((AREA, TEMPLATES, LINE_KEYS), np.uint64)
    for row in range(1, size + 1):
        for column in range(1, size + 1):
            beyond = codes.reshape(3, SPAN, SPAN, LINE_KEYS)[BEYOND].copy()
            low_row, low_column = REACH + 1 - row, REACH + 1 - column
            beyond[low_row : low_row + size, low_column : low_column + size] = 0
            sums = np.bitwise_xor.reduceat(beyond.reshape(OFFSETS, LINE_KEYS)[order], starts)
            lines[row * STRIDE + column] = sums ^ salts[:, np.newaxis]
    flat = lines.reshape(-1)
    # Shared by all boards of a size: a write here would change the keys of all.
    flat.flags.writeable = False
    return flat


def new_hashes(size: int) -> RingHashes:
    """Return the ring hashes of an empty board; raises BadSetup for an unsupported size."""
    codes, ring, feature_codes, _ = _constants()
    hashes = RingHashes(
        codes=codes, ring=ring, feature_codes=feature_codes, lines=_aligned(2 * PLAYER_KEYS),
        stale=np.zeros(2 * AREA, np.uint8), colors=np.zeros(AREA, np.uint8),
        stones=np.zeros(1 + AREA, np.int64), prefix=_aligned(MAX_SIZE * MAX_SIZE * LINE_KEYS),
    )  # fmt: skip
    clear_hashes(hashes, size)
    return hashes


def clear_hashes(hashes: RingHashes, size: int) -> None:
    """Reset the ring hashes to an empty board of a size."""
    hashes.lines.reshape(2, PLAYER_KEYS)[:] = empty_lines(size)
    hashes.stale[:] = 1
    hashes.colors[:] = 0
    hashes.stones[0] = 0


@kernel
def toggle_stone(hashes: RingHashes, size: int, point: int, color: int) -> None:
    """Put a stone into the ring hashes near it, or take it out: the operation is the same.

    Source: Stern, Herbrich & Graepel (2006), section 2.3, incremental update by XOR.
    hashes  lines and stale change in place
    """
    black = (color - 1) * OFFSETS
    white = (2 - color) * OFFSETS
    here_row, here_column = point // STRIDE, point % STRIDE
    # Keys of smaller templates are unchanged: the next match continues from this ring. A separate
    # loop, because it is then a few operations on whole rows.
    left, right = max(here_column - NEAR_REACH, 1), min(here_column + NEAR_REACH, size)
    for row in range(max(here_row - NEAR_REACH, 1), min(here_row + NEAR_REACH, size) + 1):
        center = (row - here_row + REACH) * SPAN + REACH - here_column
        for column in range(left, right + 1):
            ring = hashes.ring[center + column]  # equals that of the reversed offset
            for stale in (row * STRIDE + column, AREA + row * STRIDE + column):
                hashes.stale[stale] = min(ring, hashes.stale[stale])
    start = (here_row + REACH) * SPAN + here_column + REACH
    left, right = max(here_column - KEPT_REACH, 1), min(here_column + KEPT_REACH, size)
    for row in range(max(here_row - KEPT_REACH, 1), min(here_row + KEPT_REACH, size) + 1):
        for column in range(left, right + 1):
            offset = start - row * SPAN - column
            ring = np.int64(hashes.ring[offset])
            if ring > KEPT_RINGS:
                continue
            line = (row * STRIDE + column) * VERTEX_KEYS + (ring - 1) * LINE_KEYS
            xor_line(hashes.lines, line, hashes.codes, (black + offset) * LINE_KEYS)
            xor_line(hashes.lines, PLAYER_KEYS + line, hashes.codes, (white + offset) * LINE_KEYS)


@kernel
def follow_board(hashes: RingHashes, board: Board) -> int:
    """Bring the hashes up to date with any board (Stern et al., Sec. 2.3); return stones toggled.

    hashes  lines, stale, colors and stones change
    """
    size = np.int64(board[SIZE])
    toggled = stones = 0
    for row in range(1, size + 1):
        for point in range(row * STRIDE + 1, row * STRIDE + size + 1):
            color = np.int64(board[COLOR + point])
            if color != EMPTY:
                stones += 1
                hashes.stones[stones] = point
            before = np.int64(hashes.colors[point])
            if color == before:
                continue
            if before != EMPTY:
                toggle_stone(hashes, size, point, before)
            if color != EMPTY:
                toggle_stone(hashes, size, point, color)
            hashes.colors[point] = color
            toggled += 1
    hashes.stones[0] = stones
    # toggle_stone omits the last ring, and almost every vertex has the stone in its last ring.
    if toggled > 0:
        for vertex in range(2 * AREA):
            hashes.stale[vertex] = min(hashes.stale[vertex], np.uint8(TEMPLATES))
    return toggled


@kernel
def load_prefix(hashes: RingHashes, row: int, color: int, point: int, template: int) -> None:
    """Set a row of hashes.prefix to a template's keys under the eight symmetries; 0 for template 0.

    point   int64, the template's center
    """
    prefix = row * LINE_KEYS
    for symmetry in range(LINE_KEYS):
        hashes.prefix[prefix + symmetry] = 0
    for ring in range(1, template + 1):
        _add_ring(hashes, prefix, color, point, ring)


@kernel
def extend_prefix(hashes: RingHashes, row: int, color: int, point: int, template: int) -> np.uint64:
    """Extend a row of hashes.prefix from the next smaller template to this one; return its class.

    returns  uint64, the class key without features: the smallest of eight (Sec. 2.3)
    """
    prefix = row * LINE_KEYS
    _add_ring(hashes, prefix, color, point, template)
    key = hashes.prefix[prefix]
    for symmetry in range(1, LINE_KEYS):
        key = min(key, hashes.prefix[prefix + symmetry])
    return key


@kernel(inlined=True)
def _add_ring(hashes: RingHashes, prefix: int, color: int, point: int, ring: int) -> None:
    """Add a ring around a point to eight keys in hashes.prefix."""
    line = (color - 1) * PLAYER_KEYS + point * VERTEX_KEYS + (ring - 1) * LINE_KEYS
    xor_line(hashes.prefix, prefix, hashes.lines, line)
    if ring > KEPT_RINGS:
        _add_far_stones(hashes, prefix, color, point, ring)


@kernel
def _add_far_stones(hashes: RingHashes, prefix: int, color: int, point: int, ring: int) -> None:
    """Add the stones in a ring that is not kept to eight keys in hashes.prefix."""
    center = (REACH - point // STRIDE) * SPAN + REACH - point % STRIDE
    for i in range(1, 1 + hashes.stones[0]):
        other = hashes.stones[i]
        offset = center + other // STRIDE * SPAN + other % STRIDE
        if hashes.ring[offset] == ring:
            view = OWN if hashes.colors[other] == color else OTHER
            xor_line(hashes.prefix, prefix, hashes.codes, (view * OFFSETS + offset) * LINE_KEYS)
