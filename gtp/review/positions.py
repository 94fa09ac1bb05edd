"""The positions of a record's main line, for a review."""

from dataclasses import replace

from engine import Game, Move, Rules, SgfError, YomiError
from engine.review import GamePosition
from patterns_db.records.replay import apply_event, fault_of
from patterns_db.records.sgf import MainLine, Play


def positions_of(line: MainLine, rules: Rules, komi: float) -> tuple[MainLine, list[GamePosition]]:
    """Return the position after each node of the main line. The next move sets the side to move.

    A node without events (a comment alone) has the position of the node before and is left out. An
    illegal move ends the line: the nodes before are returned, with a note. Raises SgfError when the
    root node itself is illegal.
    """
    game = Game(line.record.size, rules, komi)
    positions: list[GamePosition] = []
    played = 0
    for node, events in enumerate(line.nodes):
        for event in events:
            try:
                apply_event(game, event)
            except YomiError as error:
                message = fault_of(event, played, error)
                if node == 0:
                    raise SgfError(message) from None
                return _shortened(line, node, message), positions
            played += isinstance(event, Play)
        following = next((event for later in line.nodes[node + 1 :] for event in later), None)
        if isinstance(following, Play):
            game.set_to_play(following.color)
        if events or node == 0:
            last = events[-1] if events else None
            move = Move(last.color, last.point) if isinstance(last, Play) else None
            positions.append(GamePosition(node, played, move, game.copy()))
    return line, positions


def _shortened(line: MainLine, nodes: int, message: str) -> MainLine:
    note = f"{message}; the review ends there"
    record = replace(line.record, notes=(*line.record.notes, note))
    return line._replace(record=record, nodes=line.nodes[:nodes])
