"""The module that overrides numba's compiler: parts and programs.

numba normally optimizes each kernel and generates its machine code before its callers are
compiled. It repeats this with all called kernels, once for each level of calls above. This was
more than half of the time of a cold start. Here a kernel called by kernels is a *part*, compiled
once but left unoptimized. A kernel called by Python is a *program*: all its parts are linked and
optimized together, and machine code is generated once. Every further program therefore costs a
cold start more than a further part. Nothing outside of a program calls its parts, so LLVM may
change how they are called: a search is passed as some hundred numbers, of which a part uses few.
Passing all of them took two thirds of a capture search's time.

At every access to an array numba tests whether a signed index is negative, to count it from the
end. No kernel counts from the end, so parts are compiled without the test, which took 9 to 15 % of
a search's time. Half of the remaining time of a cold start was numba's own Python code, of which
less runs here.

numba does not promise any of this: ``decorator`` uses this module only after ``probe`` has passed.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numba
import numpy as np
from llvmlite import ir
from numba.core import config
from numba.core.codegen import JITCodeLibrary, RuntimeLinker
from numba.core.compiler import Compiler, Flags
from numba.core.datamodel.models import ArrayModel, StructModel
from numba.core.targetconfig import ConfigStack
from numba.core.types.functions import BaseFunction
from numba.core.typing import make_concrete_template
from numba.np import arrayobj
from numba.np.numpy_support import as_dtype

from engine.jit.kernel_files import KernelFiles


def linked(function: Callable[..., Any], folder: Path, *, inlined: bool, **options: Any) -> Any:
    """Return the kernel of a function, as ``decorator.kernel``; options are those of ``njit``."""
    # Without reference counting (_nrt), which costs a third of a playout's time.
    compiled = numba.njit(forceinline=inlined, _nrt=False, pipeline_class=_PartCompiler, **options)(
        function
    )
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
    """Compile a kernel that calls another one; raise on any unexpected result."""
    global _power
    _power = part = linked(_power, folder, inlined=False, **options)
    program = linked(_powers, folder, inlined=False, **options)
    result = program(np.array([3.0, 5.0]), 2)
    if result != 8.0 + 9.0 + 25.0:
        raise AssertionError(f"the probe returned {result}")
    # The cache of a run that ended before recording its success holds programs without parts.
    if len(program.signatures) != 1 or part.signatures or len(part.parts) > 1:
        raise AssertionError("a part of the probe was made a program")


@contextmanager
def _replaced(*replacements: tuple[Any, str, Any]) -> Iterator[None]:
    """Give attributes of numba's objects other values inside this context."""
    before = [(place, name, getattr(place, name)) for place, name, _ in replacements]
    for place, name, value in replacements:
        setattr(place, name, value)
    try:
        yield
    finally:
        for place, name, value in before:
            setattr(place, name, value)


def _as_it_is(context: Any, builder: Any, kind: Any, index: Any, _: Any) -> Any:
    """Return an index like numba's ``fix_integer_index``, for indices that are never negative."""
    return context.cast(builder, index, kind, numba.types.intp)


_choose_plainly = BaseFunction.get_call_type


def _choose(function: Any, context: Any, args: Any, kws: Any) -> Any:
    """Return the signature of an operator or of one of numba's functions for some arguments.

    numba tries the candidates one by one. The same types have the same result.
    """
    if kws:
        return _choose_plainly(function, context, args, kws)
    choices = function.__dict__.setdefault("choices", {})
    key = tuple(args), ConfigStack.top_or_none()
    if key not in choices:
        choices[key] = _choose_plainly(function, context, args, kws)
    return choices[key]


# The parent is the array that Python gets where a kernel returns one of its arguments.
_PASSED_ON = ("parent", "data", "shape")


def _is_contiguous(model: Any) -> bool:
    return getattr(model.fe_type, "layout", "") == "C"


def _field(model: Any, name: str) -> Any:
    return model.get_model(model.get_field_position(name))


def _argument_type(model: Any) -> Any:
    """Return the types of the numbers that stand for an array as an argument."""
    if not _is_contiguous(model):
        return StructModel.get_argument_type(model)
    return tuple(_field(model, name).get_argument_type() for name in _PASSED_ON)


def _as_argument(model: Any, builder: Any, array: Any) -> Any:
    """Return the numbers that stand for an array as an argument."""
    if not _is_contiguous(model):
        return StructModel.as_argument(model, builder, array)
    fields = ((_field(model, n), model.get(builder, array, n)) for n in _PASSED_ON)
    return tuple(part.as_argument(builder, value) for part, value in fields)


def _from_argument(model: Any, builder: Any, numbers: Any) -> Any:
    """Return an array by the numbers that were passed: its other fields follow from its type.

    It has no memory of its own, because nothing in a program counts references.
    """
    if not _is_contiguous(model):
        return StructModel.from_argument(model, builder, numbers)
    parent, address, shape = numbers
    kinds = dict(zip(model._fields, model.get_value_type().elements, strict=True))
    size = step = ir.Constant(kinds["itemsize"], as_dtype(model.fe_type.dtype).itemsize)
    count = ir.Constant(kinds["nitems"], 1)
    strides: list[Any] = []
    for length in reversed(shape):
        strides.insert(0, step)
        step, count = builder.mul(step, length), builder.mul(count, length)
    form = _field(model, "shape")
    values = {
        "meminfo": ir.Constant(kinds["meminfo"], None),
        "parent": parent,
        "nitems": count,
        "itemsize": size,
        "data": address,
        "shape": form.from_argument(builder, shape),
        "strides": form.from_argument(builder, tuple(strides)),
    }
    array = ir.Constant(model.get_value_type(), ir.Undefined)
    for name, value in values.items():
        array = model.set(builder, array, value, name)
    return array


# For our kernels only: other functions of numba in this process are compiled as always.
_OVERRIDES = (
    (arrayobj, "fix_integer_index", _as_it_is),
    (BaseFunction, "get_call_type", _choose),
    (ArrayModel, "get_argument_type", _argument_type),
    (ArrayModel, "as_argument", _as_argument),
    (ArrayModel, "from_argument", _from_argument),
)


class _LinkedLibrary(JITCodeLibrary):  # type: ignore[misc]
    """A kernel's code before optimization and machine code generation, to be linked."""

    def _optimize_functions(self, module: Any) -> None:
        with _replaced((config, "OPT", 1)):  # enough to shrink it: the program optimizes
            super()._optimize_functions(module)

    def finalize(self) -> None:
        # Like numba's, without optimization and machine code: the program does both.
        for library in dict.fromkeys(self._linking_libraries):
            self._final_module.link_in(library._get_module_for_linking(), preserve=True)
        self._finalized = True


class _FixedFlags(Flags):  # type: ignore[misc]
    """Flags that change no more: numba copies, compares and hashes them at every typed call."""

    __eq__, __hash__ = object.__eq__, object.__hash__

    def copy(self) -> "_FixedFlags":
        return self


_fixed_flags: dict[str, _FixedFlags] = {}

# Of features that no kernel uses: closures, ``with``, ``literal_unroll``, errors with variables,
# optional arguments, expressions of whole arrays, counted references (which need ends of life).
_UNUSED_PASSES = {
    "DeadBranchPrune", "DumpParforDiagnostics", "FindLiterallyCalls", "InlineClosureLikes",
    "InlineInlinables", "IRLegalization", "LiteralPropagationSubPipelinePass", "LiteralUnroll",
    "MakeFunctionToJitFunction", "NoPythonSupportedFeatureValidation", "NopythonRewrites",
    "RewriteDynamicRaises", "RewriteSemanticConstants", "WithLifting",
}  # fmt: skip


class _PartCompiler(Compiler):  # type: ignore[misc]
    """numba's compiler with ``_LinkedLibrary`` as its result, and fewer passes."""

    def __init__(
        self, typing: Any, target: Any, _: None, args: Any, result: Any, flags: Any, names: Any
    ) -> None:
        # Wrappers serve Python and C. Only kernels call a part.
        flags.no_compile = flags.no_cpython_wrapper = flags.no_cfunc_wrapper = True
        flags = _fixed_flags.setdefault(flags.summary(), _FixedFlags(flags))
        part = _LinkedLibrary(target.codegen(), "part")
        super().__init__(typing, target, part, args, result, flags, names)

    def define_pipelines(self) -> Any:
        (passes,) = super().define_pipelines()
        passes.passes = [p for p in passes.passes if p[0].__name__ not in _UNUSED_PASSES]
        passes.finalize()
        return [passes]


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
            with compiled._compiling_counter, _replaced(*_OVERRIDES):
                part = compile_part(args, None)
            target.insert_user_function(part.fndesc, part.fndesc, [part.library])
            compiled.parts[args] = part
        return compiled.parts[args]

    def compile_program(args: Any, _: Any) -> Any:
        part = part_for(args)
        library = _ProgramLibrary(target.codegen(), part.fndesc)
        library.enable_object_caching()
        library.add_linking_library(part.library)
        with target.push_code_library(library), _replaced(*_OVERRIDES):
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
