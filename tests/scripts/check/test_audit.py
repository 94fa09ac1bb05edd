"""The audit's programs, tried on this checkout, and the report of a fault."""

import sys

import pytest

from scripts.check import audit
from scripts.check.audit_programs import PROGRAMS

# These compile kernels, or start a cluster.
LONG = {"cluster: multiprocessing.py of the caller's folder", "--memory beyond the machine's"}


@pytest.fixture(scope="module")
def checkout():
    return audit.Checkout(sys.executable)


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(PROGRAMS.keys() - LONG))
def test_this_checkout_has_no_fault(checkout, name):
    assert checkout.run(PROGRAMS[name]) == ""


@pytest.mark.slow
def test_a_fault_is_its_last_line(checkout):
    assert checkout.run("print('one'); assert False, 'two'") == "AssertionError: two"
    assert checkout.run("raise SystemExit(1)") == "failed"
