"""The prompt for people: plain words beside GTP's commands, and answers with the board.

``yomi`` shows it where standard input and output are a terminal. Programs on a pipe get GTP alone.
A word is a handler like those of GTP, and calls them; its docstring is its help.
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

from engine import COLOR_NAMES, MoveCode, Player, YomiError, format_vertex
from engine.explain.words import because, color_name, listed, margin_words, move_name, the_chain
from gtp import arguments, settings
from gtp.cli.command_line import EXIT
from gtp.handlers import commands, setup, views
from gtp.handlers.help import FORMS, about
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
from patterns_db.records.komi_and_rules import usual_komi

GREETING = "Type a point, such as D4, to play there. help lists all commands, quit ends."
_VERTEX = re.compile(r"[A-Za-z][0-9]{1,2}|pass", re.IGNORECASE)
_HINTS = 3  # moves that a hint names
_SLOW_SECONDS = 0.5  # a command that takes longer says so
_POLL_SECONDS = 0.05
# A row of a board: its number, the points, its number.
_ROW = re.compile(r"^([ \d]\d)([ (][.XO](?:[ ()][.XO])*[ )])(\d+)$", re.MULTILINE)
_WOOD, _PLAIN = "\x1b[30;48;5;179m", "\x1b[0m"
_INK = {"X": "\x1b[1;38;5;16m", "O": "\x1b[1;38;5;231m", ".": "\x1b[22;38;5;94m"}
# Lines for GoGui's board. People get the text below them.
_MARKUP = ("LABEL ", "SQUARE ", "MARK ", "CIRCLE ", "TRIANGLE ", "INFLUENCE ")
_WHY = {
    MoveCode.OCCUPIED: "a stone stands there",
    MoveCode.SUICIDE: "the stone would have no liberty (suicide)",
    MoveCode.KO: "that stone may not be taken back at once (ko)",
    MoveCode.SUPERKO: "the whole board would be as it was before (superko)",
}


# -- words that play --------------------------------------------------------------------------


def play(session: Session, command: Command) -> str:
    """Play a stone for the side to move, or pass. yomi answers, unless a color is named."""
    *color, vertex = arguments.words(command, 1, 2)
    mover = arguments.color(color[0]) if color else session.game.to_play
    point = arguments.vertex(vertex, session.game.size)
    code = session.game.legality(mover, point, superko=True)
    if code != MoveCode.LEGAL:
        raise GtpError(f"{format_vertex(point)} is illegal: {_WHY[MoveCode(code)]}")
    session.play(mover, point)
    if color or session.game.is_over:
        return _position(session)
    return genmove(session, command)


def genmove(session: Session, command: Command) -> str:
    """Let yomi move: for the side to move, or for a color. To take White, begin with it."""
    named = arguments.words(command, 0, 1) if command.name == "genmove" else []
    color = arguments.color(named[0]) if named else session.game.to_play
    session.think(color, command)
    move = session.play_generated()
    if move == "resign":
        return _over(color, "yomi resigns")
    done = "passes" if move == "pass" else f"plays {move}"
    return f"{color_name(color)} (yomi) {done}.\n{_position(session)}"


def undo(session: Session, command: Command) -> str:
    """Take back the last move, or several: undo 2 takes back your move and yomi's answer."""
    commands.undo_many(session, command)
    return _position(session)


def resign(session: Session, command: Command) -> str:
    """Give up the game."""
    arguments.words(command, 0)
    return _over(session.game.to_play, f"{color_name(session.game.to_play)} resigns")


# -- words that ask ---------------------------------------------------------------------------


def hint(session: Session, command: Command) -> str:
    """Name the three moves that yomi likes best, with reasons. Nothing is played."""
    arguments.words(command, 0)
    game, options = session.game, session.options
    session.wait_for_kernels()
    # A player of its own: a hint has full strength at any level and changes no later move.
    own = replace(options.player, level=None, resign_percent=None)
    player = Player(own, options.knowledge)
    thoughts = player.deliberate(game, game.to_play, stop=command.stop)
    decision = thoughts.decision
    tried = [move for move in decision.candidates if move.playouts > 0]
    tried.sort(key=lambda move: move.point != decision.point)
    if not tried:
        return f"{format_vertex(decision.point)}{because(decision.why)}"
    lines = []
    for place, move in enumerate(tried[:_HINTS]):
        # Each is compared with the next one, so that its reasons speak for it.
        one = decision._replace(point=move.point, candidates=tuple(tried[place:]))
        if place > 0:
            one = one._replace(why=decision.advice.get(move.point, ()))
        reasons = because(player.reasons(game, game.to_play, one))
        side = "ahead" if move.margin >= 0 else "behind"
        chances = f"{100 * move.win_rate:.0f} % to win, {abs(move.margin):.1f} points {side}"
        lines.append(f"{move_name(move.point, move.equals)} ({chances}){reasons}")
    return "\n".join(lines)


def explain(session: Session, command: Command) -> str:
    """Explain yomi's last move. yomi-explain adds the numbers of the search."""
    return views.explain(session, command).partition("\nmove best %")[0]


def score(session: Session, command: Command) -> str:
    """Estimate who wins and by how much, or count the game after two passes."""
    arguments.words(command, 0)
    if session.game.is_over:
        return _counted(session)
    report = views.look(session, command).report
    posterior, likely = report.posterior, report.likely_margins
    if likely is None:
        return f"All is settled. {_winner(posterior.mean)}."
    ahead, chance = "Black", posterior.chance()
    if posterior.mean < 0:
        ahead, chance = "White", 1.0 - chance
    return (
        f"{ahead} leads by {abs(posterior.mean):.1f} points and wins with {100 * chance:.0f} %."
        f" With 90 % the game ends between {margin_words(likely).replace(' to ', ' and ')}."
    )


def board(session: Session, command: Command) -> str:
    """Draw the board."""
    return str(session.game)


# -- words that set ---------------------------------------------------------------------------


def new(session: Session, command: Command) -> str:
    """Begin a new game, on a board of 9, 13, 19 or another number of lines."""
    if command.text:
        commands.boardsize(session, command)
    else:
        session.new_game(session.game.size)
    session.set_komi(usual_komi(session.rules_in_force, 0))
    return str(session.game)


def handicap(session: Session, command: Command) -> str:
    """Begin with 2 to 9 handicap stones for Black, and the usual komi. yomi answers as White."""
    setup.fixed_handicap_stones(session, command)
    session.set_komi(usual_komi(session.rules_in_force, session.game.handicap))
    return genmove(session, command)


def level(session: Session, command: Command) -> str:
    """Set or show yomi's level: 20k to 1k, 1d to 5d, or full."""
    commands.level(session, command)
    strength = "full strength" if session.level == "full" else f"level {session.level}"
    return f"yomi plays at {strength}."


def rules(session: Session, command: Command) -> str:
    """Set or show the rules: chinese, japanese, aga, tromp-taylor or new-zealand."""
    if command.text:
        try:
            name = settings.named("rules").read(arguments.word(command))
        except GtpError:
            raise GtpError(f"rules are {settings.named('rules').takes}") from None
        session.set_rules(session.rules_named(name))
        if not session.game.moves:
            session.set_komi(usual_komi(session.rules_in_force, session.game.handicap))
    return f"{session.rules_in_force.name} rules, komi {session.game.komi:g}"


def save(session: Session, command: Command) -> str:
    """Write the game to an SGF file."""
    if not command.text:
        raise FormError
    setup.printsgf(session, command)
    return f"The game is in {command.text}."


def load(session: Session, command: Command) -> str:
    """Read a game from an SGF file, up to the position before a move if one is named."""
    setup.loadsgf(session, command)
    return str(session.game)


# Each word with its form.
WORDS: dict[str, tuple[SessionHandler, str]] = {
    "play": (play, "[COLOR] VERTEX, for example: play D4, or only D4"),
    "pass": (play, ""),
    "genmove": (genmove, "[COLOR]"),
    "undo": (undo, "[NUMBER], for example: undo 2"),
    "resign": (resign, ""),
    "hint": (hint, ""),
    "explain": (explain, ""),
    "score": (score, ""),
    "board": (board, ""),
    "new": (new, "[SIZE], for example: new 9"),
    "handicap": (handicap, "STONES, for example: handicap 4"),
    "level": (level, "[LEVEL], for example: level 5k"),
    "rules": (rules, "[NAME], for example: rules japanese"),
    "save": (save, "FILE, for example: save game.sgf"),
    "load": (load, "FILE [MOVE], for example: load game.sgf 50"),
}
HELP = """\
Play
  D4             play there; yomi answers
  pass           pass; two passes end the game
  genmove        let yomi move: begin with it to take White
  undo, undo 2   take back a move, or your move and yomi's answer
  resign         give up
Ask
  hint           three good moves, with reasons; nothing is played
  explain        why yomi played its last move
  score          who leads, by how much, and how sure that is
  attack D4      can the chain at D4 be captured? (defend D4: can it be saved?)
  board          draw the board
Set
  new, new 9     begin a new game, on a board of 9 lines
  handicap 4     begin with four stones for Black
  level 5k       play as people of a rank do, 20k to 5d; level full: full strength
  rules japanese, komi 6.5
  save FILE, load FILE
  quit           end
help WORD explains more. list_commands lists the commands of GTP, which work here, too."""


# -- sentences --------------------------------------------------------------------------------


def _position(session: Session) -> str:
    """Return the board and the side to move, or the result after two passes."""
    text = str(session.game).partition("\n")[2]
    return f"{text}\n{_counted(session)}" if session.game.is_over else text


def _winner(margin: float) -> str:
    """Return the winner by Black's margin."""
    if margin == 0:
        return "Nobody wins (jigo)"
    return f"{'Black' if margin > 0 else 'White'} wins by {abs(margin):g} points"


def _counted(session: Session) -> str:
    session.wait_for_kernels()
    dead = session.player.status(session.game).dead
    chains = f", when {listed([the_chain(chain) for chain in dead])} are dead" if dead else ""
    return f"Both passed. {_winner(session.player.final_score(session.game))}{chains}."


def _over(loser: int, how: str) -> str:
    return f"{how}: {color_name(3 - loser)} wins. new begins another game."


# -- the loop ---------------------------------------------------------------------------------


class Prompt:
    """Reads lines from a person and prints answers, until the person quits.

    painted  whether the terminal shows colors
    """

    def __init__(self, session: Session, painted: bool) -> None:
        self._session, self._painted = session, painted
        words = {word: partial(run, session) for word, (run, _) in WORDS.items()}
        own = {**words, "help": self._help, "?": self._help}
        self._protocol = Protocol({**handlers(session), **own}, unlisted=UNLISTED)
        self._running: Command | None = None

    def run(self) -> None:
        """Answer lines until quit, the end of the input, or Ctrl-C while nothing runs."""
        signal.signal(signal.SIGINT, self._interrupt)
        self._complete()
        print(self._paint(f"{GREETING}\n\n{self._session.game}"))
        command = Command("", "")
        while command.name != "quit" and (line := self._read(command)) is not None:
            if (read := parse_line(line.encode("utf-8", "surrogateescape"))) is None:
                continue
            command = read
            if _VERTEX.fullmatch(command.name) and not command.text:
                command.name, command.text = "play", command.name
            elif command.name.lower() in WORDS:
                command.name = command.name.lower()
            self._answer(command)

    def _read(self, last: Command) -> str | None:
        """Return the next line, None if there is none. Meanwhile yomi ponders, if it should."""
        pondering = threading.Thread(target=self._session.ponder, args=(last,))
        pondering.start()
        try:
            return input(f"{COLOR_NAMES[self._session.game.to_play]}> ")
        except (EOFError, KeyboardInterrupt):
            print()
            return None
        finally:
            last.input_came.set()
            pondering.join()

    def _answer(self, command: Command) -> None:
        """Run a command and print its answer. Ctrl-C ends it early, and any line an analysis."""
        self._running = command
        slow = threading.Timer(_SLOW_SECONDS, print, ["yomi thinks (Ctrl-C ends it early) ..."])
        slow.start()
        answer = self._protocol.answer_to(command)
        slow.cancel()
        if isinstance(answer, GtpError):
            print(self._refusal(command, answer))
        elif isinstance(answer, str):
            print(self._paint(_readable(answer)))
        else:
            threading.Thread(target=_watch, args=(command,), daemon=True).start()
            for line in answer:
                print(line)
            command.input_came.set()
        self._running = None

    def _interrupt(self, number: int, frame: FrameType | None) -> None:
        """End the running command early; at the second time, or without one, the program."""
        running = self._running
        if running is None:
            raise KeyboardInterrupt
        if running.stop.is_set():
            os._exit(EXIT.interrupted)
        running.stop.set()
        running.input_came.set()

    def _refusal(self, command: Command, error: GtpError) -> str:
        """Return why a command failed, in words for people."""
        if str(error) == UNKNOWN_COMMAND:
            near = difflib.get_close_matches(command.name.lower(), self._protocol.handlers, 1)
            advice = f"Did you mean {near[0]}?" if near else "help lists all commands."
            return f"{command.name}: unknown command. {advice}"
        if isinstance(error.__cause__, YomiError):
            return f"{error.__cause__}"
        if isinstance(error, FormError) and command.name in WORDS:
            return f"usage: {command.name} {WORDS[command.name][1]}".rstrip()
        return str(error).removeprefix(f"{SYNTAX_ERROR}; ")

    def _help(self, command: Command) -> str:
        """Explain all words, or one word or command."""
        name = command.text
        if not name:
            return HELP
        if name in WORDS:
            run, form = WORDS[name]
            text = run.__doc__ or ""
        else:
            form, text = FORMS.get(name, ""), about(commands_of(self._session), name)
        return f"{name} {form}".rstrip() + "\n" + inspect.cleandoc(text).replace("``", "")

    def _paint(self, text: str) -> str:
        """Return a text with its boards in color, if the terminal has them."""
        return _ROW.sub(_painted_row, text) if self._painted else text

    def _complete(self) -> None:
        """Let the Tab key complete words, and the arrow keys bring earlier lines back."""
        with contextlib.suppress(ImportError):  # Windows has no readline
            import readline

            words = sorted(self._protocol.handlers)
            readline.set_completer(
                lambda text, n: [*(w for w in words if w.startswith(text)), None][n]
            )
            readline.parse_and_bind("tab: complete")


def _readable(answer: str) -> str:
    """Return an answer without GoGui's lines, and a word for an empty one."""
    lines = [line for line in answer.split("\n") if not line.startswith(_MARKUP)]
    return "\n".join(line.removeprefix("TEXT ") for line in lines) or "done"


def _painted_row(row: re.Match[str]) -> str:
    points = re.sub(r"[XO.]", lambda point: f"{_INK[point[0]]}{point[0]}", row[2])
    return f"{row[1]}{_WOOD}{points}{_PLAIN}{row[3]}"


def _watch(command: Command) -> None:
    """End an analysis as soon as a line comes. Without ``select`` for terminals Ctrl-C does."""
    with contextlib.suppress(OSError):
        while not command.input_came.is_set():
            if select.select([sys.stdin], [], [], _POLL_SECONDS)[0]:
                command.input_came.set()
