"""A game as one path: from searches of its positions to the loss of each move.

x_t → state, L_t → loss, b → tempo. Read ``losses`` (one move), then ``game`` (all moves).
"""
