"""What a player may think with: it proposes a move, with reports on the way and its reasons.

``thinker`` is the interface, ``searching`` reads ahead, ``patterns`` plays what an expert would
most probably play. Passing, resigning and the fates of chains are the player's own affair.
"""
