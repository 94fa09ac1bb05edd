"""Real clients of the analysis protocol use yomi; each needs its package, else it is skipped.

katagoanal (its driver, its review of a record) and katrain (its engine and its game tree) come from
the Python package index. Both run in their own process, as they do with KataGo.
"""

import json
import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.gtp.conftest import needs_jit

ROOT = Path(__file__).parents[3]
RECORD = "(;SZ[9]KM[6.5]RU[Japanese];B[ee];W[cc];B[gg];W[cg];B[gc])"

# Run like KataGo: a program, a configuration, a model.
KATAGOANAL = """
import json, sys
from KataGoAnal.inject import inject_analysis
from KataGoAnal.katago_driver import KataGoDriver
from KataGoAnal.sgf_io import Game

game = Game.from_path("game.sgf")
with KataGoDriver("./katago", "some.cfg", "some.bin.gz") as driver:
    turns = driver.analyze_game(game, max_visits=40)
inject_analysis(game, turns, engine_version="yomi", model_name="none", max_visits=40)
game.serialise()
print(json.dumps([turns, [game.get_comment(n) for n in range(game.node_count)]]))
"""

KATRAIN = """
import json, os, sys, time
os.environ.update(KIVY_NO_ARGS="1", KIVY_NO_CONSOLELOG="1", KIVY_NO_FILELOG="1", KIVY_HOME=".")
from katrain.core.engine import KataGoEngine
from katrain.core.game_node import GameNode
from pysgf import Move

class Program:
    said = []
    def log(self, message, level=0):
        self.said.append(str(message))
    def __call__(self, *words, **options):
        self.said.append(str(words))

def until(condition):
    end = time.monotonic() + 200
    while not condition() and time.monotonic() < end:
        time.sleep(0.02)
    assert condition(), Program.said[-20:]

command = f'exec "{sys.executable}" -m gtp analysis --concurrency 2 --seed 1'
engine = KataGoEngine(Program(), {
    "backend": "custom", "altcommand": command, "allow_recovery": False, "max_visits": 60,
    "fast_visits": 20, "max_time": 100.0, "wide_root_noise": 0.04, "_enable_ownership": True,
})
root = GameNode(properties={"SZ": "9", "KM": "6.5", "RU": "japanese"})
nodes, errors = [root], []
for player, vertex in (("B", "E5"), ("W", "C7"), ("B", "G3")):
    nodes.append(nodes[-1].play(Move.from_gtp(vertex, player=player)))
for node in nodes:
    node.analyze(engine, time_limit=True, report_every=0.05)
engine.wait_to_finish()
last = nodes[-1]
# A point of the board, as the program analyzes what it is asked about.
last.analyze(engine, refine_move=Move.from_gtp("C3", player="W"))
engine.wait_to_finish()
partial = []
engine.request_analysis(
    last, lambda analysis, during: partial.append((analysis, during)), errors.append, ponder=True
)
until(lambda: partial)
engine.stop_pondering()
until(lambda: not partial[-1][1])
found = {
    "complete": [node.analysis_complete for node in nodes],
    "winrate": [node.winrate for node in nodes],
    "score": [node.score for node in nodes],
    "candidates": [[d["move"] for d in node.candidate_moves] for node in nodes],
    "lost": [node.points_lost for node in nodes[1:]],
    "ownership": len(last.ownership),
    "policy": [len(node.policy) for node in nodes],
    "ponder": [during for _, during in partial],
    "errors": errors + [text for text in Program.said if "Error" in text or "error" in text],
}
engine.shutdown(finish=False)
print(json.dumps(found))
"""


def run(script, folder):
    done = subprocess.run(
        [sys.executable, "-c", script],
        capture_output=True,
        text=True,
        timeout=280,
        cwd=folder,
        env={**os.environ, "PYTHONPATH": f"{ROOT}:{os.environ.get('PYTHONPATH', '')}"},
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return json.loads(done.stdout.splitlines()[-1])


@needs_jit
@pytest.mark.peers
@pytest.mark.skipif(find_spec("KataGoAnal") is None, reason="needs the package katagoanal")
def test_katagoanal_reviews_a_record(tmp_path):
    (tmp_path / "game.sgf").write_text(RECORD)
    program = tmp_path / "katago"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m gtp "$@"\n')
    program.chmod(0o755)
    turns, comments = run(KATAGOANAL, tmp_path)
    assert [turn["turn"] for turn in turns] == list(range(6))
    for number, turn in enumerate(turns):
        assert (turn["current_player"], turn["visits"]) == ("BW"[number % 2], 40)
        assert 0 < turn["winrate"] < 1
        assert [info["order"] for info in turn["move_infos"]] == list(
            range(len(turn["move_infos"]))
        )
    assert "Black Winrate" in comments[1]
    assert "White Winrate" in comments[2]


@needs_jit
@pytest.mark.peers
@pytest.mark.skipif(find_spec("katrain") is None, reason="needs the package katrain")
def test_katrain_analyzes_a_game(tmp_path):
    found = run(KATRAIN, tmp_path)
    assert found["errors"] == []
    assert found["complete"] == [True] * 4
    assert all(0 < rate < 1 for rate in found["winrate"])
    assert all(abs(score) < 81 for score in found["score"])
    assert all(moves for moves in found["candidates"])
    assert all(abs(points) < 81 for points in found["lost"])
    assert found["ownership"] == 81
    assert found["policy"] == [82] * 4
    assert found["ponder"][-1] is False
    assert any(found["ponder"])
