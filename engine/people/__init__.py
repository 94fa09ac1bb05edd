"""How people of a rank choose their moves: what the ranking model leaves out, and by how much.

``features`` names what players of different ranks weigh differently.
"""
