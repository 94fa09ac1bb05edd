"""From two positions and two beliefs to the effects of a move, and to sentences last.

An ``Effect`` is of a kind with a clause (``kinds``). ``outcomes`` gathers what is known after a
move, ``effects`` names what one move brings and another one does not. ``shapes`` and ``nearby``
recognize the shapes of a move in a ``scene``. ``words`` makes the sentences.
"""
