"""Each command of the pages of results runs, with small data and the smallest size."""

import importlib
import io
import json
import random
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from engine import Game
from engine.jit import JIT_ENABLED
from gtp.__main__ import main as yomi
from scripts.check import problems
from scripts.play import match
from scripts.result_tables import PAGES
from tests.scripts.check.games import filled_game, sgf_of

HERE = Path(__file__).parent
YOMI = f"{sys.executable} -m gtp"
JUDGE = shlex.join([sys.executable, str(HERE / "check" / "judge.py")])
STUB = shlex.join([sys.executable, str(HERE / "gtp_stub.py"), "B+1"])
# The smallest sizes, by the beginning of a command. They come last, so that they count.
SMALL = {
    "scripts.check.clock_losses": "--games 1 --moves 4 --size 5 --busy 0 --clock 'absolute 5 s'",
    "scripts.check.finished_games": "--max-games 1",
    "scripts.check.groups": "--groups 1 --nodes 20 --rollouts 2",
    "scripts.check.leads": "--positions 1 --skip 0 --moves 4 --playouts 2",
    "scripts.check.mistakes": "--max-games 1 --skip 0 --playouts 1 --seeds 1",
    "scripts.check.points_lost": "--phases opening --positions 1 --each 1 --playouts 0 1",
    "scripts.check.problems captures": "--max-problems 1 --seconds 0.1",
    "scripts.check.problems fights": "--count 1",
    "scripts.check.problems life": "",
    "scripts.check.problems moves": "--max-problems 1 --playouts 1",
    "scripts.check.problems priors": "--nodes 20",
    "scripts.check.proofs": "--most 1 --random 1 --positions 50",
    "scripts.check.races": "--races 1 --nodes 20",
    "scripts.check.ranks estimates": "--each 1",
    "scripts.check.ranks habits": "",
    "scripts.check.ranks noise": "--max-games 2 --most 2",
    "scripts.check.ranks results": "",
    "scripts.check.reasons": "--moves 8",
    "scripts.check.rollouts": "--positions 1 --rollouts 1",
    "scripts.check.shown_values": "--positions 1 --playouts 2",
    "scripts.check.speed": "--sizes 5 --pairs 1 --seconds 0.01",
    "scripts.learn.capture_odds": "--max-games 3 --positions 60 --nodes 3000",
    "scripts.learn.chain_values": "--max-games 1 --max-test-games 1",
    "scripts.learn.make_tables trees": "--trees 2 --parts 20 --every 9 9 9 --max-games 2",
    "scripts.learn.people": "--max-games 2 2 2",
    "scripts.play.endings": "--most 1 --playouts 1",
    "scripts.play.match": "--games 1 --size 5 --komi 0.5 --playouts 2",
    "scripts.reproduce.baum": "--trees 3 --plies 2 --training 2 --depth 4",
    "scripts.reproduce.hennig figure3": "--rollouts 2 --size 5",
    "scripts.reproduce.hennig figure4": "--trees 2",
    "scripts.reproduce.hennig": "--trees 2 --descents 20 --depth 6",
    "scripts.reproduce.stern2006": "--max-games 3 --max-test-games 1",
    "scripts.reproduce.stern2007": "--max-nodes 50 --train-nodes 50",
    "scripts.reproduce.zhao_mueller": "--games 1 --subgames 4 --nodes 1 --max-samples 4",
    "yomi bench": "--help",
    "yomi evaluate": "--max-games 1",
    "yomi solve": "--seconds 0.1",
}
MINUTES = ("paper-baum", "paper-hennig", "paper-stern2007", "paper-zhao-mueller")
CAPTURE = {
    "id": "atari", "size": 5, "to_move": "black", "attacker": "black", "goal": "C3",
    "task": "attack", "answer": "captured", "correct_moves": ["C4"], "moves_complete": True,
    "board": "...../...../.XOX./..X../.....",
}  # fmt: skip


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Return a folder with the data that the commands name, all of them small."""
    folder = tmp_path_factory.mktemp("pages")
    games, chance = folder / "games", random.Random(1)
    games.mkdir()
    for seed in range(3):
        game = filled_game(seed, 13)  # long enough for positions of moves 150 to 200
        margin = game.score()
        result = f"{'B' if margin > 0 else 'W'}+{abs(margin)}"
        (games / f"{seed}.sgf").write_bytes(sgf_of(game, result, "BR[8k]WR[7k]"))
    large = Game(19)
    while len(large.moves) < 50:
        large.play(large.to_play, chance.choice(large.legal_points(large.to_play)))
    (games / "large.sgf").write_bytes(sgf_of(large, "B+R", "BR[8k]WR[7k]"))
    (folder / "GAMES").write_bytes(b"(;SZ[5]KM[0.5];B[cc];W[bb];B[cb])")
    (folder / "GAME.sgf").write_bytes(sgf_of(large))
    (folder / "test.jsonl").write_text(json.dumps(CAPTURE) + "\n")
    fights = folder / "fights.jsonl"
    problems.main(["fights", "--count", "2", "--out", str(fights)])
    records = [json.loads(line) | {"correct_moves": []} for line in fights.read_text().splitlines()]
    fights.write_text("".join(json.dumps(record) + "\n" for record in records))
    words = ["--size", "5", "--komi", "0.5", "--games", "1", "--first", "12k", "--second", "14k"]
    for name in ("FILE", "MATCH.json"):
        assert match.main([*words, "--out", str(folder / name)]) == 0
    words = ["--games", str(games), "--out", str(folder / "TRAINED"), "--threads", "1"]
    assert yomi(["train", *words]) == 0
    return folder


def substituted(text):
    """Return a command with our own programs and data in place of those of the pages."""
    text = re.sub(r'"katago gtp[^"]*visits[^"]*"', json.dumps(STUB), text, flags=re.I)
    text = re.sub(r'--judge "[^"]*"', lambda _: f"--judge {json.dumps(JUDGE)}", text)
    text = re.sub(r'"(gnugo|pachi|fuego|katago) [^"]*"', lambda _: json.dumps(STUB), text)
    text = text.replace("--gnugo gnugo", f"--gnugo {json.dumps(STUB)}")
    text = re.sub(r'"yomi ([^"]*)"', lambda found: f'"{YOMI} {found[1]} --playouts 1"', text)
    text = re.sub(r"(train|test|sample)-(?!\w+\.jsonl)[\w*.\[\]-]+\.tar\.gz", "games", text)
    text = text.replace("tsumego-test.jsonl", "fights.jsonl").replace("train.jsonl", "test.jsonl")
    text = text.replace("--patterns FILE", "--patterns TRAINED").replace("COPY", "TRAINED")
    return text.replace("FILE.work", "TRAINED.work").replace("FOLDER", "games")


def commands_of(page):
    """Return the commands of a page, in order: those of code blocks, and those within the text."""
    text = page.read_text("utf-8").replace("\\\n", " ")
    found = []
    for block, span in re.findall(r"^```sh\n(.*?)^```|`(python -m [^`]+)`", text, re.M | re.S):
        found += block.splitlines() if block else [" ".join(span.split())]
    return [line for line in found if not line.startswith("pytest ") and "--help" not in line]


@pytest.mark.parametrize("page", sorted(PAGES.glob("[!R]*.md")), ids=lambda page: page.stem)
def test_every_section_with_figures_has_a_command(page):
    sections = re.split(r"^(?=## )", page.read_text("utf-8"), flags=re.M)
    without = [text.splitlines()[0] for text in sections if re.search(r"\d ?%|\d ± \d", text)
               if not re.search(r"python -m \w|^```sh|\byomi \w+ -", text, re.M)]  # fmt: skip
    assert without == []


def words_of(command):
    """Return a command's words as a shell makes them: quotes, braces and patterns."""
    shell = ["bash", "-c", f"printf '%s\\0' {substituted(command)}"]
    return subprocess.run(shell, capture_output=True, check=True, text=True).stdout.split("\0")[:-1]


def run(words):
    """Run a command in this process, with the smallest size; return its status."""
    program, words = (words[2], words[3:]) if words[0] == "python" else (words[0], words[1:])
    name = next(key for key in (f"{program} {words[0]}", program) if key in SMALL)
    out = words[words.index("--out") + 1] if "--out" in words else None
    if out == "FILE" and name != "scripts.check.ranks habits":
        Path(out).unlink(missing_ok=True)
    main = yomi if program == "yomi" else importlib.import_module(program).main
    try:
        return main([*words, *shlex.split(SMALL[name])]) or 0
    except SystemExit as end:
        return end.code or 0


@pytest.mark.slow
@pytest.mark.timeout(1800)
@pytest.mark.skipif(not JIT_ENABLED, reason="searches take long without JIT")
@pytest.mark.parametrize(
    "page",
    [
        pytest.param(page, marks=pytest.mark.long if page.stem in MINUTES else ())
        for page in sorted(PAGES.glob("*.md"))
        if page.stem != "README"  # its command writes the pages
    ],
    ids=lambda page: page.stem,
)
def test_commands_run(page, folder, monkeypatch, capsys):
    monkeypatch.chdir(folder)
    for command in commands_of(page):
        first, _, second = command.partition(" | ")
        if first.startswith("printf "):
            text = shlex.split(first)[1].encode().decode("unicode_escape")
            words = [*YOMI.split(), *shlex.split(second)[1:]]
            subprocess.run(words, input=text, text=True, check=True, capture_output=True)
            continue
        capsys.readouterr()
        assert run(words_of(first)) == 0, command
        if second:
            monkeypatch.setattr(sys, "stdin", io.StringIO(capsys.readouterr().out))
            assert run(words_of(second)) == 0, command
