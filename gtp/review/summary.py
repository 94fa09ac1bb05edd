"""The words and tables about a whole game that a review shows."""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from sgfmill import sgf_grammar

from engine import BLACK, COLOR_NAMES, WHITE, Rules
from engine.review import (
    GameLessons,
    GameResult,
    Level,
    Remark,
    Review,
    by_phase,
    describe_remark,
    lessons_of,
    own_levels,
    remarks_of,
)
from patterns_db.records.games import margin_of, winner_of
from patterns_db.records.sgf import MainLine

PHASE_HEADS = (
    *("Black: moves", "points lost a move", "yomi's moves"),
    *("White: moves", "points lost a move", "yomi's moves"),
)
_RULES = {"aga": "AGA", "goe": "GOE"}
_ENDINGS = {"R": " by resignation", "T": " on time"}  # results "B+R", "W+Time"
_TERMINAL_GOOD = 1  # good moves of each player in a terminal


class ReviewedGame(NamedTuple):
    """A reviewed game, as its files show it."""

    line: MainLine
    review: Review
    remarks: Sequence[Remark]
    lessons: GameLessons
    rules: Rules
    komi: float


def with_lessons(
    line: MainLine, review: Review, level: Level | None, rules: Rules, komi: float
) -> ReviewedGame:
    """Return a reviewed game with the remarks for a level; None: for each player's own."""
    remarks = remarks_of(review, own_levels(review) if level is None else level)
    text = line.record.result or ""
    ending = _ENDINGS.get(text.partition("+")[2][:1].upper(), "")
    result = GameResult(winner_of(text), margin_of(text), ending)
    return ReviewedGame(
        line=line, review=review, remarks=remarks, lessons=lessons_of(review, remarks, result),
        rules=rules, komi=komi,
    )  # fmt: skip


def report_of(game: ReviewedGame) -> tuple[str, ...]:
    """Return the lines for a terminal, the verdict first; they are at most 15."""
    lessons = game.lessons
    lines = [lessons.verdict, *lessons.notes]
    shown = [one for color in (BLACK, WHITE) for one in lessons.costliest[color]]
    lines += map(describe_remark, shown)
    for moves in lessons.good.values():
        lines += [move.sentence for move in moves[:_TERMINAL_GOOD]]
    if len(game.remarks) > len(shown):
        lines.append(f"These are {len(shown)} of {len(game.remarks)} remarks; --html shows all.")
    return tuple(lines)


def title_of(line: MainLine) -> str:
    """Return "Black's name against White's, result" of a record, as far as they are known."""
    title = " against ".join(names_of(line))
    return f"{title}, {line.record.result}" if line.record.result else title


def names_of(line: MainLine) -> tuple[str, str]:
    """Return the names and ranks of Black and White; a color stands for an unknown name."""
    root = line.file.get_root()
    names = []
    for default, keys in (("Black", ("PB", "BR")), ("White", ("PW", "WR"))):
        # The raw values are used, since sgfmill fails to read some of them.
        raw = [root.get_raw_list(key)[0] if root.has_property(key) else b"" for key in keys]
        texts = [sgf_grammar.simpletext_value(one).decode("utf-8", "replace") for one in raw]
        name, rank = (text.strip() for text in texts)
        names.append(f"{name or default} {rank}".strip())
    return names[0], names[1]


def facts_of(game: ReviewedGame) -> str:
    """Return "19x19, Chinese rules, komi 7.5; 241 moves." for a game."""
    record, rules = game.line.record, game.rules.name
    facts = [
        f"{record.size}x{record.size}",
        f"{_RULES.get(rules, rules.title())} rules",
        f"komi {game.komi:g}",
    ]
    facts += [f"{record.handicap} handicap stones"] if record.handicap else []
    facts += [record.date] if record.date else []
    return f"{', '.join(facts)}; {game.review.thoughts[-1].number} moves."


def phase_rows(review: Review) -> list[list[str]]:
    """Return the table of moves, mean loss and agreement of both sides by phase, as words."""
    rows = []
    for phase, sides in by_phase(review):
        cells = [
            [str(side.moves), f"{side.mean:.1f}", f"{100 * side.agreed:.0f} %"]
            if side.moves
            else ["0", "", ""]
            for side in sides.values()
        ]
        rows.append([phase, *cells[0], *cells[1]])
    return rows


def tally(remarks: Sequence[Remark]) -> str:
    """Return how many of both sides' moves are mistakes, and how surely: "Black 2 doubtful"."""
    parts = []
    for color in (BLACK, WHITE):
        own = Counter(one.certainty for one in remarks if one.judgement.play.color == color)
        words = [f"{own[word]} {word}" for word in ("clear", "likely") if own[word]]
        words += [f"{own['perhaps']} doubtful"] if own["perhaps"] else []
        parts.append(f"{COLOR_NAMES[color].capitalize()} {', '.join(words) or 'none'}")
    return "; ".join(parts)
