"""The player's opinions, drawn on GoGui's board or as text."""

from typing import NamedTuple

from engine import (
    BLACK,
    COLOR_NAMES,
    PASS,
    Game,
    MoveBelief,
    Predictor,
    SearchReport,
    format_vertex,
)
from engine.explain.words import because, clause, margin_words, move_name
from engine.go.symmetry import pooled_chances
from gtp import arguments
from gtp.answers import moves_to_show, owners_from_top, variation, vertices
from gtp.protocol import Command, GtpError
from gtp.session import DEFAULTS, GeneratedMove, Session, SessionHandler


class ViewLimits(NamedTuple):
    """What a view of a position shows."""

    # Of search for a view; further views of a position continue the same search
    look_seconds: float = 1.0
    shown_moves: int = 20
    expected_moves: int = 10  # of a variation; later ones rest on few roll-outs
    labeled: float = 0.01  # smallest probability that is written on the board


SHOWN = ViewLimits()


def _color(session: Session, command: Command) -> int:
    """Return the named color, or the side to move."""
    texts = arguments.words(command, 0, 1)
    return arguments.color(texts[0]) if texts else session.game.to_play


def look(session: Session, command: Command) -> SearchReport:
    """Search the position for the named color, or the side to move."""
    color = _color(session, command)
    session.wait_for_kernels()
    command.begin_search(DEFAULTS.patience_seconds)
    reports = session.player.analyze(session.game, color, SHOWN.look_seconds, command.stop)
    # The first report is enough. The tree keeps the results for the next view.
    return next(reports)


def win_rates(session: Session, command: Command) -> str:
    """Show each candidate's win rate as an interval in percent, and mark the best."""
    color, report = _color(session, command), look(session, command)
    moves = moves_to_show(report, 1, SHOWN.shown_moves)
    # A label has to fit a point, so it has no percent signs or spaces.
    rates = {move.point: _interval(color, report, move) for move in moves}
    labels = [f"{format_vertex(point)} {rates[point]}" for point in rates if point != PASS]
    best = moves[0]
    lines = [f"LABEL {' '.join(labels)}"] if labels else []
    if best.point != PASS:
        lines.append(f"SQUARE {format_vertex(best.point)}")
    interval = report.lead_interval
    # GoGui's status line holds about 60 characters. The rest comes later.
    parts = [
        f"{format_vertex(best.point)} wins {100 * best.win_rate:.0f} % ({rates[best.point]}) for"
        f" {COLOR_NAMES[color].capitalize()}, {best.margin:+.1f} points",
        f"best move at {100 * best.best:.0f} %",
        *([f"lead {margin_words(interval)}"] if interval is not None else []),
        f"{best.playouts} roll-outs",
    ]
    return "\n".join([*lines, f"TEXT {'; '.join(parts)}"])


def _interval(color: int, report: SearchReport, move: MoveBelief) -> str:
    """Return the 90 % interval of a win rate in whole percent, "48-60", from that of the lead."""
    if color == BLACK:
        low, high = report.posterior.at(move.margin).chances()
    else:
        high, low = (1.0 - rate for rate in report.posterior.at(-move.margin).chances())
    return f"{100 * low:.0f}-{100 * high:.0f}"


def ownership(session: Session, command: Command) -> str:
    """Show who owns the points: 1 Black, -1 White, row by row from the top."""
    owners = owners_from_top(session.game, BLACK, look(session, command).owners())
    size = session.game.size
    rows = [owners[start : start + size] for start in range(0, size * size, size)]
    return "\n".join(" ".join(f"{owner:.3f}" for owner in row) for row in rows)


def principal_variation(session: Session, command: Command) -> str:
    """List the moves that the player expects, starting with the side to move."""
    return vertices(look(session, command).moves[0].line[: SHOWN.expected_moves])


def move_probabilities(session: Session, command: Command) -> str:
    """Color each move by the probability that an expert plays it, with the larger ones in percent.

    The view is for the named color, or the side to move.
    """
    color = _color(session, command)
    patterns = session.player.knowledge.patterns
    if patterns is None:
        raise GtpError("no patterns loaded")
    session.wait_for_kernels()
    chances = Predictor(patterns).of_game(session.game, color)
    if not chances:
        return "TEXT no legal move"
    # Equal moves are one. Ties are ordered by point, so that a position always looks the same.
    ranked = pooled_chances(session.game, chances)
    best, most = ranked[0]
    # Values are relative to the best move: probabilities rarely reach 1, GoGui's strongest
    # color.
    influence = " ".join(f"{format_vertex(p)} {chance / most:.3f}" for p, chance in ranked)
    labels = " ".join(
        f"{format_vertex(p)} {100 * chance:.0f}" for p, chance in ranked if chance >= SHOWN.labeled
    )
    first = ", ".join(f"{format_vertex(p)} {100 * chance:.1f} %" for p, chance in ranked[:5])
    return "\n".join(
        [f"INFLUENCE {influence}"]
        + ([f"LABEL {labels}"] if labels else [])
        + [f"SQUARE {format_vertex(best)}", f"TEXT {COLOR_NAMES[color]}: {first}"]
    )


def chain_status(session: Session, command: Command) -> str:
    """Mark dead chains by crosses, living ones by circles and those in seki by squares."""
    arguments.words(command, 0)
    session.wait_for_kernels()
    status = session.player.status(session.game)
    marks = (("CIRCLE", status.alive), ("MARK", status.dead), ("SQUARE", status.seki))
    lines = [
        f"{mark} {vertices(point for chain in chains for point in chain)}"
        for mark, chains in marks
        if chains
    ]
    state = "settled" if status.settled else "still open"
    # GoGui prints "Status of Chains: " before it.
    counts = f"{len(status.alive)} alive, {len(status.dead)} dead, {len(status.seki)} in seki"
    return "\n".join([*lines, f"TEXT {counts}; the position is {state}"])


def explain(session: Session, command: Command) -> str:
    """Explain the game's last generated move, and why it was preferred to the second best."""
    arguments.words(command, 0)
    (number, color, decision, _), game = _last_generated(session)
    effects = decision.why
    # A move without a search has all its reasons; it may have come before the kernels were ready.
    if decision.playouts > 0 or session.options.player.level is not None:
        session.wait_for_kernels()
        effects = tuple(session.player.reasons(game, color, decision))
    resigns = "resigned, as several moves in a row were hopeless; the move would be "
    lines = [
        f"move {number}, {COLOR_NAMES[color]}: {resigns if decision.resign else ''}"
        f"{move_name(decision.point, decision.equals)}{because(effects)}"
    ]
    lines += [
        f"not {format_vertex(effect.moves[1])}: {clause(effect)}"
        for effect in effects
        if effect.kind.is_against_other
    ]
    if decision.lead_interval is not None:
        ends = margin_words(decision.lead_interval).replace(" to ", " and ")
        lines.append(f"the lead is between {ends} with probability 90 %")
    if decision.candidates:
        lines.append("move best % prior % roll-outs   win %  points  line")
    # A move that was never tried has only a prior, and no win rate.
    for move in [move for move in decision.candidates if move.playouts > 0][: SHOWN.shown_moves]:
        moves = variation(move)
        advice = "; ".join(clause(e, "it") for e in decision.advice.get(move.point, ()))
        lines.append(
            f"{format_vertex(move.point):4} {100 * move.best:6.1f} {100 * move.prior:7.1f}"
            f" {move.playouts:9} {100 * move.win_rate:7.1f}"
            f" {move.margin:+7.1f}  {moves}" + (f"  ({advice})" if advice else "")
        )
    return "\n".join(lines)


def _last_generated(session: Session) -> tuple[GeneratedMove, Game]:
    """Return the last generated move that is one of the game, and the game before it."""
    game = session.game.copy()
    for generated in reversed(session.generations):
        while len(game.moves) >= generated.number:
            game.undo()
        # Since then, another game may have been loaded.
        if len(game.moves) + 1 == generated.number and game.position_hash == generated.position:
            return generated, game
    raise GtpError("yomi has no move in this game")


VIEWS: dict[str, SessionHandler] = {
    "yomi-win_rates": win_rates,
    "yomi-ownership": ownership,
    "yomi-variation": principal_variation,
    "yomi-move_probabilities": move_probabilities,
    "yomi-chain_status": chain_status,
    "yomi-explain": explain,
}
