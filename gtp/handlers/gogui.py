"""GoGui's extensions: move sequences, setup, interruption, and the menu of analysis commands."""

from engine import BLACK, WHITE, BadSetup, IllegalMove
from gtp import arguments
from gtp.protocol import Command, GtpError
from gtp.session import Session, SessionHandler

# The form is type/label/command. Labels are unique, and commands contain no slash. %c asks for a
# color, %p for a point and %r for a file to read; %m is the side to move.
_MENU = (
    "hstring/Reason of Last Move/yomi-explain",
    "gfx/Win Rates/yomi-win_rates %m",
    "dboard/Ownership/yomi-ownership %m",
    "var/Principal Variation/yomi-variation %m",
    "gfx/Move Probabilities/yomi-move_probabilities %m",
    "gfx/Status of Chains/yomi-chain_status",
    "gfx/Tactics of Chains/yomi-tactics",
    "string/Attack Chain/attack %p",
    "string/Defend Chain/defend %p",
    "string/Final Score/final_score",
    "plist/Final Status Alive/final_status_list alive",
    "plist/Final Status Dead/final_status_list dead",
    "plist/Final Status Seki/final_status_list seki",
    "plist/Legal Moves/all_legal %c",
    "plist/Stones/list_stones %c",
    "string/Captures/captures %c",
    "string/Liberties/countlib %p",
    "string/Suggested Move/reg_genmove %m",
    "string/Komi/get_komi",
    "string/CPU Time/cputime",
    "hstring/Board/showboard",
    "hstring/Game Record/printsgf",
    "none/Load Game/loadsgf %r",
    "param/Settings/yomi-settings",
)


def play_sequence(session: Session, command: Command) -> str:
    """Play several moves, all or none."""
    moves = arguments.moves(command.arguments, session.game.size)
    # The moves are played on a copy: after a failure GoGui assumes that nothing was played.
    game = session.game.copy()
    try:
        for color, point in moves:
            game.play(color, point)
    except IllegalMove:
        raise GtpError("illegal move") from None
    session.replace_game(game)
    return ""


def setup(session: Session, command: Command) -> str:
    """Put stones on the empty board, all or none. Black is to move."""
    stones = arguments.moves(command.arguments, session.game.size)
    session.require_empty_board()
    black = [point for color, point in stones if color == BLACK]
    white = [point for color, point in stones if color == WHITE]
    try:
        # GoGui sends gogui-setup_player if it is White's turn.
        session.game.setup(black, white, BLACK)
    except BadSetup as error:
        raise GtpError(str(error)) from None
    return ""


def setup_player(session: Session, command: Command) -> str:
    """Set the side to move."""
    session.game.set_to_play(arguments.color(arguments.word(command)))
    return ""


def interrupt(session: Session, command: Command) -> str:
    """Show support for a line ``# interrupt``, which ends the running command early."""
    return ""


def title(session: Session, command: Command) -> str:
    """Return a title for GoGui's window."""
    game = session.game
    return f"yomi: {game.size}x{game.size}, {game.rules.name} rules, komi {game.komi:g}"


def version(session: Session, command: Command) -> str:
    """Accept GoGui's version number."""
    return ""


def analyze_commands(session: Session, command: Command) -> str:
    """List the commands for GoGui's analysis window."""
    return "\n".join(_MENU)


GOGUI: dict[str, SessionHandler] = {
    "gogui-play_sequence": play_sequence,
    "gogui-setup": setup,
    "gogui-setup_player": setup_player,
    "gogui-interrupt": interrupt,
    "gogui-title": title,
    "gogui-version": version,
    "gogui-analyze_commands": analyze_commands,
}
