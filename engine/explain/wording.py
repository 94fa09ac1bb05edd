"""The words of explanations and reviews: the names of stones, and the sentence of each effect."""

from collections.abc import Iterable, Sequence

from engine.explain.effects import Effect, Kind
from engine.go.geometry import PASS, format_vertex
from engine.go.played import COLOR_NAMES

_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
# Clauses by kind. {one} is the move, {other} the other one; {at} is the first of the places.
_CLAUSES = {
    Kind.TAKES_KO: "{one} takes the ko, so {rival} needs the first threat",
    Kind.LINKS: "{one} links {first} with {last}",
    Kind.CUTS: "{one} cuts {first} off from {last}",
    Kind.CAPTURES: "{one} captures {chains}",
    Kind.TRAPS: "after {one}, {chains} cannot escape any more",
    Kind.SAVES: "{one} saves {chains}; after {other} they are lost",
    Kind.PREVENTS_CAPTURE: "after {other}, {rival} captures {chains} with {at}",
    Kind.PREVENTS_LOST_RACE: "after {other}, {rival} wins the race against {group}",
    Kind.LIVES: "{one} makes {group} live; after {other} it dies",
    Kind.LIVES_IN_SEKI: "{one} makes {group} live in seki; after {other} it dies",
    Kind.PREVENTS_DEATH: "after {other}, {group} dies",
    Kind.PREVENTS_KILL: "after {other}, {rival} kills {group} with {at}",
    Kind.WINS_RACE: "{one} wins the race against {group}",
    Kind.KILLS: "{one} kills {group}",
    Kind.OTHER_IN_RIVALS_GROUND: "{other} is inside {rival}'s settled ground, where it dies",
    Kind.OTHER_IN_OWN_GROUND: "{other} is inside {mover}'s own settled ground",
    Kind.OTHER_IS_LOST: "after {other}, {chains} cannot escape",
    Kind.OTHER_IS_CAPTURED: "after {other}, {rival} captures {chains} with {at}",
    Kind.KEY_POINT_NEXT: (
        "{one} is the key point for both sides: {rival} took it with the next move"
    ),
    Kind.KEY_POINT_SOON: "{one} is the key point for both sides: {rival} took it soon after",
    Kind.KEEPS_SENTE: (
        "{one} keeps sente: {rival} should answer at {at}, but need not answer {other}"
    ),
    Kind.CAPTURED_IN_GAME: "{rival} captured {chains} with {at} in the game",
    Kind.CAPTURES_IN_LINE: "{mover} captures {chains} in the line {line}",
}


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


def count_stones(stones: Sequence[int]) -> str:
    """Return the number of stones, as "3 stones"."""
    return f"{len(stones)} stone{'s' if len(stones) != 1 else ''}"


def named(stones: Sequence[int]) -> str:
    """Return the name of stones in reasons, as "D4 (3 stones)"; D4 is the first of their points."""
    return f"{format_vertex(min(stones))} ({count_stones(stones)})"


def about(points: float) -> str:
    """Return a number of points in a sentence, as "about 3 points"."""
    return f"about {points:.0f} point{'' if round(points) == 1 else 's'}"


def sentences_of(effects: Iterable[Effect], least: float, most: int) -> list[str]:
    """Return the sentences of the largest effects, as far as they are worth some points.

    least  points; a smaller effect gets one only if there is no other
    most   sentences
    """
    every = list(effects)
    return [sentence(e) for n, e in enumerate(every) if n < most and (n == 0 or e.points >= least)]


def sentence(effect: Effect) -> str:
    """Return an effect as a sentence."""
    text = clause(effect)
    return f"{text[0].upper()}{text[1:]}."


def clause(effect: Effect) -> str:
    """Return an effect as a clause, without a period."""
    if effect.kind.is_ground:
        return _ground_clause(effect)
    if effect.kind in (Kind.OWN_LIVE, Kind.RIVALS_DIE):
        return _fates_clause(effect)
    one, other = effect.moves
    return _CLAUSES[effect.kind].format(
        one=format_vertex(one),
        other=format_vertex(other),
        mover=color_name(effect.color),
        rival=color_name(3 - effect.color),
        chains=" and ".join(map(the_chain, effect.stones)),
        first=the_chain(effect.stones[0]) if effect.stones else "",
        last=the_chain(effect.stones[-1]) if effect.stones else "",
        group=the_group(effect.stones[0]) if effect.stones else "",
        at=format_vertex(effect.places[0] if effect.places else PASS),
        line=" ".join(map(format_vertex, effect.places)),
    )


def _fates_clause(effect: Effect) -> str:
    color = effect.color if effect.kind == Kind.OWN_LIVE else 3 - effect.color
    names = " and ".join(the_chain(chain).removeprefix("the ") for chain in effect.stones)
    lives, lived = (f"{100 * share:.0f} %" for share in effect.numbers)
    one, other = map(format_vertex, effect.moves)
    return (
        f"{color_name(color)}'s {names} live in {lives} of continuations after {one},"
        f" in {lived} after {other}"
    )


def _ground_clause(effect: Effect) -> str:
    one, other = map(format_vertex, effect.moves)
    (gained, *given_up), (middle, *there) = effect.numbers, map(format_vertex, effect.places)
    gains = "is the last big point: it gains" if effect.kind == Kind.LAST_BIG_POINT else "gains"
    text, joined = f"{one} {gains} {about(gained)} around {middle}", ", and"
    if effect.kind == Kind.TAKES_GROUND:
        text += f" that {other} leaves to {color_name(3 - effect.color)}"
    elif effect.kind == Kind.GROUND_AND_STONES:
        text += ", counting the stones there"
    else:
        joined = " and"
    if given_up and round(given_up[0]) > 0:
        text += f"{joined} gives up about {given_up[0]:.0f} around {there[0]}"
    return text
