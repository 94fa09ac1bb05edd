"""The options of a player, and the limits of its thinking about a move."""

import math
import threading
from dataclasses import dataclass, replace

from engine.belief.knowledge import Knowledge
from engine.facts.position_facts import Facts
from engine.player.clock import Allotment
from engine.player.leveled import LevelThinker
from engine.player.levels import LevelOptions
from engine.player.prior_steps import proving_nodes
from engine.player.searching import SearchThinker
from engine.player.thinker import Limits, NewThinker, Thinker, ThinkerOptions


@dataclass(frozen=True)
class PlayerOptions(ThinkerOptions):
    """The options of a player; see ``ThinkerOptions`` for its way of thinking."""

    seconds: float = 5.0  # time per move without a clock and without playouts
    seed: int | None = None  # None: random
    # Resign after three own moves in a row below this win rate; None: never
    resign_percent: float | None = 4.0
    thinker: NewThinker = SearchThinker  # what thinks of the moves
    independent: bool = False  # believe of a position what its own search says, whatever others say
    # Play at this level instead; an analysis stays the full engine's
    level: LevelOptions | None = None

    def new_thinker(self, knowledge: Knowledge, seed: int, facts: Facts) -> Thinker:
        """Return a thinker with these options. Raises BadSetup when it lacks knowledge."""
        if self.level is not None:
            return LevelThinker(self.level, self, knowledge, seed, facts)
        return self.thinker(self, knowledge, seed, facts)

    def thinks_like(self, other: "PlayerOptions") -> bool:
        """Return whether the same thinker serves: only limits and manners may differ."""
        # These come with each request. Everything else is part of the thinker.
        return other == replace(
            self,
            playouts=other.playouts,
            seconds=other.seconds,
            resign_percent=other.resign_percent,
            independent=other.independent,
        )

    def limits(
        self, size: int, allotment: Allotment | None, start: float, stop: threading.Event | None
    ) -> Limits:
        """Return the limits of the thinking about a move requested at ``start``, monotonic time."""
        playouts = self.playouts
        if self.level is not None:
            most = self.level.playouts_on(size)
            playouts = min(most, playouts or most)  # a limit may only weaken the player
        stopped = stop.is_set if stop is not None else lambda: False
        if allotment is None and playouts is None:
            allotment = Allotment(self.seconds, self.seconds)
        share = None if allotment is None else allotment.share
        return Limits(
            playouts=playouts, share=share, deadline=start + (math.inf if share is None else share),
            stopped=stopped, proof_nodes=proving_nodes(size, playouts, share),
            # The time that one move does not need is planned again for the others.
            thrifty=allotment is not None and allotment.most > allotment.share > 0.0,
        )  # fmt: skip
