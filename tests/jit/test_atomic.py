"""Several threads at one array: no update is lost, one thread wins, published data is complete."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from engine.jit import JIT_ENABLED, exchange_if, fetch_add, kernel, observe, publish

THREADS = 4
TIMES = 20000 if JIT_ENABLED else 20


@kernel
def add_often(floats, integers, times):
    """Add to one element of each array many times."""
    for _ in range(times):
        fetch_add(floats, (1, 0), 0.5)
        fetch_add(integers, 2, 1)
    return fetch_add(integers, 0, -3)


@kernel
def take(places, index, value):
    """Claim a place that no thread has claimed."""
    return exchange_if(places, index, -1, value)


@kernel
def hand_over(places, index, value):
    """Write an element and read it again."""
    publish(places, index, value)
    return observe(places, index)


@kernel
def change(numbers, index, amount, expected):
    """Do each operation once."""
    before = fetch_add(numbers, index, amount)
    changed = exchange_if(numbers, index, expected, 7)
    return before, changed, observe(numbers, index)


def test_nothing_is_lost():
    floats, integers = np.zeros((3, 2)), np.zeros(4, np.int32)
    with ThreadPoolExecutor(THREADS) as pool:
        jobs = [pool.submit(add_often, floats, integers, TIMES) for _ in range(THREADS)]
        before = sorted(job.result() for job in jobs)
    assert floats.tolist() == [[0.0, 0.0], [0.5 * THREADS * TIMES, 0.0], [0.0, 0.0]]
    assert integers.tolist() == [-3 * THREADS, 0, THREADS * TIMES, 0]
    assert before == [-9, -6, -3, 0]


def test_one_of_several_succeeds():
    places = np.full(200, -1, np.int32)
    with ThreadPoolExecutor(THREADS) as pool:
        for index in range(len(places)):
            jobs = [pool.submit(take, places, index, thread) for thread in range(THREADS)]
            won = [thread for thread, job in enumerate(jobs) if job.result()]
            assert won == [places[index]]


def test_published_data_is_complete():
    places = np.full(3, -1, np.int32)
    assert hand_over(places, 1, 5) == 5
    assert places.tolist() == [-1, 5, -1]


@given(st.lists(st.integers(-9, 9), min_size=1, max_size=4), st.data())
def test_alone_they_are_the_plain_operations(numbers, data):
    index = data.draw(st.integers(0, len(numbers) - 1))
    amount, expected = data.draw(st.integers(-9, 9)), data.draw(st.integers(-9, 9))
    array = np.array(numbers, np.int32)
    before, changed, now = change(array, index, amount, expected)
    assert before == numbers[index]
    assert changed == (before + amount == expected)
    assert now == (7 if changed else before + amount)
    assert np.delete(array, index).tolist() == numbers[:index] + numbers[index + 1 :]
