"""patterns_db.store.checkpointing: when a state is saved, and when it is not."""

import errno

import pytest

from engine.errors import ModelFormatError
from patterns_db.store.checkpointing import load_arrays, take_steps


class Counter:
    """Counts to three; a state is whole when it is a multiple of ten."""

    def __init__(self, fails_in_step=False, fails_between=False):
        self.fails_in_step, self.fails_between = fails_in_step, fails_between
        self.state, self.saved, self.told, self.closed = 0, [], [], False

    def step(self):
        self.state += 5
        if self.fails_in_step and self.state > 10:
            raise KeyboardInterrupt
        self.state += 5
        return 1

    def steps(self):
        try:
            for number in range(3):
                if self.fails_between and number == 2:
                    raise OSError(errno.ECONNRESET, "the scheduler is gone")
                yield self.step
        finally:
            self.closed = True

    def save(self):
        self.saved.append(self.state)

    def run(self, seconds):
        take_steps(self.steps(), self.save, seconds, self.told.append)


@pytest.mark.parametrize(("seconds", "saved"), [(0.0, [10, 20, 30]), (1e9, [])])
def test_a_state_is_saved_at_intervals(seconds, saved):
    counter = Counter()
    counter.run(seconds)
    assert (counter.saved, counter.told) == (saved, [1, 1, 1])


def test_a_stop_between_two_steps_loses_nothing():
    counter = Counter(fails_between=True)
    with pytest.raises(OSError, match="gone"):
        counter.run(1e9)
    assert counter.saved == [20]


def test_a_state_that_is_half_changed_is_not_saved():
    counter = Counter(fails_in_step=True)
    with pytest.raises(KeyboardInterrupt):
        counter.run(1e9)
    assert counter.saved == []
    assert counter.closed


def test_a_full_disk_is_tried_once():
    counter = Counter()

    def save():
        counter.saved.append(counter.state)
        raise OSError(errno.ENOSPC, "no space")

    with pytest.raises(OSError, match="no space"):
        take_steps(counter.steps(), save, 0.0, counter.told.append)
    assert counter.saved == [10]


def test_a_checkpoint_that_is_none(tmp_path):
    (tmp_path / "x.npz").write_bytes(b"nothing")
    with pytest.raises(ModelFormatError, match="not a checkpoint"):
        load_arrays(tmp_path / "x.npz")
