"""The transposition table against two dictionaries, through any order of stores."""

from hypothesis import given
from hypothesis import strategies as st

from scripts.reproduce.papers.pcg.transpositions import (
    EXACT,
    FINISHED,
    find_finished,
    find_interior,
    home_slot,
    make_table,
    store,
)
from tests.reference.pcg import TranspositionTable

BITS = 4
# Finished sums and positions have different keys: masks of a finished sum fill all subgames.
STORES = st.lists(st.tuples(st.booleans(), st.integers(0, 30)), max_size=60)


def key_of(is_finished, number):
    return 2 * number + int(is_finished)


@given(STORES)
def test_against_dictionaries(stores):
    table = make_table(BITS)
    twin = TranspositionTable(1 << BITS, lambda key: int(home_slot(table, key)))
    for step, (is_finished, number) in enumerate(stores):
        key, value = key_of(is_finished, number), float(step)
        if is_finished:
            if len(twin.finished) == (1 << BITS) - 1 and key not in twin.finished:
                continue  # the solver keeps half of the table free
            slot = find_finished(table, key)
            assert (slot >= 0) == (key in twin.finished)
            store(table, slot if slot >= 0 else ~slot, key, value, FINISHED, -1)
            twin.store_finished(key, value)
        else:
            store(table, home_slot(table, key), key, value, EXACT, number)
            twin.store_interior(key, value)
    for number in range(31):
        slot = find_finished(table, key_of(True, number))
        assert (slot >= 0) == (key_of(True, number) in twin.finished)
        if slot >= 0:
            assert table.values[slot] == twin.finished[key_of(True, number)]
        slot = find_interior(table, key_of(False, number))
        expected = twin.find_interior(key_of(False, number))
        assert (slot >= 0) == (expected is not None)
        if slot >= 0:
            assert (table.values[slot], table.moves[slot]) == (expected, number)
