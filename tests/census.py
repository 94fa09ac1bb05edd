"""Print the kernels that packages name in Python code but no group of the warm-up compiles.

Runs in its own process, because other tests compile any kernels.
"""

import importlib
import pkgutil
from types import CodeType, FunctionType, ModuleType

import engine
import gtp
import patterns_db
from engine.jit import KERNELS, compile_all
from engine.warm_ups import PLAYING


def functions_of(module):
    """Return all functions and methods that a module defines."""
    found = []
    for thing in vars(module).values():
        if getattr(thing, "__module__", None) != module.__name__:
            continue
        members = vars(thing).values() if isinstance(thing, type) else [thing]
        for member in members:
            member = getattr(member, "fget", None) or getattr(member, "__func__", member)
            if isinstance(member, FunctionType):
                found.append(member)
    return found


def named_in(code, names):
    """Return all global names in a function's code and in the functions inside it."""
    found = [names.get(name) for name in code.co_names]
    found += [
        vars(thing).get(name) for thing in found if isinstance(thing, ModuleType)
        for name in code.co_names
    ]  # fmt: skip
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            found += named_in(inner, names)
    return found


def main():
    """Print "module name" of each kernel, a line each."""
    called = set()
    for package in (engine, patterns_db, gtp):
        for found in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
            if not found.name.endswith("__main__"):
                module = importlib.import_module(found.name)
                for function in functions_of(module):
                    called |= {id(one) for one in named_in(function.__code__, vars(module))}
    for _ in compile_all(PLAYING):
        pass
    for kernel in KERNELS:
        if id(kernel) in called and not kernel.signatures:
            print(kernel.__module__, kernel.__name__)


if __name__ == "__main__":
    main()
