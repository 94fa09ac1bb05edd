"""engine.patterns.responses against its twin, and the values of moves with them."""

import numpy as np
import pytest

from engine.go.geometry import to_column_row
from engine.patterns.choice import MEAN, VARIANCE
from engine.patterns.contender_facts import rank_moves
from engine.patterns.matching import new_matcher
from engine.patterns.predictor import Predictor, load_moves, new_prediction_work
from engine.patterns.responses import NO_RESPONSE, RESPONSE_KINDS, Responses, write_keys
from engine.patterns.table import claim_slot, slots_for
from tests.patterns.test_trees import knowledge, pair_of, positions, random_trees
from tests.reference.games import COLOR_NAME
from tests.reference.responses import response

__all__ = ["knowledge"]


def ranked(knowledge):
    """Yield (turn, position, work) of the random game, the contenders' keys written."""
    trees, matcher = random_trees(), new_matcher(7)
    work, behind = new_prediction_work(knowledge.summands), np.zeros(49)
    for turn, position in positions():
        rank_moves(knowledge, trees, matcher, position, work.candidates, behind)
        write_keys(matcher, position, work.candidates)
        yield turn, position, work


def test_keys_differ_where_the_twins_classes_do(knowledge):
    keys = [{} for _ in RESPONSE_KINDS]
    for turn, position, work in ranked(knowledge):
        contenders = work.candidates.contenders
        for lane in range(contenders.count[0]):
            point = to_column_row(int(work.candidates.points[contenders.order[lane]]))
            for number, (which, template, own) in enumerate(RESPONSE_KINDS):
                move, player = pair_of(position.memory[which]), COLOR_NAME[turn.color]
                named = response(turn.oracle, point, player, move, template, own)
                key = int(contenders.keys[number, lane])
                assert (key == 0) == (named is None)
                assert keys[number].setdefault(repr(named), key) == key
    assert all(len(set(found.values())) == len(found) > 100 for found in keys)


def random_responses(knowledge, seed=9):
    """Return beliefs about half of the classes of the random game's contenders."""
    found = [work.candidates.contenders.keys.copy() for *_, work in ranked(knowledge)]
    known = np.unique(np.stack(found))[1::2]
    keys, rng = np.zeros(slots_for(len(known)), np.uint32), np.random.default_rng(seed)
    for key in known:
        claim_slot(keys, key)
    means, variances = rng.normal(size=len(keys)), rng.uniform(0.01, 0.1, len(keys))
    return Responses(keys, means.astype(np.float32), variances.astype(np.float32))


def test_responses_add_their_beliefs_to_those_of_the_trees(knowledge):
    plain = knowledge._replace(trees=random_trees())
    informed = plain._replace(responses=random_responses(plain))
    matchers, met = (new_matcher(7), new_matcher(7)), set()
    works = [new_prediction_work(plain.summands) for _ in matchers]
    for _, position in positions():
        for model, matcher, work in zip((plain, informed), matchers, works, strict=True):
            load_moves(model, matcher, position, work)
        before, after = (work.candidates.contenders for work in works)
        for lane in range(after.count[0]):
            slots = [slot for slot in after.slots[:, lane].tolist() if slot != NO_RESPONSE]
            met |= {*slots, NO_RESPONSE} if len(slots) < len(RESPONSE_KINDS) else {*slots}
            for part, values in (
                (MEAN, informed.responses.means),
                (VARIANCE, informed.responses.variances),
            ):
                expected = before.sums[lane, part] + sum(values[slot] for slot in slots)
                assert after.sums[lane, part] == pytest.approx(expected, abs=1e-6)
        assert sum(Predictor(informed).probabilities(position).values()) == pytest.approx(1.0)
    assert len(met) > 200
    assert NO_RESPONSE in met
