r"""Replay written proofs of life and death against every legal reply, with rules of our own.

    yomi solve --life --problems FILE.jsonl --proof proofs.jsonl
    python -m scripts.check.life_proofs proofs.jsonl

Shares no code with the solver: its board is plain Python. A proof holds for play on the points of
its region; what stands outside is given, and empty points beside it count as the attacker's. At
each node the side that claims the result plays its one move, and the other side every legal move
of the region, ignoring every ko ban (the claiming side must take no ko), and the defender may
pass. Where a proof ends, or a reply is not listed, the fight must be over: no stone of the group
left, or room for one eye only; or a chain of the group out of the region or unconditionally
alive. A proof is refuted when one of these fails, when a move is illegal, or when it leads back to
itself.
"""

import argparse
import json
import sys
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from scripts.check.proofs import PASS, PlainRules, RefutedError, Stones


class LifeReplay:
    """One written proof and the walk through it."""

    def __init__(self, proof: dict[str, Any]) -> None:
        self.rules = PlainRules(proof["size"])
        self.defender = 1 if proof["defender"] == "black" else 2
        self.attacker = 3 - self.defender
        self.region = frozenset(self.rules.point(vertex) for vertex in proof["region"])
        stones = [".XO".index(c) for row in proof["board"].split("/") for c in row]
        # Empty points outside are the attacker's, see ``engine/tactics/groups.py``.
        for point in self.region:
            for near in self.rules.near[point]:
                if near not in self.region and stones[near] == 0:
                    stones[near] = self.attacker
        self.start: Stones = tuple(stones)
        self.claims_death = proof["status"] == "dead"
        self.prover = self.attacker if self.claims_death else self.defender
        self.to_move = 1 if proof["to_move"] == "black" else 2
        self.nodes = proof["nodes"]
        self.positions = 0

    def check(self) -> None:
        """Walk through the whole proof. Raises RefutedError."""
        goal = frozenset(p for p in self.region if self.start[p] == self.defender)
        first = (self.start, goal, self.to_move)
        done: dict[int, Any] = {0: first}
        open_nodes: set[int] = set()
        # An own stack: a proof may be deeper than Python's recursion allows.
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
        self, node: int, stones: Stones, goal: frozenset[int], mover: int
    ) -> list[tuple[int, tuple[Stones, frozenset[int], int]]]:
        """Return the nodes that a node leads to, with their positions."""
        self.positions += 1
        record = self.nodes[node]
        if not record:
            self.require_end(node, stones, goal)
            return []
        if ("play" in record) != (mover == self.prover):
            raise RefutedError(f"node {node}: the wrong side moves")
        if "play" in record:
            move = self.rules.point(record["play"])
            after = self.play(stones, goal, mover, move, takes_no_ko=True)
            if after is None:
                raise RefutedError(f"node {node}: {record['play']} is illegal, or takes a ko")
            return [(record["then"], (*after, 3 - mover))]
        replies = {self.rules.point(vertex): child for vertex, child in record["replies"].items()}
        found = []
        # The attacker may not pass: it never helps him to capture.
        for move in [*sorted(self.region), *([PASS] if mover == self.defender else [])]:
            after = self.play(stones, goal, mover, move, takes_no_ko=False)
            if after is None:
                continue
            if move in replies:
                found.append((replies[move], (*after, 3 - mover)))
            else:
                self.require_end(node, *after)
        return found

    def play(
        self, stones: Stones, goal: frozenset[int], mover: int, move: int, takes_no_ko: bool
    ) -> tuple[Stones, frozenset[int]] | None:
        """Return stones and the group's stones after a move; None when it is not allowed."""
        if move == PASS:
            return (stones, goal) if mover == self.defender else None
        if move not in self.region:
            return None
        played = self.rules.play(stones, move, mover)
        if played is None:
            return None
        after, ko = played
        # Outside nothing moves, so nothing there is ever captured.
        if any(stones[p] != after[p] for p in range(len(stones)) if p not in self.region):
            return None
        goal = frozenset(point for point in goal if after[point] == self.defender)
        if takes_no_ko and ko != PASS and not self.is_end(after, goal):
            return None
        return after, goal

    def require_end(self, node: int, stones: Stones, goal: frozenset[int]) -> None:
        """Raise RefutedError unless the fight is over as the proof claims."""
        if not self.is_end(stones, goal):
            raise RefutedError(f"node {node}: the fight is not over, or a reply is missing")

    def is_end(self, stones: Stones, goal: frozenset[int]) -> bool:
        """Return whether the fight is over as the proof claims."""
        if self.claims_death:
            return not goal or self.has_one_eye_at_most(stones, goal)
        return self.is_out(stones, goal) or self.lives(stones, goal)

    def is_out(self, stones: Stones, goal: frozenset[int]) -> bool:
        """Return whether a chain of the group has reached a friend outside."""
        for point in goal:
            chain, _ = self.rules.chain(stones, point)
            if chain - self.region:
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

    def lives(self, stones: Stones, goal: frozenset[int]) -> bool:
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

    def has_one_eye_at_most(self, stones: Stones, goal: frozenset[int]) -> bool:
        """Return whether the group, shut in, has room for one eye at most."""
        mine = {p for p in self.region if stones[p] == self.attacker}
        firm: set[int] = set()
        for chain in self.areas(mine):
            rim = {near for stone in chain for near in self.rules.near[stone]} - self.region
            if any(stones[p] in (0, self.attacker) for p in rim):
                firm |= chain
        reached = set(goal)
        waiting = list(reached)
        while waiting:
            for near in self.rules.near[waiting.pop()]:
                if near in reached or near in firm:
                    continue
                if near in self.region:
                    reached.add(near)
                    waiting.append(near)
                elif stones[near] == self.defender:
                    return False
        # Where a firm chain stands, or may come to stand, next to it there is no eye.
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


def main(arguments: Sequence[str] | None = None) -> int:
    """Check all proofs of a file and print what was found; the exit status is 1 if any fails."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("proofs", type=Path, help="what yomi solve --life --proof wrote")
    parser.add_argument("--most", type=int, help="check only the first so many proofs")
    options = parser.parse_args(arguments)
    counts: Counter[str] = Counter()
    positions = 0
    start = time.process_time()
    for line in options.proofs.read_text(encoding="utf-8").splitlines()[: options.most]:
        proof = json.loads(line)
        replay = LifeReplay(proof)
        try:
            replay.check()
            counts["hold"] += 1
        # What is not well formed proves nothing.
        except (RefutedError, KeyError, IndexError, ValueError) as error:
            counts["refuted"] += 1
            print(f"{proof['id']}: refuted: {error!r}", flush=True)
        positions += replay.positions
    print(
        f"{sum(counts.values())} proofs: {counts['hold']} hold against every legal reply, "
        f"{counts['refuted']} refuted ({positions} positions, {time.process_time() - start:.0f} s)"
    )
    return 1 if counts["refuted"] else 0


if __name__ == "__main__":
    sys.exit(main())
