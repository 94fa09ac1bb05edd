"""People's choices of moves by rank: learned from records, evaluated, and used for ranks.

choices     positions of games in which the mover's rank is known
training    the posterior of the weights by rank
evaluation  the quality of predictions, and a comparison of levels with people
table       the table file
levels      the ranks of the players of some records
"""
