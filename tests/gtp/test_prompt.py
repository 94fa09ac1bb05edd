"""The prompt for people, through a pseudo-terminal: lines in, lines out."""

import os
import re
import select
import signal
import subprocess
import sys
import time

import pytest

from gtp.handlers.help import WORDS_HELP
from gtp.prompt import WORDS
from tests.gtp.conftest import needs_jit

pytestmark = pytest.mark.skipif(os.name == "nt", reason="no pseudo-terminal")
QUICK = ["--playouts", "30", "--threads", "1", "--seed", "1"]
# Readline switches the pasting of several lines on and off.
_PASTING = re.compile(rb"\x1b\[\?2004[hl]\r?")


class Terminal:
    """A terminal with yomi in it."""

    def __init__(self, *options, **environment):
        self._end, inner = os.openpty()
        environment = {"TERM": "xterm", "NO_COLOR": "1", **environment}
        self.process = subprocess.Popen(
            [sys.executable, "-m", "gtp", *QUICK, *options],
            stdin=inner, stdout=inner, stderr=inner, env={**os.environ, **environment},
            preexec_fn=os.setsid,
        )  # fmt: skip
        os.close(inner)
        self.greeting = self.read()

    def read(self, until=rb"(black|white)> $", seconds=100):
        """Return the output up to the next prompt, or another pattern."""
        text, end = b"", time.monotonic() + seconds
        while not re.search(until, text):
            assert time.monotonic() < end, text
            if select.select([self._end], [], [], 0.1)[0]:
                try:
                    text += os.read(self._end, 1 << 16)
                except OSError:  # the other end was closed
                    break
                text = _PASTING.sub(b"", text)
        return text.decode().replace("\r\n", "\n")

    def type(self, line, **how):
        """Type a line and return what follows it."""
        os.write(self._end, line.encode() + b"\n")
        return self.read(**how).partition("\n")[2]

    def interrupt(self):
        """Press Ctrl-C."""
        os.killpg(self.process.pid, signal.SIGINT)

    def close(self):
        os.write(self._end, b"quit\n")
        self.process.wait(20)
        os.close(self._end)


@pytest.fixture(scope="module")
def terminal():
    terminal = Terminal()
    yield terminal
    terminal.close()


# A beginner's first minutes: each line with what the answer must contain.
FIRST_MINUTES = (
    ("help", ["Play\n  D4 ", "Ask\n  hint ", "Set\n  new, new 9"]),
    ("hello", ["hello: unknown command. Did you mean help?"]),
    ("scroe", ["Did you mean score?"]),
    ("new 9", ["chinese rules, komi 7.5\n", "A B C D E F G H J\n", "black to play, move 1"]),
    ("e5", ["White (yomi) plays ", " X . . . . 5\n", ". .(O). .", "black to play, move 3"]),
    ("attack E5", ["yomi cannot read that to the end"]),
    ("attack A1", ["no stone stands there"]),
    ("E5", ["E5 is illegal: a stone stands there"]),
    ("K5", ["K5 is outside the 9x9 board"]),
    ("explain", ["move 2, white: "]),
    ("hint", [" % to win, ", " points "]),
    ("score", [" leads by ", "The lead is White by ", " with probability 90 %"]),
    ("undo", ["black to play, move 1"]),
    ("D 5!", [" 5 . . . X ", "black to play, move 3"]),
    ("black d5", ["D5 is illegal: a stone stands there"]),
    ("pass D7", ["Pass. Two passes end the game."]),
    ("undo 1", ["white to play, move 2"]),
    ("white g3", ["Black (yomi) plays ", "white to play, move 4"]),
    ("Undo 3", ["black to play, move 1"]),
    ("d 5 please", ["d 5 please: unknown command. Did you mean D5?"]),
    ("19", ["19: unknown command. help lists all commands."]),
    (f"y{'x' * 60}", [f"y{'x' * 39}: unknown command"]),
    ("new 9 13", ["boards are square, with 2 to 25 lines a side"]),
    ("new", ["A B C D E F G H J\n", "black to play, move 1"]),
    ("rules", ["new-zealand"]),
    ("Exit", ["Did you mean quit?"]),
    ("hilfe", ["Did you mean help?"]),
    ("why", ["Did you mean explain?"]),
    ("HELP hint", ["Nothing is played."]),
    ("save", ["as in save game.sgf"]),
    ("explain", ["yomi has no move in this game"]),
    ("list_stones white", ["none"]),
    ("undo 9", ["fewer moves were made"]),
    ("undo x", ["as in undo 1"]),
    ("load", ["as in load game.sgf"]),
    ("handicap 40", ["a 9x9 board has handicaps of 2 to 9 stones"]),
    ("level 10k", ["yomi's level is 10k."]),
    ("level 99k", ["no such level: 99k"]),
    ("level full", ["yomi's level is full."]),
    ("rules japanese", ["japanese rules, komi 6.5"]),
    ("rules martian", ["rules takes one of chinese, japanese"]),
    ("handicap", ["handicap 4"]),
    ("handicap 4", ["japanese rules, komi 0.5", "White (yomi) plays ", "black to play, move 2"]),
    ("handicap 4", ["first new"]),
    ("resign", ["You resign: White wins."]),
    ("help attack", ["as in attack D4"]),
    ("komi -0", ["japanese rules, komi 0\n"]),
    ("komi 6.5", ["japanese rules, komi 6.5"]),
    ("help frobnicate", ["unknown command frobnicate"]),
)  # fmt: skip


@needs_jit
def test_a_beginners_first_minutes(terminal):
    assert "Type a point, such as D4" in terminal.greeting
    for line, wanted in FIRST_MINUTES:
        answer = terminal.type(line)
        for words in wanted:
            assert words in answer, (line, words, answer)
        assert "syntax error" not in answer
        assert "``" not in answer


@needs_jit
def test_an_illegal_move_says_why(terminal):
    terminal.type("new 5")
    for move in ("b A2", "b B1", "b C2", "w A1"):
        answer = terminal.type(f"play {move}")
    assert "A1 is illegal: the stone would have no liberty (suicide)" in answer
    terminal.type("new 5")
    for move in ("b C4", "b B3", "b C2", "w D4", "w E3", "w D2", "w C3", "b D3"):
        terminal.type(f"play {move}")
    assert "C3 is illegal: a stone that has just captured" in terminal.type("c3")


@needs_jit
def test_the_fate_of_a_chain_is_said_in_words(terminal):
    terminal.type("new 9")
    for move in ("w D4", "b C4", "b D3", "b E4", "w C6", "w D6", "w E6", "w A1", "b A2", "b B2"):
        terminal.type(f"play {move}")
    assert terminal.type("attack D4").startswith("D5 captures the stone at D4.\n")
    assert terminal.type("defend D4").startswith("D5 saves the stone at D4.\n")
    assert "White's stone at A1 cannot be saved." in terminal.type("defend A1")
    # What cannot be captured needs no move.
    assert "White's three stones at C6 cannot be captured." in terminal.type("defend C6")


@needs_jit
def test_two_passes_are_counted(terminal):
    terminal.type("new 5")
    terminal.type("rules chinese")
    terminal.type("komi -20.5")
    terminal.type("play b C3")
    assert "wins with probability 99 %." in terminal.type("score")  # not certain before the count
    assert "(1 % to win" in terminal.type("hint")
    terminal.type("komi 0.5")
    terminal.type("play w pass")
    answer = terminal.type("play b pass")
    assert "Both passed. Black wins by 24.5 points." in answer
    for question in ("score", "hint"):
        assert "Both passed. Black wins by 24.5 points." in terminal.type(question)
    assert terminal.type("final_score").startswith("B+24.5\n")


@needs_jit
def test_a_resignation_names_the_next_step(terminal):
    terminal.type("new 9")
    terminal.type("komi -150")
    answer = [terminal.type(move) for move in ("E5", "C3", "G3")][-1]
    assert "White (yomi) resigns: you win. new begins another game.\n" in answer


@needs_jit
def test_gtp_works_there_without_its_marks(terminal):
    assert terminal.type("boardsize 9").startswith("   A B C D E F G H J\n")
    assert terminal.type("protocol_version").startswith("2\n")
    assert terminal.type("known_command hint").startswith("true\n")
    assert terminal.type("play b D4").startswith("   A B C")
    answer = terminal.type("yomi-chain_status")
    assert answer.startswith("1 alive, 0 dead")
    assert terminal.type("countlib").startswith("usage: countlib VERTEX")


@needs_jit
def test_any_line_ends_an_analysis_and_ctrl_c_a_search(terminal):
    terminal.type("lz-analyze 10", until=rb"info move ")
    assert "info" in terminal.type("")
    terminal.type("kata-set-param maxPlayouts 100000000")
    terminal.type("genmove", until=b"Ctrl-C ends it early")
    began = time.monotonic()
    terminal.interrupt()
    assert "(yomi) plays " in terminal.read()
    assert time.monotonic() - began < 30
    time.sleep(1.0)  # readline misses a signal between its prompt and its wait
    terminal.interrupt()  # too late: the game goes on
    assert terminal.read().startswith("\nquit ends yomi.\n")


@needs_jit
def test_files_keep_a_game(terminal, tmp_path):
    terminal.type("new 9")
    terminal.type("play b E5")
    assert "the game is saved in" in terminal.type(f"save {tmp_path}/game.sgf")
    terminal.type("new 9")
    answer = terminal.type(f"load {tmp_path}/game.sgf")
    assert "chinese rules, komi 7.5" in answer
    assert "white to play, move 2" in answer
    for line in ("load nothing.sgf", f"save {tmp_path}/nowhere/game.sgf"):
        answer = terminal.type(line)
        assert answer.count("no such file") + answer.count("No such file") == 1, answer


@needs_jit
def test_stones_have_colors_where_the_terminal_can():
    painted = Terminal(NO_COLOR="")
    try:
        answer = painted.type("play b D4")
    finally:
        painted.close()
    assert "\x1b[1;38;5;16mX" in answer
    dumb = Terminal(NO_COLOR="", TERM="dumb")
    try:
        assert "\x1b" not in dumb.type("play b D4")
    finally:
        dumb.close()


@needs_jit
def test_the_end_of_the_input_and_quit_end_it():
    for line in ("quit\n", "\x04"):
        terminal = Terminal()
        os.write(terminal._end, line.encode())
        assert terminal.process.wait(30) == 0
        terminal.close()


def test_every_word_is_in_the_help():
    for word in WORDS:
        shown = "D4 " if word == "play" else word
        assert shown in WORDS_HELP
