"""Beliefs about a position, as people see them: chance to win, lead, owners, P(best), loss.

Read ``posterior`` (the distribution of the final margin, by the weights of ``calibration`` and the
open points of ``open_points``), ``root_moves`` and ``best_move`` (beliefs about moves), ``report``
(all of it together). ``path`` follows the leads of a game, with the loss of each move in
``losses``; ``memory`` remembers them from search to search.
"""
