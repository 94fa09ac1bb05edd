"""One move from a position and a clock: the player, its thinkers, passing and resigning.

Read ``player`` (the walk of one decision), ``candidates`` (the moves worth thinking about),
``thinker`` (the interface), ``searching`` (reads ahead), ``patterns`` (the most probable move),
``leveled`` (the move of people of a rank) and ``instant`` (no time for a search), then ``passing``,
``resigning``, ``clock`` and ``options``.
"""
