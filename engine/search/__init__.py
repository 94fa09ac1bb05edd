"""The playing search: Gaussian beliefs about the values of a game tree's moves.

Source: Hennig, Stern & Graepel (2010), "Coherent inference on optimal play in game trees"; Baum &
Smith (1993) for the value of more search time. Deviations from the paper are marked in best_first;
the printed algorithm is engine.papers.hennig. Values are Black's.

Reading order: tree, model, work (the state), children, best_first, playouts (the kernels). Then
root_priors, root_moves, utility, searcher (entry point to one position) and game_search (entry
point to a whole game).
"""
