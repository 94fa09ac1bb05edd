"""patterns_db.patterns.harvest against a dictionary that counts the classes of the slow twin."""

from collections import Counter
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sgfmill.boards import Board

from engine.go.board import empty_board, place
from engine.go.geometry import to_column_row
from engine.patterns.templates import TEMPLATES
from patterns_db.patterns import sightings as sighting
from patterns_db.patterns.harvest import count_games, harvest, select, sight_games
from patterns_db.patterns.sightings import (
    common_counts,
    join_counts,
    join_sighted,
    new_sighted,
    new_sightings,
)
from patterns_db.patterns.walker import new_walker, take_keys
from patterns_db.records.archive import WHITE_BIT, cut_games, pack_games
from tests.patterns_db.collections import as_game, random_collection
from tests.reference import patterns as twin


def count_classes(games):
    """Return how often each (class, template) was played, by the slow twin."""
    counts = Counter()
    for game in games:
        board, ko = Board(game.size), None
        for color, move in zip(game.colors, game.moves, strict=True):
            player, point = "-bw"[color], to_column_row(int(move))
            bits = twin.features(board, point, player, ko is not None)
            keys = twin.class_keys(board, point, player, bits)
            counts.update((key, template) for template, key in enumerate(keys, 1))
            ko = board.play(point[1] - 1, point[0] - 1, player)
    return counts


@pytest.fixture(scope="module")
def games():
    return random_collection(4, size=5, length=18)


@pytest.fixture(scope="module")
def expected(games):
    return count_classes(games)


def as_dict(found):
    keys, counts, templates = (field.tolist() for field in found[:3])
    return {(k, t): c for k, c, t in zip(keys, counts, templates, strict=True)}


@pytest.mark.parametrize("min_count", [2, 3])
def test_counts_are_exact(games, expected, min_count):
    found = as_dict(harvest(pack_games(games), min_count))
    assert found == {key: count for key, count in expected.items() if count >= min_count}


def test_a_bad_filter_changes_nothing(games, expected, monkeypatch):
    monkeypatch.setattr(sighting, "CLASSES_PER_MOVE", 1)
    found = as_dict(harvest(pack_games(games)))
    assert found == {key: count for key, count in expected.items() if count >= 2}


def test_of_every_class_the_smaller_ones_stay(games):
    archive = pack_games(games)
    everything = harvest(archive)
    nested = [set(twin_keys) for twin_keys in all_moves(games)]
    for most in range(1, len(everything.keys), 7):
        found = harvest(archive, max_patterns=most)
        assert len(found.keys) == most
        assert (np.diff(found.counts.astype(int)) <= 0).all()
        kept = set(zip(found.keys.tolist(), found.templates.tolist(), strict=True))
        for move in nested:
            sizes = sorted(template for _, template in kept & move)
            assert sizes == list(range(1, len(sizes) + 1))


def all_moves(games):
    """Yield the (class, template) pairs of every move."""
    for game in games:
        walker, board = new_walker(game.size), empty_board(game.size)
        for color, move in zip(game.colors, game.moves, strict=True):
            walker.board[:] = board
            take_keys(walker, move, color)
            yield list(zip(walker.keys.tolist(), range(1, TEMPLATES + 1), strict=True))
            place(board, move, color)


def test_a_game_ends_at_its_first_illegal_move(games):
    cut = as_game([*games[0].moves[:5], games[0].moves[4], *games[0].moves[5:]], 5, "x")
    found = harvest(pack_games([cut, cut]))
    short = as_game(games[0].moves[:5], 5, "x")
    assert as_dict(found) == as_dict(harvest(pack_games([short, short])))


def test_passes_and_set_up_stones_are_no_moves():
    game = as_game([32, 33], 5, "x")
    archive = pack_games([game, game])
    setup = archive._replace(moves=archive.moves | np.uint16(0x4000))
    assert len(harvest(setup).keys) == 0
    passes = archive._replace(moves=archive.moves & np.uint16(WHITE_BIT))
    assert len(harvest(passes).keys) == 0


@settings(max_examples=8)
@given(st.integers(1, 6), st.randoms(use_true_random=False))
def test_parts_in_any_order_are_the_whole(parts, rng):
    archive = pack_games(random_collection(6, size=4, length=12))
    edges = sorted([0, 6, *(rng.randrange(7) for _ in range(parts - 1))])
    shards = [cut_games(archive, *edge) for edge in pairwise(edges)]
    sighted, found = new_sighted(len(archive.moves)), new_sightings(16)
    for shard in rng.sample(shards, len(shards)):
        join_sighted(sighted, sight_games(shard, len(archive.moves)))
    for shard in rng.sample(shards, len(shards)):
        counted = count_games(shard, sighted.twice)
        found = join_counts(found, common_counts(counted, 1))
    for whole, joined in zip(harvest(archive), select(common_counts(found, 2), None), strict=True):
        assert whole.tolist() == joined.tolist()
