"""Commands beyond GTP 2 for the clients of the servers KGS, CGOS and OGS."""

import json
import logging
import sys
from collections.abc import Iterator
from dataclasses import replace

from engine import NINETY_PERCENT, SearchReport, format_vertex
from engine.explain.words import chance_words
from gtp import arguments
from gtp.answers import LINE_MOVES, moves_to_show, owners_from_top, variation, vertices
from gtp.messages import Messages
from gtp.protocol import Command, FormError
from gtp.session import GeneratedMove, Session, SessionHandler
from patterns_db.printing import program_version

logger = logging.getLogger(__name__)

_OGS_SECONDS = 0.5  # limit for a reader that has gone
CGOS_MOVES = 20  # the server takes lines of up to 64 KiB


# Index 0 is a point of the opponent, 62 one of the side to move. The viewer's 64th letter, a slash,
# is never needed.
_OWNER_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+"
# The name has an underscore, unlike our own commands with hyphens.
_KGS_RULES = {
    "chinese": "chinese",
    "japanese": "japanese",
    "aga": "aga",
    "new_zealand": "new-zealand",
}


def kgs_time_settings(session: Session, command: Command) -> str:
    """Set the clock: none, absolute M, canadian M B STONES, or byoyomi M B PERIODS."""
    kind, *texts = arguments.words(command, 1, 4)
    numbers = arguments.amounts(texts)
    clock = session.clock
    match kind.lower(), numbers:
        case "none", []:
            clock.set_no_limit()
        case "absolute", [main]:
            clock.set_absolute(main)
        case "canadian", [main, period, stones]:
            clock.set_canadian(main, period, int(stones))
        # From here on, the last number of time_left means periods. KataGo once took it for stones
        # and moved after half a second.
        case "byoyomi", [main, period, periods]:
            clock.set_byo_yomi(main, period, int(periods))
        case _:
            raise FormError
    session.wait_before_clock()
    return ""


def kgs_rules(session: Session, command: Command) -> str:
    """Set the rules of this game and later ones."""
    name = _KGS_RULES.get(arguments.word(command).lower())
    if name is None:
        raise FormError
    session.set_rules(session.rules_named(name))
    return ""


def kgs_genmove_cleanup(session: Session, command: Command) -> str:
    """Choose and play a move. Pass only when no dead stones of the opponent remain."""
    color = arguments.color(arguments.word(command))
    # KGS sends this instead of genmove until we pass, and then assumes that no dead stones remain.
    rules = session.game.rules
    session.game.rules = replace(rules, capture_dead=True)
    try:
        decision = session.think(color, command)
    finally:
        session.game.rules = rules
    # By territory these moves cost points, and a won game would soon look hopeless.
    kept = session.generations[-1]._replace(decision=decision._replace(resign=False))
    session.generations[-1] = kept
    return session.play_generated()


def kgs_game_over(session: Session, command: Command) -> str:
    """Note that the game has ended or is adjourned. It is kept, as it may be resumed."""
    return ""


def kgs_chat(session: Session, command: Command) -> str:
    """Answer a chat message in the game or in private."""
    arguments.words(command, 3, len(command.text))
    about = f"I am yomi {program_version()}, a program; I understand Go only"
    return f"{about}. {_opinion(session.generated)}"


def _opinion(generated: GeneratedMove | None) -> str:
    if generated is None or generated.decision.playouts == 0:
        return "I have no opinion of this game yet."
    decision = generated.decision
    return (
        f"At move {generated.number} I estimated my chance to win at"
        f" {chance_words(decision.win_rate)} ({decision.playouts} random games)."
    )


def tell_ogs(session: Session) -> None:
    """Write the win rate, lead and variation of a move to stderr, for gtp2ogs to show.

    gtp2ogs 9 reads KataGo's format (its PvOutputParser.ts) once a line has named KataGo. It drops
    a line that arrives after the answer, so this returns when the line is written.
    """
    assert session.generated is not None
    decision = session.generated.decision
    best = next((c for c in decision.candidates if c.point == decision.point), None)
    if best is None:  # no search was needed
        return
    low, high = decision.lead_interval or (0.0, 0.0)
    logger.info(
        "MALKOVICH:Visits %d Winrate %.2f%% ScoreLead %.1f ScoreStdev %.1f PV %s",
        decision.playouts,
        100 * best.win_rate,
        best.margin,
        (high - low) / (2 * NINETY_PERCENT),
        vertices(best.line[:LINE_MOVES]),
    )
    if isinstance(sys.stderr, Messages):
        sys.stderr.drain(_OGS_SECONDS)


def cgos_genmove_analyze(session: Session, command: Command) -> Iterator[str]:
    """Choose and play a move. Explain it in one line of JSON, then print ``play`` and the move."""
    color = arguments.color(arguments.word(command))
    # CGOS counts all stones on the board as alive. The color is read first, because a failing
    # command must change nothing.
    session.capture_dead()
    return _genmove_with_json(session, command, color)


def _genmove_with_json(session: Session, command: Command, color: int) -> Iterator[str]:
    # Only one line of JSON is allowed, so the last report is used.
    *_, report = session.thoughts(color, command)
    yield _json(session, color, report)
    yield f"play {session.play_generated()}"


def _json(session: Session, color: int, report: SearchReport) -> str:
    """Return a report for the CGOS viewer (zakki/cgos, docs/gtp.md), from the mover's view."""
    assert session.generated is not None
    best = report.moves[0]
    owners = owners_from_top(session.game, color, report.owners())
    content = {
        "winrate": round(best.win_rate, 4),
        "score": round(best.margin, 2),
        "visits": report.playouts,
        "moves": [
            {
                "move": format_vertex(move.point),
                "winrate": round(move.win_rate, 4),
                "score": round(move.margin, 2),
                "prior": round(move.prior, 4),
                "visits": move.playouts,
                "pv": variation(move).partition(" ")[2],
            }
            for move in moves_to_show(report, 1, CGOS_MOVES)
        ],
        "ownership": "".join(_OWNER_LETTERS[round(31 * (owner + 1))] for owner in owners),
        "comment": session.generated.decision.reason,
    }
    # Blanks are omitted: the server disconnects if move and JSON exceed 64 KiB.
    return json.dumps(content, separators=(",", ":"))


def cgos_note(session: Session, command: Command) -> str:
    """Accept any text.

    The commands of CGOS name an opponent, a rating or a result. They show that CGOS counts.
    """
    # A new game, or a reconnection during one, begins with the opponent's name.
    session.capture_dead()
    logger.debug("%s: %s", command.name, ascii(command.text))
    return ""


SERVERS: dict[str, SessionHandler] = {
    "kgs-time_settings": kgs_time_settings,
    "kgs-rules": kgs_rules,
    "kgs-genmove_cleanup": kgs_genmove_cleanup,
    "kgs-game_over": kgs_game_over,
    "cgos-genmove_analyze": cgos_genmove_analyze,
    "cgos-opponent_name": cgos_note,
    "cgos-opponent_rating": cgos_note,
    "cgos-gameover": cgos_note,
}

# Chat is optional: newer versions of kgsGtp fail with a program that can chat.
CHAT: dict[str, SessionHandler] = {"kgs-chat": kgs_chat}
