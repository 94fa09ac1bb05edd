"""The algorithm as printed, on artificial trees whose truth is known; only experiments use it.

Source: Hennig, Stern & Graepel (2010), "Coherent inference on optimal play in game trees". The
paper's symbols and our words (values are Black's, so MAX is Black):

    g_i  score, the worth of a node under random play     xi_j  step, score of a child - parent
    v_i  value, the worth under optimal play              l     plies left to the end
    D_i  gain, value - score                              r     result, +1 or -1

Read messages (one update each), then gains, then trees, beliefs and search (the whole algorithm).
The search that plays is engine.search; what both share is a roll-out's message, rollout.message.
"""
