"""The thinker that searches: advice in the search's form, and the source of the decision."""

import math
from types import SimpleNamespace

import numpy as np
import pytest

from engine import BLACK, RULESETS, WHITE, Game, Knowledge, SearchThinker, parse_vertex, to_point
from engine.belief.memory import PATH, BeliefMemory
from engine.belief.root_moves import MoveBelief
from engine.captures.priors import PriorTable
from engine.endings.sums import SUMS, SumAdvice
from engine.facts.chain_facts import Surveyor
from engine.facts.group_prover import ReadingBudget
from engine.facts.position_facts import Facts
from engine.go.geometry import PASS
from engine.patterns.valuing import no_patterns
from engine.player import searching
from engine.player.decision import Deliberation
from engine.player.player import Player
from engine.player.prior_steps import replies_to_rescues
from engine.player.searching import choose_between, reports
from engine.player.thinker import Limits, MoveRequest, ThinkerOptions
from engine.rollout.guided import new_guided_scratch, set_replies
from engine.search.model import SearchModel
from scripts.play.uct import UctModel, UctSearcher
from tests.beliefs import believed
from tests.diagrams import game_of
from tests.endings.test_fights import TWO
from tests.player.test_prior_steps import DEAD

QUICK = ThinkerOptions(playouts=20, threads=1, memory_mib=1)
ATARI = """
    . . . . .
    . . O . .
    . O X . .
    . . O . .
    . . . . ."""


def answered(thinker: SearchThinker, request: MoveRequest, playouts: int = 20):
    """Return the reports and the decision."""
    limits = Limits(playouts, None, math.inf, lambda: False)
    deliberation = Deliberation(thinker.think(request, limits, math.inf))
    return list(deliberation), deliberation.decision


def question_of(game: Game, color: int, **more) -> MoveRequest:
    return MoveRequest(game, color, frozenset([*game.legal_points(color), PASS]), **more)


def test_the_decision_rests_on_the_last_report():
    thinker = SearchThinker(QUICK, Knowledge(), 1, Facts())
    reports, decision = answered(thinker, question_of(Game(4), BLACK))
    assert (decision.point, decision.resign) == (reports[-1].moves[0].point, False)
    assert decision.playouts == reports[-1].playouts == 20
    reports, _ = answered(thinker, question_of(Game(4, komi=0.5), BLACK))
    assert reports[-1].playouts <= 21  # another game: nothing of the first one is kept
    game = Game(4)
    answered(thinker, question_of(game, BLACK))
    reports, _ = answered(thinker, question_of(game, BLACK))
    assert reports[-1].playouts == 40
    thinker.forget()
    reports, _ = answered(thinker, question_of(game, BLACK))
    assert reports[-1].playouts == 20


def test_chains_give_no_advice_while_dead_stones_are_captured():
    game = game_of(ATARI)
    options = ThinkerOptions(playouts=1000, threads=1, memory_mib=1)  # bounds the reading, too
    thinker = SearchThinker(options, Knowledge(), 1, Facts())
    _, advised = answered(thinker, question_of(game, WHITE))
    thinker.forget()
    _, alone = answered(thinker, question_of(game, WHITE, clean_up=True))
    assert advised.advice
    assert not alone.advice


@pytest.mark.parametrize(
    ("tactics", "clean_up", "answered_at_all"),
    [(True, False, True), (False, False, False), (True, True, False)],
)
def test_roll_outs_answer_as_the_proof_does(tactics, clean_up, answered_at_all):
    game = game_of(DEAD)
    options = ThinkerOptions(playouts=1000, threads=2, memory_mib=1, tactics=tactics)
    thinker = SearchThinker(options, Knowledge(), 1, Facts())
    answered(thinker, question_of(game, BLACK, clean_up=clean_up))
    expected = new_guided_scratch()
    if answered_at_all:
        chains = thinker.facts.chains(game.board, ReadingBudget())
        set_replies(expected, replies_to_rescues(chains, game.size))
        assert expected.replies.any()
    for work in thinker.search.searcher._works:
        np.testing.assert_array_equal(work.local.replies, expected.replies)


def test_one_survey_serves_the_sum_and_the_search(monkeypatch):
    surveys = []
    real = Surveyor.survey

    def survey(surveyor, board, nodes, stopped):
        surveys.append(nodes)
        return real(surveyor, board, nodes, stopped)

    monkeypatch.setattr(Surveyor, "survey", survey)
    game = game_of(TWO, BLACK, RULESETS["chinese"])
    thinker = SearchThinker(QUICK, Knowledge(), 1, Facts())
    request = question_of(game, BLACK, ownership=Facts().status(game).ownership)
    _, decision = answered(thinker, request)
    assert "small fights" in decision.reason
    assert surveys == [SUMS.survey_nodes]
    assert thinker.facts.chains(game.board, ReadingBudget()) is not None
    assert len(surveys) == 1


def test_the_solver_reads_with_learned_priors():
    table = PriorTable(np.array([5, 7], np.uint64), np.array([0.5, -0.5]), 0.1)
    priors = Player(knowledge=Knowledge(solver=table)).thinker.facts.priors
    assert set(priors.keys[np.flatnonzero(priors.keys)].tolist()) == {5, 7}
    assert Player().thinker.facts.priors is None


def test_another_search_can_be_handed_in():
    made = []

    def new_searcher(*arguments):
        made.append(UctSearcher(UctModel(), *arguments))
        return made[-1]

    options = ThinkerOptions(
        threads=1, memory_mib=1, tactics=False, model=SearchModel(guided=False, informed=False)
    )
    thinker = SearchThinker(options, Knowledge(), 1, Facts(), new_searcher=new_searcher)
    assert not made  # its memory is allocated at first use
    _, decision = answered(thinker, question_of(Game(4), BLACK))
    assert made == [thinker.search.searcher]
    assert decision.playouts == 20


def belief(vertex: str, playouts: int, won: float) -> MoveBelief:
    point = parse_vertex(vertex, 7)
    return believed(point, playouts, won, 0.0)


@pytest.mark.parametrize(
    ("playouts", "win_rate", "chosen"),
    [(20, 0.5, "E1"), (20, 0.3, "D5"), (2, 0.5, "D5"), (20, 0.45, "E1")],
)
def test_the_sum_decides_unless_the_search_knows_better(playouts, win_rate, chosen):
    moves = (belief("D5", 50, 0.5), belief("A7", 30, 0.5), belief("E1", playouts, win_rate))
    advice = SumAdvice(frozenset({parse_vertex("E1", 7)}), 3, 2, 2)
    assert choose_between(moves, advice).point == parse_vertex(chosen, 7)
    close = (belief("D5", 50, 0.5), belief("E1", 20, 0.42))
    assert choose_between(close, advice) == close[1]
    assert choose_between(moves, None) == moves[0]


@pytest.mark.parametrize(
    ("needed", "thrifty", "until"), [(1, True, 16.0), (900, True, 7.0), (900, False, 16.0)]
)
def test_no_time_goes_into_a_move_that_no_other_can_overtake(monkeypatch, needed, thrifty, until):
    """At 100 roll-outs a second 16 seconds are 1600: after 7, 900 are to come."""
    now = [0.0]

    def run(playouts, end, stopped):
        done = 100 * (end - now[0])
        now[0] = end
        return done

    monkeypatch.setattr(searching, "time", SimpleNamespace(monotonic=lambda: now[0]))
    searcher = SimpleNamespace(
        run=run, rollouts_to_overtake=lambda: needed + 0.5, report=lambda: now[0]
    )
    limits = Limits(None, 16.0, 16.0, lambda: False, thrifty)
    assert list(reports(searcher, limits, math.inf)) == [until]


def test_a_settled_position_is_shown_as_it_is_counted():
    """Black owns 15 points and White 10: whatever roll-outs find, the lead is the final score."""
    game = Game(5, RULESETS["tromp-taylor"], 0.5)
    game.setup(
        [to_point(c, r) for c in (1, 3) for r in range(1, 6)] + [to_point(2, 3)],
        [to_point(4, r) for r in range(1, 6)] + [to_point(5, 2), to_point(5, 4)],
        BLACK,
    )
    thinker, memory = SearchThinker(QUICK, Knowledge(), 1, Facts()), BeliefMemory()
    limits = Limits(20, None, math.inf, lambda: False)
    *_, report = thinker.think(question_of(game, BLACK, beliefs=memory), limits, math.inf)
    assert thinker.facts.status(game).settled
    assert report.posterior.mean == 4.5
    assert report.moves[0].margin == 4.5
    assert report.posterior.chance() > 0.5
    assert memory.again(game, BLACK, report).posterior.mean == 4.5
    # Positions around it are told of the count, not of the search.
    (belief,) = memory.around(game.beginning, ())[1].values()
    (lead,) = belief.observations
    assert (lead.mean, lead.pi) == pytest.approx((4.5, PATH.counted_error**-2))


def test_a_pass_that_ends_the_game_has_the_score_of_the_board():
    """All stones are alive after it; the ranking model says nothing about it."""
    game = game_of(ATARI, WHITE, RULESETS["tromp-taylor"], 0.5)
    game.play(WHITE, PASS)
    options = ThinkerOptions(playouts=5, threads=1, memory_mib=1, tactics=False, sums=False)
    thinker = SearchThinker(options, Knowledge(patterns=no_patterns()), 1, Facts())
    (report,), decision = answered(thinker, MoveRequest(game, BLACK, frozenset({PASS})), 5)
    assert report.posterior.mean == game.score()
    assert "model" not in decision.reason
