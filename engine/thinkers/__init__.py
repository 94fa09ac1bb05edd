"""Thinkers, which choose a player's moves, with reports on the way and with reasons.

``thinker`` is the interface. ``searching`` reads ahead. ``patterns`` plays the most probable move
of an expert, and ``leveled`` plays as people of a rank do. ``instant`` moves where a clock leaves
no time for any of them. Passing, resigning and the status of
chains are left to the player.
"""
