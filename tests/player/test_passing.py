"""When a player passes, and moves instead of a pass while points are open."""

import math
import threading
from dataclasses import replace

import pytest

from engine import (
    BLACK,
    PASS,
    RULESETS,
    WHITE,
    Decision,
    Game,
    Knowledge,
    MoveBelief,
    PatternThinker,
    Player,
    PlayerOptions,
    format_vertex,
    parse_vertex,
)
from engine.belief.memory import BeliefMemory
from engine.jit import JIT_ENABLED
from engine.patterns.valuing import no_patterns
from engine.player.candidates import endgame_of, may_pass
from engine.player.levels import level_options
from engine.player.passing import game_for_points, rather_than_lose
from patterns_db.shipped import load_knowledge
from tests.beliefs import believed
from tests.diagrams import HANGING, chains_of, game_of, points_marked
from tests.players import a_position, player

DAME, FILLED = 27, 28


def candidate(point: int, playouts: int, won: float, won_by: float) -> MoveBelief:
    return believed(point, playouts, won, won_by)._replace(win_rate=0.5)


def decided(*others: MoveBelief, point: int = PASS) -> Decision:
    passing = candidate(PASS, 100, 1.0, 8.0)
    return Decision(point, False, (), 0.98, 200, (passing, *others))


@pytest.mark.parametrize(("won", "played"), [(0.85, FILLED), (0.75, DAME)])
def test_a_move_that_costs_a_point_is_played_where_much_more_is_lost_without_it(won, played):
    answer = decided(candidate(DAME, 100, 0.5, 1.0), point=DAME)
    needed = believed(FILLED, 64, won, 9.0)
    decision = rather_than_lose(answer, needed, BLACK)
    assert decision.point == played
    assert {move.point: move.won for move in decision.candidates}[played] in (won, 0.5)
    if played == FILLED:
        assert decision.reason == "it defends ground that is lost after A1"
        assert decision.win_rate == won
    assert rather_than_lose(answer, None, BLACK) == answer


# The side that moves first in the corners lives there, or kills.
CONTESTED = """
    . . O X X
    . O O X .
    O O X X X
    X X X . X
    . . X X ."""

SETTLED = """
    . X . X O O .
    X X X X O . O
    . X . X O O O
    X X X X O O .
    X . X X O O O
    X X X X O . O
    . X . X O O ."""
ONE_DAME = SETTLED.replace(". X . X O O .", ". X . X . O .", 1)


@pytest.mark.parametrize("color", [BLACK, WHITE])
@pytest.mark.parametrize("rules", ["chinese", "japanese"])
def test_passes_when_all_is_settled(rules, color):
    """A move first: a game without moves is never taken for finished."""
    game = game_of(SETTLED, WHITE, RULESETS[rules], komi=0.5)
    game.play(WHITE, PASS)
    decision = player().choose(game, color)
    assert (decision.point, decision.resign) == (PASS, False)


@pytest.mark.parametrize("clear", [True, False])
def test_the_opponents_pass_ends_a_won_game_only_where_fates_are_clear(clear, monkeypatch):
    """A dame is open, and Black is ahead: a pass ends the game, if all fates are beyond doubt."""
    game = game_of(ONE_DAME, WHITE, RULESETS["chinese"], komi=0.5)
    game.play(WHITE, PASS)
    one = player(playouts=20)
    status = one.status(game)._replace(clear=clear)
    assert not status.settled
    assert one.final_score(game) > 0
    monkeypatch.setattr(one.facts, "status", lambda *_: status)
    monkeypatch.setattr(one.facts, "brief_status", lambda *_: status)
    assert (one.choose(game, BLACK).playouts == 0) == clear


@pytest.mark.parametrize("rules", ["chinese", "japanese"])
def test_an_open_board_is_not_won_by_a_first_stone(rules):
    """White gives a handicap by a pass. A count says that all points are Black's."""
    game = Game(9, RULESETS[rules], 0.5)
    game.play(BLACK, parse_vertex("E5", 9))
    game.play(WHITE, PASS)
    status = player().status(game)._replace(clear=True)
    assert game.score() > 70
    assert not may_pass(game, BLACK, status)


@pytest.mark.parametrize("color", [BLACK, WHITE])
def test_settled_ground_is_left_alone_where_territory_counts(color):
    """One dame is open, and nothing else is worth a move: neither filling nor throwing in."""
    game = game_of(ONE_DAME, 3 - color, RULESETS["japanese"], komi=0.5)
    dame = parse_vertex("E7", 7)
    assert game.color_at(dame) == 0
    decision = player(playouts=200).choose(game, color)
    assert decision.point == dame
    assert {c.point for c in decision.candidates} <= {dame, PASS}


def test_captures_dead_stones_first_when_asked():
    diagram = """
        . X . . O O .
        X X o X O . O
        . X X X O O O
        X X X X O O .
        X . X X O O O
        X X X X O . O
        . X . X O O ."""
    game = game_of(diagram, WHITE, RULESETS["chinese"], komi=0.5)
    game.play(WHITE, PASS)
    dead = points_marked(diagram, "o")
    status = player().status(game)
    assert status.dead == [dead]
    # Only the captures are looked at then, which say nothing of the position.
    memory = BeliefMemory()
    for captures, kept in ((True, None), (False, memory)):
        game.rules = replace(game.rules, capture_dead=captures)
        end = endgame_of(game, BLACK, status, frozenset())._replace(beliefs=memory)
        assert end.request().beliefs is kept
    game.rules = replace(game.rules, capture_dead=True)
    assert player().choose(game, BLACK).point != PASS


def test_plays_on_after_two_passes_when_asked(monkeypatch):
    """As in a clean-up phase: two passes are no reason to stop searching."""
    game = a_position()
    for _ in range(3):
        game.play(game.to_play, PASS)
        one = player(playouts=40 if JIT_ENABLED else 10)
        monkeypatch.setattr("engine.player.candidates.may_pass", lambda *_: False)
        decision = one.choose(game, game.to_play)
        assert max(c.playouts for c in decision.candidates) > 0
        assert decision.candidates[0].playouts > 0


@pytest.mark.parametrize("rules", ["chinese", "tromp-taylor"])
def test_after_two_passes_all_reports_show_the_count(rules):
    """With both stones in doubt the chance is not certain, unless all stones count as alive."""
    game = Game(5, RULESETS[rules], komi=0.5)
    for vertex in ("C3", "C2", "pass", "pass"):
        game.play(game.to_play, parse_vertex(vertex, 5))
    one = player(playouts=10)
    (chosen,) = one.deliberate(game, BLACK)
    (analyzed,) = one.analyze(game, BLACK, math.inf, threading.Event())
    for report in (chosen, analyzed):
        assert report.posterior.mean == report.moves[0].margin == one.final_score(game)
        certain = report.moves[0].win_rate in (0.0, 1.0)
        assert certain == one.status(game).clear == (rules == "tromp-taylor")
    assert chosen.moves[0].point == one.choose(game, BLACK).point


# Two walls divide the board. Roll-outs let many random invasions live.
WALLS = "\n".join([". . . X O . . . ."] * 9)


@pytest.mark.skipif(not JIT_ENABLED, reason="too few roll-outs without the JIT")
@pytest.mark.parametrize("passes", [0, 1, 2])
@pytest.mark.parametrize("color", [BLACK, WHITE])
@pytest.mark.parametrize(
    "options",
    [
        {"playouts": 1},
        {"playouts": 400},
        {"thinker": PatternThinker},
        {"level": level_options("10k")},
    ],
    ids=["one roll-out", "search", "patterns", "level"],
)
def test_no_stone_costs_a_point_in_a_closed_position(options, color, passes):
    """White is ahead; for every player and budget, and whoever has passed."""
    to_play = color if passes % 2 == 0 else 3 - color
    game = game_of(WALLS, to_play, RULESETS["japanese"], 0.5)
    for _ in range(passes):
        game.play(game.to_play, PASS)
    one = Player(PlayerOptions(threads=1, seed=3, **options), load_knowledge())
    assert not one.status(game).settled
    assert one.choose(game, color).point == PASS


@pytest.mark.skipif(not JIT_ENABLED, reason="too few roll-outs without the JIT")
@pytest.mark.parametrize(
    ("rules", "threat", "asked", "vertex"),
    [("japanese", 0.7, 0, "pass"), ("chinese", 0.7, 1, None), ("japanese", 0.95, 0, "A1")],
)
def test_a_defense_that_hardly_helps_costs_a_point_by_territory(
    rules, threat, asked, vertex, monkeypatch
):
    """It wins 0.4 of its roll-outs. By area it is left to the thinker."""
    game = game_of(WALLS, BLACK, RULESETS[rules], 0.5)
    one, requests = player(playouts=20), []
    think = one.thinker.think

    def best_of(_, game, color, *rest):
        point, won = ("A1", 0.4) if color == BLACK else ("J9", threat)
        return believed(parse_vertex(point, 9), 100, won, 0.0), 2000

    monkeypatch.setattr("engine.player.passing.best_of", best_of)
    monkeypatch.setattr(
        one.thinker, "think", lambda request, *rest: requests.append(0) or think(request, *rest)
    )
    decision = one.choose(game, BLACK)
    assert len(requests) == asked
    assert vertex in (None, format_vertex(decision.point))


@pytest.mark.parametrize(("rules", "last"), [("japanese", WHITE), ("chinese", BLACK)])
def test_a_defense_is_no_invasion_where_that_costs_a_point(rules, last, monkeypatch):
    """In a game Black invaded three times instead of a pass, which won 0.6 of the roll-outs.

    Here all moves of Black are inside White's territory.
    """
    game = game_of(HANGING, BLACK, RULESETS[rules], 0.5)
    one, searches = player(playouts=20), []
    sure(monkeypatch, one, game)

    def best_of(_, game, color, moves, limits):
        searches.append(color)
        return believed(min(moves), 100, 0.7 if color == WHITE else 0.1, 0.0), 2000

    monkeypatch.setattr("engine.player.passing.best_of", best_of)
    assert one.choose(game, BLACK).point == PASS
    assert (searches[0], searches[-1]) == (BLACK, last)


@pytest.mark.skipif(not JIT_ENABLED, reason="too few roll-outs without the JIT")
@pytest.mark.parametrize(("rules", "asked"), [("japanese", 0), ("chinese", 1)])
def test_without_time_for_searches_the_count_decides_by_territory(rules, asked, monkeypatch):
    """A short search of the thinker plays needless stones, which cost nothing by area."""
    game = game_of(WALLS, BLACK, RULESETS[rules], 0.5)
    one, requests = player(playouts=20), []
    think = one.thinker.think
    monkeypatch.setattr("engine.player.passing.best_of", lambda *_: (None, 100))
    monkeypatch.setattr(
        one.thinker, "think", lambda request, *rest: requests.append(0) or think(request, *rest)
    )
    decision = one.choose(game, BLACK)
    assert len(requests) == asked
    assert asked or decision.point == PASS


@pytest.mark.parametrize("playouts", [1, 1000])
def test_a_quick_player_checks_a_pass_by_as_long_a_search(playouts, monkeypatch):
    """A short search missed gains of 12 and 19 points, and yomi passed."""
    game = game_of(HANGING, BLACK, RULESETS["chinese"])
    one, limits = player(playouts=playouts), []
    sure(monkeypatch, one, game)

    def best_of(*request):
        limits.append(request[-1].playouts)
        return believed(parse_vertex("A1", 5), 100, 0.3, 0.0), limits[-1]

    monkeypatch.setattr("engine.player.passing.best_of", best_of)
    assert one.choose(game, BLACK).point == PASS
    assert limits == [2000] * 2


@pytest.mark.parametrize(
    ("rules", "clear", "vertex"),
    [("chinese", False, "A1"), ("chinese", True, "pass"), ("japanese", False, "pass")],
)
def test_in_doubt_a_likely_gain_is_tried_where_it_costs_nothing(rules, clear, vertex, monkeypatch):
    """In a game a group of nine stones lived after such a pass. Black is ahead."""
    game = game_of(HANGING, BLACK, RULESETS[rules], -40.5)
    one = player(playouts=20)
    sure(monkeypatch, one, game, clear=clear)
    likely = believed(parse_vertex("A1", 5), 100, 0.5, 0.0)
    monkeypatch.setattr("engine.player.passing.best_of", lambda *_: (likely, 2000))
    assert format_vertex(one.choose(game, BLACK).point) == vertex


@pytest.mark.parametrize(
    ("gain", "threat", "defense", "reply", "done", "vertex"),
    [(0.6, 0.1, 0.8, "D3", 2000, "D4"), (0.6, 0.1, 0.7, "D3", 2000, "pass"),
     (0.1, 0.6, 0.8, "D4", 2000, "D4"), (0.1, 0.6, 0.7, "D4", 2000, "pass"),
     (0.1, 0.6, 0.8, "D4", 1999, "pass"), (0.1, 0.6, 0.8, "A4", 2000, "pass"),
     (0.1, 0.7, 0.4, "A4", 2000, "pass"), (0.1, 0.7, 0.5, "A4", 2000, "D4"),
     (0.1, 0.9, 0.2, "A4", 2000, "D4"), (0.1, 0.9, 0.9, "D4", 1999, "D4"),
     (0.1, 0.9, 0.9, "D4", 199, "pass")],
)  # fmt: skip
def test_a_likely_gain_counts_where_the_other_sides_move_there_prevents_it(
    gain, threat, defense, reply, done, vertex, monkeypatch
):
    """In games such moves, which won 0.46 to 0.6 of their roll-outs, gained 4 to 12 points.

    A threat that is certain is met by any defense: in games it was worth 50 points, once where
    time had cut the search short.
    """
    game, one = game_of(HANGING, WHITE, RULESETS["japanese"], 6.5), player(playouts=20)
    sure(monkeypatch, one, game)
    searches = iter([gain, threat, defense] if gain < 0.4 else [gain, defense, threat])

    def best_of(_, game, color, *rest):
        vertex = "D4" if color == WHITE else reply
        return believed(parse_vertex(vertex, 5), 100, next(searches), 0.0), done

    monkeypatch.setattr("engine.player.passing.best_of", best_of)
    assert format_vertex(one.choose(game, WHITE).point) == vertex


@pytest.mark.parametrize(
    ("share", "threat", "defense", "vertex"),
    [
        (0.5, 0.45, 0.8, "D4"),
        (0.5, 0.45, 0.7, "pass"),
        (1.0, 0.6, 0.9, "pass"),
        (1.0, 0.7, 0.9, "D4"),
    ],
)
def test_proofs_about_dead_stones_outweigh_roll_outs_in_doubt(
    share, threat, defense, vertex, monkeypatch
):
    """From games: a pass cost 10 points in a ko, and a stone was spent on a group proved dead.

    Black is behind. White's stones at the right are proved dead, which the first move may decide.
    """
    game, one = game_of(HANGING, BLACK, RULESETS["japanese"], 16.5), player(playouts=20)
    sure(monkeypatch, one, game)
    status = one.status(game)
    dead = next(chain for chain in status.alive if parse_vertex("E5", 5) in chain)
    ownership = status.ownership.copy()
    ownership[dead] = share
    alive = [chain for chain in status.alive if chain != dead]
    proved = status._replace(
        alive=alive, dead=[dead], proved=frozenset(dead), ownership=ownership, clear=False
    )
    monkeypatch.setattr(one.facts, "status", lambda *_: proved)
    searches = iter([0.1, threat, defense])

    def best_of(*_):
        return believed(parse_vertex("D4", 5), 100, next(searches), 0.0), 2000

    monkeypatch.setattr("engine.player.passing.best_of", best_of)
    assert format_vertex(one.choose(game, BLACK).point) == vertex


@pytest.mark.parametrize(("rules", "vertex"), [("chinese", "D4"), ("japanese", "pass")])
def test_by_area_a_gain_is_tried_wherever_the_other_side_prevents_it(rules, vertex, monkeypatch):
    """In two games several moves prevented gains of 10 and 12 points, and yomi passed."""
    game, one = game_of(HANGING, WHITE, RULESETS[rules], 6.5), player(playouts=20)
    sure(monkeypatch, one, game)
    searches = iter([("D4", 0.6), ("A4", 0.9), ("A4", 0.1)])

    def best_of(*_):
        vertex, won = next(searches)
        return believed(parse_vertex(vertex, 5), 100, won, 0.0), 2000

    monkeypatch.setattr("engine.player.passing.best_of", best_of)
    assert format_vertex(one.choose(game, WHITE).point) == vertex


@pytest.mark.skipif(not JIT_ENABLED, reason="too few roll-outs without the JIT")
def test_a_game_lost_by_half_a_point_is_not_given_up_on_an_open_board():
    """From a game: White passed here and lost it, although E6 destroys Black's area."""
    diagram = """
        . . . . . . . . .
        . . . . . . . X .
        . . . . . . . . X
        . . . . . X X X O
        X X X . X O O O O
        X O O X X X O . .
        O O . O O O . . .
        . . . . . . . . .
        . . . . . . . . ."""
    game = game_of(diagram, WHITE, RULESETS["japanese"], 6.5)
    assert player().final_score(game) == 0.5
    assert format_vertex(player(playouts=100).choose(game, WHITE).point) == "E6"


@pytest.mark.skipif(not JIT_ENABLED, reason="too few roll-outs without the JIT")
def test_an_own_ko_is_filled_before_a_pass_by_area_too():
    """White can take A9 at B9. From a game, where the ko cost four points."""
    diagram = """
        X . X . X . X . .
        O X X X . X O . .
        O O O X X O O . .
        O X X X O . . . .
        O O O X X . X X .
        . . O O X X X . X
        . . O . O O X O X
        . . . O . . O X X
        . . . . . O O O X"""
    game = game_of(diagram, BLACK, RULESETS["chinese"])
    assert player().status(game).moves_required(BLACK) == {parse_vertex("B9", 9)}
    assert format_vertex(player(playouts=100).choose(game, BLACK).point) == "B9"


def test_without_a_sensible_move_it_passes():
    game = game_of(".X\nXX")
    assert player().choose(game, BLACK).point == PASS
    assert player().choose(game, WHITE).point != PASS  # takes the last liberty


@pytest.mark.skipif(not JIT_ENABLED, reason="too few roll-outs without the JIT")
@pytest.mark.parametrize("rules", ["japanese", "chinese"])
def test_no_pass_while_a_stone_can_be_taken(rules):
    """A ko for the last points: in most roll-outs White wins it, and yomi passed once."""
    diagram = """
        . . . . . X O . O
        . . . . X X X O O
        . X . X . X O O X
        . . X X X X O O .
        . . X O O X X O .
        . X . X O O X O O
        . . X X O O O X .
        . . X X X O O O .
        . . X O O O . . ."""
    game = game_of(diagram, BLACK, RULESETS[rules])
    status = player().status(game)
    assert status.settled
    assert status.open_captures(BLACK) == {parse_vertex("H9", 9)}
    assert status.open_captures(WHITE) == set()
    assert player().choose(game, BLACK).point != PASS


@pytest.mark.parametrize(
    ("rules", "capture_dead", "stands"),
    [
        ("chinese", False, False),
        ("japanese", False, False),
        ("chinese", True, True),
        ("tromp-taylor", False, True),
    ],
)
def test_stones_stand_after_two_passes_where_dead_ones_must_be_captured(
    rules, capture_dead, stands, monkeypatch
):
    game = game_of(CONTESTED, BLACK, replace(RULESETS[rules], capture_dead=capture_dead))
    game.play(BLACK, PASS)
    monkeypatch.setattr("engine.player.candidates.may_pass", lambda *_: False)
    options = PlayerOptions(playouts=1, threads=1, seed=1, tactics=False, sums=False)
    one = Player(options)
    one.choose(game, WHITE)
    assert one.thinker.search.searcher._root.position.stands == stands


def sure(monkeypatch, one, game, *, clear=True):
    """Let a player take all stones for alive, and beyond doubt if they are clear."""
    chains = [sorted(chain) for chain in chains_of(game)]
    settled = one.status(game)._replace(
        alive=chains, dead=[], seki=[], clear=clear, settled=clear, closed=True, dame=frozenset()
    )
    monkeypatch.setattr(one.facts, "status", lambda *_: settled)
    monkeypatch.setattr(one.facts, "brief_status", lambda *_: settled)


@pytest.mark.parametrize("komi", [-40.5, 0.5, 40.5])
@pytest.mark.parametrize("color", [BLACK, WHITE])
def test_a_last_look_finds_moves_that_win_or_keep_points(color, komi, monkeypatch):
    """For the winner and for the loser: roll-outs that are sure of all were wrong."""
    game = game_of(HANGING, color, RULESETS["chinese"], komi)
    one = player(playouts=60)
    sure(monkeypatch, one, game)
    decision = one.choose(game, color)
    assert format_vertex(decision.point) == "D4"
    stake = "it gains points that are still open"
    if color == WHITE:
        stake = "after a pass, Black gains points with D4"
    assert decision.reason == stake
    assert not game.moves


@pytest.mark.parametrize(("rules", "is_last"), [("japanese", True), ("chinese", False)])
def test_after_an_unanswered_try_another_one_follows_where_it_costs_nothing(
    rules, is_last, monkeypatch
):
    game = game_of(HANGING, BLACK, RULESETS[rules])
    one = player(playouts=60)
    sure(monkeypatch, one, game)
    assert one.choose(game, BLACK).point != PASS
    game.play(BLACK, parse_vertex("A1", 5))
    game.play(WHITE, PASS)
    assert (one.choose(game, BLACK).point == PASS) == is_last
    one.new_game()
    assert one.choose(game, BLACK).point != PASS


@pytest.mark.parametrize(("komi", "vertex"), [(-3.5, "D4"), (-1.5, "pass"), (1.5, "D4")])
def test_no_point_is_risked_for_more_where_it_decides_the_game(komi, vertex, monkeypatch):
    """By territory Black has 3 points, and White as many: he is ahead by 3.5, by 1.5, or behind."""
    game = game_of(HANGING, BLACK, RULESETS["japanese"], komi)
    one = player(playouts=60)
    sure(monkeypatch, one, game)
    assert one.final_score(game) == -komi
    assert format_vertex(one.choose(game, BLACK).point) == vertex


def test_a_player_without_a_search_passes_without_a_last_look(monkeypatch):
    game = game_of(HANGING, BLACK, RULESETS["chinese"])
    one = Player(PlayerOptions(thinker=PatternThinker), Knowledge(patterns=no_patterns()))
    sure(monkeypatch, one, game)
    assert one.choose(game, BLACK).point == PASS


@pytest.mark.parametrize("color", [BLACK, WHITE])
def test_a_game_for_points_is_won_by_two(color):
    game = game_of(HANGING, color, RULESETS["japanese"], 6.5)
    alive = player().status(game)._replace(dead=[])
    played = game_for_points(game, color, alive)
    sign = 1 if color == BLACK else -1
    assert played.rules.scoring == "area"
    assert sign * played.score(set(), set()) == -1.5
    open_border = alive._replace(unfinished=frozenset({DAME, FILLED}))
    assert sign * game_for_points(game, color, open_border).score(set(), set()) == -3.5
    assert (game.rules, game.komi) == (RULESETS["japanese"], 6.5)


@pytest.mark.skipif(not JIT_ENABLED, reason="too few roll-outs without the JIT")
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_dame_that_threatens_stones_is_answered_in_settled_ground(seed):
    """From a game: Black's dame at C7 puts six stones into atari, and White connects them at E6.

    White has to wait: C7 would be an atari by its own hand.
    """
    moves = """
        E5 G6 G4 E7 C4 C3 B3 B4 B5 D4 A4 D5 D3 D6 E4 E3 C2 F4 F5 F3 G5 G3 H4 H3 E2 H6 J3 J2 J4 H1
        G1 F1 B7 F6 C8 H5 F9 F2 E1 E8 E9 D9 D8 G9 F8 G8 C9 F7 D9 C6 B6 C5 D7 D2 D1"""
    game = Game(9, RULESETS["japanese"], 6.5)
    for vertex in moves.split():
        game.play(game.to_play, parse_vertex(vertex, 9))
    assert format_vertex(player(seed=seed).choose(game, WHITE).point) in ("pass", "E6")
    game.play(WHITE, PASS)
    game.play(BLACK, parse_vertex("C7", 9))
    decision = player(seed=seed).choose(game, WHITE)
    assert format_vertex(decision.point) in ("E6", "J5")


@pytest.mark.parametrize("komi", [6.5, -60.5])
def test_a_pass_that_would_lose_is_no_answer_to_a_pass(monkeypatch, komi):
    """The search once took the pass's certain loss for the value of all moves, and passed."""
    game = Game(9, RULESETS["tromp-taylor"], komi)
    for color, text in zip((BLACK, WHITE) * 3, ("c3", "e5", "f3", "d4", "d3", "pass"), strict=True):
        game.play(color, parse_vertex(text, 9))
    one, asked = player(playouts=8), []
    think = one.thinker.think
    monkeypatch.setattr(
        one.thinker, "think", lambda request, *rest: asked.append(request) or think(request, *rest)
    )
    monkeypatch.setattr("engine.player.candidates.may_pass", lambda *_: False)
    decision = one.choose(game, BLACK)
    assert (PASS in asked[0].moves) == (komi < 0)
    assert komi < 0 or decision.point != PASS
