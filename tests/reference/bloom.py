"""The slow twin of the Bloom filter: the blocks as sets of bit numbers.

Written from the module's description. A key's low half chooses the block. A congruential sequence
(Knuth & Lewis) that begins with its high half chooses the places in it.
"""

BLOCK_BITS = 512


class BloomFilter:
    """Blocks of 512 bits, each a set."""

    def __init__(self, blocks, hashes):
        self.blocks = [set() for _ in range(blocks)]
        self.hashes = hashes

    def places(self, key):
        """Return the block of a key and the bits that it sets there."""
        block = (key % 2**32) * len(self.blocks) // 2**32
        bits, state = set(), key // 2**32
        for _ in range(self.hashes):
            state = (state * 1664525 + 1013904223) % 2**32
            bits.add(state // (2**32 // BLOCK_BITS))
        return block, bits

    def add(self, key):
        """Add a key; return whether all its bits were there."""
        block, bits = self.places(key)
        seen = bits <= self.blocks[block]
        self.blocks[block] |= bits
        return seen
