"""Conversion of a game record to a Game, and back."""

import logging
from collections.abc import Iterator
from typing import NamedTuple

from engine import (
    BLACK,
    PASS,
    RULESETS,
    WHITE,
    Game,
    IllegalMove,
    MoveCode,
    Rules,
    SgfError,
    YomiError,
)
from patterns_db.printing import printable
from patterns_db.records.games import DecodedGame, margin_of
from patterns_db.records.komi_and_rules import read_record_rules, record_name, usual_komi
from patterns_db.records.sgf import GameRecord, Play, SetupStones, Turn

logger = logging.getLogger(__name__)


class Terms(NamedTuple):
    """The rules and the komi of a record's game."""

    rules: Rules
    komi: float  # points for White, without compensation for handicap stones
    notes: tuple[str, ...] = ()  # parts that were not understood, one line each
    assumed: tuple[str, ...] = ()  # what is used because the record does not say it, one line each


def terms_of(record: GameRecord, otherwise: Rules = RULESETS["chinese"]) -> Terms:
    """Return the terms of a record's game: its own, or else the usual ones.

    otherwise  the rules if the record has none that are understood
    """
    record_rules = read_record_rules(record.rules) if record.rules else None
    notes: tuple[str, ...] = () if record_rules is None else record_rules.notes
    if record.rules and record_rules is None:
        shown = printable(record.rules[:40])
        notes = (f"the rules are not understood: RU[{shown}]; {otherwise.name} rules are used",)
    rules = otherwise if record_rules is None else record_rules.rules
    placed = _opening_handicap(record)
    if record.handicap not in (0, placed):
        notes += (f"the record names {record.handicap} handicap stones and places {placed}",)
    assumed: tuple[str, ...] = ()
    if not record.rules:
        assumed += (f"the record names no rules: {rules.name.title()} rules are used",)
    komi = record.komi
    if komi is None and record_rules is not None and record_rules.komi is not None:
        komi = record_rules.komi
    if komi is None:
        komi, why = usual_komi(rules, max(record.handicap, placed)), "the usual"
        # 69 of 77 counted 9x9 games without komi whose result is whole were played without one.
        margin = margin_of(record.result)
        if margin is not None and margin % 1 == 0.0 and komi % 1:
            komi, why = 0.0, f"the result {record.result} excludes the usual {komi:g};"
        assumed += (f"no komi is known: {why} {komi:g} is used",)
    return Terms(rules, komi, notes, assumed)


def _opening_handicap(record: GameRecord) -> int:
    """Return the number of handicap stones in the record's first events, independently of HA."""
    game = Game(record.size)
    for event in record.events:
        try:
            apply_event(game, event)
        except YomiError:
            break
        # At least two are needed, since White may set up a position by moves.
        if sum(color == WHITE and point != PASS for color, point in game.moves) > 1:
            break
    return game.handicap


def replay_record(record: GameRecord, rules: Rules, komi: float, moves: int | None = None) -> Game:
    """Return the game of a record after a number of moves, passes included (None: all).

    The record's next move sets the side to move. For undo, set-up stones in the middle of a game
    start a new one. Raises SgfError, which names the first illegal event.
    """
    game = Game(record.size, rules, komi)
    played = 0
    for event in record.events:
        if isinstance(event, Play) and moves is not None and played >= moves:
            game.set_to_play(event.color)
            break
        try:
            apply_event(game, event)
        except YomiError as error:
            raise SgfError(fault_of(event, played, error)) from None
        played += isinstance(event, Play)
    return game


def replay_moves(record: DecodedGame, rules: Rules, komi: float) -> Iterator[Game]:
    """Yield the game before its first move and after every move.

    A move that these rules forbid ends the iteration with a warning; a ``GameReader`` leaves few of
    those. The same Game is yielded each time, so copy it to keep it. Each position is computed on
    request. There is one position more than moves made.
    """
    game = Game(record.size, rules, komi)
    if len(record.black) + len(record.white) > 0:
        game.edit(record.black.tolist(), record.white.tolist(), ())
    yield game
    for color, point in zip(record.colors.tolist(), record.moves.tolist(), strict=True):
        try:
            game.play(color, point)
        except IllegalMove as error:
            source = printable(record.source)
            logger.warning("%s is read up to move %d: %s", source, len(game.moves), error)
            return
        yield game


def apply_event(game: Game, event: Play | SetupStones | Turn) -> None:
    """Execute one event of a record. Raises YomiError when the rules forbid it."""
    if isinstance(event, Play):
        game.play(event.color, event.point, forced=event.forced)
    elif isinstance(event, Turn):
        game.set_to_play(event.color)
    else:
        game.edit(event.black, event.white, event.empty)


def fault_of(event: Play | SetupStones | Turn, played: int, error: YomiError) -> str:
    """Return what the rules forbid of an event that follows some moves."""
    where = "at" if isinstance(event, Play) else "before"
    return f"{where} move {played + 1}: {error}"


def record_of(game: Game) -> GameRecord:
    """Return the record of a game, starting with its set-up."""
    # The set-up is the position before the first move, including handicap stones.
    start = game.copy()
    while start.moves:
        start.undo()
    events: list[Play | SetupStones | Turn] = []
    black, white = start.stones(BLACK), start.stones(WHITE)
    if black or white:
        events.append(SetupStones(tuple(black), tuple(white), ()))
    # The side to move is written only where readers would expect the other one.
    if start.to_play != (WHITE if start.handicap else BLACK):
        events.append(Turn(start.to_play))
    for color, point in game.moves:
        # The move comes from a record that forces illegal moves (KO).
        forced = start.legality(color, point, superko=False) != MoveCode.LEGAL
        start.play(color, point, forced=forced)
        events.append(Play(color, point, forced))
    if game.to_play != start.to_play:  # it was set after the last move
        events.append(Turn(game.to_play))
    return GameRecord(
        size=game.size,
        komi=game.komi,
        rules=record_name(game.rules),
        handicap=game.handicap,
        events=tuple(events),
    )
