"""Reasons in words: chances, points beside the rival, chains and ground that a move brings."""

import numpy as np
import pytest

from engine import BLACK, WHITE, MoveBelief, Player, PlayerOptions, parse_vertex
from engine.facts.position_facts import Facts
from engine.gaussian import NINETY_PERCENT
from engine.go.geometry import AREA
from engine.jit import JIT_ENABLED
from engine.thinkers.explaining import changes, gap_between, judgement, links, margin_words
from tests.beliefs import believed
from tests.diagrams import GAP, game_of

CHAINS = """
    . . . . .
    . X X . .
    . . . . .
    . O . . .
    . . . . ."""
# Black saves or loses its stone in the middle.
IN_ATARI = """
    . . . . .
    . . O . .
    . O X . .
    . . O . .
    . . . . ."""


def belief(vertex: str, best: float, margin: float, deviation: float) -> MoveBelief:
    point = parse_vertex(vertex, 19)
    move = believed(point, 9, 0.5, margin)
    return move._replace(best=best, margin_deviation=deviation)


def test_a_move_is_judged_beside_its_rival():
    best, other = belief("D4", 0.62, 3.0, 3.0), belief("Q16", 0.2, 1.0, 4.0)
    gap, likely = gap_between(best, other)
    assert (gap, likely) == (2.0, pytest.approx(5.0 * NINETY_PERCENT))
    said = "the best move at 62%, 2.0 points (-6.2 to 10.2) better than Q16"
    assert judgement(best, other) == said
    said = "the best move at 20%, 2.0 points (-6.2 to 10.2) worse than D4"
    assert judgement(other, best) == said
    assert judgement(best, None) == "the best move at 62%"
    even = belief("C3", 0.1, 3.04, 4.0)
    said = "the best move at 62%, as good as C3 but for 8.2 points either way"
    assert judgement(best, even) == said


def owned(**owners: float):
    ownership = np.zeros(AREA)
    for vertex, owner in owners.items():
        ownership[parse_vertex(vertex, 5)] = owner
    return ownership


def test_chains_that_live_or_die_by_the_move():
    game = game_of(CHAINS)
    first, second = owned(B4=0.8, C4=0.8, B2=0.5), owned(B4=-0.4, C4=-0.4, B2=-0.8)
    mine, theirs = "B4 (2 stones) is alive in", "B2 (1 stone) is alive in"
    rest = "of all continuations instead of"
    assert changes(game, BLACK, first, second) == [
        f"{mine} 90 % {rest} 30 %",
        f"{theirs} 25 % {rest} 90 %",
    ]
    # For White the other move brings something.
    assert changes(game, WHITE, first, second) == []
    assert changes(game, WHITE, second, first) == [
        f"{mine} 30 % {rest} 90 %",
        f"{theirs} 90 % {rest} 25 %",
    ]


def test_ground_is_connected_and_larger_than_a_point():
    game = game_of(CHAINS)
    nothing = owned()
    near = owned(D2=-0.5, E2=-0.9, E1=-0.3, E5=-0.9)
    assert changes(game, WHITE, near, nothing) == ["1.7 points more around E2"]
    other = owned(A1=-0.6, A2=-0.9, E5=-0.9)
    assert changes(game, WHITE, near, other) == [
        "1.7 points more around E2 for 1.5 fewer around A2"
    ]
    assert changes(game, WHITE, owned(E5=-0.9), nothing) == []
    assert changes(game, WHITE, owned(E5=-0.9, A1=-0.9), nothing) == []


def test_results_in_words():
    assert margin_words((-3.54, 10.0)) == "W+3.5 to B+10.0"
    assert margin_words((0.01, 2.0)) == "jigo to B+2.0"


@pytest.mark.skipif(not JIT_ENABLED, reason="too many roll-outs")
def test_a_player_says_what_a_move_brings():
    game = game_of(IN_ATARI, WHITE)
    player = Player(PlayerOptions(playouts=10, threads=1, seed=1))
    before = game.copy()
    [capture] = game.liberties(parse_vertex("C3", 5))
    brings = player.compare(game, WHITE, capture, parse_vertex("A1", 5))
    # The stone may be lost either way; White's gain by it is ground in the middle.
    assert any(" points more around " in words for words in brings)
    assert game.moves == before.moves
    assert (game.board == before.board).all()


def test_chains_that_a_move_links_or_cuts():
    game = game_of(GAP)
    point = parse_vertex("D5", 7)
    black, white = ("A5 (3 stones)", "E5 (2 stones)"), ("C4 (2 stones)", "C6 (2 stones)")
    # The larger pair is named where a move does both.
    pairs = Facts().links(game.board)
    assert links(pairs, BLACK) == {point: f"{black[0]} is linked with {black[1]}"}
    assert links(pairs, WHITE) == {point: f"{black[0]} is cut off from {black[1]}"}
    small = Facts().links(game_of(GAP.replace("X X X . X X .", ". . X . X . .")).board)
    assert links(small, WHITE) == {point: f"{white[0]} is linked with {white[1]}"}
