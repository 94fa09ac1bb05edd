"""Example files for clients: each client can read its file, and yomi accepts the commands."""

import json
import re
import shlex
from pathlib import Path

from engine import PlayerOptions
from gtp.__main__ import _parser
from gtp.handlers.table import handlers
from gtp.protocol import Protocol
from gtp.session import Session, SessionOptions
from tests.gtp.conftest import answers_of

EXAMPLES = Path(__file__).parents[2] / "gtp" / "examples"


def understood(words):
    """Return the options of a command line; the parser ends the test at an unknown one."""
    assert words[0] == "/path/to/yomi"
    return _parser("gtp").parse_args(["gtp", *words[1:]])


def assert_answered(commands):
    player = PlayerOptions(playouts=1, threads=1, seed=1)
    protocol = Protocol(handlers(Session(SessionOptions(player=player))))
    answers = answers_of(protocol, "\n".join(commands).encode() + b"\n")
    assert len(answers) == len(commands)
    assert all(answer.startswith("=") for answer in answers), answers


def test_all_examples_are_tested():
    assert {path.name for path in EXAMPLES.iterdir()} == {
        "cgos.cfg",
        "gtp2ogs.json5",
        "kgs.properties",
        "sabaki.json",
    }


def test_cgos():
    """By the rules of config.py in zakki/cgos."""
    sections = {}
    for line in map(str.strip, (EXAMPLES / "cgos.cfg").read_text().splitlines()):
        if not line or line.startswith("#"):
            continue
        if line.endswith(":"):
            section = sections.setdefault(line[:-1], {})
        else:
            name, equals, value = line.partition("=")
            assert equals
            section[name.strip()] = value.strip()
    assert "KillFile" in sections["Common"]
    engine = sections["GTPEngine"]
    assert {"ServerHost", "ServerUser", "ServerPassword"} <= engine.keys()
    assert int(engine["NumberOfGames"]) > 0
    assert int(engine["ServerPort"]) > 0
    assert understood(engine["CommandLine"].split()).lag == 0.5


def test_kgs():
    """By the rules of java.util.Properties, as far as the file uses them."""
    lines = (EXAMPLES / "kgs.properties").read_text("latin-1").splitlines()
    pairs = [line.partition("=") for line in lines if line and not line.startswith("#")]
    values = {name: value for name, _, value in pairs}
    assert len(values) == len(pairs)
    assert {"name", "password", "room", "mode"} <= values.keys()
    assert understood(values["engine"].split()).log == "yomi.log"
    clock = re.fullmatch(r"(\d+):(\d\d)\+(\d+)x(\d+):(\d\d)", values["rules.time"])
    main, main_seconds, periods, minutes, seconds = map(int, clock.groups())
    overtime = 60 * minutes + seconds
    assert_answered(
        [
            f"kgs-rules {values['rules']}",
            f"boardsize {values['rules.boardSize']}",
            f"kgs-time_settings byoyomi {60 * main + main_seconds} {overtime} {periods}",
        ]
    )


def test_gtp2ogs():
    """By the rules of JSON5, as far as the file uses them: comments, bare keys, final commas."""
    text = (EXAMPLES / "gtp2ogs.json5").read_text("utf-8")
    text = re.sub(r"^\s*//.*$", "", text, flags=re.MULTILINE)
    text = re.sub(r"(\w+):", r'"\1":', text)
    config = json.loads(re.sub(r",(\s*[\]}])", r"\1", text))
    assert config["bot"]["manager"] == "persistent"
    options = understood(config["bot"]["command"])
    assert (options.lag, options.ponder, options.rules) == (1.0, True, "japanese")
    assert_answered(
        [f"boardsize {size}" for size in config["allowed_board_sizes"]]
        # As gtp2ogs sends its clocks.
        + ["kata-time_settings fischer-capped 30 5 30 -1", "kgs-time_settings byoyomi 0 5 1"]
        + ["time_settings 0 5 1", "time_left black 4 1", "time_left white 0 1"]
    )


def test_sabaki():
    engines = json.loads((EXAMPLES / "sabaki.json").read_text("utf-8"))["engines.list"]
    for engine in engines:
        assert engine.keys() == {"name", "path", "args", "commands"}
        understood([engine["path"], *shlex.split(engine["args"])])
        # Sabaki sends the text between semicolons.
        assert_answered([c for part in engine["commands"].split(";") if (c := part.strip())])
