"""Help for users at a terminal: the command ``help``, and the syntax of commands in errors."""

from collections.abc import Callable, Mapping

from gtp.protocol import Answer, Command, FormError, GtpError
from gtp.session import Session, SessionHandler

_COLOR = "COLOR, which is b or w"
_OPTIONAL_COLOR = "[COLOR], which is b or w"
_ANALYSIS = "[WORD] ..., which are a color, centiseconds or options, such as: b 50 maxmoves 5"
_SYSTEM = (
    "SYSTEM [NUMBER] ..., which are none, absolute M, canadian M B STONES, byoyomi M B PERIODS"
)
# The arguments of commands, with an example where it is clearer. Others have none, or take any.
FORMS = {
    "boardsize": "SIZE, for example: boardsize 9",
    "komi": "POINTS, for example: komi 6.5",
    "play": "COLOR VERTEX, for example: play b E5, or play w pass",
    "genmove": "COLOR, for example: genmove b",
    "reg_genmove": "COLOR, for example: reg_genmove b",
    "gg-undo": "[NUMBER], for example: gg-undo 2",
    "time_settings": "SECONDS SECONDS STONES, for example: time_settings 600 30 5",
    "time_left": "COLOR SECONDS STONES, for example: time_left b 300 0",
    "yomi-level": "[LEVEL], for example: yomi-level 5k",
    "final_status_list": "STATUS, which is alive, dead or seki",
    "fixed_handicap": "STONES, for example: fixed_handicap 4",
    "place_free_handicap": "STONES, for example: place_free_handicap 4",
    "set_free_handicap": "VERTEX ..., for example: set_free_handicap D4 Q16",
    "loadsgf": "FILE [MOVE], for example: loadsgf game.sgf 50",
    "printsgf": "[FILE], for example: printsgf game.sgf",
    "captures": "COLOR, for example: captures b",
    "is_legal": "COLOR VERTEX, for example: is_legal b E5",
    "all_legal": "COLOR, for example: all_legal b",
    "list_stones": "COLOR, for example: list_stones b",
    "countlib": "VERTEX, for example: countlib E5",
    "set_random_seed": "NUMBER, for example: set_random_seed 1",
    "attack": "VERTEX, for example: attack E5",
    "defend": "VERTEX, for example: defend E5",
    "help": "[COMMAND], for example: help play",
    "known_command": "COMMAND",
    "analyze": _ANALYSIS,
    "genmove_analyze": _ANALYSIS,
    "lz-analyze": _ANALYSIS,
    "kata-analyze": _ANALYSIS,
    "lz-genmove_analyze": _ANALYSIS,
    "kata-genmove_analyze": _ANALYSIS,
    "kata-search_analyze": _ANALYSIS,
    "kata-search_analyze_cancellable": _ANALYSIS,
    "kata-search": _COLOR,
    "kata-search_cancellable": _COLOR,
    "kgs-genmove_cleanup": _COLOR,
    "cgos-genmove_analyze": _COLOR,
    "gogui-setup_player": _COLOR,
    "yomi-win_rates": _OPTIONAL_COLOR,
    "yomi-ownership": _OPTIONAL_COLOR,
    "yomi-variation": _OPTIONAL_COLOR,
    "yomi-move_probabilities": _OPTIONAL_COLOR,
    "gogui-play_sequence": "COLOR VERTEX ..., for example: gogui-play_sequence b E5 w C3",
    "gogui-setup": "COLOR VERTEX ..., for example: gogui-setup b E5 w C3",
    "set_position": "COLOR VERTEX ..., for example: set_position b E5 w C3",
    "kgs-time_settings": _SYSTEM,
    "kata-time_settings": f"{_SYSTEM}, fischer M I, fischer-capped M I LIMIT LONGEST",
    "kgs-rules": "RULES, which are chinese, japanese, aga or new_zealand",
    "kgs-chat": "game|private NAME TEXT",
    "kata-set-rules": "RULES, for example: kata-set-rules japanese",
    "kata-set-rule": "NAME VALUE, for example: kata-set-rule scoring TERRITORY",
    "kata-get-param": "NAME, for example: kata-get-param maxTime",
    "kata-set-param": "NAME VALUE, for example: kata-set-param maxTime 5",
    "yomi-settings": "[NAME VALUE], for example: yomi-settings playouts 1000",
    "lz-setoption": "[name NAME value VALUE], for example: lz-setoption name Visits value 1000",
}
# The protocol itself answers these.
PROTOCOL = {
    "protocol_version": "Return the version of GTP.",
    "list_commands": "List all commands.",
    "known_command": "Return whether a command exists.",
    "quit": "End.",
}
HELP = "Explain the commands that people use, or one command."
_COMMON = """\
play b E5: play a move, b for Black and w for White
genmove w: let yomi play
yomi-explain: say why it played that
yomi-level 10k: play at a level, 20k to 5d, from now on
showboard: draw the board
undo: take back the last move
boardsize 9, clear_board, komi 6.5: begin a game
final_score: count the game
loadsgf FILE, printsgf FILE: read or write a game record
list_commands: list all commands
help COMMAND: explain a command
quit: end"""

# The same at the prompt for people, see gtp/prompt.py.
WORDS_HELP = """\
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


def form_of(name: str) -> str:
    """Return a command with its arguments."""
    return f"{name} {FORMS.get(name, '')}".rstrip()


def about(table: Mapping[str, SessionHandler], name: str) -> str:
    """Return the explanation of a command. Raises GtpError if there is no such command."""
    text = PROTOCOL.get(name) or (table[name].__doc__ if name in table else "")
    if not text:
        raise GtpError(f"unknown command {name[:40]}; list_commands lists all")
    return text.strip()


def help_for(table: Mapping[str, SessionHandler]) -> SessionHandler:
    """Return the handler of ``help`` for a table of commands."""

    def help_with(session: Session, command: Command) -> str:
        """Explain the most common commands, or one command."""
        if not command.text:
            return _COMMON
        if len(command.arguments) > 1:
            raise FormError
        name = command.text
        return f"{form_of(name)}\n{about(table, name).splitlines()[0]}"

    return help_with


def with_form(name: str, handler: Callable[[Command], Answer]) -> Callable[[Command], Answer]:
    """Return a handler whose syntax errors show the command's syntax."""

    def handle(command: Command) -> Answer:
        try:
            return handler(command)
        except FormError as error:
            raise FormError(form_of(name)) from error.__cause__

    return handle
