"""Every command of ``list_commands`` with wrong arguments: one clear line, and nothing changed.

The two tables together name every command; add a new command to one of them.
"""

from itertools import pairwise
from pathlib import Path

import pytest

from gtp.handlers.help import FORMS, form_of
from gtp.handlers.table import UNLISTED
from gtp.protocol import SYNTAX_ERROR

COLORS = ("", "grey", "b w", "1")
VIEWS = ("grey", "b w", "e5")
ANALYSES = (
    "grey?",
    "b -1",
    "1e400",
    "interval",
    "interval -5",
    "interval soon",
    "minmoves",
    "minmoves 0",
    "minmoves 1.5",
    "maxmoves -3",
    "avoid",
    "avoid b",
    "avoid b e5",
    "avoid b e5 0",
    "avoid green e5 1",
    "avoid b e5,z99 1",
    "allow w e5,, 1",
    "nan",
    "frobnicate",
    "10 frobnicate",
    "pvVisits",
)
SYNTAX = {
    "known_command": ("", "name version"),
    "help": ("play komi",),
    "boardsize": ("", "x", "9 x", "9.0", "9 9 9", "+", "٩", "1_9", "9" * 5000),
    "komi": ("", "x", "6 5", "--6", "1e4", "6,5", "infinity", "0x10", "nan", "1e999"),
    "play": ("", "b", "b e5 w", "e5 b", "b j10", "b 5e", "b e0", "b i9", "grey e5", "b resign",
             "b e4\u00a0", "b \u00a0e4", "b\u00a0 e4", "b\u00a0e4"),
    "genmove": COLORS,
    "reg_genmove": COLORS,
    "undo": ("a", "2"),
    "gg-undo": ("-1", "x", "1 2", "0.5"),
    "time_settings": (
        "", "1", "1 2", "1 2 3 4", "a 2 3", "1 b 3", "1 2 c", "nan 1 1", "1 inf 1", "-1 0 0",
        "60 -1 1",
    ),
    "time_left": ("", "b", "x 10 0", "b x 0", "b 10 x", "b 10 0 0", "10 b", "b nan"),
    "final_status_list": ("", "undead", "alive dead", "b"),
    "fixed_handicap": ("", "two", "2 3", "2.5"),
    "place_free_handicap": ("", "two", "2 3", "1e1"),
    "loadsgf": ("", '"x.sgf', "x.sgf 0", "x.sgf -1", "x.sgf one", "x.sgf 1 2", '""'),
    "printsgf": ('"x.sgf', "x.sgf now"),
    "captures": COLORS,
    "is_legal": ("", "b", "b e5 w", "e5 b", "b z1"),
    "all_legal": COLORS,
    "list_stones": COLORS,
    "countlib": ("", "z1", "e5 e6", "b"),
    "set_random_seed": ("", "x", "1 2", "1.5", "9" * 19),
    "lz-analyze": ANALYSES,
    "kata-analyze": (*ANALYSES, "ownership", "ownership perhaps", "rootInfo 1"),
    "lz-genmove_analyze": ANALYSES,
    "kata-genmove_analyze": (*ANALYSES, "ownership", "ownership perhaps"),
    "gogui-play_sequence": ("b", "b a1 w", "b a1 w z1", "a1 b", "grey a1", "b c1 w c2\u00a0"),
    "gogui-setup": ("b", "b a1 w", "b a1 w z1", "a1 b", "grey a1"),
    "gogui-setup_player": COLORS,
    "attack": ("", "z1", "e5 e6", "b"),
    "defend": ("", "z1", "e5 e6", "b"),
    "yomi-win_rates": VIEWS,
    "yomi-ownership": VIEWS,
    "yomi-variation": VIEWS,
    "yomi-move_probabilities": VIEWS,
    "yomi-tactics": ("e5",),
    "yomi-chain_status": ("e5",),
    "yomi-explain": ("b",),
    "yomi-level": ("5k 6k",),
    "kgs-time_settings": (
        "", "hourglass", "none 5", "absolute", "absolute x", "canadian 5 5", "byoyomi 5 5 5 5",
        "absolute -5",
    ),
    "kgs-rules": ("", "ing", "chinese now", "new-zealand"),
    "kgs-genmove_cleanup": COLORS,
    "cgos-genmove_analyze": COLORS,
    "kata-get-rules": ("x",),
    "kata-set-rule": ("", "ko", "ko SIMPLE now"),
    "kata-time_settings": (
        "", "sudden 5", "none 1", "fischer", "fischer 5", "fischer 5 x", "fischer -1 5",
        "fischer-capped 1 2 3", "fischer-capped 1 -2 -1 -1",
    ),
    "kata-list-params": ("x",),
    "kata-get-param": ("", "maxTime maxVisits"),
    "kata-set-param": ("", "maxTime", "maxTime 1 2"),
    "yomi-settings": ("time", "time 1 2"),
}  # fmt: skip
TELLING = (Path(__file__).parents[1] / "sessions" / "refusals.gtp").read_text("utf-8").splitlines()
"""A session: what is wrong with its lines is not their form, and is said."""

WHATEVER = {
    "protocol_version", "name", "version", "list_commands", "clear_board", "final_score",
    "showboard", "get_komi", "cputime", "gogui-interrupt", "gogui-title", "gogui-version",
    "gogui-analyze_commands", "kgs-game_over", "cgos-opponent_name", "cgos-opponent_rating",
    "cgos-gameover", "quit", "kata-list_time_settings", "stop", "clear_cache",
}  # fmt: skip
"""Commands that take no argument, and ignore what comes with them, or any text at all."""

ROWS = [f"{name} {words}".strip(" ") for name, many in SYNTAX.items() for words in many]


@pytest.fixture(scope="module")
def in_a_game(talk_in_module):
    """A session in the middle of a game, one for the whole table: no refusal may change it."""
    talk = talk_in_module()
    talk("boardsize 9", "komi 5.5", "time_settings 300 30 5", "time_left b 100 0")
    talk("play b a8", "play w a1", "play b b9", "play w b8")
    return talk


def test_the_tables_name_every_command_once(in_a_game):
    listed = in_a_game("list_commands").split("\n")
    told = {line.split()[0] for line, answer in pairwise(TELLING) if answer.startswith("? ")}
    refusing = set(SYNTAX) | told
    assert refusing | WHATEVER == set(listed)
    assert not refusing & WHATEVER


@pytest.mark.parametrize("line", ROWS)
def test_refused_in_one_line_and_nothing_changes(in_a_game, line):
    session = in_a_game.session
    before = (in_a_game.state, in_a_game("printsgf"), session.options, session.player.options)
    player, clock = session.player, session.clock
    answer = in_a_game(f"17 {line}")
    assert answer == f"?17 {SYNTAX_ERROR}; usage: {form_of(line.split()[0])}"
    assert (in_a_game.state, in_a_game("printsgf"), session.options, session.player.options) == (
        before
    )
    assert session.player is player
    assert session.clock is clock
    assert session.generated is None


def test_forms_are_those_of_commands(in_a_game):
    commands = {*in_a_game("list_commands").split("\n"), *UNLISTED}
    assert FORMS.keys() <= commands
    # Those that take arguments, and refuse some.
    assert {name for name, many in SYNTAX.items() if "" in many or len(many) > 2} <= FORMS.keys()


@pytest.mark.parametrize("name", sorted(WHATEVER))
def test_superfluous_words_are_no_failure(talk, name):
    talk("boardsize 2", "play b a1", "play w pass", "play b pass")
    assert not talk(f"{name} and more words").startswith("?")


REFUSED_LOADS = {
    "": "no SGF data",
    "SZ[9]": "not a readable SGF",
    "(;SZ[9];B;W[aa]": "not a readable SGF",
    "(;SZ[9]GM[3])": "not a game of Go",
    "(;SZ[9:8])": "board size",
    "(;SZ[9];B[aa];W[aa])": "at move 2: illegal move: white A9",
    "(;SZ[9]AB[aa]AW[ab][ba])": "before move 1: a chain without liberties",
    "(;SZ[9];B[aa];AB[zz])": "set-up",
}


@pytest.mark.parametrize(("text", "reason"), REFUSED_LOADS.items())
def test_a_record_is_loaded_whole_or_not_at_all(in_a_game, tmp_path, text, reason):
    path = tmp_path / "with blanks.sgf"
    path.write_text(text)
    before = in_a_game("printsgf"), in_a_game.state
    answer = in_a_game(f'loadsgf "{path}"')
    assert answer.startswith("? cannot load file: ")
    assert reason in answer
    assert str(tmp_path) not in answer  # the client knows its own command
    assert (in_a_game("printsgf"), in_a_game.state) == before
