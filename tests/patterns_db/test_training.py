"""patterns_db.positions and .training against a plain loop, and against interruptions."""

import numpy as np
import pytest

from engine.errors import EpDiverged, ModelFormatError
from engine.go.board import empty_board, place
from engine.patterns.choice import REJECTED, UNSETTLED, group_candidates, new_choice
from engine.patterns.evidence import GROUP_SIZES, GROUPS, new_memory, remember_move
from engine.patterns.matching import (
    NESTED,
    list_slots,
    match_moves_into,
    new_candidates,
    new_matcher,
)
from engine.patterns.ranking import observe
from engine.patterns.table import find_slot
from engine.patterns.valuing import EVIDENCE_ROWS, WIDTH
from patterns_db import training
from patterns_db.archive import pack_games
from patterns_db.checkpoints import gather, load_arrays, save_arrays, scatter
from patterns_db.harvest import harvest
from patterns_db.positions import (
    CANDIDATES,
    MOVES,
    blocks_of_games,
    new_positions,
    prepare_games,
    room_for,
    rows_into,
)
from patterns_db.training import MODELS, SPREAD, Trainer, new_learned, place_classes
from tests.patterns_db.collections import as_game, random_collection

BETA_SQUARED, TOLERANCE = 0.5, 1e-3


@pytest.fixture(scope="module")
def games():
    mixed = random_collection(6, size=7, length=20) + random_collection(2, size=5, length=12)
    return pack_games(mixed), mixed


@pytest.fixture(scope="module")
def classes(games):
    return place_classes(harvest(games[0]))


@pytest.fixture(scope="module")
def learned(games, classes):
    return train(games[0], classes)


def train(archive, classes, learned=None, **options):
    learned = learned or new_learned(len(classes.keys))
    trainer = Trainer(archive, classes, learned, BETA_SQUARED, TOLERANCE, **options)
    trainer.run(lambda games, moves: None)
    return learned


def same(one, other):
    return all(np.array_equal(a, b) for a, b in zip(one, other, strict=True))


def every_choice(games, keys):
    """Yield (candidates, count, index of the played one) for each move, game by game."""
    for game in games:
        board, memory = empty_board(game.size), new_memory()
        matcher, found = new_matcher(game.size), new_candidates()
        for color, move in zip(game.colors, game.moves, strict=True):
            count = match_moves_into(matcher, keys, board, memory, color, True, found)
            list_slots(matcher, color, found, count)
            yield found, count, found.points[:count].tolist().index(move)
            place(board, move, color)
            remember_move(board, memory, move)


def rows_of(found, count, slots):
    """Return the summands of each candidate, by the words of positions.rows_into."""
    rows = np.full((count, WIDTH), -1)
    nested = found.nested.reshape(-1, len(NESTED))
    for i in range(count):
        rows[i, 0] = found.slots[i] if found.slots[i] >= 0 else slots
        rows[i, 1 : 1 + len(NESTED)] = nested[i]
        for group in range(GROUPS):
            kind = found.evidence[i * GROUPS + group]
            if kind > 0:
                rows[i, 1 + len(NESTED) + group] = slots + 1 + sum(GROUP_SIZES[:group]) + kind
    return rows


def begin(beliefs, rows, smaller):
    """Give the classes of a position that were never met the paper model's prior, in order."""
    for row in dict.fromkeys(rows.tolist()):
        if row == len(smaller) or tuple(beliefs[row]) != (0.0, 1.0):
            continue
        inside = [row]
        while smaller[inside[-1]] >= 0:
            inside.append(smaller[inside[-1]])
        known = [r for r in inside if beliefs[r, 1] < 1.0]
        if known:
            beliefs[row] = beliefs[known[0], 0], SPREAD


def test_training_is_a_plain_loop(games, classes, learned):
    slots = len(classes.keys)
    expected = new_learned(slots)
    wide, narrow = new_choice(49, WIDTH), new_choice(49, 1)
    moves = 0
    for found, count, played in every_choice(games[1], classes.keys):
        rows = rows_of(found, count, slots)
        only = np.ascontiguousarray(rows[:, :1])
        group_candidates(wide, rows, count)
        observe(wide, expected.evidence, played, BETA_SQUARED, TOLERANCE)
        group_candidates(narrow, only, count)
        begin(expected.paper, only[:, 0], classes.smaller)
        observe(narrow, expected.paper, played, BETA_SQUARED, TOLERANCE)
        for i in range(count):
            expected.counts[only[i, 0], 0 if i == played else 1] += 1.0
        moves += 1
    trouble = [int(c.meta[slot]) for c in (wide, narrow) for slot in (UNSETTLED, REJECTED)]
    expected.tally[:] = games[0].games, moves, *trouble
    assert same(learned, expected)
    assert (expected.evidence != new_learned(slots).evidence).any()
    assert trouble[1] == trouble[3] == 0


def test_small_blocks_and_single_models_change_nothing(games, classes, learned, monkeypatch):
    monkeypatch.setattr(training, "BLOCK_CANDIDATES", 1000)
    assert len(blocks_of_games(games[0], 0, 1000)) > 3
    assert same(train(games[0], classes), learned)
    for name in MODELS:
        alone = train(games[0], classes, models=(name,))
        assert np.array_equal(getattr(alone, name), getattr(learned, name))


class Stop(Exception):  # noqa: N818
    pass


@pytest.mark.parametrize("after", [1, 3])
def test_going_on_from_a_checkpoint(games, classes, learned, monkeypatch, tmp_path, after):
    monkeypatch.setattr(training, "BLOCK_CANDIDATES", 1000)
    part, blocks = new_learned(len(classes.keys)), []

    def stop(done, moves):
        blocks.append(done)
        if len(blocks) == after:
            save_arrays(tmp_path / "learned.npz", gather(part, classes))
        if len(blocks) == after + 1:  # what is learned after the checkpoint is lost
            raise Stop

    trainer = Trainer(games[0], classes, part, BETA_SQUARED, TOLERANCE)
    with pytest.raises(Stop):
        trainer.run(stop)
    resumed = scatter(load_arrays(tmp_path / "learned.npz"), classes)
    assert 0 < resumed.tally[training.GAMES_DONE] < games[0].games
    assert same(train(games[0], classes, resumed), learned)


def test_an_improper_belief_is_not_saved(classes):
    broken = new_learned(len(classes.keys))
    broken.paper[classes.rows[0], 1] = -0.1
    with pytest.raises(EpDiverged, match="1 beliefs of the paper model"):
        gather(broken, classes)


def test_a_checkpoint_that_is_none(tmp_path):
    (tmp_path / "x.npz").write_bytes(b"nothing")
    with pytest.raises(ModelFormatError, match="not a checkpoint"):
        load_arrays(tmp_path / "x.npz")


def test_every_class_has_its_slot(games, classes):
    found = harvest(games[0])
    assert [find_slot(classes.keys, key) for key in found.keys] == classes.rows.tolist()
    assert len(set(classes.rows.tolist())) == len(found.keys)


def test_every_class_knows_the_next_smaller_one(games, classes):
    found = harvest(games[0])
    assert ((found.smaller < 0) == (found.templates == 1)).all()
    inside = found.smaller[found.templates > 1]
    assert (found.templates[inside] == found.templates[found.templates > 1] - 1).all()
    assert (found.counts[inside] >= found.counts[found.templates > 1]).all()
    for row, smaller in zip(classes.rows, found.smaller, strict=True):
        assert classes.smaller[row] == (classes.rows[smaller] if smaller >= 0 else -1)


def test_positions(games, classes):
    archive = games[0]
    positions = new_positions(*room_for(archive, 1))
    for first, last in blocks_of_games(archive, 0, 1):
        assert last == first + 1
        prepare_games({}, classes.keys, archive, first, last, positions)
        assert positions.meta[MOVES] == len(games[1][first].moves)
        assert positions.plies[: positions.meta[MOVES]].tolist() == list(
            range(positions.meta[MOVES])
        )
        assert positions.begins[positions.meta[MOVES]] == positions.meta[CANDIDATES]
        assert (positions.game[: positions.meta[MOVES]] == first).all()


def test_rows_lie_apart(games, classes):
    archive, slots = games[0], len(classes.keys)
    positions = new_positions(*room_for(archive, 1 << 20))
    prepare_games({}, classes.keys, archive, 0, archive.games, positions)
    rows, only = np.zeros((49, WIDTH), np.int64), np.zeros((49, 1), np.int64)
    for index in range(positions.meta[MOVES]):
        first, end = positions.begins[index : index + 2]
        rows_into(positions, first, end - first, slots, rows, only)
        used = rows[: end - first]
        assert used.max() < slots + EVIDENCE_ROWS
        for row in used:
            assert len(set(row[row >= 0])) == (row >= 0).sum()
        assert (only[: end - first, 0] == used[:, 0]).all()


def test_an_illegal_move_ends_its_game(games, classes):
    good = games[1][0]
    bad = as_game([*good.moves[:6], good.moves[5], *good.moves[6:]], good.size, "x/y.sgf")
    short = as_game(good.moves[:6], good.size, "x/y.sgf")
    one = train(pack_games([bad, games[1][1]]), classes)
    other = train(pack_games([short, games[1][1]]), classes)
    assert same(one, other)
