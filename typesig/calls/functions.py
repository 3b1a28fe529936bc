"""What a tool needs to know about its function: its name, its code, whether it is a coroutine's."""

from __future__ import annotations

import functools
import re
import types
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from typesig.absence import NOTHING
from typesig.algebra.nodes import Type
from typesig.algebra.signature import Signature
from typesig.errors import ExtractionError, short
from typesig.extraction.callables.callables import Callee, bound_dispatch
from typesig.extraction.callables.params import EMPTY, Param

if TYPE_CHECKING:
    from typesig.calls.binding import Binding
    from typesig.validation.rows.policy import ModeName, Policy


@functools.cache
def _names() -> re.Pattern[str]:
    # A letter first, since providers refuse other names.  "$" would also match before a line break.
    return re.compile(r"[^\W\d][\w.-]{0,127}\Z")


def can_read_later(callee: Callee) -> bool:
    """Return whether the hints of *callee* can be read later.

    A callable without hints is refused when it is decorated; the hints of one within a function can
    have names that exist only while that function runs.
    """
    hints = [callee.returns, *(param.annotation for param in callee.params or ())]
    return not callee.local and any(hint is not EMPTY for hint in hints)


def plain_function(function: Any) -> Any:
    """Return what a call of *function*, possibly one that a class has to bind, runs.

    It takes the instance or class first if *function* is a method.
    """
    if isinstance(function, staticmethod | classmethod):
        return function.__func__
    if not isinstance(function, functools.singledispatchmethod):
        return function

    @functools.wraps(function.func)
    def dispatch(receiver: Any, /, *args: Any, **kwargs: Any) -> Any:
        return bound_dispatch(function, receiver)(*args, **kwargs)

    return dispatch


def attributes_of(function: Any) -> dict[str, Any]:
    """Return what `functools.update_wrapper` gives to what wraps *function*, a plain function."""
    found = {str(name): getattr(function, name) for name in functools.WRAPPER_ASSIGNMENTS}
    return {**found, "__wrapped__": function}


def needed(names: tuple[str, ...], given: Mapping[str, Any] | None) -> dict[str, Any]:
    """Return what a tool that needs *names* takes of *given*, which is for any of the tools."""
    return {name: value for name, value in (given or {}).items() if name in names}


def outside_of(binding: Binding, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return *given*, and what stands for the requests that it lacks, outside of a server."""
    found: dict[str, Any] = {}
    for param in binding.host.params:
        cls: Any = param.supplied
        if cls is not None and "outside" in vars(cls):
            found[param.name] = cls.outside()
    return {**found, **given}


#: The flag of the code of a coroutine function, by its name in `inspect`.
_CO_COROUTINE = 0x80


def is_coroutine_function(function: Any) -> bool:
    """Return whether calling *function*, possibly a callable object, makes a coroutine."""
    if type(function) is types.FunctionType and not function.__dict__:
        # What marks another function as one of a coroutine is in its `__dict__`.
        return bool(function.__code__.co_flags & _CO_COROUTINE)
    # Imported here, since it takes longer to import than to read many functions.
    import inspect

    if inspect.iscoroutinefunction(function):
        return True
    target = type(function).__call__
    return not isinstance(function, types.FunctionType) and inspect.iscoroutinefunction(target)


def function_with_code(function: Any) -> Any:
    """Return the function that a call of *function* runs, which has its code."""
    while isinstance(function, functools.partial | types.MethodType):
        function = function.func if isinstance(function, functools.partial) else function.__func__
    return function if hasattr(function, "__code__") else type(function).__call__


def is_tool_name(name: str) -> bool:
    """Tell whether *name* can be the name of a tool."""
    # Most are names of functions, and need no expression.
    is_plain = len(name) <= 128 and name.isascii() and name.isidentifier()
    return is_plain or _names().match(name) is not None


def checked_name(name: str, own: bool) -> str:
    """Return *name*; raise `ExtractionError` if it cannot be the name of a tool.

    *own* is whether it is the function's own name.
    """
    if not is_tool_name(name):
        raise ExtractionError(
            f"{short(name)} cannot be the name of a tool: a letter or underscore, then letters, "
            'digits, "_", "-", "."',
            "write @tool(name=…)" if own else "write another name",
        )
    return name


def check_target(target: object) -> None:
    """Raise `ExtractionError` if *target* is neither a signature nor absent."""
    if target is None:
        return
    if not isinstance(target, str | Signature | Type | list | tuple):
        if isinstance(target, dict):
            remedy = "for a JSON Schema, write @tool(from_json_schema(…, {}))"
        else:
            remedy = 'write @tool, or @tool("(id :int) -> :bool")'
        raise ExtractionError(
            f"tool takes a function or a signature, not {type(target).__name__}", remedy
        )


def check_texts(**texts: object) -> None:
    """Raise `ExtractionError` if one of *texts*, by the name of its argument, is not text."""
    for name, text in texts.items():
        if text is not None and not isinstance(text, str):
            raise ExtractionError(
                f"the {name} of a tool is text, not {type(text).__name__}", f'write {name}="…"'
            )


def checked_annotations(given: Mapping[str, Any] | None) -> Mapping[str, Any]:
    """Return a copy of *given* that cannot be changed; raise `ExtractionError` for no mapping."""
    if given is None:
        return NOTHING
    if not isinstance(given, Mapping):
        raise ExtractionError(
            f"the annotations of a tool are a dict, not {type(given).__name__}",
            'write annotations={"readOnlyHint": True}',
        )
    return types.MappingProxyType(dict(given))


def checked_mode(mode: ModeName | Policy | None) -> ModeName | Policy | None:
    """Return *mode*; raise `TypesigError` if there is none of that name."""
    if mode is None:
        # The usual case, which does not load the modules of validation.
        return None
    from typesig.validation.rows.policy import policy_of

    policy_of(mode)
    return mode


def mode_text(mode: ModeName | Policy | None) -> str:
    """Return *mode* for a `repr`, or nothing if it is the usual one."""
    if mode is None:
        return ""
    from typesig.validation.rows.policy import ENABLED, policy_of

    return "" if policy_of(mode) == ENABLED else f" mode={mode!r}"


def example_parameters(params: tuple[Param, ...] | None) -> str:
    """Return the parameter list of an example of a signature with *params*."""
    shown = [f"{param.name}{'' if param.default is EMPTY else '?'} :any" for param in params or ()]
    return ", ".join(shown if len(shown) < 4 else [*shown[:3], "…"])
