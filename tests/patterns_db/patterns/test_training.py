"""patterns_db.patterns.training against a plain loop, and against interruptions."""

import numpy as np
import pytest

from engine.errors import EpDiverged
from engine.go.board import empty_board, place
from engine.go.geometry import AREA
from engine.patterns.choice import CHOICE_REJECTED, CHOICE_UNSETTLED, group_candidates, new_choice
from engine.patterns.evidence import EVIDENCE_GROUPS, GROUP_SIZES, new_memory, remember_move
from engine.patterns.matching import match_moves_into, new_candidates, new_matcher
from engine.patterns.ranking import learn_from_move
from engine.patterns.templates import TEMPLATES
from engine.patterns.valuing import EVIDENCE_ROWS
from patterns_db.patterns import training
from patterns_db.patterns.checkpoints import add_up, gather, most_telling, scatter
from patterns_db.patterns.harvest import harvest
from patterns_db.patterns.training import (
    TOLERANCE,
    Trainer,
    TrainingSettings,
    new_learned,
    place_classes,
)
from patterns_db.records.archive import pack_games
from patterns_db.store.checkpointing import load_arrays, save_arrays
from tests.patterns_db.collections import as_game, random_collection

BETA = 0.7
BETA_SQUARED = BETA**2


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
    Trainer(archive, classes, learned, TrainingSettings((), beta=BETA, **options)).run()
    return learned


def same(one, other):
    return all(np.array_equal(a, b) for a, b in zip(one, other, strict=True))


def every_choice(games, keys):
    """Yield (matcher, candidates, count, color, index of the played one) for each move."""
    for game in games:
        board, memory = empty_board(game.size), new_memory()
        matcher, found = new_matcher(game.size), new_candidates()
        for color, move in zip(game.colors, game.moves, strict=True):
            count = match_moves_into(matcher, keys, board, memory, color, True, found)
            yield matcher, found, count, color, found.points[:count].tolist().index(move)
            place(board, move, color)
            remember_move(board, memory, move)


def rows_of(matcher, found, count, color, slots):
    """Return the summands of each candidate, by the words of valuing.summands_into."""
    rows = np.full((count, TEMPLATES + EVIDENCE_GROUPS), -1)
    for i in range(count):
        matched = found.templates[i]
        start = ((color - 1) * AREA + found.points[i]) * TEMPLATES
        rows[i, :matched] = matcher.slots[start : start + matched]
        if matched == 0:
            rows[i, 0] = slots
        for group in range(EVIDENCE_GROUPS):
            kind = found.evidence[i * EVIDENCE_GROUPS + group]
            if kind > 0:
                rows[i, TEMPLATES + group] = slots + 1 + sum(GROUP_SIZES[:group]) + kind
    return rows


def test_training_is_a_plain_loop(games, classes, learned):
    slots = len(classes.keys)
    expected = new_learned(slots)
    wide, narrow = new_choice(49, TEMPLATES + EVIDENCE_GROUPS), new_choice(49, TEMPLATES)
    moves = 0
    for matcher, found, count, color, played in every_choice(games[1], classes.keys):
        rows = rows_of(matcher, found, count, color, slots)
        patterns = np.ascontiguousarray(rows[:, :TEMPLATES])
        group_candidates(wide, rows, count)
        learn_from_move(wide, expected.evidence, played, BETA_SQUARED, TOLERANCE)
        group_candidates(narrow, patterns, count)
        learn_from_move(narrow, expected.paper, played, BETA_SQUARED, TOLERANCE)
        for i in range(count):
            largest = patterns[i, max(found.templates[i] - 1, 0)]
            expected.counts[largest, 0 if i == played else 1] += 1.0
        moves += 1
    trouble = [
        int(c.meta[slot]) for c in (wide, narrow) for slot in (CHOICE_UNSETTLED, CHOICE_REJECTED)
    ]
    expected.tally[:] = games[0].games, moves, *trouble
    assert same(learned, expected)
    assert (expected.evidence != new_learned(slots).evidence).any()
    assert trouble[1] == trouble[3] == 0


def test_independent_classes_are_a_plain_loop_over_the_largest(games, classes):
    """As the paper prints it: a class's value is its own, N(0, 1) before any move."""
    slots = len(classes.keys)
    learned = train(games[0], classes, new_learned(slots, independent=True), independent=True)
    evidence, paper = np.zeros((slots + EVIDENCE_ROWS, 2)), np.zeros((slots + 1, 2))
    evidence[:, 1] = paper[:, 1] = 1.0
    wide, narrow = new_choice(49, 1 + EVIDENCE_GROUPS), new_choice(49, 1)
    for matcher, found, count, color, played in every_choice(games[1], classes.keys):
        rows = rows_of(matcher, found, count, color, slots)
        largest = np.maximum(found.templates[:count].astype(int) - 1, 0)
        only = rows[np.arange(count), largest][:, np.newaxis]
        group_candidates(wide, np.hstack([only, rows[:, TEMPLATES:]]), count)
        learn_from_move(wide, evidence, played, BETA_SQUARED, TOLERANCE)
        group_candidates(narrow, only, count)
        learn_from_move(narrow, paper, played, BETA_SQUARED, TOLERANCE)
    assert np.array_equal(learned.evidence, evidence)
    assert np.array_equal(learned.paper, paper)
    assert np.array_equal(learned.counts, train(games[0], classes).counts)


def test_small_blocks_change_nothing(games, classes, learned, monkeypatch):
    monkeypatch.setattr(training, "BLOCK_GAMES", 1)
    assert same(train(games[0], classes), learned)


@pytest.mark.parametrize("after", [1, 3])
def test_going_on_from_a_checkpoint(games, classes, learned, monkeypatch, tmp_path, after):
    monkeypatch.setattr(training, "BLOCK_GAMES", 1)
    part = new_learned(len(classes.keys))
    steps = Trainer(games[0], classes, part, TrainingSettings((), beta=BETA)).steps()
    for _ in range(after):
        next(steps)()
    save_arrays(tmp_path / "learned.npz", gather(part, classes))
    next(steps)()  # learning after the checkpoint is lost
    steps.close()
    resumed = scatter(load_arrays(tmp_path / "learned.npz"), classes)
    assert 0 < resumed.tally[training.GAMES_DONE] < games[0].games
    assert same(train(games[0], classes, resumed), learned)


def test_an_improper_belief_is_not_saved(classes):
    broken = new_learned(len(classes.keys))
    broken.paper[classes.rows[0], 1] = -0.1
    with pytest.raises(EpDiverged, match="1 beliefs of the paper model"):
        gather(broken, classes)


def test_values_are_sums_of_differences(games, classes):
    found, rng = harvest(games[0]), np.random.default_rng(2)
    differences = rng.uniform(0.1, 1.0, (len(classes.keys), 2))
    values = differences.copy()
    add_up(values, found, classes.rows)
    for i, row in enumerate(classes.rows):
        inside, expected = i, np.zeros(2)
        while inside >= 0:
            expected += differences[classes.rows[inside]]
            inside = found.smaller[inside]
        assert values[row] == pytest.approx(expected)


def test_the_most_telling_classes(games):
    found, rng = harvest(games[0]), np.random.default_rng(3)
    differences = rng.normal(size=(len(found.keys), 2)).round(1)  # equal ones, too
    told = found.counts * np.abs(differences[:, 0])
    within = [[i] for i in range(len(found.keys))]  # the class and all that contain it
    for i, smaller in enumerate(found.smaller):
        while smaller >= 0:
            within[smaller].append(i)
            smaller = found.smaller[smaller]
    telling = np.array([max(told[numbers]) for numbers in within])
    for most in (1, len(found.keys) // 3, len(found.keys), 10 * len(found.keys)):
        kept = most_telling(found, differences, most)
        assert len(kept) == min(most, len(found.keys))
        assert (np.diff(kept) > 0).all()
        left = np.setdiff1d(np.arange(len(found.keys)), kept)
        assert min(telling[kept]) >= max(telling[left], default=0.0)
        assert set(found.smaller[kept]) <= {-1, *kept.tolist()}


def test_an_illegal_move_ends_its_game(games, classes):
    good = games[1][0]
    bad = as_game([*good.moves[:6], good.moves[5], *good.moves[6:]], good.size, "x/y.sgf")
    short = as_game(good.moves[:6], good.size, "x/y.sgf")
    one = train(pack_games([bad, games[1][1]]), classes)
    other = train(pack_games([short, games[1][1]]), classes)
    assert same(one, other)
