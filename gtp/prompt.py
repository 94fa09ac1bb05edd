"""The prompt for people: plain words beside GTP's commands, and answers with the board.

``yomi`` shows it where standard input and output are a terminal. Programs on a pipe get GTP alone.
A word is a handler like those of GTP. Its docstring is what ``help WORD`` and its errors show.
"""

import contextlib
import difflib
import inspect
import os
import re
import select
import signal
import sys
import threading
from dataclasses import replace
from functools import partial
from types import FrameType
from typing import NamedTuple

from engine import COLOR_NAMES, MoveCode, Player, YomiError, format_vertex
from engine.explain.words import (
    because,
    chance_words,
    color_name,
    listed,
    margin_words,
    move_name,
    the_chain,
)
from engine.picture.picture import picture_of
from gtp import arguments
from gtp.handlers import commands, queries, settings, setup, tactics, views
from gtp.handlers.help import WORDS_HELP, about, form_of
from gtp.handlers.table import UNLISTED, commands_of, handlers
from gtp.protocol import (
    SYNTAX_ERROR,
    UNKNOWN_COMMAND,
    Command,
    FormError,
    GtpError,
    Protocol,
    parse_line,
)
from gtp.session import Session, SessionHandler
from patterns_db.printing import printable
from patterns_db.records.komi_and_rules import usual_komi

# A move as people write it: "D4", "d 4", "D4!", "black d4", "d4 black".
_PLACE, _COLORS = r"(pass|[a-z] ?\d{1,2})", r"black|white"
_MOVE = re.compile(rf"\b(?:(b|w|{_COLORS}) |play )?{_PLACE}(?: ({_COLORS}))?\W*", re.IGNORECASE)
_WHY = {
    MoveCode.OCCUPIED: "a stone stands there",
    MoveCode.SUICIDE: "the stone would have no liberty (suicide)",
    MoveCode.KO: "a stone that has just captured may not be taken back at once (ko)",
    MoveCode.SUPERKO: "the whole board would be as it was before (superko)",
}
_ANOTHER = "new begins another game."
# Failures in GTP's words, and in people's.
_IN_WORDS = {
    "cannot undo": "fewer moves were made",
    "vertex must not be empty": "no stone stands there",
    "no result within the node limit": "yomi cannot read that to the end",
}
# Words that people try, and the command that they mean.
_MEANT = {
    "exit": "quit", "bye": "quit", "q": "quit", "hilfe": "help", "aide": "help", "ayuda": "help",
    "why": "explain", "warum": "explain", "pourquoi": "explain", "back": "undo", "winner": "score",
    "restart": "new", "size": "new", "swap": "genmove", "go": "genmove", "show": "board",
    "time": "time_settings",
}  # fmt: skip
# A row of a board: its number, the points, its number.
_ROW = re.compile(r"^([ \d]\d)([ (][.XO](?:[ ()][.XO])*[ )])(\d+)$", re.MULTILINE)
_WOOD, _PLAIN = "\x1b[48;5;179m", "\x1b[0m"
_INK = {"X": "\x1b[1;38;5;16m", "O": "\x1b[1;38;5;231m", ".": "\x1b[22;38;5;94m"}
# Lines for GoGui's board. People get the text below them.
_MARKUP = ("LABEL ", "SQUARE ", "MARK ", "CIRCLE ", "TRIANGLE ", "INFLUENCE ")


class PromptLimits(NamedTuple):
    """Limits of the prompt."""

    hints: int = 3  # moves
    slow_seconds: float = 0.5  # a command that takes longer says so
    poll_seconds: float = 0.05


PROMPT = PromptLimits()


def play(session: Session, command: Command) -> str:
    """Play for the side to move, as in D4; yomi answers. After play black D4 it does not."""
    if command.name == "pass":  # with words behind it: the prompt makes "play pass" of pass
        raise FormError
    *color, vertex = arguments.words(command, 1, 2)
    mover = arguments.color(color[0]) if color else session.game.to_play
    point = arguments.vertex(vertex, session.game.size)
    code = session.game.legality(mover, point, superko=True)
    if code != MoveCode.LEGAL:
        raise GtpError(f"{format_vertex(point)} is illegal: {_WHY[MoveCode(code)]}")
    session.play(mover, point)
    return "" if color or session.game.is_over else genmove(session, replace(command, text=""))


def genmove(session: Session, command: Command) -> str:
    """Let yomi move for the side to move, or as in genmove b. Begin with it to take White."""
    named = arguments.words(command, 0, 1)
    color = arguments.color(named[0]) if named else session.game.to_play
    session.think(color, command)
    move = session.play_generated()
    ends = {"resign": f"resigns: you win. {_ANOTHER}", "pass": "passes."}
    return f"{color_name(color)} (yomi) {ends.get(move, f'plays {move}.')}"


def resign(session: Session, command: Command) -> str:
    """Give up the game."""
    winner = color_name(3 - session.game.to_play)
    return f"You resign: {winner} wins. {_ANOTHER}"


def hint(session: Session, command: Command) -> str:
    """Name the three moves that yomi likes best, with reasons. Nothing is played."""
    game, options = session.game, session.options
    if game.is_over:
        return _counted(session)
    session.wait_for_kernels()
    # A player of its own: a hint has full strength at any level and changes no later move.
    own = replace(options.player, level=None, resign_percent=None)
    player = Player(own, options.knowledge)
    player.beliefs = session.player.beliefs.copy()  # so that score finds the same lead, or nearly
    decision = player.deliberate(game, game.to_play, stop=command.stop).decision
    searched = [move for move in decision.candidates if move.playouts > 0]
    if not searched:
        return f"{format_vertex(decision.point)}{because(decision.why)}"
    searched.sort(key=lambda move: move.point != decision.point)
    lines = []
    for move in sorted(searched[: PROMPT.hints], key=lambda move: -move.margin):
        # Each is compared with a worse one, so that its reasons speak for it.
        rivals = [other for other in searched if other.margin < move.margin]
        why = decision.why if move.point == decision.point else decision.advice.get(move.point, ())
        one = decision._replace(point=move.point, candidates=(move, *rivals), why=why)
        reasons = because(player.reasons(game, game.to_play, one)) or ". yomi cannot name a reason"
        side = "ahead" if move.margin >= 0 else "behind"
        chances = f"{chance_words(move.win_rate)} to win, {abs(move.margin):.1f} points {side}"
        lines.append(f"{move_name(move.point, move.equals)} ({chances}){reasons}")
    return "\n".join(lines)


def undo(session: Session, command: Command) -> str:
    """Take back your move and yomi's answer, or a number of moves, as in undo 1."""
    last, moves = session.generated, len(session.game.moves)
    is_answered = last is not None and last.number == moves > 1
    return commands.undo_many(session, replace(command, text=command.text or str(1 + is_answered)))


def save(session: Session, command: Command) -> str:
    """Write the game to a file, as in save game.sgf."""
    name, _ = arguments.file_and_number(command)  # printsgf needs no name
    setup.printsgf(session, command)
    return f"the game is saved in {printable(name)}"


def load(session: Session, command: Command) -> str:
    """Read a game, as in load game.sgf, or its position before a move: load game.sgf 50."""
    setup.loadsgf(session, command)
    return _terms(session)


def explain(session: Session, command: Command) -> str:
    """Explain yomi's last move. yomi-explain adds the numbers of the search."""
    return _spelled(views.explain(session, command).partition("\nmove best %")[0])


def score(session: Session, command: Command) -> str:
    """Estimate who wins and by how much. After two passes, count the game."""
    if session.game.is_over:
        return _counted(session)
    report = views.look(session, command)
    lead, chance = report.posterior.mean, report.posterior.chance()
    if report.lead_interval is None:
        return f"All is settled. {_winner(lead)}."
    ahead, chance = ("Black", chance) if lead >= 0 else ("White", 1.0 - chance)
    return (
        f"{ahead} leads by {abs(lead):.1f} points and wins with probability {chance_words(chance)}."
        f" The lead is {_spelled(margin_words(report.lead_interval))} with probability 90 %."
    )


def _spelled(text: str) -> str:
    """Return a text with its leads in words: "White by 2.5 to 0.5" for "W+2.5 to W+0.5"."""
    text = text.replace("B+", "Black by ").replace("W+", "White by ")
    return re.sub(r"(\w+ by )([\d.]+ \w+ )\1", r"\1\2", text)


def fate(session: Session, command: Command) -> str:
    """Say whether a chain can be captured, as in attack D4, or saved, as in defend D4."""
    game, (code, _, move) = session.game, tactics.attack(session, command).partition(" ")
    saves = command.name == "defend" and move != ""  # without an attack nothing has to be saved
    if saves:
        code, _, move = tactics.defend(session, command).partition(" ")
    chain = picture_of(game.board).chain_at(arguments.stone(command, game))
    name = the_chain(sorted(chain.stones))
    if move:
        ko = " if the ko is won" * (int(code) == tactics.KO)
        return f"{move} {'saves' if saves else 'captures'} {name}{ko}."
    done = "saved" if saves else "captured"
    return f"{color_name(chain.color)}'s {name.removeprefix('the ')} cannot be {done}."


def new(session: Session, command: Command) -> str:
    """Begin a new game with the usual komi, on a board of 9, 13 or other lines, as in new 9."""
    commands.boardsize(session, replace(command, text=command.text or str(session.game.size)))
    return _usual_komi(session)


def komi(session: Session, command: Command) -> str:
    """Set the points that White gets for moving second, from -1000 to 1000, as in komi 6.5."""
    commands.komi(session, command)
    return _terms(session)


def handicap(session: Session, command: Command) -> str:
    """Begin with 2 to 9 stones for Black, as in handicap 4; yomi answers as White."""
    if session.game.moves:
        raise GtpError("a game begins with its handicap: first new, then handicap")
    setup.fixed_handicap_stones(session, command)
    return f"{_usual_komi(session)}\n{genmove(session, replace(command, text=''))}"


def level(session: Session, command: Command) -> str:
    """Set or show yomi's level, as in level 5k: 20k to 1k, 1d to 5d, or full."""
    commands.level(session, command)
    return f"yomi's level is {session.level or 'full'}."


def rules(session: Session, command: Command) -> str:
    """Set the rules and their usual komi: chinese, japanese, aga, tromp-taylor, new-zealand."""
    settings.gogui_settings(session, replace(command, text=f"rules {arguments.word(command)}"))
    return _usual_komi(session)


WORDS: dict[str, SessionHandler] = {
    **{f.__name__: f for f in (play, genmove, resign, hint, explain, score)},
    **{f.__name__: f for f in (new, handicap, level, rules, komi, undo, save, load)},
    "attack": fate, "defend": fate, "pass": play, "board": queries.showboard,
}  # fmt: skip
# What the help says of a word.
_ABOUT = {word: inspect.getdoc(handler) or "" for word, handler in WORDS.items()} | {
    "": WORDS_HELP,
    "pass": "Pass. Two passes end the game.",
}


def _usual_komi(session: Session) -> str:
    """Set the komi that is usual under the rules, and return both."""
    session.set_komi(usual_komi(session.rules_in_force, session.game.handicap))
    return _terms(session)


def _terms(session: Session) -> str:
    return f"{session.rules_in_force.name} rules, komi {session.game.komi:g}"


def _winner(margin: float) -> str:
    """Return the winner, given Black's margin."""
    winner = "Black" if margin > 0 else "White"
    return f"{winner} wins by {abs(margin):g} points" if margin else "Nobody wins (jigo)"


def _counted(session: Session) -> str:
    session.wait_for_kernels()
    dead = session.player.status(session.game).dead
    chains = f"; {listed([the_chain(chain) for chain in dead])} are dead" if dead else ""
    return f"Both passed. {_winner(session.player.final_score(session.game))}{chains}."


class Prompt:
    """Reads lines from a person and prints answers, until the person quits.

    painted  whether the terminal shows colors
    """

    def __init__(self, session: Session, painted: bool) -> None:
        self._session, self._painted = session, painted
        table = handlers(session) | {w: partial(f, session) for w, f in WORDS.items()}
        table |= {"help": self._help, "?": self._help}
        self._protocol = Protocol(table, unlisted=UNLISTED)
        self._running: Command | None = None
        setup.failures.disabled = True  # the answers say the same

    def run(self) -> None:
        """Answer lines until quit or the end of the input."""
        signal.signal(signal.SIGINT, self._interrupt)
        with contextlib.suppress(ImportError):  # Windows has no readline
            import readline

            readline.set_completer(self._complete)
            readline.parse_and_bind("tab: complete")
        print("Type a point, such as D4, to play there. help lists all commands, quit ends.\n")
        self._print(str(self._session.game))
        command = Command("", "")
        while command.name != "quit" and (line := self._read(command)) is not None:
            if (read := parse_line(line.encode("utf-8", "surrogateescape"))) is None:
                continue
            command = read
            if move := _MOVE.fullmatch(f"{command.name} {command.text}".strip()):
                color, place = (move[1] or move[3] or "").lower(), move[2].replace(" ", "")
                is_turn = COLOR_NAMES[self._session.game.to_play].startswith(color)
                command.name, command.text = "play", place if is_turn else f"{color} {place}"
            elif command.name.lower() in self._protocol.handlers:
                command.name = command.name.lower()
            self._answer(command)

    def _complete(self, text: str, number: int) -> str | None:
        names = sorted(name for name in self._protocol.handlers if name.startswith(text))
        return names[number] if number < len(names) else None

    def _read(self, last: Command) -> str | None:
        """Return the next line, None if there is none. Meanwhile yomi ponders, if it should."""
        pondering = threading.Thread(target=self._session.ponder, args=(last,))
        pondering.start()
        try:
            return input(f"{COLOR_NAMES[self._session.game.to_play]}> ")
        except EOFError:
            print()
            return None
        except KeyboardInterrupt:  # perhaps too late to end a search: the game goes on
            print("\nquit ends yomi.")
            return ""
        finally:
            last.input_came.set()
            pondering.join()

    def _answer(self, command: Command) -> None:
        """Run a command and print its answer. Ctrl-C ends it early, and any line an analysis."""
        self._running, before = command, self._state
        slow = threading.Timer(
            PROMPT.slow_seconds, print, ["yomi thinks (Ctrl-C ends it early) ..."]
        )
        slow.start()
        answer = self._protocol.answer_to(command)
        slow.cancel()
        begins = command.name in ("new", "load", "clear_board")
        is_drawn = self._state != before or (begins and isinstance(answer, str))
        if isinstance(answer, GtpError):
            print(self._refusal(command, answer))
        elif isinstance(answer, str):
            nothing = "none" if "list" in command.name else "done"
            self._print(answer or ("" if is_drawn or command.name == "quit" else nothing))
        else:
            threading.Thread(target=_watch, args=(command,), daemon=True).start()
            for line in answer:
                print(line)
            command.input_came.set()
        if is_drawn:
            self._print(str(self._session.game).partition("\n")[2])
            if self._session.game.is_over:
                print(_counted(self._session))
        self._running = None

    @property
    def _state(self) -> object:
        """All that a board drawn anew would show."""
        game = self._session.game
        return game.size, game.position_hash, game.to_play, len(game.moves)

    def _print(self, answer: str) -> None:
        """Print an answer without GoGui's lines, and with its boards in color."""
        lines = [line for line in answer.split("\n") if not line.startswith(_MARKUP)]
        text = "\n".join(line.removeprefix("TEXT ") for line in lines)
        if text:
            print(_ROW.sub(_painted_row, text) if self._painted else text)

    def _interrupt(self, number: int, frame: FrameType | None) -> None:
        """End the running command early; at the second time, or without one, the program."""
        running = self._running
        if running is None:
            raise KeyboardInterrupt
        if running.stop.is_set():
            os._exit(130)  # as shells expect
        running.stop.set()
        running.input_came.set()

    def _refusal(self, command: Command, error: GtpError) -> str:
        """Return why a command failed, in words for people."""
        if str(error) == UNKNOWN_COMMAND:
            line = f"{command.id} {command.name} {command.text}".strip()
            word, place = command.name.lower(), _MOVE.search(line.upper())
            near = difflib.get_close_matches(word, self._protocol.handlers, 1)
            meant = _MEANT.get(word) or (near[0] if near else place and place[2].replace(" ", ""))
            advice = f"Did you mean {meant}?" if meant else "help lists all commands."
            return f"{line[:40]}: unknown command. {advice}"
        if isinstance(error.__cause__, YomiError):
            return str(error.__cause__)
        if isinstance(error, FormError) and command.name in WORDS:
            return _ABOUT[command.name]
        return _IN_WORDS.get(str(error)) or str(error).removeprefix(f"{SYNTAX_ERROR}; ")

    def _help(self, command: Command) -> str:
        """Explain all words, or one word or command."""
        if (name := command.text) in _ABOUT:
            return _ABOUT[name]
        text = inspect.cleandoc(about(commands_of(self._session), name))
        return f"{form_of(name)}\n{text}".replace("``", "")


def _painted_row(row: re.Match[str]) -> str:
    points = re.sub(r"[XO.]", lambda point: f"{_INK[point[0]]}{point[0]}", row[2])
    return f"{row[1]}{_WOOD}{points}{_PLAIN}{row[3]}"


def _watch(command: Command) -> None:
    """End an analysis as soon as a line comes. Without ``select`` for terminals Ctrl-C does."""
    with contextlib.suppress(OSError):
        while not command.input_came.is_set():
            if select.select([sys.stdin], [], [], PROMPT.poll_seconds)[0]:
                command.input_came.set()
