"""Review of a game: what the player thinks of every position, and so of every move.

A move's loss is the mover's best win rate before it minus the win rate after it: both come from
searches, so a small loss says nothing, and a negative one that the later search knew better.
"""

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from engine import BLACK, COLOR_NAMES, Decision, Game, Player, Rules, SgfError, YomiError
from engine.go.geometry import PASS, format_vertex
from engine.patterns.predictor import Predictor
from patterns_db.annotations import Note
from patterns_db.records import Event, MainLine, Play
from patterns_db.replay import apply_event

SHOWN = 5  # moves that a note lists


class Thought(NamedTuple):
    """What the player thinks of one position.

    node      its node on the record's main line
    number    moves made before it
    play      the move that led there; None at the beginning and after a set-up
    color     to move
    decision  the player's move, with all candidates; its win rate is the mover's
    chances   probability of each legal move by the ranking model; empty without one
    """

    node: int
    number: int
    play: Play | None
    color: int
    decision: Decision
    chances: dict[int, float]

    @property
    def black_win_rate(self) -> float:
        """Black's chance to win."""
        rate = self.decision.win_rate
        return rate if self.color == BLACK else 1.0 - rate

    @property
    def margin(self) -> float | None:
        """Black's expected lead in points; None where nothing was searched."""
        if not self.decision.candidates:
            return None
        margin = self.decision.candidates[0].margin
        return margin if self.color == BLACK else -margin


def review_game(
    line: MainLine,
    games: Sequence[Game],
    player: Player,
    progress: Callable[[int], object] = lambda positions: None,
) -> list[Thought]:
    """Let the player think about each position of a game, in order.

    games     the positions of the nodes, see ``positions_of``
    progress  told after each node that one more is done
    """
    patterns = player.knowledge.patterns
    predictor = Predictor(patterns) if patterns is not None else None
    thoughts = []
    played = 0
    for number, (events, game) in enumerate(zip(line.nodes, games, strict=True)):
        played += sum(isinstance(event, Play) for event in events)
        # A node without events, a comment alone, has the position of the one before.
        if events or number == 0:
            play = events[-1] if events and isinstance(events[-1], Play) else None
            color = game.to_play
            chances = predictor.of_game(game, color) if predictor is not None else {}
            decision = player.choose(game, color)
            thoughts.append(Thought(number, played, play, color, decision, chances))
        progress(1)
    return thoughts


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


class Judgement(NamedTuple):
    """What became of one move.

    loss    win rate that the mover gave away, 0..1; negative: it was better than expected
    chance  probability by the ranking model that an expert plays it; None without one
    rank    its place among the legal moves by that, equals together; None without one
    """

    before: Thought
    after: Thought
    loss: float
    chance: float | None
    rank: int | None


def judge_moves(thoughts: Sequence[Thought]) -> list[Judgement]:
    """Return a judgement of each move between two positions that were thought about."""
    found = []
    for before, after in pairwise(thoughts):
        play = after.play
        # Between them a set-up, or two moves of one color: no move from the first to the second.
        if play is None or play.color != before.color or after.number != before.number + 1:
            continue
        gain = after.black_win_rate - before.black_win_rate
        chance = before.chances.get(play.point)
        rank = None
        if chance is not None:
            # Equals share the better place.
            rank = 1 + sum(other > chance for other in before.chances.values())
        found.append(Judgement(before, after, -gain if play.color == BLACK else gain, chance, rank))
    return found


def write_notes(thoughts: Sequence[Thought], nodes: int) -> list[Note | None]:
    """Return a note for each node of the main line where there is something to say."""
    notes: list[Note | None] = [None] * nodes
    judged = {judgement.after.node: judgement for judgement in judge_moves(thoughts)}
    for thought in thoughts:
        best = thought.decision.candidates[:SHOWN]
        letters = "ABCDEFGHIJ"
        lines = [_standing(thought)]
        if thought.node in judged:
            lines.append(describe_move(judged[thought.node]))
        lines.append(f"Best for {COLOR_NAMES[thought.color]}:")
        for letter, move in zip(letters, best, strict=False):
            line = " ".join(format_vertex(point) for point in move.line[:6])
            lines.append(f"{letter} {format_vertex(move.point)} {move.win_rate:.1%}: {line}")
        if not best:
            lines.append(f"{format_vertex(thought.decision.point)}: {thought.decision.reason}")
        likely = sorted(thought.chances.items(), key=lambda item: (-item[1], item[0]))[:SHOWN]
        if likely:
            moves = ", ".join(f"{format_vertex(point)} {chance:.1%}" for point, chance in likely)
            lines.append(f"Most probable of an expert: {moves}")
        notes[thought.node] = Note(
            thought.black_win_rate,
            thought.margin,
            tuple((move.point, letter) for letter, move in zip(letters, best, strict=False)),
            likely[0][0] if likely else None,
            "\n".join(lines),
        )
    return notes


def _standing(thought: Thought) -> str:
    lead = "" if thought.margin is None else f", leads by {thought.margin:+.1f}"
    return f"Black wins {thought.black_win_rate:.1%}{lead}"


def describe_move(judgement: Judgement) -> str:
    """Return one line about a move: what it lost, how probable it was, what was better."""
    play, best = judgement.after.play, judgement.before.decision
    # Judgements are made of plays only.
    assert play is not None
    words = [f"{judgement.after.number} {'B' if play.color == BLACK else 'W'}"]
    words.append(f"{format_vertex(play.point)}: Black {judgement.after.black_win_rate:.1%}")
    words.append(f"(lost {100 * judgement.loss:+.1f})" if play.point != best.point else "(best)")
    if judgement.chance is not None:
        words.append(f"expert's with {judgement.chance:.1%} (number {judgement.rank})")
    if play.point != best.point and best.point != PASS:
        words.append(f"instead {format_vertex(best.point)} {best.win_rate:.1%}")
    return " ".join(words)


def draw_win_rates(figure: Any, thoughts: Sequence[Thought]) -> None:
    """Draw Black's win rate by move number into a matplotlib Figure."""
    axes = figure.add_subplot()
    numbers = [thought.number for thought in thoughts]
    axes.axhline(50, color="gray", linewidth=0.8)
    axes.plot(numbers, [100 * thought.black_win_rate for thought in thoughts])
    axes.set(xlabel="move", ylabel="Black wins [%]", ylim=(0, 100))
    axes.grid(True)
