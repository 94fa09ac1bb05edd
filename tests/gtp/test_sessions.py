"""Whole sessions against a model: moves, undo, set-up and games in any order, by the slow board.

The model keeps every position; it knows nothing of the engine's game. After each command the answer
and all information about the board must be the model's.
"""

import copy

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import parse_vertex
from engine.jit import JIT_ENABLED
from tests.gtp.conftest import QUICK, Talk
from tests.reference.board import BLACK, LEGAL, WHITE, ReferenceGame, all_chains, all_points

LETTERS = "ABCDEFGHJ"
COLORS = {"b": BLACK, "W": WHITE, "black": BLACK, "white": WHITE}
EXAMPLES = 24 if JIT_ENABLED else 15


def name_of(point):
    return "pass" if point is None else f"{LETTERS[point[0] - 1]}{point[1]}"


def from_top(points):
    """Vertices as GNU Go lists them."""
    return " ".join(name_of(p) for p in sorted(points, key=lambda p: (-p[1], p[0])))


class Model:
    """A session as the GTP draft describes it."""

    def __init__(self):
        self.komi = "7.5"
        self.begin(3)

    def begin(self, size):
        self.size = size
        self.past = []
        self.game = ReferenceGame(size)
        return "="

    def play(self, color, point):
        if point is not None and self.game.legality(color, point) != LEGAL:
            return "? illegal move"
        self.past.append(copy.deepcopy(self.game))
        self.game.play(color, point)
        return "="

    def undo(self, count=1):
        if count > len(self.past):
            return "? cannot undo"
        if count:
            self.game = self.past[-count]
            del self.past[-count:]
        return "="

    def set_komi(self, komi):
        self.komi = komi
        return "="

    def sequence(self, moves):
        kept = copy.deepcopy(self)
        for color, point in moves:
            if self.play(color, point) != "=":
                self.__dict__ = kept.__dict__
                return "? illegal move"
        return "="

    def answers(self):
        """Questions about the board, and the expected answers."""
        stones, size = self.game.stones, self.size
        found = {"get_komi": self.komi, "captures b": str(self.game.captures[BLACK])}
        found["captures white"] = str(self.game.captures[WHITE])
        for name, color in (("b", BLACK), ("white", WHITE)):
            found[f"list_stones {name}"] = from_top(p for p, c in stones.items() if c == color)
            legal = [p for p in all_points(size) if self.game.legality(color, p) == LEGAL]
            found[f"all_legal {name}"] = from_top(legal)
        for chain in all_chains(stones, size):
            around = {
                (x + dx, y + dy) for x, y in chain for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1))
            }
            liberties = [p for p in all_points(size) if p in around and p not in stones]
            found[f"countlib {name_of(min(chain))}"] = str(len(liberties))
        return found


@st.composite
def commands(draw):
    """Return (line, its effect on the model)."""
    place = st.one_of(st.none(), st.tuples(st.integers(1, 3), st.integers(1, 3)))
    moves = st.tuples(st.sampled_from(sorted(COLORS)), place)
    kind = draw(
        st.sampled_from(
            ["play"] * 30 + ["undo", "gg-undo", "komi", "many", "many"] + ["size", "clear"]
        )
    )
    if kind == "play":
        color, point = draw(moves)
        return f"play {color} {name_of(point)}", lambda model: model.play(COLORS[color], point)
    if kind == "undo":
        return "undo", lambda model: model.undo()
    if kind == "gg-undo":
        count = draw(st.integers(0, 4))
        return f"gg-undo {count}", lambda model: model.undo(count)
    if kind == "komi":
        half = draw(st.integers(-18, 18))  # a reader limits komi by the board
        return f"komi {half / 2}", lambda model: model.set_komi(str(half / 2))
    if kind == "size":
        # All moves above fit on both, so that none is a syntax error.
        size = draw(st.sampled_from([3, 4]))
        return f"boardsize {size}", lambda model: model.begin(size)
    if kind == "clear":
        return "clear_board", lambda model: model.begin(model.size)
    many = draw(st.lists(moves, max_size=5))
    words = " ".join(f"{color} {name_of(point)}" for color, point in many)
    plain = [(COLORS[color], point) for color, point in many]
    return f"gogui-play_sequence {words}".strip(), lambda model: model.sequence(plain)


@settings(max_examples=EXAMPLES)
@given(st.lists(commands(), min_size=20, max_size=50))
def test_any_session_is_the_models(lines):
    talk, model = Talk(), Model()
    talk("boardsize 3")
    for line, act in lines:
        expected = act(model)
        answer = talk(line)
        assert (answer or "=") == expected, line
    for question, answer in model.answers().items():
        assert talk(question) == answer, question
    assert len(talk.session.game.moves) == len(model.past)


@settings(max_examples=EXAMPLES // 2)
@given(st.lists(commands(), min_size=5, max_size=30))
def test_a_session_can_be_written_and_taken_up_by_another(tmp_path_factory, lines):
    path = tmp_path_factory.mktemp("session") / "game.sgf"
    one, other = Talk(), Talk()
    one("boardsize 3")
    for line, _ in lines:
        one(line)
    assert one(f"printsgf {path}") == ""
    assert other(f"loadsgf {path}") in ("black", "white")
    for question in ("showboard", "printsgf", "get_komi", "list_stones b", "all_legal w"):
        assert other(question) == one(question)
    while (answer := one("undo")) == "":
        assert other("undo") == ""
        assert other("list_stones b") == one("list_stones b")
    assert other("undo") == answer == "? cannot undo"


@settings(max_examples=EXAMPLES // 2)
@given(st.lists(commands(), max_size=10), st.randoms(use_true_random=False))
def test_how_lines_are_written_does_not_matter(lines, random):
    """Ids, tabs, comments, blank lines and line ends of all sorts."""
    plain, odd = Talk(), Talk()
    for number, (line, _) in enumerate(lines):
        words = [random.choice([word, word.upper()]) for word in line.split()[1:]]
        gap = random.choice([" ", "\t", "   ", "\t \t"])
        text = gap.join([str(number), line.split()[0], *words])
        noise = random.choice(["", " # a comment", "\r", "\t", "\x07"])
        before = random.choice(["", "\n", "# nothing\n", "\r\n"])
        answer = plain(line)
        expected = answer.replace("?", f"?{number}", 1) if answer else str(number)
        assert odd(f"{before}{text}{noise}") == expected
    assert plain.state == odd.state


SEARCHES = (
    "genmove",
    "reg_genmove",
    "kgs-genmove_cleanup",
    "lz-genmove_analyze",
    "cgos-genmove_analyze",
)


@pytest.mark.parametrize("command", SEARCHES)
@pytest.mark.parametrize("color", COLORS)
def test_a_generated_move_is_legal_and_played_once(command, color):
    talk = Talk()
    talk("boardsize 5", "play b c3", "play w c4", "play b b4", "play w d3")
    before = talk.session.game.copy()
    move = talk(f"{command} {color}").split()[-1]
    game = talk.session.game
    if command == "reg_genmove" or move == "resign":
        assert game.moves == before.moves
    else:
        assert game.moves[:-1] == before.moves
        assert game.moves[-1] == (COLORS[color], parse_vertex(move, 5))
    if move != "resign":
        before.play(COLORS[color], parse_vertex(move, 5), superko=True)
    assert talk.session.generated.decision.playouts <= QUICK.playouts
