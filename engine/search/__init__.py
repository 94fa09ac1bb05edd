"""The playing search: Gaussian beliefs about the values of a game tree's moves.

Source: Hennig, Stern & Graepel (2010), "Coherent inference on optimal play in game trees".
Read tree, model, work (the state), children, best_first, playouts (the kernels), then root_priors
and grower (the entry point). ``engine.belief`` turns the results into beliefs. Values are Black's.
"""
