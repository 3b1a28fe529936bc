"""Callables: their names, parameters and docstrings, and the scopes of their hints."""

from __future__ import annotations

import functools
import sys
import types
import typing
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from typesig.errors import ExtractionError
from typesig.extraction.callables.generics import find_variables
from typesig.extraction.callables.hint_resolver import HintScope
from typesig.extraction.callables.parameters import (
    EMPTY,
    CallableParts,
    Param,
    merge_overloads,
    read_function_parts,
    read_signature,
)
from typesig.extraction.callables.scopes import find_owner, get_class_scope, get_scope
from typesig.extraction.callables.warnings import PASSED, make_read_error
from typesig.limits import MAX_WRAPPERS


class Callee(NamedTuple):
    """The name, docstring, parameters, hints and scope of a callable.

    #: name: its name; doc: its docstring, or the exception that reading it raises
    #: params: its parameters, without the receiver of a method and those that a partial binds; None
    #:     for a builtin whose parameters are unknown
    #: returns: the hint of its result, or `parameters.EMPTY`
    #: scope: where the names in its hints are looked up
    #: overloads: the number of its overloads; 0 if it has none
    #: owner: the class that it was defined in, or None
    #: names: the names of all parameters of the function itself, bound ones too
    #: receives: whether the function's first parameter, left out here, is a receiver
    #: by_place: whether it is a builtin function, which takes arguments by position
    #: local: whether it was defined in a function, whose names may be gone later
    #: variables: what the type variables of a generic class stand for in its descendant
    #: manages: whether calling it makes a context manager, and its result hint is of a generator
    #: deprecated: the message of its deprecation, or None
    """

    name: str
    doc: object
    params: tuple[Param, ...] | None
    returns: Any
    scope: HintScope
    overloads: int
    owner: Any = None
    names: frozenset[str] = frozenset()
    receives: bool = False
    by_place: bool = False
    local: bool = False
    variables: dict[Any, Any] = {}  # noqa: RUF012 - nothing writes to it
    manages: bool = False
    deprecated: str | None = None


def read_callee(target: Any, receives: bool | None = None) -> Callee:
    """Read the name, parameters, hints and docstring of *target*.

    *receives* is whether its first parameter is a receiver, or None to find out.
    Raises `ExtractionError` if *target* is not callable, or raises where it is read.
    """
    # Called for each decorated function: `reading` would take longer.
    try:
        return _read_callee(target, receives)
    except PASSED:
        raise
    except Exception as error:
        raise make_read_error(target, error) from error


def _check_callable(target: Any) -> None:
    """Raise `ExtractionError` if *target* is not callable."""
    if not callable(target):
        why = f"a callable is needed, not {type(target).__name__}"
        raise ExtractionError(why, "pass a function")


def _read_callee(target: Any, receives: bool | None) -> Callee:
    if _is_plain(target):
        return _read_function(target, receives)
    if isinstance(target, staticmethod | classmethod):
        return _read_callee(target.__func__, isinstance(target, classmethod))
    if isinstance(target, functools.singledispatchmethod):
        target = bind_dispatch(target, None)
    _check_callable(target)
    made = typing.get_origin(target)
    if isinstance(made, type) and made is not target:
        return _read_generic(made, target, receives)
    inner = _find_innermost(target)
    signature = _read_signature(target)
    if signature is None:
        name, doc = _name(target, inner), _read_doc(target, inner)
        is_builtin = isinstance(inner, types.BuiltinFunctionType)
        return Callee(name, doc, None, EMPTY, get_scope(inner), 0, by_place=is_builtin)
    params = tuple(signature.params.values())
    returns = target if isinstance(target, type) else signature.returns
    scope = _make_scope(target, inner)
    overloads = 0
    if isinstance(inner, types.FunctionType) and typing.get_overloads(inner):
        read = _make_signature_reader(target)
        overloads, params, returns = merge_overloads(inner, params, returns, read, scope)
    if isinstance(target, functools.partial):
        params = tuple(p for p in params if p.name not in target.keywords)
    if receives is None:
        receives = bool(params) and _is_receiver(target, inner, params[0])
    if receives:
        params = params[1:]
    dispatches, instance = _find_method_dispatch(target)
    dispatches = dispatches or (hasattr(target, "registry") and hasattr(target, "dispatch"))
    if params and dispatches:
        params = (params[0]._replace(kind="POSITIONAL_ONLY"), *params[1:])
    return Callee(
        _name(target, inner),
        _read_doc(target, inner),
        params,
        returns,
        scope,
        overloads,
        target if isinstance(target, type) else find_owner(inner),
        _get_own_names(inner),
        receives and instance is None,
        local="<locals>" in getattr(inner, "__qualname__", "<locals>"),
        variables=_find_variables(target, inner),
        manages=inner is not target and any(map(_is_manager_factory, _unwrap_layers(target))),
        deprecated=get_deprecation(target),
    )


def _is_plain(target: Any) -> bool:
    if type(target) is not types.FunctionType or target.__dict__ or sys.version_info >= (3, 14):
        return False
    is_dispatch = target.__code__.co_qualname.startswith("singledispatchmethod.")
    return not is_dispatch and not _has_marks_of_inspect(target)


def _has_marks_of_inspect(function: types.FunctionType) -> bool:
    """Whether the annotations of *function* contain a sentinel of `inspect`."""
    inspect = sys.modules.get("inspect")
    if inspect is None:
        return False
    empty = inspect.Parameter.empty
    defaults, by_name = function.__defaults__ or (), function.__kwdefaults__ or {}
    # A loop takes less time than `any`.
    for given in (*function.__annotations__.values(), *defaults, *by_name.values()):
        if given is empty:
            return True
    return False


def _read_function(function: types.FunctionType, receives: bool | None) -> Callee:
    """Read a plain *function* as a `Callee`, without unwrapping or `inspect`."""
    params, returns = read_function_parts(function)
    scope = get_scope(function)
    overloads = 0
    if typing.get_overloads(function):
        overloads, params, returns = merge_overloads(
            function, params, returns, _read_signature, scope
        )
    if receives is None:
        may_receive = bool(params) and params[0].name in _RECEIVERS
        receives = may_receive and _is_receiver(function, function, params[0])
    qualname, own_names = function.__qualname__, _get_own_names(function)
    owner = find_owner(function) if "." in qualname else None
    is_local = "<locals>" in qualname
    params = params[1:] if receives else params
    name: str = function.__name__
    doc: object = function.__doc__
    if type(name) is not str or name[:2] == "__":
        name = _name(function, function)
    if doc is not None and type(doc) is not str:
        doc = _read_doc(function, function)
    parts = (name, doc, params, returns, scope, overloads, owner, own_names, receives)
    made: Callee = _new(Callee, (*parts, False, is_local, _NO_VARIABLES, False, None))
    return made


#: Makes a value of all its parts, faster than by its name.
_new: Callable[[Any, tuple[Any, ...]], Any] = tuple.__new__
_NO_VARIABLES: dict[Any, Any] = {}


def _make_scope(target: Any, inner: Any) -> HintScope:
    """Make the scope for hints of *target*, a class or a callable around *inner*."""
    if not isinstance(target, type):
        return get_scope(inner)
    scope = get_class_scope(target)
    return HintScope(*get_scope(inner).spaces, *scope.spaces, module=scope.module)


def _read_generic(cls: Any, target: Any, receives: bool | None) -> Callee:
    """Read *target*, such as `Shop[int]`, like its class *cls*, `Shop`."""
    variables = _find_variables(target, _find_innermost(cls))
    return _read_callee(cls, receives)._replace(returns=target, variables=variables)


def _find_variables(target: Any, inner: Any) -> dict[Any, Any]:
    """Map the type variables of *target*, a generic class or bound method, to types."""
    if isinstance(target, types.MethodType):
        bound = target.__self__
        made_by = None if isinstance(bound, type) else getattr(bound, "__orig_class__", None)
        target = bound if isinstance(bound, type) else type(bound)
        # An object may answer to any name.
        target = made_by if typing.get_origin(made_by) is target else target
    elif not isinstance(typing.get_origin(target) or target, type):
        return {}
    owner = find_owner(inner)
    return {} if owner is None else find_variables(target, owner)


def _get_own_names(inner: Any) -> frozenset[str]:
    """Get the names of the parameters in the code of the function *inner*."""
    code = inner.__code__ if type(inner) is types.FunctionType else _get_code(inner)
    if code is None:
        return frozenset()
    return frozenset(code.co_varnames[: code.co_argcount + code.co_kwonlyargcount])


def _get_code(function: Any) -> types.CodeType | None:
    """Return the code of *function*; a class such as `types.FunctionType` has none of its own."""
    code = getattr(function, "__code__", None)
    return code if isinstance(code, types.CodeType) else None


def bind_dispatch(method: functools.singledispatchmethod[Any], receiver: object) -> Any:
    """Bind the `singledispatchmethod` *method* to the instance *receiver* or None."""
    return method.__get__(receiver, type(receiver))


def _find_method_dispatch(target: Any) -> tuple[bool, object]:
    """Return whether *target* is a `singledispatchmethod`, and its instance or None.

    It chooses a method by the class of its first argument.
    """
    if type(target).__name__ == "_singledispatchmethod_get":
        return True, target._obj  # pragma: no cover - from Python 3.14 on; before, a closure
    code = _get_code(target)
    if code is None or code.co_qualname != "singledispatchmethod.__get__.<locals>._method":
        return False, None
    kept = dict(zip(code.co_freevars, target.__closure__, strict=True))
    return True, kept["obj"].cell_contents


def _read_signature(target: Any) -> CallableParts | None:
    """Read the signature of *target* with `inspect`, or None if `inspect` fails."""
    import inspect

    if isinstance(target, functools.partial):
        # If update_wrapper was used on the partial, inspect would ignore what the partial binds.
        target = functools.partial(target.func, *target.args, **target.keywords)
    try:
        if sys.version_info >= (3, 14):
            import annotationlib

            forward = annotationlib.Format.FORWARDREF
            return read_signature(inspect.signature(target, annotation_format=forward))
        return read_signature(inspect.signature(target))
    except (ValueError, TypeError, AttributeError):
        # A builtin without a text signature, or with defaults that are undefined names.
        return None


def _make_signature_reader(target: Any) -> Callable[[Any], CallableParts | None]:
    """Make a reader of overload signatures, bound or unbound as *target* is."""
    if not isinstance(target, type | types.MethodType):
        return _read_signature

    def read(overload: Any) -> CallableParts | None:
        found = _read_signature(overload)
        return None if found is None else found._replace(params=dict([*found.params.items()][1:]))

    return read


def _find_innermost(target: Any) -> Any:
    """Return the function that defines the hints of *target*."""
    kind: Any = type(target)
    if kind is types.FunctionType and "__wrapped__" not in vars(target):
        return target
    return _unwrap_layers(target)[-1]


def _unwrap_layers(target: Any) -> list[Any]:
    """List *target* and the callables it wraps, from the outermost to the innermost.

    Raise `ExtractionError` beyond `MAX_WRAPPERS`.
    """
    # The objects are kept, so that their ids stay theirs.
    seen: dict[int, Any] = {}
    while id(target) not in seen:
        seen[id(target)] = target
        if len(seen) > MAX_WRAPPERS:
            reason = f"more than {MAX_WRAPPERS} callables wrap each other"
            raise ExtractionError(reason, "pass the innermost function")
        if isinstance(target, functools.partial):
            target = target.func
        elif isinstance(target, types.MethodType):
            target = target.__func__
        elif isinstance(target, type):
            init = target.__init__  # type: ignore[misc]
            target = init if init is not object.__init__ else target.__new__
        elif _is_wrapper(target):
            target = target.__wrapped__
        elif _has_python_call(target):
            target = type(target).__call__
    return list(seen.values())


def _is_manager_factory(layer: Any) -> bool:
    contextlib = sys.modules.get("contextlib")
    makers = (getattr(contextlib, name, None) for name in ("contextmanager", "asynccontextmanager"))
    code = _get_code(layer)
    # The code of the function that it makes is a constant of its own.
    return code is not None and any(
        code is constant
        for maker in makers
        for constant in getattr(getattr(maker, "__code__", None), "co_consts", ())
    )


def _is_wrapper(target: Any) -> bool:
    """Whether *target* has a real `__wrapped__`, not one made up by `__getattr__`."""
    kept = (_get_own_attributes(target), *(vars(cls) for cls in type(target).__mro__))
    return any("__wrapped__" in space for space in kept)


def _get_own_attributes(target: Any) -> Mapping[str, Any]:
    """Return the attributes of *target* itself, not attributes of its class."""
    found: Any = getattr(target, "__dict__", None)
    return found if type(found) in (dict, types.MappingProxyType) else {}


def _has_python_call(target: Any) -> bool:
    """Whether calling *target* runs a method written in Python."""
    return callable(target) and isinstance(type(target).__call__, types.FunctionType)


def _name(target: Any, inner: Any) -> str:
    """Return the name of the callable *target*, of its function *inner* or of its class."""
    for candidate in (target, getattr(target, "func", None), inner):
        name = getattr(candidate, "__name__", None)
        if isinstance(name, str):
            name = str.__str__(name)
            if name not in ("__call__", "__init__", "__new__"):
                return name
    return type(target).__name__


def _read_doc(target: Any, inner: Any) -> object:
    """Read the docstring of *target*; return the exception if reading raises it."""
    try:
        doc = _read_own_doc(target, inner)
        return str.__str__(str(doc)) if _is_lazy(doc) else doc
    except Exception as error:
        return error


def _is_lazy(doc: object) -> bool:
    """Whether *doc* is an object that makes its text on demand, such as a translation."""
    cls: Any = type(doc)
    if cls is str or (isinstance(doc, str) and str.__len__(doc)):
        return False
    home = next(each.__module__ for each in cls.__mro__ if "__str__" in vars(each))
    return bool(home != "builtins")


def _read_own_doc(target: Any, inner: Any) -> object:
    """Read the docstring of *target*, a function, class or callable object, or None."""
    if target is inner and type(target) is types.FunctionType:
        return target.__doc__
    if isinstance(target, functools.partial):
        return _read_own_doc(target.func, inner)
    if isinstance(target, type):
        return _read_class_doc(target, inner)
    wraps = "__wrapped__" in dir(target)
    if not _has_python_call(target):
        return inner.__doc__ if wraps else target.__doc__
    # A callable object: its own docstring, that of its __call__, or that of its class.  The class
    # of an object that wraps a function, as a decorator made it, tells of decorators.
    docs = [_get_own_attributes(target).get("__doc__"), getattr(inner, "__doc__", None)]
    if not wraps:
        # A property of the class makes it for each object.
        docs.append(target.__doc__)
    return next((doc for doc in docs if _is_lazy(doc) or (isinstance(doc, str) and doc)), None)


def _read_class_doc(target: type, inner: Any) -> object:
    """Read the docstring of class *target* or its *inner* constructor, unless generated."""
    doc = target.__doc__ or getattr(inner, "__doc__", None)
    written = isinstance(inner, types.FunctionType) or target.__doc__
    # The docstring of a dataclass that has none is made of its signature.
    made = isinstance(doc, str) and doc.startswith(f"{target.__name__}(")
    return doc if written and not made else None


def _is_receiver(target: Any, inner: Any, first: Param) -> bool:
    """Whether parameter *first* of *target* is `self` or `cls` of an unbound method.

    The method may stand below decorators that keep it as `__wrapped__`.
    """
    if isinstance(target, type | types.MethodType | functools.partial):
        # Their signatures have no receiver.
        return False
    plain = isinstance(inner, types.FunctionType) and (target is inner or _is_wrapper(target))
    outer = getattr(inner, "__qualname__", "").rpartition(".")[0]
    if not plain or first.name not in _RECEIVERS or not outer or outer.endswith("<locals>"):
        return False
    owner = find_owner(inner)
    return owner is None or not isinstance(vars(owner).get(inner.__name__), staticmethod)


#: The usual names of receivers.
_RECEIVERS = ("self", "cls")


def get_deprecation(target: Any) -> str | None:
    """Return the message of the `deprecated` decorator on *target*, or None without it."""
    if isinstance(target, functools.partial):
        return get_deprecation(target.func)
    if isinstance(target, staticmethod | classmethod | types.MethodType):
        return get_deprecation(target.__func__)
    # An attribute of an ancestor or of the class of an object marks another thing.
    found = getattr(target, "__dict__", {}).get("__deprecated__")
    return str.__str__(found) if isinstance(found, str) else None


def mark_deprecated(description: str | None, message: str | None) -> str | None:
    """Append the deprecation *message*, if not None, to the tool *description*."""
    if message is None:
        return description
    mark = f"Deprecated: {message}" if message.strip() else "Deprecated."
    return mark if description is None else f"{description}\n\n{mark}"
