"""Groups whose besiegers depend on them, and groups that roll-outs are sure of."""

from dataclasses import replace

import numpy as np
import pytest

from engine import BLACK, WHITE
from engine.facts.group_prover import GroupProver, ReadingBudget, prove_fates
from engine.facts.group_questions import AskedGroup, GroupSurroundings
from engine.go.geometry import AREA
from engine.jit import JIT_ENABLED
from engine.life.groups import local_question, seen_from_attackers, with_weak_besiegers
from engine.life.reader import LifeReading
from engine.picture.picture import picture_of
from tests.diagrams import game_of, liberties_at, points_marked
from tests.final_positions import STAND_OFFS

pytestmark = pytest.mark.filterwarnings("ignore:overflow:RuntimeWarning")
CORNER, FAR = (position.diagram for position in STAND_OFFS)


def white_lives(game):
    """Owners where only White's stones live."""
    ownership = np.zeros(AREA)
    ownership[game.stones(WHITE)] = -1.0
    return ownership


def far_group():
    """Return the position of the besieger far away, its white group and the questions about it."""
    game = game_of(FAR)
    group = points_marked(FAR, "o")
    picture = picture_of(game.board)
    tight = local_question(picture, group)
    standing = GroupSurroundings(picture, white_lives(game))
    wider = with_weak_besiegers(picture, tight)
    return game, group, AskedGroup(standing, wider, tight, is_given=True, is_tight=True)


def test_a_weak_besieger_belongs_to_the_fight():
    game, group, asked = far_group()
    black = set(points_marked(FAR, "x"))
    assert asked.goal == set(group)
    assert asked.weak_besiegers == black
    assert set(liberties_at(game, min(black))) <= asked.question.points
    assert black <= asked.question.points


def test_stones_that_touch_nothing_are_left_out_of_the_region():
    game, group, asked = far_group()
    left_out = asked.question.left_out
    assert left_out
    assert left_out <= set(points_marked(FAR, "x"))
    inside = set(group) | set(liberties_at(game, points_marked(FAR, "x")[0]))
    assert not inside & left_out
    turned = seen_from_attackers(picture_of(game.board), asked.question)
    assert (turned.defender, turned.points) == (BLACK, asked.question.points)
    assert (turned.defenders, turned.attackers) == (
        asked.question.attackers,
        asked.question.defenders,
    )


def test_friends_behind_a_weak_besieger():
    _, _, asked = far_group()
    chains = asked.friends_behind
    assert set().union(*(chain.stones for chain in chains)) == set(points_marked(FAR, "O"))


@pytest.mark.skipif(not JIT_ENABLED, reason="too slow without the JIT")
def test_a_besieger_with_one_eye_and_its_group_live_in_seki():
    game, group, asked = far_group()
    prover = GroupProver(game.board)
    found = [*prover.fates(asked), *prover.longer()]
    assert found == [("seki", frozenset(group) | frozenset(points_marked(FAR, "x")))]


def test_a_seki_in_a_ko_is_read_longer_where_the_reading_of_eyes_was_too_short(monkeypatch):
    game, group, asked = far_group()
    found = {"dead": LifeReading("dead", None, None, 0, 0, 0.0)}
    found["ko"] = replace(found["dead"], status="ko", threat="mover")
    found["short"] = replace(found["ko"], threat=None)
    # A group without weak besiegers: attacked, its owner first, and its eyes, twice.
    answers = iter(["ko", "ko", "short", "ko", "ko", "ko"])
    monkeypatch.setattr(GroupProver, "_read", lambda *_: found[next(answers)])
    prover = GroupProver(game.board)
    hurried = GroupProver(game.board, budget=ReadingBudget(0))
    tight = replace(asked, question=asked.tight)
    assert "seki" not in dict(prover.fates(tight))
    hurried._waiting = dict(prover._waiting)
    assert not list(hurried.longer())
    assert dict(prover.longer())["seki"] >= frozenset(group)


def test_a_group_with_few_liberties_is_read_although_nothing_is_in_doubt():
    game = game_of(CORNER)
    ownership = -np.ones(AREA)
    ownership[game.stones(BLACK)] = 1.0
    proved = prove_fates(game.board, set(), set(), ownership)
    marked = points_marked(CORNER, "x") + points_marked(CORNER, "o")
    assert proved.seki == frozenset(marked)
    assert not proved.dead | proved.critical | proved.kos
