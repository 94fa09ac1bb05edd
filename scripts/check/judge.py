"""A judge of positions, another program, and the positions that are judged.

The judge knows KataGo's ``kata-search_analyze``. It only measures: yomi learns nothing from it.
"""

import argparse
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager

from engine import BLACK, COLOR_NAMES, RULESETS, Game, format_vertex
from patterns_db.records.games import DecodedGame, GameReader
from patterns_db.records.replay import replay_moves
from scripts.controller import Controller, ProgramFailed
from scripts.play.gtp_side import show_game

KOMI = 7.5  # used where a record has none
TIMEOUT = 120.0  # seconds an answer of the judge
LEAD = re.compile(r"\brootInfo\b.*?\bscoreLead (\S+)")


def even_games(
    paths: Sequence[str], counted: bool, handicap: bool = False
) -> Iterator[DecodedGame]:
    """Yield even games with a winner, or with a margin; or those with handicap stones instead."""
    for record in GameReader(paths):
        ended = record.margin is not None if counted else record.winner != 0
        if ended and (len(record.black) + len(record.white) > 0) == handicap:
            yield record


def positions_of(record: DecodedGame, rules: str = "chinese") -> Iterator[Game]:
    """Yield the positions of a game, the same Game each time."""
    return replay_moves(record, RULESETS[rules], KOMI if record.komi is None else record.komi)


class KataGoJudge:
    """A program that knows ``kata-search_analyze``; end it with ``close``."""

    def __init__(self, command: str) -> None:
        self._controller = Controller(command, TIMEOUT)

    def close(self) -> None:
        """End the program."""
        self._controller.close()

    def leads(self, game: Game, points: Sequence[int]) -> tuple[float, list[float]]:
        """Return the mover's lead in points: of the position, and after each of some moves.

        Raises ProgramFailed when the program answers otherwise, or not at all.
        """
        send, color = self._controller.send, game.to_play
        self._show(game)
        before = self._lead(color)
        after = []
        for point in points:
            send(f"play {COLOR_NAMES[color]} {format_vertex(point)}")
            after.append(-self._lead(3 - color))
            send("undo")
        return before, after

    def lead(self, game: Game) -> float:
        """Return Black's lead in points. Raises ProgramFailed as ``leads`` does."""
        lead, _ = self.leads(game, ())
        return lead if game.to_play == BLACK else -lead

    def course(self, games: Iterable[Game]) -> list[float]:
        """Return the mover's lead in each position of a game, in order [points].

        The program plays on from position to position, so it may keep what it has searched.
        Raises ProgramFailed as ``leads`` does.
        """
        found: list[float] = []
        before: Game | None = None
        for game in games:
            if before is not None and game.continues(before):
                for move in game.moves[len(before.moves) :]:
                    play = f"play {COLOR_NAMES[move.color]} {format_vertex(move.point)}"
                    self._controller.send(play)
                # Stones that Black places before White's first move are a handicap.
                if game.full_komi != before.full_komi:
                    self._controller.send(f"komi {game.full_komi}")
            else:
                self._show(game)
            found.append(self._lead(game.to_play))
            before = game
        return found

    def _show(self, game: Game) -> None:
        """Show a game with all of White's points; the program adds none for handicap stones."""
        self._controller.send("kata-set-rule whiteHandicapBonus 0")
        show_game(self._controller, game, game.full_komi)

    def _lead(self, color: int) -> float:
        answer = self._controller.send(f"kata-search_analyze {COLOR_NAMES[color]} rootInfo true")
        found = LEAD.search(answer)
        if found is None:
            raise ProgramFailed(f"kata-search_analyze was answered {answer[:200]!r}")
        return float(found[1])


def add_judge(parser: argparse.ArgumentParser, required: bool) -> None:
    """Add the option that names the judge."""
    parser.add_argument("--judge", required=required, metavar="COMMAND", help="GTP, knows KataGo's")


@contextmanager
def open_judge(command: str | None) -> Iterator[KataGoJudge | None]:
    """Start a judge, if there is a command, and end it."""
    judge = None if command is None else KataGoJudge(command)
    try:
        yield judge
    finally:
        if judge is not None:
            judge.close()
