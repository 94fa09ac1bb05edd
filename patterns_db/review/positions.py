"""The positions of a record's main line, and which of them one move links."""

from collections.abc import Sequence
from dataclasses import replace

from engine import Game, Rules, SgfError, YomiError
from patterns_db.records.replay import apply_event
from patterns_db.records.sgf import Event, MainLine, Play


def positions_of(line: MainLine, rules: Rules, komi: float) -> tuple[MainLine, list[Game]]:
    """Return the game after each node of the main line; the next move says whose turn it is.

    What the rules forbid ends the line: it is returned with the nodes before, and a note says so.
    Raises SgfError when the root node itself is illegal.
    """
    game = Game(line.record.size, rules, komi)
    games: list[Game] = []
    played = 0
    for number, events in enumerate(line.nodes):
        for event in events:
            try:
                apply_event(game, event)
            except YomiError as error:
                message = f"after {played} moves: {error}"
                if not games:
                    raise SgfError(message) from None
                return _shortened(line, len(games), message), games
            played += isinstance(event, Play)
        following = _next_event(line.nodes[number + 1 :])
        if isinstance(following, Play):
            game.set_to_play(following.color)
        games.append(game.copy())
    return line, games


def _shortened(line: MainLine, nodes: int, message: str) -> MainLine:
    note = f"only the moves before an illegal one are reviewed: {message}"
    record = replace(line.record, notes=(*line.record.notes, note))
    return line._replace(record=record, nodes=line.nodes[:nodes])


def _next_event(nodes: Sequence[tuple[Event, ...]]) -> Event | None:
    return next((event for node in nodes for event in node), None)
