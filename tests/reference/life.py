"""Life and death, and races, by brute force: all positions of a small region, no static test.

The slow twin of engine/tactics/eyespace.py and life_search.py. Points are (row, column); what is
outside the region is given by three sets, see ``PlainFight``.
"""

from typing import NamedTuple


class State(NamedTuple):
    defenders: frozenset
    attackers: frozenset
    goal: frozenset
    defends: bool  # whether the defender is to move
    rival: frozenset | None = None  # what of the attackers the goal races with; None: no race

    @property
    def won(self):
        """Whether a race is won by the goal."""
        return self.rival is not None and not self.rival


class PlainFight:
    """points: the region; firm, exits: where the attacker, the defender, joins the outside."""

    def __init__(self, points, firm, exits):
        self.points = frozenset(points)
        self.firm = frozenset(firm)
        self.exits = frozenset(exits)

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

    def successors(self, state, obeys_defender):
        """Return the states that can be reached; the side that obeys the ban takes no ko."""
        found = [state._replace(defends=False)] if state.defends else []
        for point in self.points - state.defenders - state.attackers:
            played = self.play(state, point)
            if played is None:
                continue
            after, ko = played
            decided = not after.goal or after.won or self.is_out(after)
            if ko and not decided and state.defends == obeys_defender:
                continue
            found.append(after)
        return found


def dies(fight, start, obeys_defender):
    """Return whether the goal dies (and first); endless play counts against the side that obeys."""
    after = {}
    waiting = [start]
    while waiting:
        state = waiting.pop()
        if state not in after:
            over = not state.goal or state.won or fight.is_out(state)
            after[state] = [] if over else fight.successors(state, obeys_defender)
            waiting.extend(after[state])
    # The attacker's wins are what he can force in finitely many moves, unless the defender obeys.
    wins = {state for state in after if not state.goal}
    losses = {state for state in after if state.goal and (state.won or fight.is_out(state))}
    losses |= {s for s, moves in after.items() if s.goal and not s.defends and not moves}
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
    """Return the features of a move by name; -1: not to be counted.

    moves  the one before and the one made: points, or None for a pass
    rooms  room for eyes before and after; None with a way out
    """
    (last, move), (room_before, room) = moves, rooms
    found = {"room": -1 if room is None else min(room, 14)}
    if move is None:
        return found
    if room is None:
        taken = 9 if room_before is None else 7
    else:
        taken = 8 if room_before is None else 1 + min(max(room_before - room, -1), 5)
    mine, theirs = after.defenders, after.attackers
    if not before.defends:
        mine, theirs = theirs, mine
    chain = fight.chain(mine, move)
    joins = chain & (fight.exits if before.defends else fight.firm)
    opposing = before.attackers if before.defends else before.defenders
    near = set(fight.near(move))
    return found | {
        "room taken": taken,
        "liberties": 5 if joins else min(len(fight.liberties(chain, mine | theirs)), 4),
        "stones taken": min(len(opposing - theirs), 4),
        "beside": (min(len(near & mine), 3), min(len(near & theirs), 3)),
        "steps": -1 if last is None else min(abs(last[0] - move[0]) + abs(last[1] - move[1]), 8),
    }
