"""How people of each rank choose their moves: learned from records, judged, and asked back.

choices     positions of games in which the mover's rank is known
training    the posterior of the weights by rank
evaluation  how well choices are predicted, and whether levels choose what people choose
table       the file that comes along
levels      the ranks of the players of some records
"""
