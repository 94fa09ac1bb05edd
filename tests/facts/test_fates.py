"""Fates of chains as a player judges them: seki, dead chains, kos."""

import json
from pathlib import Path

import pytest

from engine import BLACK, RULESETS, WHITE, Game, format_vertex, parse_vertex
from engine.facts.group_prover import ProvedFates
from engine.go.geometry import PASS
from engine.jit import JIT_ENABLED
from tests.diagrams import BENT_FOUR, EYE_EACH, TWO_SELF_ATARIS, chains_of, game_of, points_marked
from tests.final_positions import blocks
from tests.gnugo import PROGRAM, finished_game
from tests.players import a_position, player

FATES = [(group, name, "\n".join(rows)) for group, name, rows in blocks("fates.txt")]
SEKI_TABLE = [(name, diagram) for group, name, diagram in FATES if group == "seki"]
SEKI_TABLE.append(("an eye each and one shared liberty", EYE_EACH))
DEAD_TABLE = [(name, diagram) for group, name, diagram in FATES if group == "dead"]
FINISHED_GAMES = Path(__file__).parents[1] / "golden" / "finished_games.jsonl"


@pytest.mark.parametrize("rules", RULESETS)
@pytest.mark.parametrize("size", [5, 9, 13, 19] if JIT_ENABLED else [5])
def test_an_empty_board_is_not_settled(rules, size):
    game = Game(size, RULESETS[rules])
    assert not player().status(game).settled
    assert player(playouts=10).choose(game, BLACK).point != PASS


@pytest.mark.skipif(not JIT_ENABLED, reason="too slow without the JIT")
@pytest.mark.parametrize("color", [BLACK, WHITE])
@pytest.mark.parametrize("diagram", [pytest.param(row[1], id=row[0]) for row in SEKI_TABLE])
def test_seki(diagram, color):
    game = game_of(diagram, color, RULESETS["chinese"])
    status = player().status(game)
    assert status.dead == []
    expected = points_marked(diagram, "x") + points_marked(diagram, "o")
    assert status.seki_stones() == set(expected)
    settled = game.score(status.dead_stones(), status.seki_stones())
    assert settled == game.score()


@pytest.mark.skipif(not JIT_ENABLED, reason="too few roll-outs without the JIT")
def test_a_seki_that_roll_outs_do_not_see():
    """White's stones take two moves to be captured, each a self-atari; GNU Go agrees."""
    for color in (BLACK, WHITE):
        game = game_of(TWO_SELF_ATARIS, color, RULESETS["japanese"])
        status = player().status(game)
        assert status.dead == []
        expected = points_marked(TWO_SELF_ATARIS, "x") + points_marked(TWO_SELF_ATARIS, "o")
        assert status.seki_stones() == set(expected)
        assert game.score(set(), status.seki_stones()) == -6.0


@pytest.mark.skipif(not JIT_ENABLED, reason="too slow without the JIT")
@pytest.mark.parametrize("diagram", [pytest.param(row[1], id=row[0]) for row in DEAD_TABLE])
def test_dead(diagram):
    status = player().status(game_of(diagram, BLACK, RULESETS["chinese"]))
    assert status.seki == []
    assert status.dead_stones() == set(points_marked(diagram, "x") + points_marked(diagram, "o"))


@pytest.mark.skipif(not JIT_ENABLED, reason="too slow without the JIT")
@pytest.mark.parametrize("color", [BLACK, WHITE])
@pytest.mark.parametrize("rules", ["chinese", "japanese"])
def test_bent_four_is_dead_but_not_beyond_doubt(color, rules):
    """Japanese rules retake no ko; by area no lasting threat is left. A move may be needed."""
    game = game_of(BENT_FOUR, color, RULESETS[rules])
    status = player().status(game)
    white = set(points_marked(BENT_FOUR, "o"))
    assert (status.dead_stones(), status.seki) == (white, [])
    # Ten stones, twice, and all eleven empty points; by area all 49 points.
    margin = 31.0 if rules == "japanese" else 49.0
    assert game.score(status.dead_stones(), status.seki_stones()) == margin
    assert not status.clear
    assert not status.settled


@pytest.mark.skipif(not JIT_ENABLED, reason="too slow without the JIT")
@pytest.mark.parametrize("diagram", [row[1] for row in DEAD_TABLE[-2:]])
def test_a_proved_death_settles_a_position(diagram):
    """For either side to move; the place belongs to the killer, whose stones in it live."""
    for color in (BLACK, WHITE):
        status = player().status(game_of(diagram, color, RULESETS["japanese"]))
        assert status.settled
        assert len(status.dead) == 1
        assert (status.ownership[points_marked(diagram, "o")] == 1.0).all()
        assert status.secure_ground(BLACK) >= set(points_marked(diagram, "."))


def test_proved_dead_stones_stay_eye_space_of_their_killer(monkeypatch):
    """Black's group at the right has no second eye except by its captures."""
    diagram = """
        . O O O . X o o .
        x x O O X X X o X
        . x O O X X o o X
        x x x O X X X X X
        O x O O O X O O O
        O O O . O O O O X
        O X X O O X O X X
        O O X X X X X X .
        X X X . . . . . ."""
    dead = frozenset(points_marked(diagram, "x") + points_marked(diagram, "o"))
    proved = ProvedFates(dead)
    monkeypatch.setattr("engine.facts.survey.prove_fates", lambda *_: proved)
    status = player().status(game_of(diagram, BLACK, RULESETS["japanese"]))
    assert status.dead_stones() == dead
    for vertex, owner in (("J9", 1.0), ("G9", 1.0), ("H7", 1.0), ("A7", -1.0), ("B7", -1.0)):
        assert status.ownership[parse_vertex(vertex, 9)] == owner


@pytest.mark.skipif(not JIT_ENABLED, reason="too few roll-outs without the JIT")
@pytest.mark.parametrize(("rules", "vertex"), [("japanese", "J8"), ("chinese", "pass")])
def test_the_winner_of_the_last_ko_fills_it_where_that_costs_a_point(rules, vertex):
    """Black could take J9 from there; all other points are settled."""
    diagram = """
        O . O O O X X X O
        . . O O X X X O .
        O O O X X X O O O
        . O X . . X O . O
        O O X . X X X O .
        O X X . X O O O .
        X . . . X X O O .
        . X . O . X X O .
        . . . X X O O O ."""
    game = game_of(diagram, WHITE, RULESETS[rules])
    status = player().status(game)
    assert status.open_kos(WHITE) == {parse_vertex("J8", 9)}
    assert status.open_kos(BLACK) == set()
    assert status.settled
    decision = player(playouts=100).choose(game, WHITE)
    assert format_vertex(decision.point) == vertex
    assert vertex == "pass" or decision.reason == "it has to be filled before the count"


def verdict(status):
    return (*status[:-1], status.ownership.tobytes())


def test_the_same_question_gets_the_same_answer():
    """Also from another player, and after other questions."""
    game = a_position()
    one, other = player(seed=1), player(seed=2)
    first = one.status(game)
    one.choose(game, BLACK)
    assert verdict(one.status(game)) == verdict(other.status(game)) == verdict(first)
    assert one.final_score(game) == other.final_score(game)


@pytest.mark.skipif(not JIT_ENABLED, reason="too slow without the JIT")
def test_a_pass_changes_no_verdict_about_a_ko():
    game = game_of(
        """
        . . . . .
        . X O . .
        X O . O .
        . X O . .
        . . . . .""",
        BLACK,
    )
    game.play(BLACK, parse_vertex("C3", 5))  # takes B3; White may not retake at once
    one = player()
    before = one.status(game)
    game.play(WHITE, PASS)
    assert verdict(one.status(game))[:-1] == verdict(before)[:-1]


def test_every_stone_has_one_fate():
    game = a_position()
    status = player().status(game)
    chains = status.alive + status.dead + status.seki
    assert sorted(chains) == chains_of(game)
    assert all(chain == sorted(chain) for chain in chains)


def agreement(records: list[dict]) -> tuple[int, int, int]:
    """Return how many dead lists and scores equal GNU Go's, and how many confident ones differ."""
    dead_lists = scores = sure_but_different = 0
    for record in records:
        size = record["size"]
        game = Game(size, RULESETS["chinese"], record["komi"])
        for vertex in record["moves"]:
            game.play(game.to_play, parse_vertex(vertex, size))
        status = player().status(game)
        dead = {parse_vertex(vertex, size) for vertex in record["dead"]}
        score = player().final_score(game)
        winner, _, margin = record["score"].partition("+")
        expected = float(margin) * (1 if winner == "B" else -1) if margin else 0.0
        same = status.dead_stones() == dead and score == expected
        dead_lists += status.dead_stones() == dead
        scores += score == expected
        sure_but_different += status.settled and not same
    return dead_lists, scores, sure_but_different


@pytest.mark.slow
@pytest.mark.golden
@pytest.mark.skipif(not JIT_ENABLED, reason="too slow without the JIT")
def test_finished_games_are_judged_as_gnu_go_judges_them():
    """GNU Go 3.8 judged 68 of its games (tests/gnugo.py); 67 agree, one was left unfinished."""
    records = [json.loads(line) for line in FINISHED_GAMES.read_text().splitlines()]
    dead_lists, scores, sure_but_different = agreement(records)
    assert len(records) == 68
    assert dead_lists >= 66
    assert scores >= 66
    assert sure_but_different == 0


@pytest.mark.peers
@pytest.mark.skipif(PROGRAM is None, reason="GNU Go is not installed")
@pytest.mark.skipif(not JIT_ENABLED, reason="too slow without the JIT")
def test_fresh_games_are_judged_as_gnu_go_judges_them():
    records = [finished_game(9, seed, level=1) for seed in range(201, 211)]
    dead_lists, scores, sure_but_different = agreement(records)
    assert dead_lists >= 9
    assert scores >= 9
    assert sure_but_different == 0


@pytest.mark.skipif(not JIT_ENABLED, reason="too few roll-outs without the JIT")
def test_a_ko_kills_nobody_by_territory_where_the_attacker_needs_a_threat():
    """From a game: Black's group on the left dies if White wins a ko that Black takes first."""
    diagram = """
        . . . . . . O O O
        . . O O O O O X X
        . O . O X O X . X
        O O O X X O X X X
        O X X X O O X O .
        X X O X O O O X X
        O X . X O . O X O
        . O X X X O O X O
        O X . X X X O X ."""
    game = game_of(diagram, BLACK, RULESETS["japanese"], 0.0)
    status = player().status(game)
    assert not status.clear
    assert parse_vertex("E1", 9) not in status.dead_stones()
    assert game.score(status.dead_stones(), status.seki_stones()) == 9.0
