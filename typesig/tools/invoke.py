"""Plain functions for code that takes functions instead of tools.

A framework passes on what a model sent, as data, or what it made of that itself.  Only data is to
be read; an object was made by code, and is passed as it is.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection, Container, Mapping
from enum import Enum
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, get_args, get_origin
from warnings import warn

from typesig.algebra.rows.values import to_builtin
from typesig.algebra.signature import Signature
from typesig.calls.arguments import Given, InjectedValues, check_names
from typesig.calls.binding import Binding, get_host_names
from typesig.calls.protocols import ToolLike
from typesig.errors import TypesigError
from typesig.extraction.callables.hint_resolver import resolve_if_text
from typesig.extraction.python_types.host_plan import HostParam
from typesig.tools.pending_tool import PendingTool
from typesig.validation.issues.issues import ValidationError

if TYPE_CHECKING:
    from typesig.calls.call import BoundArguments


_POSITIONAL_ONLY = inspect.Parameter.POSITIONAL_ONLY
_PLAIN = inspect.Parameter.POSITIONAL_OR_KEYWORD
_VAR_POSITIONAL = inspect.Parameter.VAR_POSITIONAL
_KEYWORD_ONLY = inspect.Parameter.KEYWORD_ONLY

#: Where frameworks define what they pass to a function by themselves, such as a run's context.
_FRAMEWORKS = (
    "agents.run_context", "agents.tool_context", "fastmcp", "google.adk", "langchain",
    "langchain_core", "langgraph", "mcp", "pydantic_ai",
)  # fmt: skip


class InvocableTool(ToolLike, Protocol):
    """Protocol of a tool whose function can be called directly.

    #: _pending: what its signature is read from
    #: _call: the function, without the decorators that bind it
    #: _receiver: the instance that it is bound to, or None
    """

    _pending: PendingTool
    _call: Callable[..., Any]
    _receiver: Any

    def _read(self) -> object:
        """Read the tool's hints; raise `ExtractionError` if they cannot be read."""
        ...

    def _check_receiver(self) -> None:
        """Raise `TypesigError` if the tool is a method without an instance."""
        ...

    def __call__(self, /, *args: Any, **kwargs: Any) -> Any:
        """Return what the function returns."""
        ...


def get_signature(tool: InvocableTool) -> inspect.Signature:
    """Signature of *tool* for a direct call, without injected parameters.

    It is that of its function if the hints cannot be read: the function can be called without them.
    """
    whole = _get_whole_signature(tool)
    try:
        tool._read()
    except TypesigError:
        return whole
    return _hide_parameters(whole, find_hidden_names(tool))


def find_hidden_names(tool: InvocableTool) -> dict[str, bool]:
    """Map the parameters of *tool* that only the host supplies to whether optional.

    A parameter for an object of a framework is not among them: that framework looks for it.
    """
    callee = tool._pending.callee
    hints = {param.name: param.annotation for param in callee.params or ()}
    return {
        name: optional
        for name, optional in get_host_names(tool.binding).items()
        if not _is_of_framework(resolve_if_text(hints.get(name), callee.scope))
    }


def _get_whole_signature(tool: InvocableTool) -> inspect.Signature:
    """Return the full Python signature of the function of *tool*, hints resolved.

    Whoever is given a signature does not look further, and cannot know where the text was written.
    """
    signature, scope = inspect.signature(tool._call), tool._pending.callee.scope
    params = list(signature.parameters.values())[0 if tool._receiver is None else 1 :]
    return signature.replace(
        parameters=[p.replace(annotation=resolve_if_text(p.annotation, scope)) for p in params],
        return_annotation=resolve_if_text(signature.return_annotation, scope),
    )


def _is_of_framework(hint: Any) -> bool:
    """Whether *hint*, or a type argument of it, is a class of an agent framework."""
    origin = get_origin(hint)
    home = getattr(hint if origin is None else origin, "__module__", None)
    if isinstance(home, str) and any(f"{home}.".startswith(f"{at}.") for at in _FRAMEWORKS):
        return True
    return any(map(_is_of_framework, get_args(hint)))


def _hide_parameters(signature: inspect.Signature, hidden: Container[str]) -> inspect.Signature:
    """Return *signature* without the *hidden* parameters, for a direct call.

    What stands behind one is passed by keyword.  If that cannot be, the parameter is kept.
    """
    params: list[inspect.Parameter] = []
    is_behind = False
    for param in signature.parameters.values():
        if param.name in hidden:
            is_behind = is_behind or param.kind is not _KEYWORD_ONLY
        elif is_behind and param.kind in (_POSITIONAL_ONLY, _VAR_POSITIONAL):
            return signature
        elif is_behind and param.kind is _PLAIN:
            params.append(param.replace(kind=_KEYWORD_ONLY))
        else:
            params.append(param)
    return signature.replace(parameters=params)


def make_function(tool: InvocableTool, given: Given | None) -> Callable[..., Any]:
    """Return a function without hidden parameters that calls *tool*; see `Tool.as_function`."""
    tool._check_receiver()
    try:
        whole = _get_whole_signature(tool)
    except ValueError as error:
        raise TypesigError(f"{tool.name}: {error}; write a function that calls it") from None
    needed = get_host_names(tool.binding)
    check_names(tool.name, needed, given)
    hidden = find_hidden_names(tool)
    hidden |= dict.fromkeys(given, True) if isinstance(given, Mapping) else {}
    giver = InjectedValues(tool.name, hidden, given)
    params = [param for param in whole.parameters.values() if param.name not in hidden]
    shown = whole.replace(parameters=params)
    sorting = ArgumentSorter(tool.binding, shown)

    def bound(args: Any, kwargs: Any, values: Mapping[str, Any]) -> BoundArguments:
        from typesig.calls.call import BoundArguments, bind, get_first_policy

        # Of what a function gives, which may be for several tools, the tool takes what it needs.
        values = {name: value for name, value in values.items() if name in needed}
        sent, binding, own = sorting.sort(args, kwargs)
        found = bind(binding, sent, {**own, **values}, get_first_policy(None, tool.mode))
        if not isinstance(found, BoundArguments):
            raise ValidationError(found.feedback(), found.errors)
        told = [str(each) for each in found.warnings if each.code in ("dropped", "unchecked")]
        if told:
            # What the function returns has no place for what `call` tells of it.
            warn(f"{tool.name}: {'; '.join(told)}", UserWarning, stacklevel=3)
        return found

    def call(*args: Any, **kwargs: Any) -> Any:
        found = bound(args, kwargs, giver.values())
        return tool(*found.args, **found.kwargs)

    async def acall(*args: Any, **kwargs: Any) -> Any:
        found = bound(args, kwargs, await giver.avalues())
        return await tool(*found.args, **found.kwargs)

    made = acall if tool.is_async else call
    _copy_attributes(made, tool, hidden, shown)
    return made


def _copy_attributes(
    made: Any, tool: InvocableTool, hidden: Collection[str], shown: inspect.Signature
) -> None:
    """Set the name, docstring and visible hints of the function *made* from *tool*."""
    made.__name__ = tool.name
    made.__qualname__ = tool.name
    made.__module__ = tool.__module__
    is_other = bool(hidden) or tool._pending.description is not None
    made.__doc__ = _write_docstring(tool) if is_other else tool.__doc__
    made.__wrapped__ = tool
    made.__signature__ = shown
    hints = vars(tool).get("__annotations__", {})
    made.__annotations__ = {
        name: resolve_if_text(hint, tool._pending.callee.scope)
        for name, hint in hints.items()
        if name not in hidden
    }


def _write_docstring(tool: InvocableTool) -> str:
    """Write a Google-style docstring from the visible signature of *tool*."""
    parts = [tool.description] if tool.description else []
    shown = tool.signature.input_schema()["properties"]
    told = {name: part["description"] for name, part in shown.items() if "description" in part}
    if told:
        lines = [f"    {name}: {' '.join(text.split())}" for name, text in told.items()]
        parts.append("\n".join(["Args:", *lines]))
    return "\n\n".join(parts)


class SortedArguments(NamedTuple):
    """Arguments of a direct call, divided into JSON data and Python objects.

    #: sent: the data by name; own: the objects, which *binding* takes from its host
    """

    sent: dict[str, Any]
    binding: Binding
    own: dict[str, Any]


class ArgumentSorter:
    """Divides the arguments of direct calls into JSON data and Python objects."""

    __slots__ = ("_binding", "_fields", "_host", "_shown")

    def __init__(self, binding: Binding, shown: inspect.Signature) -> None:
        self._binding = binding
        self._shown = shown
        self._host = get_host_names(binding)
        self._fields = {field.name for field in binding.signature.params}

    def sort(self, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> SortedArguments:
        """Sort the arguments *args* and *kwargs*; raise `TypeError` for too many.

        An argument that is the parameter's own default is left out.
        """
        sent = self._name_arguments(args, kwargs)
        own: dict[str, Any] = {}
        for name, value in [*sent.items()]:
            param = self._shown.parameters.get(name)
            if param is not None and value is param.default:
                del sent[name]
            elif name in self._host and param is not None and (value is None or has_object(value)):
                # What a framework supplies itself, such as its context; no data of a model.
                own[name] = sent.pop(name)
            elif (name in self._fields or self._binding.takes_any) and has_object(value):
                own[name] = sent.pop(name)
        return SortedArguments(
            sent, _check_host_names(self._binding, own.keys() - self._host.keys()), own
        )

    def _name_arguments(self, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> dict[str, Any]:
        """Map the arguments of a call to parameter names; raise on duplicates."""
        named = self._shown.bind_partial(*args).arguments
        for name in kwargs:
            if name in named:
                raise TypeError(f"multiple values for argument {name!r}")
        several = (p.name for p in self._shown.parameters.values() if p.kind is _VAR_POSITIONAL)
        for name in several:
            if name in named:
                named[name] = [*named[name]]
        return {**named, **kwargs}


def _check_host_names(binding: Binding, names: set[str]) -> Binding:
    """Return *binding* with the parameters *names* supplied by its host."""
    if not names:
        return binding
    known = {param.name for param in binding.host.params}
    params = [
        param._replace(injected=True) if param.name in names else param
        for param in binding.host.params
    ]
    params += [HostParam(name, "KEYWORD_ONLY", injected=True) for name in sorted(names - known)]
    return binding._replace(
        signature=_drop_parameters(binding.signature, frozenset(names)),
        host=binding.host._replace(params=tuple(params)),
    )


@lru_cache(maxsize=256)
def _drop_parameters(signature: Signature, names: frozenset[str]) -> Signature:
    """Return *signature* without the parameters *names*."""
    params = tuple(field for field in signature.params if field.name not in names)
    parts = signature.definitions, signature.extra, signature.io, signature.secrets
    return Signature(params, signature.returns, *parts, keeps_ints=signature.keeps_ints)


def has_object(value: object) -> bool:
    """Whether *value* contains an object that JSON cannot produce.

    >>> has_object({"a": [1, None]}), has_object([b"a"])
    (False, True)
    """
    pending: list[Any] = [value]
    met: set[int] = set()
    while pending:
        part = pending.pop()
        if isinstance(part, Enum) or not isinstance(part, _DATA):
            return True
        if isinstance(part, tuple) and type(part) is not tuple:
            # One with names, which is an object.
            return True
        if not isinstance(part, _CONTAINERS) or id(part) in met:
            continue
        met.add(id(part))
        plain = to_builtin(part)
        pending += [*plain.keys(), *plain.values()] if isinstance(plain, dict) else plain
    return False


_CONTAINERS = (dict, list, tuple, set, frozenset)
_DATA = (str, int, float, type(None), *_CONTAINERS)
