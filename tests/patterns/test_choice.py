"""engine.patterns.choice: candidates fall into the groups that a dictionary finds."""

import numpy as np

from engine.patterns.choice import (
    CHOICE_GROUPS,
    fetch_beliefs,
    group_candidates,
    new_choice,
    store_beliefs,
)


def test_grouping_against_a_dictionary():
    rng = np.random.default_rng(3)
    choice = new_choice(300, 3)
    for _ in range(20):
        summands = rng.integers(-1, 9, size=(300, 3))
        summands[:, 1] += 10 * (summands[:, 1] >= 0)
        summands[:, 2] += 2**30 * (summands[:, 2] >= 0)
        group_candidates(choice, summands, 300)
        groups = choice.meta[CHOICE_GROUPS]
        numbers: dict = {}
        want = [numbers.setdefault(tuple(row), len(numbers)) for row in summands]
        assert groups == len(numbers)
        assert choice.group_of.tolist() == want
        assert choice.size[:groups].tolist() == np.bincount(want).tolist()
        for group in range(groups):
            leaves = choice.leaf_of[group]
            rows = np.where(leaves < 0, -1, choice.summand[leaves])
            assert rows.tolist() == summands[choice.first[group]].tolist()


def test_beliefs_go_in_and_back():
    choice = new_choice(3, 2)
    group_candidates(choice, np.array([[5, 2], [-1, 5], [5, 2]]), 3)
    beliefs = np.arange(12.0).reshape(6, 2)
    fetch_beliefs(choice, beliefs)
    assert choice.leaves[:2, :2].tolist() == [[10.0, 11.0], [4.0, 5.0]]
    choice.leaves[:2, :2] += 0.5
    store_beliefs(choice, beliefs)
    assert beliefs[[5, 2]].tolist() == [[10.5, 11.5], [4.5, 5.5]]
    assert beliefs[[0, 1, 3, 4]].ravel().tolist() == [0, 1, 2, 3, 6, 7, 8, 9]
