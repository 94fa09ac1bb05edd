"""The words of explanations and reviews: the names of stones, and a clause for each effect."""

from collections.abc import Iterable, Sequence

from engine.explain.kinds import Effect, Kind
from engine.facts.open_chains import OpenChain
from engine.go.geometry import PASS, format_vertex, to_column_row
from engine.go.played import COLOR_NAMES
from engine.people.posterior import rank_name

LIKELY = 0.5  # probability of a capture from which on a chain is in doubt, or probably dead
NEAREST_EDGE = 1 / 3  # of the board's side: points this near to two edges are in a corner
EVEN = 0.05  # points; a smaller difference is none
_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
# Clauses by kind. {one} is the move, {other} the other one; {at} is the first of the places.
_CLAUSES = {
    Kind.TAKES_KO: "{one} takes the ko, so {rival} needs the first threat",
    Kind.LINKS: "{one} links {first} with {last}",
    Kind.CUTS: "{one} cuts {first} off from {last}",
    Kind.CAPTURES: "{one} captures {chains}",
    Kind.TRAPS: "{one} leaves {chains} no escape",
    Kind.SAVES: "{one} saves {chains}",
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
    Kind.KEY_POINT: "{one} is a key point for both sides: after {other}, {rival} plays there",
    Kind.PREVENTS_REPLY: "after {other}, {rival} plays {at}",
    Kind.KEY_POINT_NEXT: (
        "{one} is the key point for both sides: {rival} took it with the next move"
    ),
    Kind.KEY_POINT_SOON: "{one} is the key point for both sides: {rival} took it soon after",
    Kind.KEEPS_SENTE: (
        "{one} keeps sente: {rival} should answer at {at}, but need not answer {other}"
    ),
    Kind.CAPTURED_IN_GAME: "{rival} captured {chains} with {at} in the game",
    Kind.CAPTURES_IN_LINE: "{mover} captures {chains} in the line {line}",
    Kind.RESCUES: "{one} saves {chains} from atari",
    Kind.ATARI: "{one} puts {chains} into atari",
    Kind.DOUBLE_ATARI: "{one} is a double atari on {chains}",
    Kind.CONNECTS: "{one} connects {chains}",
    Kind.SEPARATES: "{one} separates {first} from {last}",
    Kind.MAKES_EYE: "{one} makes an eye at {at}",
    Kind.TAKES_EYE: "{one} takes an eye from {chains}",
    Kind.ANSWERS: "{one} answers {rival}'s {at}",
    Kind.PRESSES: "{one} touches {chains}",
    Kind.EXTENDS: "{one} extends from {chains}",
    Kind.FACES: "{one} comes near {chains}",
    Kind.OVERLOOKS_LOSS: "it overlooks that {rival} can capture {chains} with {at}",
    Kind.OVERLOOKS_CAPTURE: "it overlooks that {at} captures {chains}",
    Kind.ALSO: "{places} came to mind as well",
    Kind.AT_STAKE: "{one} gains points that are still open",
    Kind.DEFENDS: "{one} defends: otherwise {rival} gains points with {at}",
    Kind.FILLS: "{one} has to be filled before the count",
    Kind.DEFENDS_GROUND: "{one} defends ground that is lost after {other}",
    Kind.NO_MOVE: "no sensible move is left",
    Kind.SETTLED: "the position is settled",
    Kind.COUNT_WINS: "the opponent passed, and the count wins the game",
    Kind.NO_GAIN: "no move gains a point, and no point needs a defense",
    Kind.NO_OPEN_POINT: "no point is open",
    Kind.NO_TIME: "the clock leaves no time for a search",
    Kind.COMPILING: "the engine is still being compiled",
    Kind.GAME_OVER: "the game is over",
    Kind.ONLY: "the search compared it with no other move; it cannot name a reason",
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


def named(stones: Sequence[int]) -> str:
    """Return the name of stones in lists, as "D4 (3 stones)"; D4 is the first of their points."""
    return f"{format_vertex(min(stones))} ({len(stones)} stone{'s' if len(stones) != 1 else ''})"


def listed(names: Sequence[str]) -> str:
    """Return names in a sentence: "A1, B2 and C3"."""
    return " and ".join(", ".join(names).rsplit(", ", 1))


def move_name(point: int, equals: Sequence[int]) -> str:
    """Return a move's name, as "D16, or one of its seven mirror images".

    equals  the moves that a symmetry of the position makes equal to it
    """
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


def expected(chance: float, player: str = "strong player") -> str:
    """Return what the ranking model says about a move, as a clause about "it"."""
    return f"the model expects a {player} to play it in {percent(chance)}"


def margin_words(interval: tuple[float, float]) -> str:
    """Return the ends of an interval of Black's lead, as "W+3.5 to B+10.0"."""
    return " to ".join(
        "jigo" if round(margin, 1) == 0.0 else f"{'B' if margin > 0 else 'W'}+{abs(margin):.1f}"
        for margin in interval
    )


def estimates(chains: Sequence[OpenChain]) -> list[str]:
    """Return the estimates about open chains in words, as "D4 (3 stones) probably dead (85 %)".

    Chains that are probably safe are counted, not named.
    """
    doubtful = [chain for chain in chains if chain.attacked >= LIKELY]
    safe = len(chains) - len(doubtful)
    counted = [f"{safe} probably safe"] if safe else []
    return counted + [f"{named(chain.stones)} {_probable_fate(chain)}" for chain in doubtful]


def _probable_fate(chain: OpenChain) -> str:
    attacked, defended = f"{100 * chain.attacked:.0f} %", f"{100 * chain.defended:.0f} %"
    if chain.defended >= LIKELY:
        return f"probably dead ({defended})"
    first, owner = COLOR_NAMES[3 - chain.color], COLOR_NAMES[chain.color]
    return f"captured with {attacked} if {first} begins and {defended} if {owner} does"


# -- effects ----------------------------------------------------------------------------------


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


def because(effects: Sequence[Effect]) -> str:
    """Return the end of a sentence that names a move: its reasons, or that there is none."""
    reasons = [effect for effect in effects if effect.kind.is_reason]
    if reasons:
        return f", because {'; '.join(clause(effect, 'it') for effect in reasons)}"
    return "".join(f". {sentence(effect)[:-1]}" for effect in effects)


def clause(effect: Effect, one: str = "") -> str:
    """Return an effect as a clause, without a period.

    one  name of the move in the clause; "": its vertex
    """
    write = _WRITERS.get(effect.kind)
    move, other = effect.moves
    one = one or format_vertex(move)
    if write is not None:
        return write(effect, one)
    return _CLAUSES[effect.kind].format(
        one=one,
        other=format_vertex(other),
        mover=COLOR_NAMES.get(effect.color, "").capitalize(),
        rival=COLOR_NAMES.get(3 - effect.color, "").capitalize(),
        chains=listed(list(map(the_chain, effect.stones))),
        first=the_chain(effect.stones[0]) if effect.stones else "",
        last=the_chain(effect.stones[-1]) if effect.stones else "",
        group=the_group(effect.stones[0]) if effect.stones else "",
        at=format_vertex(effect.places[0] if effect.places else PASS),
        line=" ".join(map(format_vertex, effect.places)),
        places=listed(list(map(format_vertex, effect.places))),
    )


def _fates(effect: Effect, one: str) -> str:
    color = effect.color if effect.kind == Kind.OWN_LIVE else 3 - effect.color
    names = " and ".join(the_chain(chain).removeprefix("the ") for chain in effect.stones)
    lives, lived = (f"{100 * share:.0f} %" for share in effect.numbers)
    move, other = map(format_vertex, effect.moves)
    return (
        f"{color_name(color)}'s {names} live in {lives} of continuations after {move},"
        f" in {lived} after {other}"
    )


def _ground(effect: Effect, one: str) -> str:
    move, other = effect.moves
    (gained, *given_up), (middle, *there) = effect.numbers, effect.places
    gains = "is the last big point: it gains" if effect.kind == Kind.LAST_BIG_POINT else "gains"
    around = "around it" if middle == move else f"around {format_vertex(middle)}"
    text, joined = f"{one} {gains} {about(gained)} {around}", ", and"
    if effect.kind == Kind.TAKES_GROUND:
        text += f" that {format_vertex(other)} leaves to {color_name(3 - effect.color)}"
    elif effect.kind == Kind.GROUND_AND_STONES:
        text += ", counting the stones there"
    else:
        joined = " and"
    if given_up and round(given_up[0]) > 0:
        text += f"{joined} gives up about {given_up[0]:.0f} around {format_vertex(there[0])}"
    return text


def _takes_area(effect: Effect, one: str) -> str:
    """Name the part of the board: its numbers are the board's size."""
    column, row = to_column_row(effect.moves[0])
    (size,) = effect.numbers

    def part(line: int, low: str, high: str) -> str:
        near = max(1.0, round(NEAREST_EDGE * size))
        return low if line <= near else high if line > size - near else ""

    across, up = part(column, "left", "right"), part(row, "lower", "upper")
    if across and up:
        return f"{one} takes the {up} {across} corner"
    return f"{one} takes the {across or up} side" if across or up else f"{one} takes the center"


def _sum(effect: Effect, one: str) -> str:
    fights, worth, margin = effect.numbers
    left = "one small fight is" if fights == 1 else f"{fights:g} small fights are"
    end = "jigo" if margin == 0 else f"{'a win' if margin > 0 else 'a loss'} by {abs(margin):g}"
    return f"only {left} left: {one} gains {worth:g} points, and best play gives {end}"


def _expected(effect: Effect, one: str) -> str:
    chance, *kyu = effect.numbers
    return expected(chance, f"{rank_name(round(kyu[0]))} player" if kyu else "strong player")


def _preferred(effect: Effect, one: str) -> str:
    move, other = map(format_vertex, effect.moves)
    (gap,) = effect.numbers
    if gap < EVEN:
        return (
            f"the search finds no difference in points between {move} and {other};"
            " it cannot name a reason"
        )
    size = about(gap) if gap >= 0.5 else "less than 1 point"
    return f"the search prefers {move} to {other}, by {size}; it cannot name a reason"


_WRITERS = {
    Kind.OWN_LIVE: _fates,
    Kind.RIVALS_DIE: _fates,
    Kind.GROUND: _ground,
    Kind.TAKES_GROUND: _ground,
    Kind.LAST_BIG_POINT: _ground,
    Kind.GROUND_AND_STONES: _ground,
    Kind.TAKES_AREA: _takes_area,
    Kind.SUM: _sum,
    Kind.EXPECTED: _expected,
    Kind.PREFERRED: _preferred,
}
