"""From two positions and two beliefs to the effects of a move, and to sentences last.

``outcomes`` gathers what is known after a move, ``effects`` what one move brings and another one
does not, ``territory`` the points that change their owner. ``wording`` names stones and numbers.
"""
