"""The picture of a position: everything that can be seen of its stones, worked out once.

``picture`` holds the picture and its memory, ``outline`` the kernel that builds it.
"""
