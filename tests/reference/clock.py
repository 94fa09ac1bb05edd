"""The slow twin of the game clock: a referee who counts time in eighths of a second.

Written from the meaning of the kinds of overtime, one tick at a time, with none of the arithmetic
of engine.player.clock. A move that ends with the main time's last tick belongs to overtime.
"""

TICK = 0.125  # seconds; a power of two, so that sums of it are exact


class Referee:
    """One side's time.

    overtime    "absolute", "canadian", "byo-yomi" or "fischer", whose period is the increment
    lost        whether a flag has fallen; then the remaining time has no meaning
    """

    def __init__(self, overtime, main, period=0.0, count=0):
        self.overtime, self.full_period, self.full_count = overtime, period, count
        self.main, self.period, self.count = main, period, count
        self.lost = False

    def play(self, seconds):
        """Think for a time and play a stone."""
        for _ in range(round(seconds / TICK)):
            self._tick()
        if self.overtime == "fischer":
            self.main += self.full_period
        if self.main > 0.0:
            return
        if self.overtime == "byo-yomi":
            self.period = self.full_period
        elif self.overtime == "canadian":
            self.count -= 1
            self.lost |= self.period == 0.0 and self.count > 0
            if self.count == 0:
                self.period, self.count = self.full_period, self.full_count

    def _tick(self):
        if self.main > 0.0:
            self.main -= TICK
        elif self.overtime in ("absolute", "fischer"):
            self.lost = True
        else:
            self.period -= TICK
            if self.period == 0.0 and self.overtime == "byo-yomi":
                self.lost |= self.count == 1
                self.count -= 1
                self.period = self.full_period
            self.lost |= self.period < 0.0
