"""The words of explanations and reviews: the names of stones, and a clause for each effect."""

import re
from collections.abc import Callable, Mapping, Sequence

from engine.explain.kinds import Effect
from engine.go.geometry import format_vertex, to_column_row
from engine.go.played import COLOR_NAMES
from engine.people.posterior import rank_name

EVEN = 0.05  # points; a smaller difference is none
_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_WAYS = (" along the edge", " toward the center", "", " toward the edge")


def color_name(color: int) -> str:
    """Return a color at the beginning of a sentence: "Black"."""
    return COLOR_NAMES[color].capitalize()


def the_chain(stones: Sequence[int]) -> str:
    """Return the name of a chain in a sentence: "the stone at D4", "the three stones at D4"."""
    place = format_vertex(min(stones))
    if len(stones) == 1:
        return f"the stone at {place}"
    number = _NUMBERS[len(stones)] if len(stones) < len(_NUMBERS) else str(len(stones))
    return f"the {number} stones at {place}"


def the_group(stones: Sequence[int]) -> str:
    """Return the name of a group in a sentence: "the group of the three stones at D4"."""
    return f"the group of {the_chain(stones)}" if len(stones) > 1 else the_chain(stones)


def listed(names: Sequence[str]) -> str:
    """Return names in a sentence: "A1, B2 and C3"."""
    return " and ".join(", ".join(names).rsplit(", ", 1))


def move_name(point: int, equals: Sequence[int]) -> str:
    """Return the name of a move and its mirror images: "D16, or one of its two mirror images"."""
    name = format_vertex(point)
    if not equals:
        return name
    if len(equals) == 1:
        return f"{name}, or its mirror image {format_vertex(equals[0])}"
    return f"{name}, or one of its {_NUMBERS[len(equals)]} mirror images"


def about(points: float) -> str:
    """Return a number of points in a sentence, as "about 3 points"."""
    return f"about {points:.0f} point{'' if round(points) == 1 else 's'}"


def percent(share: float) -> str:
    """Return a probability in a sentence, as "24 %" or "0.4 %"."""
    if share < 0.001:
        return "under 0.1 %"
    return f"{100 * share:.0f} %" if share >= 0.01 else f"{100 * share:.1f} %"


def shown_chance(chance: float) -> float:
    """Return a probability as every output shows it, in whole percents; nothing is certain."""
    return round(min(max(chance, 0.01), 0.99), 2)


def chance_words(chance: float) -> str:
    """Return a probability in words, "92 %"."""
    return f"{100 * shown_chance(chance):.0f} %"


def expected(chance: float, player: str = "strong player") -> str:
    """Return the opinion of a ranking model about a move."""
    return f"the model expects a {player} to play it in {percent(chance)}"


def margin_words(interval: tuple[float, float]) -> str:
    """Return the ends of an interval of Black's lead, as "W+3.5 to B+10.0"."""
    return " to ".join(
        "jigo" if round(margin, 1) == 0.0 else f"{'B' if margin > 0 else 'W'}+{abs(margin):.1f}"
        for margin in interval
    )


# -- effects ----------------------------------------------------------------------------------


def sentences_of(effects: Sequence[Effect], least: float, most: int) -> list[str]:
    """Return the sentences of the largest effect and of further ones worth at least some points."""
    told = [e for n, e in enumerate(effects[:most]) if n == 0 or e.points >= least]
    return list(map(sentence, told))


def sentence(effect: Effect) -> str:
    """Return an effect as a sentence."""
    text = clause(effect)
    return f"{text[0].upper()}{text[1:]}."


def because(effects: Sequence[Effect]) -> str:
    """Return the end of a sentence that names a move: its reasons, or that there is none."""
    own = [effect for effect in effects if not effect.kind.is_against_other]
    reasons = [effect for effect in own if effect.kind.is_reason]
    if not reasons:
        return "".join(f". {sentence(effect)[:-1]}" for effect in own)
    text = ", because "
    for place, effect in enumerate(reasons):
        also = place > 0 and effect.kind.is_shape and reasons[place - 1].kind.is_shape
        written = clause(effect, "it")
        text += f" and {written.removeprefix('it ')}" if also else f"{'; ' * (place > 0)}{written}"
    return text


def clause(effect: Effect, one: str = "") -> str:
    """Return an effect as a clause that calls the move ``one``, or by its vertex."""

    def field(match: re.Match[str]) -> str:
        if match[1] == "one":
            return one or format_vertex(effect.moves[0])
        return _WRITERS[match[1]](effect, *effect.numbers)

    return re.sub(r"{(\w+)}", field, effect.kind.value)


def _shares(effect: Effect, *shares: float) -> str:
    names = the_chain(effect.stones[0]).removeprefix("the ")
    if effect.stones[1:]:
        names = f"stones at {listed([format_vertex(min(chain)) for chain in effect.stones])}"
    move, other = map(format_vertex, effect.moves)
    verbs = [f"{verb}{'s' * (len(effect.points_named) == 1)}" for verb in ("live", "die")]
    here, there = verbs if shares[0] > shares[1] else reversed(verbs)
    return f"{names} usually {here} after {move}, and usually {there} after {other}"


def _ground(effect: Effect, points: float, *_: float) -> str:
    here = effect.places[0] == effect.moves[0]
    return f"{about(points)} around {'it' if here else format_vertex(effect.places[0])}"


def _area(effect: Effect, size: float) -> str:
    """Name the part of the board, in thirds."""
    column, row = (
        -1 if line <= size / 3 else int(line > size - round(size / 3))
        for line in to_column_row(effect.moves[0])
    )
    across, up = ("", "right", "left")[column], ("", "upper", "lower")[row]
    if across and up:
        return f"{up} {across} corner"
    return f"{across or up} side" if across or up else "center"


def _preference(effect: Effect, gap: float) -> str:
    move, other = map(format_vertex, effect.moves)
    if gap < EVEN:
        return f"the search finds no difference in points between {move} and {other}"
    size = about(gap) if gap >= 0.5 else "less than 1 point"
    return f"the search prefers {move} to {other}, by {size}"


# How each field is written, from the effect and its numbers.
_WRITERS: Mapping[str, Callable[..., str]] = {
    "other": lambda effect, *_: format_vertex(effect.moves[1]),
    "mover": lambda effect, *_: color_name(effect.color),
    "rival": lambda effect, *_: color_name(3 - effect.color),
    "chains": lambda effect, *_: listed(list(map(the_chain, effect.stones))),
    "first": lambda effect, *_: the_chain(effect.stones[0]),
    "last": lambda effect, *_: the_chain(effect.stones[-1]),
    "group": lambda effect, *_: the_group(effect.stones[0]),
    "at": lambda effect, *_: format_vertex(effect.places[0]),
    "places": lambda effect, *_: listed(list(map(format_vertex, effect.places))),
    "shares": _shares,
    "ground": _ground,
    "lost": lambda effect, _, points=0.0: (
        f", and gives up about {points:.0f} around {format_vertex(effect.places[1])}"
        if round(points)
        else ""
    ),
    "area": _area,
    "expectation": lambda _, chance, *kyu: expected(
        chance, *(f"{rank_name(round(rank))} player" for rank in kyu)
    ),
    "preference": _preference,
    "fights": lambda _, n, *__: "one small fight is" if n == 1 else f"{n:g} small fights are",
    "gain": lambda _, __, gain, ___: f"{gain:g}",
    "result": lambda _, __, ___, m: (
        "jigo" if m == 0 else f"{'a win' if m > 0 else 'a loss'} by {abs(m):g}"
    ),
    "spot": lambda _, *lines: "-".join(f"{line:g}" for line in sorted(lines)),
    "width": lambda _, width: _NUMBERS[round(width)],
    "way": lambda _, rise: _WAYS[round(rise)],
    "worth": lambda _, points=0.0: f" worth {about(points)}" if round(points) > 0 else "",
}
