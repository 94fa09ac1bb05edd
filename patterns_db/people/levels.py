"""Estimated ranks of the players of some records, from their moves."""

import math
from collections.abc import Callable, Iterable
from typing import NamedTuple

import numpy as np

from engine.arrays import Floats
from engine.belief.knowledge import Knowledge
from engine.errors import BadSetup, SgfError
from engine.go.board import BLACK, WHITE
from engine.people.posterior import RANK, STRONGEST, WEAKEST, RankPosterior, rank_posterior
from patterns_db.people.choices import collect_choices
from patterns_db.people.training import RANKS, rank_logs
from patterns_db.records.games import CutGames, to_game
from patterns_db.records.ranks import kyu_of
from patterns_db.records.sgf import GameRecord, read_main_line


class LevelTrust(NamedTuple):
    """How far ranks are believed beyond the boards that taught them."""

    learned_size: int = 9  # of the boards that the ranks were learned on
    large_size: int = 19  # board of the shift below, which grows linearly from the learned size on
    # A player whose number of kyu is r chooses moves there as one of usual_games + slope * r does
    # on the learned size. Fitted to 454 players of KGS, 20k to 9d, one game each.
    usual_games: float = 2.0
    slope: float = 0.5
    # There are more moves, and errors of the weights are common to all of them: each tells less.
    extrapolated_trust: float = 0.5
    recorded_deviation: float = 3.0  # of a recorded rank from ours [ranks], for servers differ
    recorded_trust: float = 0.9  # share of recorded ranks that are right


TRUST = LevelTrust()

_COLORS = {BLACK: "Black", WHITE: "White"}
_LETTERS = {BLACK: "b", WHITE: "w"}


class JudgedGame(NamedTuple):
    """One game of the records."""

    source: str
    size: int
    # Names of Black and White, where they have none as "Black of game.sgf"
    players: tuple[str, str]
    ranks: tuple[str | None, str | None]  # as written; None: the record has none
    moves: int  # of both players, without passes and stones that were set up


class PlayerLevel(NamedTuple):
    """The estimated rank of one player.

    games, moves  judged ones; passes and stones that were set up do not count
    """

    name: str  # as in the records; one without a name has a single game, and is named by it
    games: int
    moves: int
    posterior: RankPosterior
    extrapolated: bool  # whether some game had another board size than the ranks were learned on
    ranks: tuple[str, ...] = ()  # in the records, in order of appearance

    @property
    def width(self) -> int:
        """The number of ranks between the ends of the interval."""
        strong, weak = self.posterior.interval
        return weak - strong

    def width_after(self, more: int) -> float:
        """Return the width that further games of the same kind would leave, as a Gaussian has it.

        A game adds its share of the precision beyond the prior. The scatter of recorded ranks
        around a player's strength stays.
        """
        ranks = np.arange(STRONGEST, WEAKEST + 1)
        chances = self.posterior.chances
        variance = float(chances @ (ranks - chances @ ranks) ** 2)
        scatter, prior = RANK.recorded**2, RANK.prior_deviation**-2
        precision = 1.0 / max(variance - scatter, 0.1)
        a_game = max(precision - prior, 0.0) / self.games
        return self.width * math.sqrt((1.0 / (precision + more * a_game) + scatter) / variance)


def ranks_of(record: GameRecord, knowledge: Knowledge) -> dict[int, RankPosterior]:
    """Return the rank posteriors of both players of a game, by color.

    The moves are the evidence, and so is a rank in the record. Players without moves are left out,
    and so are both players if there is no table of people's choices.
    """
    if knowledge.patterns is None or knowledge.people is None:
        return {}
    game = to_game(record, "")
    choices = collect_choices([game], knowledge.patterns)
    posteriors = {}
    for color, rank in zip((BLACK, WHITE), game.ranks, strict=True):
        chosen = np.flatnonzero(choices.color == color)
        if len(chosen) > 0:
            logs = logs_on(game.size, rank_logs(choices, knowledge.people, chosen))
            posteriors[color] = with_recorded_rank(rank_posterior(logs), rank)
    return posteriors


def with_recorded_rank(posterior: RankPosterior, rank: str | None) -> RankPosterior:
    """Return a rank posterior that includes the rank in the record; None: it has none."""
    kyu = kyu_of(rank)
    if kyu is None:
        return posterior
    ranks = np.arange(STRONGEST, WEAKEST + 1)
    near = np.exp(-0.5 * ((ranks - kyu) / TRUST.recorded_deviation) ** 2)
    # Some ranks are made up. In that case every rank is equally probable.
    likelihood = TRUST.recorded_trust * near / near.sum() + (1.0 - TRUST.recorded_trust) / len(
        ranks
    )
    chances = posterior.chances * likelihood
    return RankPosterior(chances / chances.sum())


class _Tally:
    """The sum of the log likelihoods of one player's moves."""

    def __init__(self) -> None:
        self.games = self.moves = 0
        self.ranks: dict[str, None] = {}
        self.logs = np.zeros(RANKS)
        self.extrapolated = False

    def add(self, logs: Floats, moves: int, size: int) -> None:
        self.games += 1
        self.moves += moves
        self.logs += logs_on(size, logs)
        self.extrapolated |= size != TRUST.learned_size


def logs_on(size: int, logs: Floats) -> Floats:
    """Return the log likelihoods of ranks on a board of some size.

    size  of the board
    logs  float64[RANKS], of a player's moves under the weights that were learned on 9x9, by rank
    """
    if size == TRUST.learned_size:
        return logs
    share = min(
        max((size - TRUST.learned_size) / (TRUST.large_size - TRUST.learned_size), 0.0), 1.0
    )
    ranks = np.arange(STRONGEST, WEAKEST + 1)
    alike = (1.0 - share) * ranks + share * (TRUST.usual_games + TRUST.slope * ranks)
    return TRUST.extrapolated_trust * np.interp(alike, ranks, logs)


def judge_levels(
    records: Iterable[tuple[str, bytes | SgfError]],
    knowledge: Knowledge,
    prepare: Callable[[], None] = lambda: None,
    judged: Callable[[JudgedGame], object] = lambda game: None,
) -> tuple[list[PlayerLevel], list[str]]:
    """Return the players of some records in order of appearance, and the unreadable records.

    Players are identified by name; one without a name is a player of that game alone. A warning
    counts the moves that are left out: those after an illegal one, or after stones that are set up
    in the middle of a game.
    records  names for messages, and bytes of SGF files, or the errors that replace them
    prepare  called once, before the first game that can be read is judged
    judged   called with each game
    Raises BadSetup without tables of patterns and of people's choices.
    """
    if knowledge.patterns is None or knowledge.people is None:
        raise BadSetup("estimating ranks needs tables of patterns and of people's choices")
    tallies: dict[str, _Tally] = {}
    complaints: list[str] = []
    cut, prepared = CutGames(), False
    for source, data in records:
        try:
            if isinstance(data, SgfError):  # it names its source
                complaints.append(str(data))
                continue
            line = read_main_line(data)
            game = to_game(line.record, source)
        except SgfError as error:
            complaints.append(f"{source}: {error}")
            continue
        cut.add(source, line.record, game)
        if not prepared:
            prepare()
            prepared = True
        choices = collect_choices([game], knowledge.patterns)
        names = []
        for color, letter in _LETTERS.items():
            written = (line.file.get_player_name(letter) or "").strip()
            names.append(written or f"{_COLORS[color]} of {source}")
            chosen = np.flatnonzero(choices.color == color)
            if len(chosen) > 0:
                tally = tallies.setdefault(names[-1], _Tally())
                tally.add(rank_logs(choices, knowledge.people, chosen), len(chosen), game.size)
                if rank := game.ranks[color - BLACK]:
                    tally.ranks[rank] = None
        if choices.moves:
            sides = names[0], names[1]
            judged(JudgedGame(source, game.size, sides, game.ranks, choices.moves))
    cut.tell()
    players = [
        PlayerLevel(
            name=name, games=t.games, moves=t.moves, posterior=rank_posterior(t.logs),
            extrapolated=t.extrapolated, ranks=tuple(t.ranks),
        )
        for name, t in tallies.items()
    ]  # fmt: skip
    return players, complaints
