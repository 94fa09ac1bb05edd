"""From two positions and two beliefs to the effects of a move, and to sentences last.

An ``Effect`` has a kind, points and stones (``kinds``). ``outcomes`` gathers what is known after a
move, ``effects`` names what one move brings and another one does not, ``nearby`` what it does to
the stones beside it, ``ground`` the points that change their owner. ``words`` makes the sentences.
"""
