"""What one move brings and another one does not, as sentences."""

from types import SimpleNamespace

import numpy as np
import pytest

from engine import BLACK, PASS, WHITE, Game, Player, PlayerOptions, parse_vertex
from engine.explain.effects import _fates, _groups, _in_vain, effects_of, largest_ground
from engine.explain.kinds import Effect, Kind
from engine.explain.outcomes import MovePair, Outcome
from engine.explain.words import because, sentence, sentences_of
from engine.facts.group_facts import GroupFacts
from engine.facts.position_facts import Facts
from engine.go.geometry import AREA
from engine.jit import JIT_ENABLED
from engine.picture.picture import picture_of
from tests.diagrams import GAP, game_of, liberties_at

CHAINS = """
    . . . . .
    . X X . .
    . . . . .
    . O . . .
    . . . . ."""
# White's two stones in the corner are in atari, and so is Black's stone beside them.
ATARIS = """
    . . . . . . .
    . . . . . . .
    . . . . . . .
    . . . . . . .
    . . . . . . .
    X X . . . . .
    O O . . . . ."""
# Black's stone in the middle can be captured in a ladder or saved.
IN_ATARI = """
    . . . . .
    . . O . .
    . O X . .
    . . O . .
    . . . . ."""
KO = """
    . X O . .
    X O . O .
    . X O . .
    . . . . .
    . . . . ."""


def owned(size=5, **owners: float):
    ownership = np.zeros(AREA)
    for vertex, owner in owners.items():
        ownership[parse_vertex(vertex, size)] = owner
    return ownership


def choice_of(game, color, better, other, first=None, second=None, **known):
    outcomes = (
        Outcome(
            game, color, PASS if move == PASS else parse_vertex(move, game.size),
            owned() if owners is None else owners, Facts(), **known
        )
        for move, owners in ((better, first), (other, second))
    )  # fmt: skip
    return MovePair(game, color, *outcomes)


def told(*choice):
    return [sentence(effect) for effect in effects_of(choice_of(*choice))]


def test_chains_that_live_or_die_by_the_move():
    game = game_of(CHAINS)
    first, second = owned(B4=0.8, C4=0.8, B2=0.5), owned(B4=-0.4, C4=-0.4, B2=-0.8)
    mine = "Black's two stones at B4 usually live after A1, and usually die after E5."
    # A single stone, such as White's at B2, may be given up.
    assert told(game, BLACK, "A1", "E5", first, second) == [mine]
    # For White it is the other move that brings something.
    assert told(game, WHITE, "A1", "E5", first, second) == []
    theirs = "Black's two stones at B4 usually die after E5, and usually live after A1."
    assert theirs in told(game, WHITE, "E5", "A1", second, first)


def test_chains_with_the_same_shares_are_one_sentence():
    game = game_of("""
        . X X . .
        . . . . .
        . X X . .
        . O . . .
        . . . . .""")
    first, second = (owned(B5=x, C5=x, B3=x, C3=x) for x in (0.8, -0.4))
    effects = effects_of(choice_of(game, BLACK, "A1", "E5", first, second))
    assert [(effect.points, sentence(effect)) for effect in effects] == [
        (
            pytest.approx(4 * 4 * 0.6),
            "Black's stones at B3 and B5 usually live after A1, and usually die after E5.",
        )
    ]
    second[parse_vertex("C3", 5)] = -0.6  # one of the chains fares worse
    assert len(told(game, BLACK, "A1", "E5", first, second)) == 2


@pytest.mark.parametrize(("lives", "lived"), [(0.2, -0.5), (0.6, 0.1), (0.39, -0.9), (0.9, -0.3)])
def test_chains_that_roll_outs_see_half_alive_are_not_told(lives, lived):
    game = game_of(CHAINS)
    first, second = owned(B4=lives, C4=lives), owned(B4=lived, C4=lived)
    assert told(game, BLACK, "A1", "E5", first, second) == []


def test_chains_that_solvers_see_dead_do_not_live_by_roll_outs():
    game = game_of(CHAINS)
    safe, lost = owned(B4=0.8, C4=0.8), owned(B4=-0.8, C4=-0.8)
    first, second = outcome("A1", [], safe), outcome("E5", [], lost)
    assert len(list(_fates(MovePair(game, BLACK, first, second), set()))) == 1
    for status in ("dead", "critical"):  # White is to move
        danger = outcome("A1", [group(status, BLACK, "B4", "C4")], safe)
        assert list(_fates(MovePair(game, BLACK, danger, second), set())) == []
    stones = parse_vertex("B4", 5), parse_vertex("C4", 5)
    first.statuses[stones] = "dead", PASS
    assert list(_fates(MovePair(game, BLACK, first, second), set())) == []


def test_a_capture_is_told_where_the_other_move_is_none():
    game = game_of(ATARIS)
    assert told(game, BLACK, "C1", "G7")[0] == "C1 captures the two stones at A1."
    # Roll-outs see White take the place back: capturing gains nothing that stays.
    back = owned(7, A1=-0.2, B1=-0.2)
    assert not any("captures" in text for text in told(game, BLACK, "C1", "G7", back))
    # White cannot save them, so nothing is lost by waiting.
    assert told(game, BLACK, "G7", "F6") == []


def test_a_rescue_is_told_with_what_would_have_captured():
    game = game_of(IN_ATARI)
    (point,) = liberties_at(game, parse_vertex("C3", 5))
    assert point == parse_vertex("D3", 5)
    sentences = told(game, WHITE, "D3", "A1")
    assert sentences[0] == "D3 captures the stone at C3."


@pytest.mark.skipif(not JIT_ENABLED, reason="too slow without the JIT")
def test_a_ko_needs_a_threat():
    game = game_of(KO)
    assert "C4 takes the ko, so White needs the first threat." in told(game, BLACK, "C4", "E1")
    player = Player(PlayerOptions(playouts=60, threads=1, seed=1))
    decision = player.choose(game, BLACK)._replace(point=parse_vertex("C4", 5))
    # Its effect, its shape and the capture are one reason.
    for advice in (decision.advice, {}):
        reasons = player.reasons(game, BLACK, decision._replace(advice=advice))
        assert because(reasons) == ", because it takes the ko, so White needs the first threat"


def outcome(move, groups, owners):
    outcome = Outcome(game_of(CHAINS), BLACK, parse_vertex(move, 5), owners, Facts())
    outcome.groups = groups
    return outcome


def group(status, color, *vertices, attacks=(), rival=()):
    stones = tuple(parse_vertex(vertex, 5) for vertex in vertices)
    return GroupFacts(stones, color, status, attacks, (), rival)


def fates_of(first, second, life="unknown"):
    """Return the sentences about groups, where the solver proves a status of own ones."""
    first.facts = SimpleNamespace(life_of=lambda board, stone: life)
    return [sentence(e) for e in _groups(MovePair(game_of(CHAINS), BLACK, first, second))]


def test_groups_that_live_or_die_are_told_where_roll_outs_agree():
    attacked = group("critical", BLACK, "B4", "C4", attacks=(parse_vertex("B5", 5),))
    dead = group("dead", BLACK, "B4", "C4")
    safe, lost = owned(B4=0.8, C4=0.8), owned(B4=-0.8, C4=-0.8)
    first, name = outcome("A1", [], safe), "the group of the two stones at B4"
    kills = f"After E5, White kills {name} with B5."
    lives = f"A1 makes {name} live"
    race = group("critical", BLACK, "B4", "C4", attacks=attacked.attacks, rival=(1,))
    for danger, life, text in (
        (attacked, "unknown", kills),
        (attacked, "seki", f"{lives} in seki; after E5 it dies."),
        (dead, "alive", f"{lives}; after E5 it dies."),
        # It is not proved to live: roll-outs alone say so.
        (dead, "unknown", f"After E5, {name} dies."),
        (race, "unknown", f"After E5, White wins the race against {name}."),
    ):
        assert fates_of(first, outcome("E5", [danger], lost), life) == [text]
    for doubtful in (safe, owned(B4=-0.2, C4=-0.2)):
        assert fates_of(first, outcome("E5", [attacked], doubtful)) == []
    killed = group("dead", WHITE, "B2")
    second = outcome("E5", [], owned(B2=-0.6))
    assert fates_of(outcome("A1", [killed], owned(B2=0.8)), second) == ["A1 kills the stone at B2."]
    assert fates_of(outcome("A1", [killed], owned(B2=0.2)), second) == []


@pytest.mark.skipif(not JIT_ENABLED, reason="the solver reads for minutes")
def test_links_and_cuts():
    game = game_of(GAP)
    black = "D5 links the three stones at A5 with the two stones at E5."
    white = "D5 cuts the three stones at A5 off from the two stones at E5."
    assert black in told(game, BLACK, "D5", "G1")
    assert white in told(game, WHITE, "D5", "G1")
    assert black not in told(game, BLACK, "G1", "D5")
    # A stone that roll-outs see captured cuts nothing off.
    assert white not in told(game, WHITE, "D5", "G1", owned(7, D5=0.2))


def test_a_move_inside_settled_ground_is_in_vain():
    game = game_of(CHAINS)
    settled = owned(A5=-1.0, B5=-1.0, A4=-1.0)
    sentences = told(game, BLACK, "E1", "A5", settled, settled)
    assert sentences == ["A5 is inside White's settled ground, where it dies."]
    assert told(game, WHITE, "E1", "A5", settled, settled) == [
        "A5 is inside White's own settled ground."
    ]
    # The move itself may have settled it.
    open_before = owned(A5=-0.5, B5=-1.0, A4=-1.0)
    assert "A5" not in " ".join(told(game, WHITE, "E1", "A5", open_before, settled))
    # A move that captures takes what is left there.
    corner = owned(7, **dict.fromkeys(("B1", "C1", "C2", "D1"), 1.0))
    assert told(game_of(ATARIS), BLACK, "G7", "C1", corner, corner) == []


def test_a_suicide_that_a_record_forces_leaves_no_chain_to_tell_of():
    game = game_of("""
        . X . . .
        X X . . .
        . . . . .
        . . . O .
        . . . . .""")
    assert told(game, WHITE, "C3", "A5", owned(A5=0.4)) == []


@pytest.mark.parametrize(
    ("status", "text"),
    [
        ("dead", "After A5, the stone at A5 cannot escape."),
        ("critical", "After A5, White can capture the stone at A5, starting at A4."),
        ("safe", None),
    ],
)
def test_a_move_that_can_be_captured_is_in_vain(status, text):
    stone, attack = parse_vertex("A5", 5), parse_vertex("A4", 5)
    first, second = outcome("E1", [], owned()), outcome("A5", [], owned(A5=-0.8))
    second.statuses[stone,] = status, attack if status == "critical" else PASS
    told_of = [
        sentence(e) for e in _in_vain(MovePair(game_of(CHAINS), BLACK, first, second), set())
    ]
    assert told_of == ([] if text is None else [text])
    # Another sentence may name the stones, and roll-outs may see them alive.
    assert list(_in_vain(MovePair(game_of(CHAINS), BLACK, first, second), {stone})) == []
    second.owners = owned(A5=0.2)
    assert list(_in_vain(MovePair(game_of(CHAINS), BLACK, first, second), set())) == []


def test_ground_that_changes_hands_is_a_concrete_reason():
    game, corner = game_of(CHAINS), dict.fromkeys(("D1", "D2", "E1", "E2"), 0.5)
    first, second = owned(**corner), owned(**dict.fromkeys(corner, -0.4))
    (effect,) = effects_of(choice_of(game, BLACK, "D1", "A1", first, second))
    assert effect.kind == Kind.TAKES_GROUND
    assert sentence(effect) == "D1 gains about 4 points around it that A1 leaves to White."
    (effect,) = effects_of(choice_of(game, BLACK, "D1", "A1", 2 * first, 0.1 * first))
    assert sentence(effect) == "D1 gains about 4 points around it."
    kept = owned(A4=0.8, A5=0.8)  # about two points that White would leave to Black
    (effect,) = effects_of(choice_of(game, BLACK, "D1", "A1", first, second + kept))
    assert sentence(effect) == (
        "D1 gains about 4 points around it that A1 leaves to White, and gives up about 2 around A4."
    )


def test_ground_that_changes_hands_has_to_be_worth_what_is_given_up():
    corner, above = ("D2", "E1", "E2"), ("D3", "E3", "D4", "E4")
    first = owned(D1=0.5, **dict.fromkeys(corner, 0.45), **dict.fromkeys(above, 1.0))
    second = owned(D1=-0.45, **dict.fromkeys(corner, -0.45), **dict.fromkeys(above, 0.1))
    second += owned(A1=1.0, **dict.fromkeys(("A2", "A3", "A4", "B1"), 0.98))
    # Seven points for five are an exchange.
    assert told(game_of(CHAINS), BLACK, "D1", "A1", first, second) == []


def test_ground_is_connected_and_larger_than_a_point():
    game = game_of(CHAINS)
    near = owned(D2=0.5, E2=0.9, E1=0.3, E5=0.9)

    def gained(game, move, owners, gain, **known):
        choice = choice_of(game, BLACK, move, PASS, owners, **known)
        return largest_ground(choice, choice.first.move, gain)

    assert gained(game, "E1", near, near) == (pytest.approx(1.7), parse_vertex("E2", 5))
    assert gained(game, "E1", near, owned(E5=0.9, A1=0.9))[0] == 0.0
    # Two searches of 10 roll-outs may differ by as much.
    assert gained(game, "E1", near, near, rollouts=10)[0] == 0.0
    assert gained(game, PASS, near, near)[0] == 0.0
    # Ground out of the move's reach is not its own.
    wide, far = Game(9), owned(9, A1=0.9, A2=0.9)
    assert gained(wide, "E5", far, far)[0] > 1.0
    assert gained(wide, "F5", far, far)[0] == 0.0
    assert told(game, BLACK, "E1", "A5", near) == ["E1 gains about 2 points around E2."]
    assert told(game, BLACK, "E1", "A5", near, owned(A1=0.3, A2=0.8)) == []


def test_small_effects_are_left_out():
    chains = [((parse_vertex(name, 5),),) for name in ("A1", "B2", "C3")]
    effects = [
        Effect(Kind.CAPTURES, n, stones) for n, stones in zip((9, 4, 1), chains, strict=True)
    ]
    texts = [sentence(effect) for effect in effects]
    assert sentences_of(effects, 2.0, 3) == texts[:2]
    assert sentences_of(effects, 2.0, 1) == texts[:1]
    assert sentences_of(effects[2:], 2.0, 3) == texts[2:]


NUMBERS = {
    Kind.SUM: (2, 3, 0.5),
    **dict.fromkeys((Kind.TAKES_AREA, Kind.PREFERRED, Kind.EXTENSION), (5,)),
}


def test_every_kind_has_words():
    for kind in Kind:
        a, b, c = (parse_vertex(name, 5) for name in ("A1", "B2", "C3"))
        one = any(field in kind.value for field in ("{way}", "{worth}"))
        numbers = (1.0,) if one else NUMBERS.get(kind, (0.8, 0.1))
        effect = Effect(kind, 2.0, ((a,), (b, c)), BLACK, (a, b), (b, c), numbers)
        assert sentence(effect).endswith(".")


@pytest.mark.skipif(not JIT_ENABLED, reason="too many roll-outs")
def test_a_player_says_why():
    game = game_of(IN_ATARI, WHITE)
    player = Player(PlayerOptions(playouts=60, threads=1, seed=1))
    before = game.copy()
    [capture] = picture_of(game.board).chain_at(parse_vertex("C3", 5)).liberties
    decision = player.choose(game, WHITE)
    chosen = decision._replace(point=capture)
    kinds = [effect.kind for effect in player.reasons(game, WHITE, chosen)]
    assert Kind.CAPTURES in kinds
    assert kinds.count(Kind.CAPTURES) == 1
    # It rests on the search of the move: nothing is searched again.
    assert chosen.owners.keys() >= {capture, chosen.rival.point}
    assert game.moves == before.moves
    assert (game.board == before.board).all()
    empty = Game(5)
    decision = player.choose(empty, BLACK)
    (reason, *_) = player.reasons(empty, BLACK, decision)
    assert reason.kind not in (Kind.CAPTURES, Kind.SAVES)
    # Rules are reasons of their own.
    passes = decision._replace(why=(Effect(Kind.SETTLED, 0.0),))
    assert player.reasons(empty, BLACK, passes) == list(passes.why)
