"""The open parts of a position: small regions between settled chains and territory.

Roll-outs judge which points are settled. A region begins with unsettled points and unsafe chains,
with all their liberties, and includes adjacent settled empty points as far as there is room. On the
outermost ones only the owner may play: the opponent gets nothing there.
"""

from dataclasses import dataclass

import numpy as np

from engine.go.board import BLACK, EMPTY, WHITE, Board, Mask, Ownership
from engine.go.components import components
from engine.go.geometry import AREA, neighbors
from engine.picture.picture import Chain, Picture, picture_of

# Net share of a settled point; higher than sums.DECIDED: it is given away without play.
SETTLED_SHARE = 0.9


@dataclass(frozen=True)
class EndgameRegion:
    """An open part of the board: sorted points, and the colors that may play on each, as bits."""

    points: tuple[int, ...]
    movers: tuple[int, ...]


@dataclass(frozen=True)
class Division:
    """A position cut into independent regions, and the owners of settled points, else 0."""

    regions: tuple[EndgameRegion, ...]
    owners: Mask

    def settled_margin(self) -> int:
        """Return Black's settled points minus White's."""
        return int(np.sum(self.owners == BLACK)) - int(np.sum(self.owners == WHITE))


def divide(board: Board, ownership: Ownership, most_points: int) -> Division | None:
    """Cut a position into independent regions; None if two of them hold all liberties of a chain.

    most_points  a region of this size gets no additional settled points
    """
    picture = picture_of(board)
    cut = _Cut(picture, ownership)
    cores = cut.cores()
    regions: list[EndgameRegion] = []
    # One after the other, each away from the earlier ones: a settled point joins one region only.
    for core in cores:
        others = {p for other in cores if other is not core for p in other}
        others.update(p for region in regions for p in region.points)
        full, rim = cut.widened(core, others, most_points)
        movers = {p: BLACK | WHITE for p in full} | {p: int(cut.owners[p]) for p in rim}
        points = tuple(sorted(movers))
        regions.append(EndgameRegion(points, tuple(movers[p] for p in points)))
    # After all regions are made: the movers of a rim depend on its owners above.
    for region in regions:
        cut.owners[list(region.points)] = 0
    if not _are_independent(picture, regions):
        return None
    return Division(tuple(regions), cut.owners)


class _Cut:
    """The steps from ownership to regions; ``owners`` has a color where a point is settled."""

    def __init__(self, picture: Picture, ownership: Ownership) -> None:
        self.picture = picture
        self.owners: Mask = np.zeros(AREA, np.uint8)
        self.owners[ownership >= SETTLED_SHARE] = BLACK
        self.owners[ownership <= -SETTLED_SHARE] = WHITE
        for chain in picture.chains:
            # A chain lives or dies as a whole.
            stones = sorted(chain.stones)
            share = float(np.mean(ownership[stones]))
            owner = 0 if abs(share) < SETTLED_SHARE else BLACK if share > 0 else WHITE
            self.owners[stones] = owner

    def cores(self) -> list[set[int]]:
        """Return the open parts with one ring of settled empty points; touching ones are merged."""
        open_points = {p for p in self.picture.points if self.owners[p] == 0}
        while True:
            more = set(open_points)
            near = {q for p in open_points for q in (p, *neighbors(p))}
            for chain in self.picture.chains_of(near):
                if not self._is_safe(chain, open_points):
                    more.update(chain.stones, chain.liberties)
            # Opening points can make further chains unsafe. The set only grows, so the loop ends.
            if more == open_points:
                break
            open_points = more
            self.owners[list(open_points)] = 0
        self.open_points = open_points
        around = self.picture.around(open_points, EMPTY)
        return [set(part) for part in components(open_points | around)]

    def widened(
        self, core: set[int], others: set[int], most_points: int
    ) -> tuple[set[int], set[int]]:
        """Return a region's points for both colors, and its rim, grown while it stays small."""
        full = core & self.open_points
        rim = core - full
        while rim:
            ring = self.picture.around(full | rim, EMPTY) - full - rim
            near = {q for p in ring for q in (p, *neighbors(p))}
            # Regions must not touch: a move in one would change the liberties of the other.
            if len(full) + len(rim) + len(ring) > most_points or near & others:
                break
            full, rim = full | rim, ring
        return full, rim

    def _is_safe(self, chain: Chain, open_points: set[int]) -> bool:
        """Return whether a chain is settled as its own color's, with two liberties to keep."""
        # The last one outside is no protection: a side that fills all others captures it.
        outside = set(chain.liberties) - open_points
        lasting = [p for p in outside if self.owners[p] == chain.color]
        return self.owners[min(chain.stones)] == chain.color and len(lasting) > 1


def _are_independent(picture: Picture, regions: list[EndgameRegion]) -> bool:
    """Return whether each chain next to two regions has a liberty outside all of them."""
    number = {p: i for i, region in enumerate(regions) for p in region.points}
    for chain in picture.chains_of({q for p in number for q in neighbors(p)}):
        liberties = set(chain.liberties)
        if len({number.get(p) for p in liberties} - {None}) > 1 and liberties <= set(number):
            return False
    return True
