"""engine.patterns.context against its twin, and the values of moves with it."""

import numpy as np
import pytest

from engine.go.board import place
from engine.go.geometry import PASS, to_column_row
from engine.patterns.choice import MEAN
from engine.patterns.contenders import CONTEXT_GROUPS
from engine.patterns.context import (
    ANSWER,
    ANSWER_REACH,
    CONTEXT_ROWS,
    CONTEXT_SIZES,
    FIRST_CONTEXT,
    FOLLOW_UP,
    FOLLOW_UP_REACH,
    write_context,
)
from engine.patterns.evidence import (
    EVIDENCE_GROUPS,
    LAST_MOVE,
    MOVE_BEFORE,
    THIRD_LAST,
    new_memory,
    remember_move,
)
from engine.patterns.matching import match_moves_into, new_candidates, new_matcher
from engine.patterns.position import memory_of
from engine.patterns.predictor import Predictor
from engine.patterns.valuing import value_moves
from tests.patterns.group_names import CONTEXT_NAMES, GROUP_NAMES
from tests.patterns.test_matching import harvest
from tests.patterns.test_predictor import positions, random_knowledge
from tests.reference import context as twin
from tests.reference.games import COLOR_NAME, random_game

FOUND = new_candidates()


def classes_of(size: int, length: int, seed: int):
    """Yield (turn, memory, point, template, evidence, class of each group) of a random game."""
    keys, matcher, memory = harvest(size, length // 2, seed), new_matcher(size), new_memory()
    for turn in random_game(size, length, seed):
        count = match_moves_into(matcher, keys, turn.board, memory, turn.color, True, FOUND)
        write_context(matcher, turn.board, memory, turn.color, FOUND, count)
        rows = FOUND.context.reshape(-1, CONTEXT_GROUPS)[:count]
        kinds = np.where(rows < 0, 0, rows - np.array(FIRST_CONTEXT) + 1)
        assert (rows < np.array(FIRST_CONTEXT) + np.array(CONTEXT_SIZES)).all()
        assert ((rows >= np.array(FIRST_CONTEXT)) | (rows == -1)).all()
        evidence = FOUND.evidence.reshape(-1, EVIDENCE_GROUPS)
        for i in range(count):
            named = dict(zip(GROUP_NAMES, evidence[i].tolist(), strict=True))
            yield turn, memory, int(FOUND.points[i]), int(FOUND.templates[i]), named, kinds[i]
        after = turn.board.copy()
        place(after, np.int64(turn.move), turn.color)
        remember_move(after, memory, turn.move)


def pair_of(point: int) -> tuple[int, int] | None:
    return to_column_row(int(point)) if point != PASS else None


@pytest.mark.parametrize(("size", "length", "seed"), [(5, 40, 1), (9, 40, 5)])
def test_classes_differ_where_the_twins_facts_do(size, length, seed):
    classes = {name: {} for name in CONTEXT_NAMES}
    for turn, memory, point, template, evidence, kinds in classes_of(size, length, seed):
        player, at = COLOR_NAME[turn.color], to_column_row(point)
        moves = twin.Moves(*(pair_of(memory[i]) for i in (LAST_MOVE, MOVE_BEFORE, THIRD_LAST)))
        told = twin.context(turn.oracle, at, player, moves, template, evidence)
        for group, reach in ((ANSWER, ANSWER_REACH), (FOLLOW_UP, FOLLOW_UP_REACH)):
            move = moves.last if group == ANSWER else moves.before
            told[CONTEXT_NAMES[group]] = repr(twin.answer(turn.oracle, at, player, move, reach))
        for name, kind in zip(CONTEXT_NAMES, kinds.tolist(), strict=True):
            # A function of the facts: equal facts always have the same class.
            assert classes[name].setdefault(told[name], kind) == kind, (name, told[name])
    for name, found in classes.items():
        distinct = len(set(found.values()))
        # Hashed classes may coincide now and then; all others are one to one.
        assert distinct == len(found) or (
            name in ("answer", "follow-up") and distinct > 0.9 * len(found)
        )
        assert distinct > 1


def test_facts_that_do_not_apply_have_no_class():
    first = next(classes_of(5, 4, 1))
    named = dict(zip(CONTEXT_NAMES, first[-1].tolist(), strict=True))
    absent = ("pair", "gap", "third", "capture", "atari", "answer", "follow-up")
    assert [named[name] for name in absent] == [0] * len(absent)


def test_context_adds_its_means_to_values_and_moves_probabilities():
    known, plain = random_knowledge(), np.zeros(49)
    rng = np.random.default_rng(7)
    context = np.stack([rng.normal(size=CONTEXT_ROWS), np.full(CONTEXT_ROWS, 0.1)], axis=1)
    informed, valued, matcher, found = known._replace(context=context), np.zeros(49), *_scratch()
    changed = 0
    for number, game in enumerate(positions()):
        if number % 7 != 6:
            continue
        memory, color = memory_of(game), game.to_play
        count = match_moves_into(matcher, known.keys, game.board, memory, color, True, found)
        write_context(matcher, game.board, memory, color, found, count)
        value_moves(known, matcher, color, found, count, plain)
        best = value_moves(informed, matcher, color, found, count, valued)
        rows = found.context.reshape(-1, CONTEXT_GROUPS)[:count]
        added = [sum(context[row, MEAN] for row in own if row >= 0) for own in rows]
        assert valued[:count].tolist() == pytest.approx((plain[:count] + added).tolist())
        assert best == valued[:count].max()
        chances = Predictor(informed).of_game(game, color)
        assert sum(chances.values()) == pytest.approx(1.0)
        assert chances != Predictor(known).of_game(game, color)
        changed += 1
    assert changed > 2


def _scratch():
    return new_matcher(7), new_candidates()
