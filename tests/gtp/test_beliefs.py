"""Analyses over GTP inform each other along a game, across undo and clear_board."""

import threading

from engine.belief.losses import observed
from engine.belief.path import Sight
from gtp.prompt import WORDS
from gtp.protocol import Command
from tests.gtp.conftest import needs_jit

PLAYED = ("play b c3", "play w b4", "play b d2")


def test_the_session_remembers_what_it_believed(talk):
    talk("boardsize 5", "yomi-settings playouts 20", *PLAYED)
    memory = talk.session.player.beliefs
    game = talk.session.game
    stop = threading.Event()
    stop.set()
    (report,) = talk.session.player.analyze(game, game.to_play, 1.0, stop)
    assert memory.around(game.beginning, tuple(game.moves))[1].keys() == {3}
    talk("clear_board", PLAYED[0])
    assert talk.session.player.beliefs is memory
    assert memory.around(talk.session.game.beginning, tuple(game.moves[:1]))[1].keys() == {3}
    assert report.evidence is not None
    talk("set_random_seed 3")
    assert talk.session.player.beliefs is not memory


@needs_jit
def test_a_hint_is_informed_by_the_games_beliefs_and_adds_none(talk):
    talk("boardsize 5", "yomi-settings playouts 20", *PLAYED)
    memory, game = talk.session.player.beliefs, talk.session.game
    assert " ahead)" in WORDS["hint"](talk.session, Command("hint", ""))
    for number in range(3):
        line = tuple(game.moves[:number])
        memory.keep(game.beginning, line, Sight(1, (observed(4.0, 0.01),)))
    assert " behind)" in WORDS["hint"](talk.session, Command("hint", "")).partition("\n")[0]
    assert memory.around(game.beginning, tuple(game.moves))[1].keys() == {0, 1, 2}
