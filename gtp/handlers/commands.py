"""The core of GTP 2: board, moves and time (section 6 of the draft, without files)."""

from engine import MAX_SIZE, MIN_SIZE, BadSetup, format_vertex
from gtp import arguments
from gtp.answers import score, vertices
from gtp.handlers.servers import tell_ogs
from gtp.protocol import Command, FormError, GtpError
from gtp.session import Session, SessionHandler
from gtp.settings import named
from patterns_db.printing import program_version

SIZES = f"boards are square, with {MIN_SIZE} to {MAX_SIZE} lines a side"
MAX_KOMI = 1000.0  # beyond any board; keeps the scores readable


def name(session: Session, command: Command) -> str:
    """Return the program's name."""
    return "yomi"


def show_version(session: Session, command: Command) -> str:
    """Return the program's version."""
    return program_version()


def boardsize(session: Session, command: Command) -> str:
    """Start a game on a board of another size. Two equal numbers are accepted."""
    # KataGo accepts rectangles: clients that know it may send a width and a height.
    sizes = {arguments.integer(text) for text in arguments.words(command, 1, 2)}
    size = sizes.pop()
    if sizes or not MIN_SIZE <= size <= MAX_SIZE:
        raise GtpError("unacceptable size") from BadSetup(SIZES)
    session.new_game(size)
    return ""


def clear_board(session: Session, command: Command) -> str:
    """Start a new game. Size, rules, komi and time settings stay."""
    session.new_game(session.game.size)
    return ""


def komi(session: Session, command: Command) -> str:
    """Set the komi."""
    points = arguments.decimal(arguments.word(command))
    if abs(points) > MAX_KOMI:
        raise FormError
    session.set_komi(points)
    return ""


def play(session: Session, command: Command) -> str:
    """Play a move of either color."""
    [(color, point)] = arguments.moves(arguments.words(command, 2), session.game.size)
    session.play(color, point)
    # The command may have had to end pondering. Time keepers count that as our turn.
    session.clock.count_before(3 - color, command.waited)
    return ""


def genmove(session: Session, command: Command) -> str:
    """Choose a move and play it. A resignation changes nothing on the board."""
    color = arguments.color(arguments.word(command))
    session.think(color, command)
    if session.options.ogs_chat:
        tell_ogs(session)
    return session.play_generated()


def reg_genmove(session: Session, command: Command) -> str:
    """Choose a move without playing it."""
    color = arguments.color(arguments.word(command))
    # gogui-regress asks this as a question. It is no move of a game with a clock.
    decision = session.think(color, command, charge=False)
    return "resign" if decision.resign else format_vertex(decision.point)


def undo(session: Session, command: Command) -> str:
    """Take back the last move."""
    arguments.words(command, 0)
    return undo_many(session, command)


def undo_many(session: Session, command: Command) -> str:
    """Take back several moves, by default one: all or none."""
    texts = arguments.words(command, 0, 1)
    count = arguments.integer(texts[0]) if texts else 1
    if count < 0:
        raise FormError
    # The number is checked first, so that either all moves are undone or none.
    if count > len(session.game.moves):
        raise GtpError("cannot undo")
    for _ in range(count):
        session.undo()
    return ""


def time_settings(session: Session, command: Command) -> str:
    """Set main time [s], byo-yomi time [s] and stones. The answer means ready to play."""
    main, period, stones = arguments.amounts(arguments.words(command, 3))
    session.clock.set_canadian(main, period, int(stones))
    session.wait_before_clock()
    return ""


def time_left(session: Session, command: Command) -> str:
    """Set a color's remaining time: seconds, and stones or periods (0: main time)."""
    texts = arguments.words(command, 2, 3)
    color, seconds = arguments.color(texts[0]), arguments.decimal(texts[1])
    session.clock.set_left(color, seconds, int(arguments.decimal(texts[2])) if texts[2:] else 0)
    return ""


def level(session: Session, command: Command) -> str:
    """Set or show the level of play: 20k to 1k, 1d to 5d, or full."""
    texts = arguments.words(command, 0, 1)
    setting = named("level")
    if not texts:
        return session.level or setting.nothing
    try:
        wanted = setting.read(texts[0])
    except BadSetup:
        levels = f"20k to 1k, 1d to 5d and {setting.nothing}"
        raise GtpError(f"no such level: {texts[0][:40]} (levels are {levels})") from None
    # The random numbers restart, so that a seed and a level determine the moves.
    try:
        session.set_player(level=wanted)
    except BadSetup as error:
        raise GtpError(str(error)) from None
    return ""


def final_score(session: Session, command: Command) -> str:
    """Return the result as "B+3.5", "W+0.5" or "0"."""
    # Roll-outs judge the status of chains. Their kernels may not be compiled yet.
    session.wait_for_kernels()
    margin = session.player.final_score(session.game)
    if margin == 0:
        return "0"
    return f"{'B' if margin > 0 else 'W'}+{score(abs(margin))}"


def final_status_list(session: Session, command: Command) -> str:
    """List the chains that are alive, dead or in seki, one per line."""
    wanted = arguments.word(command).lower()
    if wanted not in ("alive", "dead", "seki"):
        raise FormError
    session.wait_for_kernels()
    status = session.player.status(session.game)
    chains = {"alive": status.alive, "dead": status.dead, "seki": status.seki}[wanted]
    return "\n".join(vertices(chain) for chain in chains)


CORE: dict[str, SessionHandler] = {
    "name": name,
    "version": show_version,
    "boardsize": boardsize,
    "clear_board": clear_board,
    "komi": komi,
    "play": play,
    "genmove": genmove,
    "reg_genmove": reg_genmove,
    "undo": undo,
    "gg-undo": undo_many,
    "time_settings": time_settings,
    "time_left": time_left,
    "yomi-level": level,
    "final_score": final_score,
    "final_status_list": final_status_list,
}
