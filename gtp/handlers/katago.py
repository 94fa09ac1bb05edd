"""KataGo's commands without analysis: rules, clocks, and searches that play no move."""

import json
from collections.abc import Callable, Iterator

from engine import PASS, WHITE, BadSetup, Game, format_vertex
from gtp import arguments
from gtp.handlers.analysis import kata_line, read_request
from gtp.handlers.servers import kgs_time_settings
from gtp.protocol import Command, FormError, GtpError
from gtp.session import Session, SessionHandler
from patterns_db.records.kata_rules import KataRules, read_rules, rule_fields, with_rule

TIME_SETTINGS = ("none", "absolute", "byoyomi", "canadian", "fischer", "fischer-capped")


# -- rules ----------------------------------------------------------------------------------------


def get_rules(session: Session, command: Command) -> str:
    """Return the rules as a JSON object."""
    arguments.words(command, 0)
    fields = rule_fields(session.rules_in_force, not session.rules_in_force.capture_dead)
    return json.dumps(fields, separators=(",", ":"))


def set_rules(session: Session, command: Command) -> str:
    """Set the rules of this game and later ones, by a shorthand or a JSON object."""
    _use(session, lambda: read_rules(command.text))
    return ""


def set_rule(session: Session, command: Command) -> str:
    """Set a single rule."""
    name, text = arguments.words(command, 2)
    value = {"true": True, "false": False}.get(text.lower(), text)
    rules, friendly = session.rules_in_force, not session.rules_in_force.capture_dead
    _use(session, lambda: with_rule(rules, friendly, name, value))
    return ""


def _use(session: Session, read: Callable[[], KataRules]) -> None:
    try:
        kata_rules = read()
    except BadSetup as error:
        raise GtpError(str(error)) from None
    if kata_rules.replaced:
        raise GtpError(f"not supported: {kata_rules.replaced}")
    session.set_rules(kata_rules.rules)
    session.capture_dead(not kata_rules.friendly_pass or session.options.capture_dead)


# -- clocks ---------------------------------------------------------------------------------------


def time_settings(session: Session, command: Command) -> str:
    """Set the clock: as kgs-time_settings, or fischer M I, or fischer-capped M I LIMIT LONGEST."""
    kind, *texts = arguments.words(command, 1, 5)
    if kind.lower() not in ("fischer", "fischer-capped"):
        return kgs_time_settings(session, command)
    times = arguments.amounts(texts[:2])
    limits = [arguments.decimal(text) for text in texts[2:]]
    match kind.lower(), times, limits:
        case "fischer", [main, increment], []:
            session.clock.set_fischer(main, increment)
        case "fischer-capped", [main, increment], [limit, longest]:
            # A negative number means no limit.
            named = {"most_main": limit, "longest_move": longest}
            wanted = {name: number for name, number in named.items() if number >= 0}
            session.clock.set_fischer(main, increment, **wanted)
        case _:
            raise FormError
    session.wait_before_clock()
    return ""


def list_time_settings(session: Session, command: Command) -> str:
    """List the time systems that kata-time_settings accepts."""
    return " ".join(TIME_SETTINGS)


# -- searches that play nothing -------------------------------------------------------------------

CANCELLED = "cancelled"


def search(session: Session, command: Command) -> str:
    """Choose a move as genmove does, without playing it."""
    color = arguments.color(arguments.word(command))
    session.think(color, command)
    return _proposal(session)


def search_cancellable(session: Session, command: Command) -> str:
    """Choose a move without playing it. Any input ends the search."""
    color = arguments.color(arguments.word(command))
    for _ in session.thoughts(color, command, stop=command.input_came):
        pass
    return CANCELLED if command.input_came.is_set() else _proposal(session)


def search_analyze(session: Session, command: Command) -> Iterator[str]:
    """Do as kata-genmove_analyze, without playing the move."""
    return _analyze(session, command, cancellable=False)


def search_analyze_cancellable(session: Session, command: Command) -> Iterator[str]:
    """Do as kata-genmove_analyze, without playing the move. Any input ends the search."""
    return _analyze(session, command, cancellable=True)


def _analyze(session: Session, command: Command, cancellable: bool) -> Iterator[str]:
    # Arguments are read before the first line, while an error can still be answered as a failure.
    request = read_request(session, command, flags=True)

    def lines() -> Iterator[str]:
        stop = command.input_came if cancellable else command.stop
        thoughts = session.thoughts(
            request.color, command, interval=request.interval, avoid=request.avoid, stop=stop
        )
        for report in thoughts:
            yield kata_line(session.game, request, report)
        cancelled = cancellable and stop.is_set()
        yield f"play {CANCELLED if cancelled else _proposal(session)}"

    return lines()


def _proposal(session: Session) -> str:
    assert session.generated is not None
    decision = session.generated.decision
    return "resign" if decision.resign else format_vertex(decision.point)


# -- the board ------------------------------------------------------------------------------------


def set_position(session: Session, command: Command) -> str:
    """Start a game from the given stones, all or none. Black is to move."""
    stones = arguments.moves(command.arguments, session.game.size)
    if any(point == PASS for _, point in stones):
        raise FormError
    game = Game(session.game.size, session.rules_in_force, session.komi)
    white = [point for color, point in stones if color == WHITE]
    black = [point for color, point in stones if color != WHITE]
    try:
        game.setup(black, white, game.to_play)
    except BadSetup as error:
        raise GtpError(str(error)) from None
    session.new_game(game.size)
    session.replace_game(game)
    return ""


def stop(session: Session, command: Command) -> str:
    """Do nothing. Any input ends pondering, including this command."""
    return ""


def clear_cache(session: Session, command: Command) -> str:
    """Forget the search results of this game's positions."""
    session.player.new_game()
    return ""


KATAGO: dict[str, SessionHandler] = {
    "kata-get-rules": get_rules,
    "kata-set-rules": set_rules,
    "kata-set-rule": set_rule,
    "kata-time_settings": time_settings,
    "kata-list_time_settings": list_time_settings,
    "kata-search": search,
    "kata-search_cancellable": search_cancellable,
    "kata-search_analyze": search_analyze,
    "kata-search_analyze_cancellable": search_analyze_cancellable,
    "set_position": set_position,
    "stop": stop,
    "clear_cache": clear_cache,
}
