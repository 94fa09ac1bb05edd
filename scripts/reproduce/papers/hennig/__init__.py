"""The paper's algorithm as printed, for experiments on artificial trees with known truth.

Source: Hennig, Stern & Graepel (2010), "Coherent inference on optimal play in game trees". The
paper's symbols and our words (values are Black's, so MAX is Black):

    g_i  score, the worth of a node under random play     xi_j  step, score of a child - parent
    v_i  value, the worth under optimal play              l     plies left to the end
    D_i  gain, value - score                              r     result, +1 or -1

Read messages (one update each), then trees, beliefs and search (the whole algorithm).
Games are played by engine.search. Both share the message of a roll-out, engine.rollout.message.
"""
