"""The arena of all games: two sides meet, colors alternate, results are kept.

A side answers a game with a move (``Side``), in this process or as a program over GTP
(``scripts.play.gtp_side``). ``turns`` plays one game and shows every move before it is on the
board. ``play_game`` returns the end of a game, even after an error. ``play_match`` plays the games
that are missing, saves each when it ends, and may stop when the result is clear.
"""

import sys
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from typing import NamedTuple, Protocol

from tqdm import tqdm

from engine import BLACK, WHITE, Game, YomiError, format_vertex, parse_vertex
from engine.go.geometry import PASS
from scripts.kept_rows import KeptRows, Row
from scripts.significance import log_likelihood_ratio, wilson_interval

# ln(0.95 / 0.05), Wald's bound.
SURE = 2.94  # log likelihood ratio at which a sequential test ends, errors of 5 %
LETTERS = {BLACK: "B", WHITE: "W"}


class SideReply(NamedTuple):
    """A side's answer."""

    point: int = PASS
    resign: bool = False  # whether the game is lost: given up, or out of time
    late: bool = False  # with resign: whether the time is over


class Side(Protocol):
    """Plays one color of one game after another."""

    def choose(self, game: Game) -> SideReply:
        """Return a move for ``game.to_play``; raises YomiError when the side cannot go on."""


class Outcome(NamedTuple):
    """One game in its saved form."""

    game: int
    first_color: str  # of the first side, "B" or "W"
    # The first side's result: 1 won, 0 lost, 0.5 jigo or no end; None: not counted
    first: float | None
    result: str  # as in game records, "B+3.5", "W+R" or, on time, "W+T"
    moves: int
    agreed: bool  # whether the sides' own scores agree, where they are asked
    error: str  # the error, "" if none
    seconds: tuple[float, float]  # of the answers of the first and of the second side
    record: str  # all moves, "BE5 WC3 ..."


class ScoresDisagree(YomiError):  # noqa: N818 - names an event, not a kind of error
    """The sides count the same final position differently; the text is both scores."""


class Score(NamedTuple):
    """The first side's result so far, of the games that count."""

    wins: float = 0.0
    games: int = 0

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of the first side's win rate."""
        return wilson_interval(self.wins, self.games)

    def add(self, result: float | None) -> "Score":
        """Return the score after one more game."""
        # An uncounted game: else a program that crashes would make the other one look strong.
        if result is None:
            return self
        return Score(self.wins + result, self.games + 1)


def is_undecided(score: Score) -> bool:
    """Return whether a sequential test of 35 against 0 Elo is still open."""
    return abs(log_likelihood_ratio(score.wins, score.games)) < SURE


def score_of(rows: list[Row]) -> Score:
    """Return the score of all games that are kept."""
    score = Score()
    for row in rows:
        score = score.add(row["first"])
    return score


def first_color(number: int) -> int:
    """Return the color of the first side: Black in the even games."""
    # The number alone decides, so that a resumed match gives the same colors.
    return BLACK if number % 2 == 0 else WHITE


def turns(game: Game, sides: Mapping[int, Side], most_moves: int) -> Iterator[SideReply]:
    """Play a game on until two passes, ``most_moves`` in all, or a resignation.

    Yields each reply before it is on the board; a resignation comes last. A caller that stops
    asking ends the game before the move. Raises YomiError when a side fails or its move is illegal.
    """
    while game.passes < 2 and len(game.moves) < most_moves:
        color = game.to_play
        reply = sides[color].choose(game)
        yield reply
        if reply.resign:
            return
        # Checked by the game's own superko rule. A program that knows only simple ko may break it,
        # and neither side's word is taken for a move.
        game.play(color, reply.point, superko=True)


def margin_of(result: str) -> float | None:
    """Return Black's margin of a result like "B+3.5" or "0"; None when it has none."""
    color, _, points = result.partition("+")
    try:
        return 0.0 if result == "0" else float(points) * (1 if color == "B" else -1)
    except ValueError:
        return None


def margin_on_board(game: Game) -> float:
    """Return Black's margin of a game that has ended, all stones alive; 0 for one without end."""
    return game.score() if game.passes >= 2 else 0.0


def play_game(
    number: int,
    game: Game,
    pair: tuple[Side, Side],
    most_moves: int,
    judge: Callable[[Game], float] = margin_on_board,
) -> Outcome:
    """Play a game between the first and the second side; return errors as part of its row.

    number  of the game in a match, which decides the colors
    judge   returns Black's margin [points], 0 for a jigo, of a game that nobody resigned; may
            raise YomiError, and ScoresDisagree
    """
    color = first_color(number)
    seconds = {BLACK: 0.0, WHITE: 0.0}
    timed = {c: _Timed(side, seconds) for c, side in zip((color, 3 - color), pair, strict=True)}
    black: float | None = None
    result, error, agreed = "?", "", True
    try:
        last = SideReply()
        for reply in turns(game, timed, most_moves):
            last = reply
        if last.resign:
            black = float(game.to_play == WHITE)
            result = f"{LETTERS[3 - game.to_play]}+{'T' if last.late else 'R'}"
        else:
            margin = judge(game)
            black = 0.5 if margin == 0 else float(margin > 0)
            result = f"{LETTERS[BLACK if margin > 0 else WHITE]}+{abs(margin):g}" if margin else "0"
    except ScoresDisagree as disagreement:
        result, agreed = str(disagreement), False
    except YomiError as failure:
        error = str(failure)
    first = black if black is None or color == BLACK else 1.0 - black
    times = (round(seconds[color], 2), round(seconds[3 - color], 2))
    moves = len(game.moves)
    return Outcome(
        number, LETTERS[color], first, result, moves, agreed, error, times, record_of(game)
    )


def record_of(game: Game) -> str:
    """Return a game's moves in words, as ``Outcome`` holds them."""
    return " ".join(f"{LETTERS[m.color]}{format_vertex(m.point)}" for m in game.moves)


def moves_in(record: str, size: int) -> list[tuple[int, int]]:
    """Return the moves of such a text: (color, point). Raises BadVertex."""
    colors = {letter: color for color, letter in LETTERS.items()}
    return [(colors[word[0]], parse_vertex(word[1:], size)) for word in record.split()]


class _Timed:
    """A side with its thinking time."""

    def __init__(self, side: Side, seconds: dict[int, float]) -> None:
        self._side, self._seconds = side, seconds

    def choose(self, game: Game) -> SideReply:
        start = time.monotonic()
        try:
            return self._side.choose(game)
        finally:
            # Also when the side fails, so that a time limit shows in the times.
            self._seconds[game.to_play] += time.monotonic() - start


Play = Callable[[int], Row]


def play_match(
    play: Play,
    games: int,
    kept: KeptRows,
    watch: Callable[[Score], bool] = lambda score: True,
    jobs: int = 1,
) -> Score:
    """Play the games that ``kept`` lacks, each by its number, and return the first side's score.

    play   returns a game's row: an ``Outcome``'s fields, and more
    watch  called with the score of the kept games and after every new one; the match ends when
           it returns False
    jobs   games side by side; rows keep the order of the games
    """
    # The number identifies a game: the same command may ask for more games later.
    done = {row["game"] for row in kept.rows}
    missing = iter([number for number in range(games) if number not in done])
    score = score_of(kept.rows)
    if kept.rows and not watch(score):
        return score
    going: deque[Future[Row]] = deque()
    # Threads, not processes: programs run in their own processes, and our kernels run without the
    # interpreter's lock.
    with ThreadPoolExecutor(jobs) as pool:
        while True:
            # Only the games that can run at once: a stop would have to wait for queued ones.
            while len(going) < jobs and (number := next(missing, None)) is not None:
                going.append(pool.submit(play, number))
            if not going:
                return score
            row = going.popleft().result()
            # Saved at once, so that no played game is lost, however this run ends.
            kept.add(row)
            score = score.add(row["first"])
            if not watch(score):
                missing = iter(())  # running games are played to their end, and count


@contextmanager
def progress(games: int, sprt: bool = False) -> Iterator[Callable[[Score], bool]]:
    """Show the progress of a match; the value passes the score from ``play_match``.

    sprt  whether the match ends as soon as 35 Elo are likely or unlikely enough
    """
    with tqdm(total=games, file=sys.stderr) as bar:

        def watch(score: Score) -> bool:
            bar.n = score.games
            bar.set_postfix_str(f"{score.wins:g} won")
            return not sprt or is_undecided(score)

        yield watch
