"""A game as one path: from searches of its positions to what each move lost.

x_t → state, L_t → loss, b → tempo. Read ``losses`` (one move), then ``game`` (all of them).
"""
