"""The playing search: Gaussian beliefs about the values of a game tree's moves.

Source: Hennig, Stern & Graepel (2010), "Coherent inference on optimal play in game trees"; Baum &
Smith (1993) for the value of more search time. Deviations from the paper are marked in best_first;
the printed algorithm is scripts.reproduce.papers.hennig. Values are Black's.

Reading order: tree, model, work (the state), children, best_first, playouts (the kernels). Then
root_priors, root_moves, utility (the moves at the root), posterior, best_move, report (the numbers
that are shown), searcher (entry point to one position), neighbors and game_search (to a whole
game).
"""
