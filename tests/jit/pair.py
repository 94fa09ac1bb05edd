"""Two kernels, one of which calls the other, for processes that the tests start."""

from engine.jit import kernel


@kernel
def half(n):
    """Return half a whole number, or raise ValueError."""
    if n % 2:
        raise ValueError("odd")
    return n // 2


@kernel
def halves(n, count):
    """Halve several times."""
    for _ in range(count):
        n = half(n)
    return n


def compile_pair():
    """Call the kernel that Python calls."""
    halves(8, 2)


def fail():
    """Do what a group must not do."""
    raise RuntimeError("broken")


def compile_slowly():
    """Take long."""
    import time

    time.sleep(60)
