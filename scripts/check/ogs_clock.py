"""Clocks as OGS keeps them and sends them to its clients."""

from dataclasses import dataclass
from typing import Any

Json = dict[str, Any]


@dataclass
class OgsClock:
    """One side's clock.

    control   OGS's ``time_control``: ``system`` and its numbers, in seconds
    thinking  main time left, in seconds
    periods   byo-yomi periods left, the running one included
    block     seconds left of a Canadian period, and ``stones`` to play in it
    """

    control: Json
    thinking: float
    periods: int = 0
    block: float = 0.0
    stones: int = 0

    @classmethod
    def full(cls, control: Json) -> "OgsClock":
        """Return a clock at the beginning of a game."""
        match control["system"]:
            case "byoyomi":
                return cls(control, control["main_time"], periods=control["periods"])
            case "canadian":
                block, stones = control["period_time"], control["stones_per_period"]
                return cls(control, control["main_time"], block=block, stones=stones)
            case "fischer":
                return cls(control, control["initial_time"])
            case "absolute":
                return cls(control, control["total_time"])
            case _:
                return cls(control, 0.0)

    def spend(self, seconds: float) -> bool:
        """Count a move's time; return whether it was in time."""
        control, system = self.control, self.control["system"]
        if system == "simple":
            return bool(seconds <= control["per_move"])
        self.thinking -= seconds
        if system == "fischer":
            in_time = self.thinking >= 0
            self.thinking += control["time_increment"]
            self.thinking = min(self.thinking, control["max_time"])
            return in_time
        if self.thinking >= 0:
            return True
        over, self.thinking = -self.thinking, 0.0
        if system == "byoyomi":
            self.periods -= int(over // control["period_time"])
            return self.periods > 0
        if system == "canadian":
            self.block, self.stones = self.block - over, self.stones - 1
            in_time = self.block >= 0
            if self.stones == 0:
                self.block, self.stones = control["period_time"], control["stones_per_period"]
            return in_time
        return False

    def told(self, now_ms: int) -> Json | int:
        """Return OGS's message about it: an object, or a point in time for simple clocks."""
        match self.control["system"]:
            case "byoyomi":
                period = self.control["period_time"]
                return {
                    "thinking_time": self.thinking,
                    "periods": self.periods,
                    "period_time": period,
                }
            case "canadian":
                return {
                    "thinking_time": self.thinking,
                    "moves_left": self.stones,
                    "block_time": self.block,
                }
            case "simple":
                return now_ms
            case _:
                return {"thinking_time": self.thinking, "skip_bonus": False}
