"""Life and death, and races, by brute force: all positions of a small region, no static test.

The slow twin of engine/life/regions.py and life_search.py. Points are (row, column); what is
outside the region is given by three sets, see ``PlainFight``.
"""

from typing import NamedTuple


class State(NamedTuple):
    defenders: frozenset
    attackers: frozenset
    goal: frozenset
    defends: bool  # whether the defender is to move
    rival: frozenset | None = None  # the attacker's stones that the goal races with; None: no race
    banned: tuple | None = None  # where no ko may be taken back, if both sides obey the ban

    @property
    def won(self):
        """Return whether the goal has won its race."""
        return self.rival is not None and not self.rival


class PlainFight:
    """points: the region; firm, exits: where the attacker, the defender, joins the outside.

    opened  the points that have a neighbor outside: no eye can be there
    """

    def __init__(self, points, firm, exits, opened=()):
        self.points = frozenset(points)
        self.firm = frozenset(firm)
        self.exits = frozenset(exits)
        self.open = frozenset(opened)

    def near(self, point):
        row, column = point
        steps = ((row + 1, column), (row - 1, column), (row, column + 1), (row, column - 1))
        return [step for step in steps if step in self.points]

    def chain(self, stones, point):
        chain, waiting = {point}, [point]
        while waiting:
            for near in self.near(waiting.pop()):
                if near in stones and near not in chain:
                    chain.add(near)
                    waiting.append(near)
        return chain

    def chains(self, points, stones):
        """Return the chains of some stones that hold any of the points."""
        found = []
        for point in sorted(points):
            if point in stones and not any(point in chain for chain in found):
                found.append(self.chain(stones, point))
        return found

    def connected(self, seeds, within):
        """Return all points of a set that are connected in it with some of its points."""
        return set().union(*self.chains(seeds, within))

    def liberties(self, chain, stones):
        return {n for point in chain for n in self.near(point) if n not in stones}

    def breathes(self, chain, stones, attacks):
        return bool(self.liberties(chain, stones) or chain & (self.firm if attacks else self.exits))

    def play(self, state, point):
        """Return (state after a move, whether it takes a ko), or None when it is illegal."""
        mine, theirs = state.defenders, state.attackers
        if not state.defends:
            mine, theirs = theirs, mine
        mine = mine | {point}
        taken = set()
        for near in self.near(point):
            if near in theirs:
                chain = self.chain(theirs, near)
                if not self.breathes(chain, mine | theirs, state.defends):
                    taken |= chain
        theirs = theirs - taken
        chain = self.chain(mine, point)
        if not self.breathes(chain, mine | theirs, not state.defends):
            return None
        firm = bool(chain & (self.exits if state.defends else self.firm))
        liberties = self.liberties(chain, mine | theirs)
        ko = len(taken) == 1 and chain == {point} and liberties == taken and not firm
        rival = state.rival if state.rival is None else state.rival - taken
        after = (mine, theirs) if state.defends else (theirs, mine)
        return State(after[0], after[1], state.goal - taken, not state.defends, rival), ko

    def is_out(self, state):
        return any(
            self.chain(state.defenders, point) & self.exits
            for point in state.goal & state.defenders
        )

    def has_eyes(self, state):
        """Return whether a goal stone lives by two uncapturable eyes (Benson 1976)."""
        chains = self.chains(state.defenders, state.defenders)
        rest = self.points - state.defenders
        places = self.chains(rest, rest)
        inner = [place for place in places if not place & self.open]
        while True:
            sound = [
                chain
                for chain in chains
                if sum(self.is_eye_of(chain, place, state) for place in inner) >= 2
            ]
            held = set().union(*sound)
            kept = [
                place for place in inner if {n for p in place for n in self.near(p)} - place <= held
            ]
            if (len(sound), len(kept)) == (len(chains), len(inner)):
                return bool(held & state.goal)
            chains, inner = sound, kept

    def is_eye_of(self, chain, place, state):
        """Return whether a chain is beside a place, and beside all empty points of it."""
        around = {n for point in chain for n in self.near(point)}
        return bool(place & around) and place - state.attackers <= around

    def is_safe(self, state, aim):
        """Return whether the goal has reached its aim: a way out, its rival, two eyes, a link."""
        if aim == "link":
            return self.chain(state.defenders, min(state.goal)) >= state.goal
        return state.won or self.is_out(state) or (aim == "eyes" and self.has_eyes(state))

    def successors(self, state, obeys_defender, is_over, aim="life"):
        """Return the states that can be reached; the side that obeys the ban takes no ko.

        obeys_defender  None: both sides obey; none takes a ko back at once, but may pass instead
        aim             the goal's aim: it decides whether the defender or the attacker may pass
        """
        may_pass = state.defends == (aim == "life") or state.banned is not None
        found = [state._replace(defends=not state.defends, banned=None)] if may_pass else []
        for point in self.points - state.defenders - state.attackers:
            played = self.play(state, point)
            if played is None:
                continue
            after, ko = played
            if ko and obeys_defender is None:
                if point == state.banned:
                    continue
                (taken,) = state.defenders - after.defenders | state.attackers - after.attackers
                after = after._replace(banned=taken)
            elif ko and not is_over(after) and state.defends == obeys_defender:
                continue
            found.append(after)
        return found


def dies(fight, start, obeys_defender, aim="life"):
    """Return whether the goal dies (and first); endless play counts against the side that obeys.

    obeys_defender  None: both sides obey; endless play counts against the side to move first
    aim  "life"; "eyes": a group in seki dies, too; "link": so do stones not in one chain
    """

    def is_lost(state):
        return state.goal != start.goal if aim == "link" else not state.goal

    def is_over(state):
        return is_lost(state) or fight.is_safe(state, aim)

    after = {}
    waiting = [start]
    while waiting:
        state = waiting.pop()
        if state not in after:
            moves = [] if is_over(state) else fight.successors(state, obeys_defender, is_over, aim)
            after[state] = moves
            waiting.extend(after[state])
    if obeys_defender is None:
        obeys_defender = start.defends
    # The attacker wins positions that he can force in finitely many moves, unless the defender
    # obeys.
    wins = {state for state in after if is_lost(state)}
    losses = {state for state in after if is_over(state)} - wins
    # No move is left for the side that has to move.
    stuck = {s for s, moves in after.items() if s not in wins and s not in losses and not moves}
    wins |= {state for state in stuck if state.defends}
    losses |= {state for state in stuck if not state.defends}
    decided, other = (losses, wins) if obeys_defender else (wins, losses)
    grown = True
    while grown:
        grown = False
        for state, moves in after.items():
            if state in decided or state in other:
                continue
            chooses = state.defends == obeys_defender
            hits = [move in decided for move in moves]
            if any(hits) if chooses else all(hits):
                decided.add(state)
                grown = True
    return (start in wins) if not obeys_defender else (start not in losses)


def fate(fight, start, aim="life"):
    """Return "dead" or "alive" if the result does not depend on the side that obeys, else "ko"."""
    dead = [dies(fight, start, obeys_defender, aim) for obeys_defender in (False, True)]
    return {(True, True): "dead", (False, False): "alive", (False, True): "ko"}[tuple(dead)]


def living(fight, state):
    """Return the stones that the attacker cannot capture though the defender always passes."""
    waiting = [(state.defenders, state.attackers)]
    kept = set(state.defenders)
    visited = set()
    while waiting:
        defenders, attackers = waiting.pop()
        if (defenders, attackers) in visited:
            continue
        visited.add((defenders, attackers))
        kept &= defenders
        here = State(frozenset(defenders), frozenset(attackers), frozenset(), False)
        for point in fight.points - defenders - attackers:
            played = fight.play(here, point)
            if played is not None:
                waiting.append((played[0].defenders, played[0].attackers))
    return kept


def features_of(fight, before, after, moves, rooms):
    """Return the features of a move by name; -1, or nothing: not to be counted.

    moves  the previous move and this one: points, or None for a pass
    rooms  room for eyes before and after; None with a way out
    """
    (last, move), (room_before, room) = moves, rooms
    firm = fight.connected(fight.firm, after.attackers)
    reach = fight.connected(after.goal, fight.points - firm)
    rim = firm | {near for point in firm for near in fight.near(point)}
    eyes = reach - after.defenders - fight.open - rim
    places = fight.chains(eyes, eyes)
    inside = survey(fight, after, reach & after.attackers, defending=False)
    goals = survey(fight, after, after.goal, defending=True)
    found = {
        "room": -1 if room is None else min(room, 14),
        "goals": (min(max(goals[0], 1), 4), goals[2]),
        "eyes": (min(len(places), 4), min(max(map(len, places), default=0), 5)),
        "inside": (min(inside[0], 3), inside[2]),
    }
    if move is None:
        return found
    if room is None:
        taken = 9 if room_before is None else 7
    else:
        taken = 8 if room_before is None else 1 + min(max(room_before - room, -1), 5)
    mine, theirs = after.defenders, after.attackers
    if not before.defends:
        mine, theirs = theirs, mine
    opposing = before.attackers if before.defends else before.defenders
    near = set(fight.near(move))
    touched = survey(fight, after, near & theirs, not before.defends)
    stones = len(fight.chain(mine, move))
    return found | {
        "room taken": taken,
        "chain": (min(stones, 5), survey(fight, after, {move}, before.defends)[2]),
        "stones taken": min(len(opposing - theirs), 4),
        "touched": (min(touched[1], 3), touched[2]),
        "beside": (min(len(near & mine), 3), min(len(near & theirs), 3)),
        "steps": -1 if last is None else min(abs(last[0] - move[0]) + abs(last[1] - move[1]), 8),
    }


def survey(fight, state, points, defending):
    """Return figures of a side's chains that hold some points.

    They are the number of chains, the stones of the largest in atari, and the fewest liberties: 5
    with a friend or a liberty outside, 6 without any chain.
    """
    stones = state.defenders if defending else state.attackers
    outside = fight.exits if defending else fight.firm
    found = fight.chains(points, stones)
    liberties = [
        5
        if chain & outside
        else min(len(fight.liberties(chain, state.defenders | state.attackers)), 4)
        for chain in found
    ]
    caught = [len(chain) for chain, left in zip(found, liberties, strict=True) if left == 1]
    return len(found), max(caught, default=0), min(liberties, default=6)
