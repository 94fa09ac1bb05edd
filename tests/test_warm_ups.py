"""The warm-up compiles all kernels that the commands need; no files follow later."""

import os
import subprocess
import sys

import pytest

from engine.jit import JIT_ENABLED
from engine.warm_ups import PLAYING

needs_jit = pytest.mark.skipif(not JIT_ENABLED, reason="the JIT is off: nothing is compiled")

PROBLEM = (
    '{"id": "atari", "size": 5, "to_move": "black", "attacker": "black", "goal": "B2",'
    ' "task": "attack", "board": "...../...../.X.../XO.../.X..."}\n'
)
GAME = "(;GM[1]FF[4]SZ[7]KM[7.5];B[dd];W[cc];B[dc];W[cd])"

QUERY = (
    '{"id":"q","moves":[["B","D4"]],"boardXSize":7,"boardYSize":7,"rules":"chinese",'
    '"komi":7.5,"maxVisits":20,"includeOwnership":true,"includePolicy":true}\n'
)


def test_kernels_of_a_game_come_first():
    assert [group.name for group in PLAYING[:3]] == ["ranking model", "board", "tactics"]


def test_groups_have_names_of_their_own():
    assert len({group.name for group in PLAYING}) == len(PLAYING)


COMPILED_LATER = """
import sys
from dataclasses import replace

from engine import Game, Player, PlayerOptions, level_options
from engine import jit
from engine.warm_ups import PLAYING
from gtp.review.games import ReviewOptions, review_records
from gtp.review.jobs import Job, Outputs
from patterns_db.shipped import load_knowledge

for _ in jit.compile_all(PLAYING):
    pass
before = {k for k in jit.KERNELS if k.signatures}
options = PlayerOptions(playouts=20, threads=1, seed=1)
knowledge, game = load_knowledge(), Game(7)
player = Player(options, knowledge)
leveled = Player(replace(options, level=level_options("8k")), knowledge)
while game.passes < 2 and len(game.moves) < 80:
    side = player if len(game.moves) % 2 else leveled
    game.play(game.to_play, side.choose(game, game.to_play).point)
player.final_score(game)
job = Job("a game", sys.argv[1].encode(), Outputs(None, None, None))
(reviewed,) = review_records([job], ReviewOptions(options, None, 1), knowledge)
assert not reviewed.error, reviewed.error
print(sorted(k.__name__ for k in jit.KERNELS if k.signatures and k not in before))
"""


@needs_jit
def test_the_warm_up_compiles_every_kernel_of_a_game_and_its_review():
    command = [sys.executable, "-c", COMPILED_LATER, GAME]
    done = subprocess.run(command, capture_output=True, timeout=600, check=True)
    assert done.stdout == b"[]\n"


def moves(*options):
    """Return a GTP session that plays on three sizes."""
    text = "".join(f"boardsize {size}\nclear_board\ngenmove b\ngenmove w\n" for size in (5, 9, 13))
    return ["gtp", "--playouts", "20", "--seed", "1", *options], text + "final_score\nquit\n"


@needs_jit
@pytest.mark.long
@pytest.mark.timeout(1500)
def test_after_warmup_no_game_review_or_problem_compiles_anything(tmp_path):
    cache = tmp_path / "cache"
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(cache)}
    problems, game = tmp_path / "p.jsonl", tmp_path / "g.sgf"
    problems.write_text(PROBLEM)
    game.write_text(GAME)

    def run(words, text=""):
        subprocess.run(
            [sys.executable, "-m", "gtp", *map(str, words)],
            input=text, env=environment, check=True, timeout=900, text=True, capture_output=True,
        )  # fmt: skip
        return {path.relative_to(cache) for path in cache.rglob("*.kernel")}

    compiled = run(["warmup"])
    assert len(compiled) > 40
    solve = ["solve", "--problems", problems, "--json"]
    commands = [
        ([*solve, "--proof", tmp_path / "proof"], ""),
        ([*solve, "--solver", "pns", "--priors", "none"], ""),
        (["analyze", game, "--out", tmp_path / "a.sgf"], ""),
        (["level", game], ""),
        (["analysis"], QUERY),
        moves(),
        moves("--threads", "2"),
        moves("--without", "patterns,tactics"),
        moves("--player", "patterns"),
    ]  # fmt: skip
    for words, text in commands:
        assert run(words, text) - compiled == set(), words
