"""Help for users at a terminal: the command ``help``, and the syntax of commands in errors."""

from collections.abc import Callable, Mapping

from gtp.protocol import Answer, Command, FormError, GtpError
from gtp.session import Session, SessionHandler

# The arguments of commands that people type, with an example where it is clearer; "" for none.
FORMS = {
    "boardsize": "SIZE, for example: boardsize 9",
    "komi": "POINTS, for example: komi 6.5",
    "play": "COLOR VERTEX, for example: play b E5, or play w pass",
    "genmove": "COLOR, for example: genmove b",
    "reg_genmove": "COLOR, for example: reg_genmove b",
    "undo": "",
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


def form_of(name: str) -> str:
    """Return a command with its arguments, as far as they are known."""
    return f"{name} {FORMS.get(name, '')}".rstrip()


def help_for(table: Mapping[str, SessionHandler]) -> SessionHandler:
    """Return the handler of ``help`` for a table of commands."""

    def help_with(session: Session, command: Command) -> str:
        """Explain the most common commands, or one command."""
        if not command.text:
            return _COMMON
        if len(command.arguments) > 1:
            raise FormError
        name = command.text
        about = PROTOCOL.get(name) or ((handler := table.get(name)) and handler.__doc__)
        if not about:
            raise GtpError(f"unknown command {name[:40]}; list_commands lists all")
        return f"{form_of(name)}\n{about.strip().splitlines()[0]}"

    return help_with


def with_form(name: str, handler: Callable[[Command], Answer]) -> Callable[[Command], Answer]:
    """Return a handler whose syntax errors show the command's syntax."""

    def handle(command: Command) -> Answer:
        try:
            return handler(command)
        except FormError as error:
            raise FormError(form_of(name)) from error.__cause__

    return handle
