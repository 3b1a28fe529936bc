"""Functions of tools: names, code, and whether they are coroutine functions."""

from __future__ import annotations

import functools
import re
import types
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from typesig.algebra.nodes import Type
from typesig.algebra.signature import Signature
from typesig.errors import ExtractionError, TypesigError, format_value
from typesig.extraction.callables.callables import Callee, bind_dispatch
from typesig.extraction.callables.parameters import EMPTY, Param
from typesig.sentinels import NOTHING

if TYPE_CHECKING:
    from typesig.calls.binding import Binding
    from typesig.validation.policy import ModeName, Policy


@functools.cache
def _compile_name_pattern() -> re.Pattern[str]:
    """Compile the regex that a tool name must match."""
    # A letter first, since providers refuse other names.  "$" would also match before a line break.
    return re.compile(r"[^\W\d][\w.-]{0,127}\Z")


def can_read_later(callee: Callee) -> bool:
    """Whether the hints of *callee* may be read on first use, not at decoration.

    A callable without hints is refused when it is decorated; the hints of one within a function can
    have names that exist only while that function runs.
    """
    hints = [callee.returns, *(param.annotation for param in callee.params or ())]
    return not callee.local and any(hint is not EMPTY for hint in hints)


def get_plain_function(function: Any) -> Any:
    """Return the function in *function*, which may be a static or class method.

    It takes the instance or class first if *function* is a method.
    """
    if isinstance(function, staticmethod | classmethod):
        return function.__func__
    if not isinstance(function, functools.singledispatchmethod):
        return function

    @functools.wraps(function.func)
    def dispatch(receiver: Any, /, *args: Any, **kwargs: Any) -> Any:
        return bind_dispatch(function, receiver)(*args, **kwargs)

    return dispatch


def get_attributes(function: Any) -> dict[str, Any]:
    """Return the attributes for a wrapper, as `functools.update_wrapper` copies them."""
    found = {str(name): getattr(function, name) for name in functools.WRAPPER_ASSIGNMENTS}
    return {**found, "__wrapped__": function}


def check_needed(names: tuple[str, ...], given: Mapping[str, Any] | None) -> dict[str, Any]:
    """Select the entries of *given*, shared by all tools, that match *names*."""
    return {name: value for name, value in (given or {}).items() if name in names}


def add_outside_request(binding: Binding, given: Mapping[str, Any]) -> dict[str, Any]:
    """Add the placeholder for a request to *given* if the tool expects one."""
    found: dict[str, Any] = {}
    for param in binding.host.params:
        cls: Any = param.supplied
        if cls is not None and "outside" in vars(cls):
            found[param.name] = cls.outside()
    return {**found, **given}


#: The flag of the code of a coroutine function, by its name in `inspect`.
_CO_COROUTINE = 0x80


def is_coroutine_function(function: Any) -> bool:
    """Whether calling *function*, possibly a callable object, makes a coroutine."""
    if type(function) is types.FunctionType and not function.__dict__:
        # What marks another function as one of a coroutine is in its `__dict__`.
        return bool(function.__code__.co_flags & _CO_COROUTINE)
    # Imported here, since it takes longer to import than to read many functions.
    import inspect

    if inspect.iscoroutinefunction(function):
        return True
    target = type(function).__call__
    return not isinstance(function, types.FunctionType) and inspect.iscoroutinefunction(target)


def get_function_with_code(function: Any) -> Any:
    """Return the function with a code object that runs when *function* is called."""
    while isinstance(function, functools.partial | types.MethodType):
        function = function.func if isinstance(function, functools.partial) else function.__func__
    return function if hasattr(function, "__code__") else type(function).__call__


def is_tool_name(name: str) -> bool:
    """Whether *name* can be the name of a tool."""
    # Most are names of functions, and need no expression.
    is_plain = len(name) <= 128 and name.isascii() and name.isidentifier()
    return is_plain or _compile_name_pattern().match(name) is not None


def check_name(name: str, own: bool) -> str:
    """Return *name* if it is a valid tool name; else raise `ExtractionError`.

    *own* is whether it is the function's own name.
    """
    if not is_tool_name(name):
        raise ExtractionError(
            f"{format_value(name)} cannot be the name of a tool: a letter or underscore, "
            "then letters, "
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
    """Raise `ExtractionError` if an argument of a tool in *texts* is not a string."""
    for name, text in texts.items():
        if text is not None and not isinstance(text, str):
            raise ExtractionError(
                f"the {name} of a tool is text, not {type(text).__name__}", f'write {name}="…"'
            )


def check_annotations(given: Mapping[str, Any] | None) -> Mapping[str, Any]:
    """Check the MCP annotations *given*, and return a read-only copy."""
    if given is None:
        return NOTHING
    if not isinstance(given, Mapping):
        raise ExtractionError(
            f"the annotations of a tool are a dict, not {type(given).__name__}",
            'write annotations={"readOnlyHint": True}',
        )
    return types.MappingProxyType(dict(given))


def check_mode(mode: ModeName | Policy | None) -> ModeName | Policy | None:
    """Check that *mode* is a known mode or a policy, and return it."""
    if mode is None:
        # The usual case, which does not load the modules of validation.
        return None
    from typesig.validation.policy import get_policy

    get_policy(mode)
    return mode


def write_mode(mode: ModeName | Policy | None) -> str:
    """*mode* for a `repr`; empty for the default."""
    if mode is None:
        return ""
    from typesig.validation.policy import ENABLED, get_policy

    return "" if get_policy(mode) == ENABLED else f" mode={mode!r}"


def write_example_parameters(params: tuple[Param, ...] | None) -> str:
    """Return the parameter list of an example of a signature with *params*."""
    shown = [f"{param.name}{'' if param.default is EMPTY else '?'} :any" for param in params or ()]
    return ", ".join(shown if len(shown) < 4 else [*shown[:3], "…"])


# --- The exception by which a tool reports an error to the model ---


class ToolError(Exception):
    """Error that a tool function raises to report a failure to the model.

    Every other exception reaches the caller. *retry* marks a temporary error: a `Governance` with
    `retries` runs the call again. If *retry* is a number, it waits that many seconds first. Raises
    `TypesigError` if *retry* is invalid.

    >>> raise ToolError("no such order; call list_orders")
    Traceback (most recent call last):
    ...
    typesig.ToolError: no such order; call list_orders
    """

    __module__ = "typesig"  # where users import it from, and what a traceback shows

    #: Whether the error may pass, or after how many seconds.
    retry: bool | float

    def __init__(self, *args: object, retry: bool | float = False) -> None:
        given: object = retry
        if not (isinstance(given, int | float) and 0 <= given < float("inf")):
            raise TypesigError(f"retry is True, or a number of seconds, not {format_value(given)}")
        super().__init__(*args)
        self.retry = retry
