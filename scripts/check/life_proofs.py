"""The walk through a written proof of life and death, for ``scripts.check.proofs``.

A proof holds for play on the points of its region. Stones outside are given, and empty points
beside the region count as the attacker's. At each node the side that claims the result plays its
one move. The other side plays every legal move of the region and ignores every ko ban; the claiming
side must take no ko. The defender may pass.

The fight must be over where a proof ends or a reply is not listed. Either no stone of the group is
left, or it has room for one eye only. Or a chain of the group is out of the region or
unconditionally alive. A proof is refuted when one of these fails, when a move is illegal, or when
it leads back to itself.

A proof with a rival is about a race: the group is saved when no stone of the rival is left. Empty
points outside stay empty, so a chain of either side that touches one is out of the fight.

A proof with the aim "eyes" says whether the group gets two eyes. One with "link" says whether its
stones become one chain. They cannot if one is captured, or if uncapturable chains stand between
them. Then the attacker may pass, and the defender may not. Empty points outside stay empty here.
"""

from typing import Any

from scripts.check.plain_rules import PASS, Colors, PlainRules, RefutedError


class LifeReplay:
    """One written proof and the walk through it."""

    def __init__(self, proof: dict[str, Any]) -> None:
        self.rules = PlainRules(proof["size"])
        self.defender = 1 if proof["defender"] == "black" else 2
        self.attacker = 3 - self.defender
        self.region = frozenset(self.rules.point(vertex) for vertex in proof["region"])
        self.aim = proof["aim"]
        stones = [".XO".index(c) for row in proof["board"].split("/") for c in row]
        self.races = "rival" in proof
        self.given: Colors = tuple(stones)
        # The side that must reach something gains nothing by waiting.
        self.may_pass = self.defender if self.aim == "life" else self.attacker
        # Empty points outside are the attacker's, see ``engine/life/goal.py``.
        for point in self.region if not self.races and self.aim != "link" else ():
            for near in self.rules.near[point]:
                if near not in self.region and stones[near] == 0:
                    stones[near] = self.attacker
        self.start: Colors = tuple(stones)
        names = [*proof["group"], *proof.get("rival", [])]
        of_whom = (1, 2) if self.races else (self.defender,)
        found = (self.rules.point(vertex) for vertex in names)
        # The group's stones and, of the other color, its rival's, while they stand.
        self.fighters = frozenset(p for p in found if self.start[p] in of_whom)
        self.claims_death = proof["status"] == "dead"
        self.prover = self.attacker if self.claims_death else self.defender
        self.to_move = 1 if proof["to_move"] == "black" else 2
        self.nodes = proof["nodes"]
        self.positions = 0

    def check(self) -> None:
        """Walk through the whole proof. Raises RefutedError."""
        first = (self.start, self.fighters, self.to_move)
        done: dict[int, Any] = {0: first}
        open_nodes: set[int] = set()
        # An explicit stack, because a proof may be deeper than Python's recursion allows.
        stack = [(0, False)]
        while stack:
            node, finished = stack.pop()
            if finished:
                open_nodes.discard(node)
                continue
            if node in open_nodes:
                raise RefutedError(f"node {node} leads back to itself")
            open_nodes.add(node)
            stack.append((node, True))
            for child, position in self.follow(node, *done[node]):
                if child in open_nodes:
                    raise RefutedError(f"node {child} leads back to itself")
                if child in done and done[child] != position:
                    raise RefutedError(f"node {child} stands for two positions")
                if child not in done:
                    done[child] = position
                    stack.append((child, False))

    def follow(
        self, node: int, stones: Colors, fighters: frozenset[int], mover: int
    ) -> list[tuple[int, tuple[Colors, frozenset[int], int]]]:
        """Return the nodes that a node leads to, with their positions."""
        self.positions += 1
        record = self.nodes[node]
        if not record:
            self.require_end(node, stones, fighters)
            return []
        if ("play" in record) != (mover == self.prover):
            raise RefutedError(f"node {node}: the wrong side moves")
        if "play" in record:
            move = self.rules.point(record["play"])
            after = self.play(stones, fighters, mover, move, takes_no_ko=True)
            if after is None:
                raise RefutedError(f"node {node}: {record['play']} is illegal, or takes a ko")
            return [(record["then"], (*after, 3 - mover))]
        replies = {self.rules.point(vertex): child for vertex, child in record["replies"].items()}
        found = []
        for move in [*sorted(self.region), PASS]:
            after = self.play(stones, fighters, mover, move, takes_no_ko=False)
            if after is None:
                continue
            if move in replies:
                found.append((replies[move], (*after, 3 - mover)))
            else:
                self.require_end(node, *after)
        return found

    def play(
        self, stones: Colors, fighters: frozenset[int], mover: int, move: int, takes_no_ko: bool
    ) -> tuple[Colors, frozenset[int]] | None:
        """Return stones and the fighters among them after a move; None when it is not allowed."""
        if move == PASS:
            return (stones, fighters) if mover == self.may_pass else None
        if move not in self.region:
            return None
        played = self.rules.play(stones, move, mover)
        if played is None:
            return None
        after, ko = played
        # Nothing moves outside, so no stone that has a liberty there can be captured.
        fallen = [p for p in range(len(stones)) if p not in self.region and stones[p] != after[p]]
        if any(self.rules.chain(self.given, point)[1] <= self.region for point in fallen):
            raise RefutedError("a capture of what is given outside")
        if fallen:
            return None
        fighters = frozenset(point for point in fighters if after[point] == stones[point])
        if takes_no_ko and ko != PASS and not self.is_end(after, fighters):
            return None
        return after, fighters

    def require_end(self, node: int, stones: Colors, fighters: frozenset[int]) -> None:
        """Raise RefutedError unless the fight is over as the proof claims."""
        if not self.is_end(stones, fighters):
            raise RefutedError(f"node {node}: the fight is not over, or a reply is missing")

    def is_end(self, stones: Colors, fighters: frozenset[int]) -> bool:
        """Return whether the fight is over as the proof claims."""
        goal = frozenset(point for point in fighters if stones[point] == self.defender)
        rival = fighters - goal
        if self.aim == "link":
            return self.are_apart(stones, goal) if self.claims_death else self.is_one(stones, goal)
        if not goal:
            return self.claims_death
        if self.races:
            if not rival or self.is_out(stones, goal):
                return not self.claims_death
            if not self.is_out(stones, rival):
                return not self.claims_death and self.lives(stones, goal)
        if self.claims_death:
            return self.has_one_eye_at_most(stones, goal)
        return self.is_out(stones, goal) or self.lives(stones, goal)

    def is_one(self, stones: Colors, goal: frozenset[int]) -> bool:
        """Return whether all stones to be linked stand in one chain."""
        return goal == self.fighters and goal <= self.rules.chain(stones, min(goal))[0]

    def are_apart(self, stones: Colors, goal: frozenset[int]) -> bool:
        """Return whether stones to be linked can never be linked."""
        if goal != self.fighters:
            return True
        ways = {p for p in self.region if p not in self.firm_stones(stones)}
        return not any(goal <= area for area in self.areas(ways))

    def is_out(self, stones: Colors, fighters: frozenset[int]) -> bool:
        """Return whether a chain of some stones is joined with the outside."""
        for point in fighters:
            chain, liberties = self.rules.chain(stones, point)
            if chain - self.region or liberties - self.region:
                return True
        return False

    def areas(self, points: set[int]) -> list[set[int]]:
        """Return the connected parts of a set of points."""
        areas = []
        while points:
            area, waiting = set(), [points.pop()]
            while waiting:
                point = waiting.pop()
                area.add(point)
                found = [near for near in self.rules.near[point] if near in points]
                points -= set(found)
                waiting += found
            areas.append(area)
        return areas

    def lives(self, stones: Colors, goal: frozenset[int]) -> bool:
        """Return whether a stone of the group lives unconditionally (Benson 1976)."""
        inside = {p for p in self.region if stones[p] != self.defender}
        areas = [
            area
            for area in self.areas(inside)
            if all(near in self.region for point in area for near in self.rules.near[point])
        ]
        chains = self.areas({p for p in self.region if stones[p] == self.defender})
        while True:
            rims = [{near for p in area for near in self.rules.near[p]} - area for area in areas]
            kept = []
            for chain in chains:
                around = {near for stone in chain for near in self.rules.near[stone]}
                eyes = [area for area in areas if all(stones[p] or p in around for p in area)]
                # An area must touch the chain, even one that is full of attackers.
                if sum(bool(area & around) for area in eyes) >= 2:
                    kept.append(chain)
            sound = {stone for chain in kept for stone in chain}
            left = [area for area, rim in zip(areas, rims, strict=True) if rim <= sound]
            if len(kept) == len(chains) and len(left) == len(areas):
                return bool(sound & goal)
            chains, areas = kept, left

    def firm_stones(self, stones: Colors) -> set[int]:
        """Return the attacker's stones in the region that are joined with the outside."""
        firm: set[int] = set()
        for chain in self.areas({p for p in self.region if stones[p] == self.attacker}):
            rim = {near for stone in chain for near in self.rules.near[stone]} - self.region
            if any(stones[p] in (0, self.attacker) for p in rim):
                firm |= chain
        return firm

    def has_one_eye_at_most(self, stones: Colors, goal: frozenset[int]) -> bool:
        """Return whether the group, shut in, has room for one eye at most."""
        firm = self.firm_stones(stones)
        reached = set(goal)
        waiting = list(reached)
        while waiting:
            for near in self.rules.near[waiting.pop()]:
                if near in reached or near in firm:
                    continue
                if near in self.region:
                    reached.add(near)
                    waiting.append(near)
                elif stones[near] in (0, self.defender):
                    return False
        # No eye is possible next to a point where a firm chain stands or may come to stand.
        room = {p for p in reached if stones[p] != self.defender}
        room -= {
            p for p in room if any(n not in self.region or n in firm for n in self.rules.near[p])
        }
        if len(room) < 2:
            return True
        if len(room) == 2:
            return len(self.areas(set(room))) == 1
        held = [point for point in room if stones[point] == self.attacker]
        leaves = room - set(held)
        near = set(self.rules.near[held[0]]) if held else set()
        return len(held) == 1 and leaves <= near and len(self.areas(set(leaves))) == len(leaves)
