"""The search that plays: Gaussian beliefs about the values of a game tree's moves.

Source: Hennig, Stern & Graepel (2010), "Coherent inference on optimal play in game trees"; Baum &
Smith (1993) for what more time may earn. Where it leaves the paper stands in best_first; the
algorithm as printed is engine.papers.hennig. Values are Black's.

Read tree, model, work (the state), children, best_first, playouts (the kernels), then root_priors,
root_moves, utility, searcher (their door) and game_search (the door for a whole game).
"""
