"""Help for users at a terminal: the command ``help``, and the syntax of commands in errors."""

from collections.abc import Callable, Mapping

from gtp.protocol import Answer, Command, FormError, GtpError
from gtp.session import Session, SessionHandler

_OF_COLORS = ("kgs-genmove_cleanup", "cgos-genmove_analyze", "gogui-setup_player")
_VIEWS = ("yomi-win_rates", "yomi-ownership", "yomi-variation", "yomi-move_probabilities")
_ANALYSES = (
    "analyze", "genmove_analyze", "lz-analyze", "kata-analyze", "lz-genmove_analyze",
    "kata-genmove_analyze",
)  # fmt: skip
_ANALYSIS = "[WORD] ..., which are a color, centiseconds or options, such as: b 50 maxmoves 5"
_SYSTEM = (
    "SYSTEM [NUMBER] ..., which are none, absolute M, canadian M B STONES, byoyomi M B PERIODS"
)


def _examples(arguments: str, example: str, *names: str) -> dict[str, str]:
    """Return the form of commands that take the same arguments."""
    return {name: f"{arguments}, for example: {name} {example}" for name in names}


# The arguments of commands, with an example where it is clearer. Others have none, or take any.
FORMS = {
    **_examples("COLOR", "b", "genmove", "reg_genmove", "captures", "all_legal", "list_stones"),
    **_examples("VERTEX", "E5", "countlib", "attack", "defend"),
    **_examples("COLOR VERTEX", "b E5", "is_legal"),
    **_examples("SIZE", "9", "boardsize"),
    **_examples("POINTS", "6.5", "komi"),
    **_examples("COLOR VERTEX", "b E5, or play w pass", "play"),
    **_examples("[NUMBER]", "2", "gg-undo"),
    **_examples("NUMBER", "1", "set_random_seed"),
    **_examples("SECONDS SECONDS STONES", "600 30 5", "time_settings"),
    **_examples("COLOR SECONDS STONES", "b 300 0", "time_left"),
    **_examples("[LEVEL]", "5k", "yomi-level"),
    **_examples("STONES", "4", "fixed_handicap", "place_free_handicap"),
    **_examples("VERTEX ...", "D4 Q16", "set_free_handicap"),
    **_examples("FILE [MOVE]", "game.sgf 50", "loadsgf"),
    **_examples("[FILE]", "game.sgf", "printsgf"),
    **_examples("[COMMAND]", "play", "help"),
    **_examples("RULES", "japanese", "kata-set-rules"),
    **_examples("NAME VALUE", "scoring TERRITORY", "kata-set-rule"),
    **_examples("NAME", "maxTime", "kata-get-param"),
    **_examples("NAME VALUE", "maxTime 5", "kata-set-param"),
    **_examples("[NAME VALUE]", "playouts 1000", "yomi-settings"),
    **dict.fromkeys(_ANALYSES, _ANALYSIS),
    **dict.fromkeys(_OF_COLORS, "COLOR, which is b or w"),
    **dict.fromkeys(_VIEWS, "[COLOR], which is b or w"),
    **_examples("COLOR VERTEX ...", "b E5 w C3", "gogui-play_sequence", "gogui-setup"),
    "known_command": "COMMAND",
    "final_status_list": "STATUS, which is alive, dead or seki",
    "kgs-time_settings": _SYSTEM,
    "kata-time_settings": f"{_SYSTEM}, fischer M I, fischer-capped M I LIMIT LONGEST",
    "kgs-rules": "RULES, which are chinese, japanese, aga or new_zealand",
    "kgs-chat": "game|private NAME TEXT",
}
# The protocol itself answers these.
PROTOCOL = {
    "protocol_version": "Return the version of GTP.",
    "list_commands": "List all commands.",
    "known_command": "Return whether a command exists.",
    "quit": "End.",
}
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
  undo           take back your move and yomi's answer; undo 1: one move
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
  save FILE, load FILE, quit
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
