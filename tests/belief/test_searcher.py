"""The ``Searcher``: reports, threads, reuse of the tree, limits."""

import math
import random
import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import BLACK, WHITE, Game, MoveCode
from engine.arrays import ROOT
from engine.belief.knowledge import Knowledge
from engine.belief.searcher import Searcher
from engine.go.geometry import PASS, to_point
from engine.jit import JIT_ENABLED
from engine.patterns.position import position_of
from engine.patterns.predictor import Predictor
from engine.patterns.valuing import EVIDENCE_ROWS
from engine.rollout.uniform import is_playable
from engine.search.grower import Root
from engine.search.model import SearchModel, by_visits
from engine.search.tree import ADDING, TREE_CAPACITY, TREE_COUNT, find_child
from engine.search.work import ROLLOUT_COUNT
from tests.diagrams import SUPERKO, game_of, random_games, random_point
from tests.search.growing import NO_PATTERNS, NO_POLICY, UNIFORM, assert_sound, at, contents

PLAYOUTS = 300 if JIT_ENABLED else 40


def searcher_of(
    threads: int = 1, seed: int = 5, memory: int = 1 << 20, model: SearchModel = UNIFORM
) -> Searcher:
    return Searcher(model, Knowledge(NO_POLICY, NO_PATTERNS), threads, memory, seed)


def root_of(game: Game, color: int, komi: float = 0.5, moves=None, passes: int = 0) -> Root:
    return Root(at(game.board, color, passes, komi), moves)


def searched(game: Game, color: int, playouts: int = PLAYOUTS, **options):
    searcher = searcher_of(**options)
    searcher.set_root(root_of(game, color), None)
    assert searcher.run(playouts, None) == playouts
    return searcher


# -- reports --------------------------------------------------------------------------------------


@settings(max_examples=25)
@given(random_games(largest=4, most_moves=20), st.sampled_from([BLACK, WHITE]), st.integers(1, 2))
def test_owners_after_each_move_add_up_to_those_of_the_position(game, color, threads):
    searcher = searcher_of(threads)
    searcher.set_root(root_of(game, color), None)
    for playouts in (7, 30):  # all of them went through a move: the root has its moves at once
        searcher.run(playouts, None)
        report = searcher.report()
        tried = {move.point: move.playouts for move in report.moves if move.playouts}
        assert report.moves_ownership.keys() == tried.keys()
        total = sum(report.moves_ownership[point] * count for point, count in tried.items())
        np.testing.assert_allclose(total / sum(tried.values()), report.ownership, atol=1e-12)
        assert np.abs(report.ownership).max() <= 1.0
        assert report.ownership[PASS] == 0.0


@pytest.mark.parametrize("threads", [1, 2])
def test_visits_along_a_line_are_those_of_the_tree(threads):
    searcher = searched(Game(3), BLACK, threads=threads)
    for move in searcher.report().moves:
        assert len(move.line) == len(move.line_visits)
        assert move.line[0] == move.point
        assert move.line_visits[0] == move.playouts
        assert list(move.line_visits) == sorted(move.line_visits, reverse=True)
        for ply in range(len(move.line)):
            node = ROOT
            for point in move.line[: ply + 1]:
                node = int(find_child(searcher._tree, node, point))
            assert move.line_visits[ply] == searcher._tree.visits[node]


@given(random_games(largest=4, most_moves=20), st.sampled_from([BLACK, WHITE]))
def test_a_report_adds_up(game, color):
    searcher = searched(game, color)
    report = searcher.report()
    tree = searcher._tree
    moves = report.moves
    assert report.playouts == PLAYOUTS == sum(move.playouts for move in moves)
    assert len({move.point for move in moves}) == len(moves) == tree.children[ROOT]
    assert [m.weight for m in moves] == sorted((m.weight for m in moves), reverse=True)
    for move in moves:
        node = int(find_child(tree, ROOT, move.point))
        rate = tree.wins[node] / tree.visits[node] if move.playouts else 0.5
        assert move.won == pytest.approx(rate if color == BLACK else 1.0 - rate)
        assert move.line[0] == move.point
        assert 0.0 < move.win_rate_deviation <= 0.4
        assert 0.0 < move.win_rate <= moves[0].win_rate < 1.0
        assert move.margin <= moves[0].margin
        # No move has a prior step here; untried moves come last.
        assert move.weight == pytest.approx(max(move.playouts, 1e-9) * math.exp(move.value))
        assert 0.0 < move.deviation <= UNIFORM.step_variance**0.5
    points = game.size**2
    assert abs(report.margin) <= points + 0.5
    assert report.margin_deviation <= points + 0.5
    assert np.abs(report.ownership).max() <= 1.0
    assert report.ownership.sum() - 0.5 == pytest.approx(report.margin)
    sign = 1 if color == BLACK else -1
    total = sum(move.won_by * move.playouts for move in moves) * sign
    assert total / PLAYOUTS == pytest.approx(report.margin)


def test_few_roll_outs_change_little():
    """One won roll-out is no certain win: the shown value stays close to the position's."""
    game = Game(9)
    report = searched(game, BLACK).report()
    root = sum(move.won * move.playouts for move in report.moves) / report.playouts
    few = [move for move in report.moves if 1 <= move.playouts <= 2]
    assert {0.0, 1.0} & {move.won for move in few}
    for move in few:
        assert abs(move.win_rate - root) < 0.2
        own = report.moves[0].won_by - move.won_by
        assert report.moves[0].margin - move.margin < max(own, 5.0)


@pytest.mark.parametrize("informed", [True, False])
def test_priors_are_the_ranking_models(informed):
    evidence = np.random.default_rng(2).uniform(0.1, 1.0, (EVIDENCE_ROWS, 2))
    patterns = NO_PATTERNS._replace(evidence=evidence)
    model = SearchModel(guided=False, informed=informed)
    searcher = Searcher(model, Knowledge(NO_POLICY, patterns), 1, 1 << 20, 5)
    game = Game(5)
    for move in (to_point(2, 2), to_point(4, 3)):  # nothing of the first game is kept
        game.play(game.to_play, move)
        searcher.set_root(Root(position_of(game, game.to_play)), None)
        searcher.run(20, None)
        found = {move.point: move.prior for move in searcher.report().moves}
        expected = Predictor(patterns).of_game(game, game.to_play)
        if not informed:
            expected = dict.fromkeys(found, 1.0 / len(found))
        assert found == {point: expected.get(point, 0.0) for point in found}


def test_a_searcher_works_without_learned_tables():
    full = Searcher(SearchModel(), Knowledge(NO_POLICY, NO_PATTERNS), 1, 1 << 20, 5)
    assert (full.model.guided, full.model.informed) == (True, True)
    for knowledge in (Knowledge(policy=NO_POLICY), Knowledge(patterns=NO_PATTERNS), Knowledge()):
        searcher = Searcher(SearchModel(), knowledge, 1, 1 << 20, 5)
        assert searcher.model.guided == (knowledge.policy is not None)
        assert searcher.model.informed == (knowledge.patterns is not None)
        searcher.set_root(root_of(Game(4), BLACK), None)
        assert searcher.run(20, None) == 20
    assert not Searcher(UNIFORM, Knowledge(NO_POLICY), 1, 1 << 20, 5).model.guided


def test_values_are_the_movers():
    """The side that is ahead sees it, whoever moves: the same position from both sides."""
    game = game_of("""
        . X . X .
        X X X X X
        X X X X X
        O O O O O
        . O . . O""")
    for color, ahead in ((BLACK, True), (WHITE, False)):
        best = searched(game, color).report().moves[0]
        assert (best.win_rate > 0.5) == (best.value > 0) == (best.margin > 0) == ahead


def test_lines_can_be_played():
    game = Game(4)
    for move in searched(game, BLACK, 2 * PLAYOUTS).report().moves[:3]:
        line = game.copy()
        for point in move.line:
            line.play(line.to_play, point)


def report_bytes(searcher: Searcher) -> tuple:
    report = searcher.report()
    after = {point: owned.tobytes() for point, owned in report.moves_ownership.items()}
    return tuple(report._replace(ownership=report.ownership.tobytes(), moves_ownership=after))


def test_one_thread_repeats_itself_bit_by_bit():
    game = Game(5)
    results = []
    for seed in (5, 5, 6):
        searcher = searched(game, BLACK, seed=seed)
        first = report_bytes(searcher)
        after = game.copy()
        after.play(BLACK, searcher.report().moves[0].point)
        searcher.set_root(root_of(after, WHITE), (after.moves[0].point,))
        searcher.run(PLAYOUTS, None)
        results.append((first, report_bytes(searcher)))
    assert results[0] == results[1] != results[2]


def test_batches_change_nothing():
    whole, pieces = searched(Game(4), BLACK), searcher_of()
    pieces.set_root(root_of(Game(4), BLACK), None)
    for _ in range(PLAYOUTS // 20):
        pieces.run(20, None)
    assert report_bytes(whole) == report_bytes(pieces)


@pytest.mark.parametrize("threads", [2, 4])
def test_threads_lose_nothing_of_one_tree(threads):
    """In any order of threads, every roll-out is counted once at every node on its way."""
    game, playouts = Game(7), 4000 if JIT_ENABLED else 40
    searcher = searched(game, WHITE, playouts + 1, threads=threads, memory=1 << 25)
    tree = searcher._tree
    assert tree.visits[ROOT] == playouts + 1 == searcher.report().playouts
    total = sum(work.owned[:, ROLLOUT_COUNT].sum() for work in searcher._works)
    assert total == playouts + 1
    assert len({tuple(work.rng) for work in searcher._works}) == threads
    assert not searcher.model.alone  # their sums are atomic
    assert_sound(tree, expanded_at=None)
    # Every descent ended at one node, the first ones before it had children.
    nodes = range(int(tree.meta[TREE_COUNT]))
    first = tree.first_child[nodes]
    below = [tree.visits[f : f + n].sum() for f, n in zip(first, tree.children[nodes], strict=True)]
    assert (tree.visits[nodes] - below).sum() == playouts + 1
    assert (first != ADDING).all()
    assert ((first >= 0) == (tree.children[nodes] > 0)).all()
    # One after the other would have left nothing out; no roll-out is there twice either.
    assert 1 + tree.children[nodes].sum() == len(nodes)


def test_a_full_tree_is_full_for_all_threads():
    searcher = searched(Game(7), BLACK, 3000 if JIT_ENABLED else 60, threads=3, memory=1)
    tree = searcher._tree
    assert tree.meta[TREE_COUNT] <= tree.meta[TREE_CAPACITY] == len(tree.move)
    assert_sound(tree, expanded_at=None)
    assert (tree.first_child[: tree.meta[TREE_COUNT]] != ADDING).all()


# -- the tree from move to move -------------------------------------------------------------------


@settings(max_examples=20)
@given(random_games(largest=4, most_moves=16), st.sampled_from([BLACK, WHITE]))
def test_the_subtree_of_the_played_moves_is_kept(game, color):
    searcher = searched(game, color)
    report = searcher.report()
    before = searcher._tree
    played = report.moves[0].line[:2]
    node = ROOT
    for point in played:
        node = int(find_child(before, node, point))
    expected = contents(before, node)
    after = Game(game.size)
    after.setup(game.stones(BLACK), game.stones(WHITE), color)
    for point in played:
        after.play(after.to_play, point)
    had_children = before.children[node] > 0
    searcher.set_root(root_of(after, after.to_play, passes=min(after.passes, 1)), played)
    kept = searcher._tree
    if had_children:
        assert contents(kept) == expected
    assert contents(kept)[:10] == expected[:10]
    assert kept.children[ROOT] > 0
    assert_sound(kept, expanded_at=None)
    searcher.run(20, None)
    assert kept.visits[ROOT] == expected[1] + 20
    assert searcher.report().playouts == expected[1] + 20


@pytest.mark.parametrize(
    ("color", "moves", "before"),
    [(WHITE, None, 0), (WHITE, (PASS,), 0), (BLACK, (), PLAYOUTS)],
    ids=["another position", "a move that was never searched", "the same position"],
)
def test_a_new_root_keeps_what_was_searched_of_it(color, moves, before):
    searcher = searched(Game(4), BLACK)
    searcher.set_root(root_of(Game(4), color), moves)
    searcher.run(5, None)
    report = searcher.report()
    assert (report.playouts, report.evidence.seen) == (before + 5, before + 5)


def test_a_full_memory_bounds_the_tree_but_not_the_search():
    game = Game(9)
    searcher = searcher_of(memory=0)
    moves: tuple[int, ...] | None = None
    for color in (BLACK, WHITE, BLACK):
        searcher.set_root(root_of(game, color), moves)
        searcher.run(PLAYOUTS, None)
        tree = searcher._tree
        assert tree.meta[0] <= tree.meta[1] == 2000
        assert_sound(tree, expanded_at=None)
        moves = (searcher.report().moves[0].point,)
        game.play(color, moves[0])


# -- what may not be played -----------------------------------------------------------------------


def superko_cases(count: int) -> list[tuple[Game, int, set[int]]]:
    """Return small games in which the rules forbid a color some playable repetitions."""
    cases = []
    rng = random.Random(11)
    while len(cases) < count:
        game = Game(rng.choice([2, 3]), SUPERKO, 0.5)
        for _ in range(rng.randrange(30)):
            game.play(game.to_play, random_point(game, game.to_play, rng.choice), superko=True)
        color = game.to_play
        playable = {
            p for p in game.legal_points(color, superko=False) if is_playable(game.board, p, color)
        }
        forbidden = {p for p in playable if game.legality(color, p) == MoveCode.SUPERKO}
        if forbidden and forbidden != playable:
            cases.append((game, color, forbidden))
    return cases


def test_superko_repetitions_are_never_proposed():
    for game, color, forbidden in superko_cases(10 if JIT_ENABLED else 3):
        legal = [p for p in game.legal_points(color) if is_playable(game.board, p, color)]
        for played in (None, ()):
            searcher = searched(game, color, 30)
            searcher.set_root(root_of(game, color, moves=frozenset([*legal, PASS])), played)
            searcher.run(40, None)
            found = {move.point for move in searcher.report().moves}
            assert not found & forbidden
            assert found - {PASS} == set(legal)
            assert_sound(searcher._tree, expanded_at=None)


def test_allowed_moves_are_proposed_though_the_best_one_is_forbidden():
    """The ranking model leaves nothing but a pass, and the pass is not allowed."""
    game = Game(4)
    searcher = searcher_of(model=UNIFORM._replace(informed=True, prior_window=-1.0))
    legal = frozenset(game.legal_points(BLACK)[:3])
    searcher.set_root(root_of(game, BLACK, moves=legal), None)
    searcher.run(PLAYOUTS, None)
    assert {move.point for move in searcher.report().moves} == legal
    assert_sound(searcher._tree)


# -- limits ---------------------------------------------------------------------------------------


def test_stop_is_checked_between_batches():
    searcher = searcher_of()
    searcher.set_root(root_of(Game(5), BLACK), None)
    asked = []

    def stop() -> bool:
        asked.append(searcher._tree.visits[ROOT])
        return len(asked) == 3

    done = searcher.run(None, None, stop)
    assert done == asked[-1] == searcher.report().playouts
    assert sorted(set(asked)) == asked
    assert len(asked) == 3


def test_the_lead_is_the_roll_outs_that_another_move_needs():
    searcher = searched(Game(4), BLACK, model=by_visits(UNIFORM))
    first, second = (move.playouts for move in searcher.report().moves[:2])
    assert searcher.rollouts_to_overtake() == first - second
    searcher.set_root(root_of(Game(4), BLACK, moves=frozenset([to_point(2, 2)])), None)
    searcher.run(20, None)
    assert searcher.rollouts_to_overtake() == searcher.report().moves[0].playouts == 20


def test_without_lateral_evidence_it_is_not_looked_at():
    searcher = searched(Game(4), BLACK, 40, model=UNIFORM._replace(lateral=False))
    before = searcher.report().moves
    searcher._tree.lateral[:] = 0.0
    assert searcher.report().moves == before
    assert searcher._tree.visits[ROOT] == 40


@pytest.mark.skipif(not JIT_ENABLED, reason="a batch is not quick without the JIT")
@pytest.mark.parametrize("threads", [1, 2])
def test_a_deadline_and_a_stop_are_kept(threads):
    searcher = searched(Game(9), BLACK, 50, threads=threads)
    start = time.monotonic()
    searcher.run(None, start + 0.1)
    assert 0.1 <= time.monotonic() - start < 1.0
    start = time.monotonic()
    searcher.run(10**9, None, lambda: time.monotonic() > start + 0.1)
    assert 0.1 <= time.monotonic() - start < 1.0


def test_the_end_of_the_game_needs_no_roll_outs():
    """After one pass, with nothing left but eyes, another pass is all there is."""
    game = game_of("""
        . X . X .
        X X X X X
        X X X X X
        O O O O O
        . O . O .""")
    searcher = searcher_of()
    searcher.set_root(root_of(game, WHITE, 0.5, passes=1), None)
    searcher.run(20, None)
    (only,) = searcher.report().moves
    assert (only.point, only.playouts, only.won, only.won_by) == (PASS, 20, 0.0, -4.5)
    assert only.win_rate < 0.05
    assert only.margin < 0.0
