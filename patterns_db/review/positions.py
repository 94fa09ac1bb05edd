"""The positions of a record's main line, and which of them one move links."""

from collections.abc import Sequence

from engine import Game, Rules, SgfError, YomiError
from patterns_db.records import Event, MainLine, Play
from patterns_db.replay import apply_event


def positions_of(line: MainLine, rules: Rules, komi: float) -> list[Game]:
    """Return the game after each node of the main line; the next move says whose turn it is.

    Raises SgfError naming the first thing that the rules forbid.
    """
    game = Game(line.record.size, rules, komi)
    games = []
    played = 0
    for number, events in enumerate(line.nodes):
        for event in events:
            try:
                apply_event(game, event, line.record.handicap)
            except YomiError as error:
                raise SgfError(f"after {played} moves: {error}") from None
            played += isinstance(event, Play)
        following = _next_event(line.nodes[number + 1 :])
        if isinstance(following, Play):
            game.set_to_play(following.color)
        # All of them before anything is searched: an illegal move ends it at once.
        games.append(game.copy())
    return games


def _next_event(nodes: Sequence[tuple[Event, ...]]) -> Event | None:
    return next((event for node in nodes for event in node), None)
