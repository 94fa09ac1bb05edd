"""Tallies of owners and the facts from them against their twin, and the seed of the roll-outs."""

import numpy as np
import pytest

from engine import Game
from engine.go.board import BLACK, BOARD_CELLS, COLOR, EMPTY, WHITE, copy_into
from engine.go.geometry import AREA, PASS, board_points, to_column_row
from engine.patterns.contender_facts import rank_moves
from engine.patterns.contenders import ALL, COUNT, FACTS, OWNER_FACTS
from engine.patterns.evidence import LAST_MOVE
from engine.patterns.matching import new_candidates, new_matcher
from engine.patterns.position import position_of
from engine.rollout.guided import guided_roll_out, new_guided_scratch, no_policy
from engine.rollout.owner_tallies import TALLIED_ROLLOUTS, new_owner_rollouts, tally_owners
from engine.rollout.uniform import final_owner
from engine.search.grower import Root, TreeGrower
from engine.search.model import SearchModel
from engine.search.root_priors import PriorStep
from tests.patterns.test_predictor import random_knowledge
from tests.patterns.test_trees import random_trees
from tests.reference import owners as twin
from tests.reference.games import random_game

SIZE, POINTS = 7, board_points(7)


def played_again(position, rng):
    """Return the single roll-outs of a position that a state of random numbers leads to."""
    sign, played = 1 if position.color == BLACK else -1, []
    board, first = np.zeros(BOARD_CELLS, np.uint16), np.zeros(AREA, np.uint8)
    local, last = new_guided_scratch(), position.memory[LAST_MOVE]
    for _ in range(TALLIED_ROLLOUTS):
        copy_into(position.board, board)
        limit = np.int64(3 * SIZE * SIZE)
        guided_roll_out(board, position.color, last, rng, first, limit, no_policy(), local)
        side = {0: 0, position.color: 1, 3 - position.color: -1}
        owners = {to_column_row(p): sign * int(final_owner(board, np.int64(p))) for p in POINTS}
        played.append(twin.Rollout(owners, {to_column_row(p): side[first[p]] for p in POINTS}))
    return played


def test_facts_about_owners_are_the_twins():
    matcher, found, behind = new_matcher(SIZE), new_candidates(), np.zeros(SIZE * SIZE)
    informed = random_knowledge(SIZE, 30, 3)._replace(owner_trees=random_trees(seed=8, facts=FACTS))
    plain, play, game = random_trees(), new_owner_rollouts(no_policy(), 4), Game(SIZE)
    contenders, compared = found.contenders, 0
    for number, turn in enumerate(random_game(SIZE, 30, 3)):
        position, before = position_of(game, turn.color), play.rng.copy()
        if number % 6 == 5:
            contenders.tallies[ALL, COUNT, PASS] = 0
            rank_moves(informed, plain, matcher, position, found, behind)
            order = contenders.order[: contenders.count[0]].tolist()
            points = [to_column_row(int(found.points[i])) for i in order]
            values = dict(zip(points, (-behind[order]).tolist(), strict=True))
            unknown = contenders.sums[: len(order), 0].copy()
            tally_owners(position, play, contenders.tallies)
            rank_moves(informed, plain, matcher, position, found, behind)
            rollouts = played_again(position, before)
            last = int(position.memory[LAST_MOVE])
            mover = turn.color, to_column_row(last) if last != PASS else None
            stones = {to_column_row(p): color for color in (1, 2) for p in game.stones(color)}
            for lane, point in enumerate(points):
                expected = twin.facts(stones, SIZE, mover, rollouts, values, point)
                own = contenders.facts[OWNER_FACTS:FACTS, lane].tolist()
                assert own == pytest.approx(expected, abs=0.5001)
                compared += 1
            assert (contenders.sums[: len(order), 0] != unknown).any()
        game.play(turn.color, turn.move)
    assert compared > 50


def test_owners_count_at_the_root_of_a_longer_search():
    patterns = random_knowledge(SIZE, 30, 3)._replace(trees=random_trees())
    patterns = patterns._replace(owner_trees=random_trees(seed=8, facts=FACTS))
    game = Game(SIZE)
    for turn in random_game(SIZE, 6, 3):
        game.play(turn.color, turn.move)
    point = next(point for point in POINTS if game.board[COLOR + point] == EMPTY)
    root = Root(position_of(game, BLACK), steps=(PriorStep(point, True, 3.0, 0.5),))

    def steps_after(*playouts, owners=True):
        model = SearchModel(owners=owners, prior_window=99.0)
        grower = TreeGrower(model, no_policy(), patterns, 1, 1 << 20, 3)
        grower.set_root(root, None)
        for some in playouts:
            grower.run(some, None)
        moves = grower.root_moves()
        return {move: grower._tree.step[node].tolist() for move, node in moves.items()}, grower

    (short, before), (longer, after) = steps_after(399), steps_after(300, 100)
    assert short == steps_after(400, owners=False)[0]
    assert before.tallies is None
    assert after.tallies[ALL, COUNT, PASS] == TALLIED_ROLLOUTS
    assert longer != short
    assert longer[point] == short[point] == [3.0, 0.5]
    assert longer == steps_after(400)[0]
    assert after._works[0].candidates.contenders.tallies[ALL, COUNT, PASS] == 0
    after.set_root(Root(position_of(game, WHITE)), None)
    assert after.tallies is None
