"""The module that overrides numba's compiler: parts and programs.

numba normally optimizes each kernel and generates its machine code before its callers are
compiled. It repeats this with all called kernels, once for each level of calls above. This was
more than half of the time of a cold start. Here a kernel called by kernels is a *part*, compiled
once but left unoptimized. A kernel called by Python is a *program*: all its parts are linked and
optimized together, and machine code is generated once. Every further program therefore costs a
cold start more than a further part. Nothing outside of a program calls its parts, so LLVM may
change how they are called: an array is passed as seven numbers, a search as 250, of which a part
uses few. Passing all of them took two thirds of a capture search's time.

At every access to an array numba tests whether a signed index is negative, to count it from the
end. Nearly all of our indices are signed. No kernel counts from the end (with bounds checks on, a
negative index is an error). Parts are compiled without the test, which took 9 to 15 % of a
search's time.

numba does not promise any of this. ``decorator`` therefore imports this module only if it can,
and uses it only after ``probe`` has passed. Kernels are plain ``njit`` otherwise.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numba
import numpy as np
from numba.core.codegen import JITCodeLibrary, RuntimeLinker
from numba.core.compiler import Compiler
from numba.core.typing import make_concrete_template
from numba.np import arrayobj

from engine.jit.kernel_files import KernelFiles


def linked(
    function: Callable[..., Any], folder: Path, *, allocates: bool, inlined: bool, **options: Any
) -> Any:
    """Return the kernel of a function; see ``decorator.kernel``.

    folder   for its compiled code
    options  for ``njit``, the same as for plain kernels
    """
    compiled = numba.njit(
        forceinline=inlined, _nrt=allocates, pipeline_class=_PartCompiler, **options
    )(function)
    compiled._cache = KernelFiles(function, folder)
    _make_parts(compiled)
    return compiled


def _power(base: float, exponent: int) -> float:
    """Use the possible features of parts: a call of itself, constants, an exception."""
    if exponent < 0:
        raise ValueError("negative")
    return 1.0 if exponent == 0 else base * _power(base, exponent - 1)


def _powers(values: Any, exponent: int) -> float:
    """Call a part with variables, with a constant and by keyword."""
    total = _power(2.0, exponent=3)
    for value in values:
        total += _power(value, exponent)
    return total


def probe(folder: Path, **options: Any) -> None:
    """Compile a kernel that calls another one; raise on any unexpected result.

    folder, options  as for ``linked``
    """
    global _power
    _power = part = linked(_power, folder, allocates=False, inlined=False, **options)
    program = linked(_powers, folder, allocates=False, inlined=False, **options)
    result = program(np.array([3.0, 5.0]), 2)
    if result != 8.0 + 9.0 + 25.0:
        raise AssertionError(f"the probe returned {result}")
    # The cache of a run that ended before recording its success holds programs without parts.
    if len(program.signatures) != 1 or part.signatures or len(part.parts) > 1:
        raise AssertionError("a part of the probe was made a program")


def _as_it_is(context: Any, builder: Any, kind: Any, index: Any, _: Any) -> Any:
    """Return an index like numba's ``fix_integer_index``, for indices that are never negative."""
    return context.cast(builder, index, kind, numba.types.intp)


@contextmanager
def _plain_indices() -> Iterator[None]:
    """Compile without the test for negative indices inside this context, for our kernels only."""
    before = arrayobj.fix_integer_index
    arrayobj.fix_integer_index = _as_it_is
    try:
        yield
    finally:
        arrayobj.fix_integer_index = before


class _LinkedLibrary(JITCodeLibrary):  # type: ignore[misc]
    """A kernel's code before optimization and machine code generation, to be linked."""

    def finalize(self) -> None:
        # Like numba's, without optimization and machine code: the program does both.
        for library in dict.fromkeys(self._linking_libraries):
            self._final_module.link_in(library._get_module_for_linking(), preserve=True)
        self._finalized = True


class _PartCompiler(Compiler):  # type: ignore[misc]
    """numba's compiler with ``_LinkedLibrary`` as its result."""

    def __init__(
        self, typing: Any, target: Any, _: None, args: Any, result: Any, flags: Any, names: Any
    ) -> None:
        # Wrappers serve Python and C. Only kernels call a part.
        flags.no_compile = flags.no_cpython_wrapper = flags.no_cfunc_wrapper = True
        part = _LinkedLibrary(target.codegen(), "part")
        super().__init__(typing, target, part, args, result, flags, names)


class _ProgramLibrary(JITCodeLibrary):  # type: ignore[misc]
    """A program's code, in which all functions but the wrapper for Python are private."""

    def __init__(self, codegen: Any, program: Any) -> None:
        super().__init__(codegen, program.qualname)
        self._wrapper = program.llvm_cpython_wrapper_name

    def _optimize_final_module(self) -> None:
        # numba finds a function that calls itself by its name when the program is loaded.
        mark = RuntimeLinker.PREFIX
        names = [value.name for value in self._final_module.global_variables]
        public = {self._wrapper, *(n.removeprefix(mark) for n in names if n.startswith(mark))}
        for function in self._final_module.functions:
            if not function.is_declaration and function.name not in public:
                # Not "internal": the loader would take it for another program's function of the
                # same name, which passes other arguments.
                function.linkage = "private"
        super()._optimize_final_module()


def _make_parts(compiled: Any) -> None:
    """Compile a kernel as a part when kernels call it, and as a program when Python does.

    A kernel called with a constant is compiled for its type, not for its value (numba's types
    are ``unliteral``). Otherwise ``f(x, 2)``, ``f(x, 3)`` and ``f(x, n)`` would be three parts.
    """
    compiler, target = compiled._compiler, compiled.targetctx
    compile_part = compiler.compile  # saved before it is replaced below
    compiled.parts = {}

    def part_for(args: Any) -> Any:
        if args not in compiled.parts:
            # numba recognizes recursion by this counter.
            with compiled._compiling_counter, _plain_indices():
                part = compile_part(args, None)
            target.insert_user_function(part.fndesc, part.fndesc, [part.library])
            compiled.parts[args] = part
        return compiled.parts[args]

    def compile_program(args: Any, _: Any) -> Any:
        part = part_for(args)
        library = _ProgramLibrary(target.codegen(), part.fndesc)
        library.enable_object_caching()
        library.add_linking_library(part.library)
        with target.push_code_library(library):
            target.create_cpython_wrapper(
                library, part.fndesc, part.environment, part.call_helper, release_gil=True
            )
        entry = target.get_executable(library, part.fndesc, part.environment)
        return part._replace(library=library, entry_point=entry)

    def get_call_template(args: Any, kws: Any) -> Any:
        unliteral = numba.types.unliteral
        plain = {name: unliteral(kind) for name, kind in kws.items()}
        signature, args = compiler.fold_argument_types(tuple(map(unliteral, args)), plain)
        part_for(args)
        signatures = [part.signature for part in compiled.parts.values()]
        name = compiled.__name__
        return make_concrete_template(name, name, signatures), signature, args, {}

    # Python's calls use ``compile``. Callers' typing uses the template, their lowering the
    # overload. These are attributes of the instance, so other kernels are not affected.
    compiler.compile = compile_program
    compiled.get_call_template = get_call_template
    compiled.get_overload = lambda args: compiled.parts[tuple(args)].fndesc
