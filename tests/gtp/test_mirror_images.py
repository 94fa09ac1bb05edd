"""No output names two mirror images of a move."""

import re

import pytest

from engine import Game, PlayerOptions, Predictor, parse_vertex
from engine.go.symmetry import orbit, symmetries_of
from engine.review import Lookout, choices_of, review_game
from gtp.prompt import WORDS
from gtp.protocol import Command
from gtp.review.notes import write_notes
from gtp.review.positions import positions_of
from gtp.session import SessionOptions
from patterns_db.records.replay import record_of
from patterns_db.records.sgf import read_main_line, write_record
from patterns_db.shipped import load_knowledge
from tests.gtp.conftest import Talk, needs_jit

LABELED = r"([A-T]\d+) [\d-]+(?= |$)"
OUTPUTS = {
    "lz-analyze b 1": r"info move (\w+)",
    "kata-analyze b 1": r"info move (\w+)",
    "yomi-win_rates b": LABELED,
    "yomi-move_probabilities b": LABELED,
    "hint": r"(?m)^([A-T]\d+)\b",
    "yomi-explain": r"(?m)^([A-T]\d+)  ",
}
KNOWLEDGE = load_knowledge()


@needs_jit
@pytest.mark.parametrize(
    "moves",
    [
        "19",
        "9",
        "19 b D4 w Q16 b Q4 w D16",
        "9 b E5",
        "9 b C3 w G7 b C7 w G3",
        "13 b G7 w K10",
    ],
)
def test_no_output_names_two_mirror_images(moves):
    size, *moves = moves.split()
    options = PlayerOptions(playouts=100, threads=1, seed=1)
    talk = Talk(SessionOptions(player=options, knowledge=KNOWLEDGE))
    talk(f"boardsize {size}", f"gogui-play_sequence {' '.join(moves)}")
    game = talk.session.game.copy()
    answers = {c: talk(c) for c in list(OUTPUTS)[:4]}
    answers["hint"] = WORDS["hint"](talk.session, Command("", "hint"))
    talk("genmove b")
    answers["yomi-explain"] = talk("yomi-explain")
    for command, answer in answers.items():
        lines = [
            line for line in answer.split("\n") if not line.startswith(("INFLUENCE", "SQUARE"))
        ]
        named = dict.fromkeys(re.findall(OUTPUTS[command], "\n".join(lines)))
        check(game, [parse_vertex(name, game.size) for name in named], command)
    line = read_main_line(write_record(record_of(game)))
    line, positions = positions_of(line, game.rules, 7.5)
    review = review_game(positions, Lookout(options, KNOWLEDGE), Predictor(KNOWLEDGE.patterns))
    check(game, [choice.point for choice in choices_of(review, len(moves) // 2)], "review")
    note = write_notes(review, (), len(line.nodes))[-1]
    expected = re.findall(r"([A-T]\d+) [\d.]+ %", note.comment.split("expect")[-1])
    check(game, [parse_vertex(name, game.size) for name in expected], "note")


def check(game: Game, moves, where):
    symmetries = symmetries_of(game)
    assert len(symmetries) > 1
    assert len({orbit(move, game.size, symmetries) for move in moves}) == len(moves) > 0, where
