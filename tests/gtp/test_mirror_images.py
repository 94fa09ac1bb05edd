"""No output names two mirror images of a move."""

import re
from dataclasses import replace

import pytest

from engine import PlayerOptions, Predictor, parse_vertex
from engine.go.symmetry import orbit, symmetries_of
from engine.review import Lookout, choices_of, review_game
from gtp.katago.query import AnalysisRequest, Wanted
from gtp.katago.report import response
from gtp.prompt import WORDS
from gtp.protocol import Command
from gtp.review.notes import write_notes
from gtp.review.positions import positions_of
from gtp.session import SessionOptions
from patterns_db.records.replay import record_of
from patterns_db.records.sgf import read_main_line, write_record
from patterns_db.shipped import load_knowledge
from tests.gtp.conftest import Talk, needs_jit

OPTIONS, KNOWLEDGE = PlayerOptions(playouts=100, threads=1, seed=1), load_knowledge()
POSITIONS = (
    "19",
    "9",
    "19 b D4 w Q16 b Q4 w D16",
    "9 b E5",
    "9 b C3 w G7 b C7 w G3",
    "13 b G7 w K10",
)
OUTPUTS = {
    "lz-analyze b 1": r"info move (\w+)",
    "kata-analyze b 1": r"info move (\w+)",
    "yomi-win_rates b": r"(?:LABEL|\d) ([A-T]\d+)(?= \d)",
    "yomi-move_probabilities b": r"(?:INFLUENCE|\d) ([A-T]\d+)(?= [01]\.)",
    "hint": r"(?m)^([A-T]\d+)\b",
    "yomi-explain": r"(?m)^([A-T]\d+)  ",
}


@needs_jit
@pytest.mark.parametrize("position", POSITIONS)
def test_no_output_names_two_mirror_images(position):
    size, *moves = position.split()
    talk = Talk(SessionOptions(player=OPTIONS, knowledge=KNOWLEDGE))
    talk(f"boardsize {size}", f"gogui-play_sequence {' '.join(moves)}")
    session, game = talk.session, talk.session.game.copy()
    answers = {command: talk(command) for command in list(OUTPUTS)[:4]}
    answers["hint"] = WORDS["hint"](session, Command("", "hint"))
    talk("genmove b")
    answers["yomi-explain"] = talk("yomi-explain")
    named = {name: re.findall(OUTPUTS[name], answer) for name, answer in answers.items()}
    line, positions = positions_of(read_main_line(write_record(record_of(game))), game.rules, 7.5)
    review = review_game(positions, Lookout(OPTIONS, KNOWLEDGE), Predictor(KNOWLEDGE.patterns))
    note = write_notes(review, (), len(line.nodes))[-1].comment
    named["note"] = re.findall(r"([A-T]\d+) [\d.]+ %", note.rpartition("player: ")[2])
    wanted = Wanted(perspective="black", line_moves=15)
    task = AnalysisRequest("q", 0, game, 1, frozenset(), 60, 1.0, wanted)
    *_, report = session.player.analyze(game, 1, 9.0, Command("", "").stop, playouts=60)
    named["JSON"] = [info["move"] for info in response(task, report, {}, False)["moveInfos"]]
    everything = replace(task, wanted=wanted._replace(images=True))
    images = [info["move"] for info in response(everything, report, {}, False)["moveInfos"]]
    assert len(set(images)) == len(images) > len(named["JSON"])
    points = {name: [parse_vertex(v, game.size) for v in vs] for name, vs in named.items()}
    points["review"] = [choice.point for choice in choices_of(review, len(moves) // 2)]
    symmetries = symmetries_of(game)
    assert len(symmetries) > 1
    for name, some in points.items():
        assert len({orbit(point, game.size, symmetries) for point in some}) == len(some) > 0, name
