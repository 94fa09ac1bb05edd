"""People's choice of moves by rank: the difference from the ranking model, and its size.

``features`` names the properties that players of different ranks weigh differently.
"""
