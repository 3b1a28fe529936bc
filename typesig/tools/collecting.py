"""The toolset of a module, a class, an instance, or callables."""

from __future__ import annotations

import types
from collections.abc import Iterable, Mapping
from importlib import import_module
from itertools import islice
from typing import TYPE_CHECKING, Any

from typesig.errors import ExtractionError, TooLarge, TypesigError
from typesig.extraction.callables.options import Options, options_of
from typesig.extraction.callables.warnings import HintWarning, cut, reading
from typesig.limits import MAX_TOOLS, MAX_WARNING
from typesig.tools.discovery import has_tools, of_class, of_instance, of_module
from typesig.tools.tool import Tool
from typesig.tools.toolset import Toolset

if TYPE_CHECKING:
    from typing import Unpack

    from typesig.extraction.callables.options import OptionKeywords
    from typesig.validation.rows.policy import ModeName, Policy


def tools_of(
    target: object,
    undecorated: bool = False,
    *,
    mode: ModeName | Policy | None = None,
    **options: Unpack[OptionKeywords],
) -> Toolset:
    """Return the tools of a module (or its dotted name), a class, an instance, or callables.

    Of a module, those that it defines or exports, in its order; of a class, its class methods and
    static methods; of an instance, the tools of its class, bound to it.  Callables are taken
    whether decorated or not, and a toolset is returned as it is.
    With *undecorated*, public functions are taken too, and extracted with the options of `extract`.
    A function that cannot be a tool is left out, with a warning.  *mode* is that of calls without
    one, of tools without one.

    >>> def double(n: int) -> int:
    ...     return 2 * n
    >>> tools_of([double]).names
    ('double',)
    """
    chosen = options_of("tools_of", options)
    if type(target) is Toolset:
        return target if mode is None else Toolset(target, target.warnings, mode=mode)
    found = _found_in(target, undecorated, chosen)
    return found if mode is None else Toolset(found, found.warnings, mode=mode)


def _found_in(target: object, undecorated: bool, chosen: Options) -> Toolset:
    if issubclass(type(target), str):
        target = import_module(str(target))
    with reading(target):
        found, all_of_them = _parts_of(target, undecorated)
    return _collected(found, undecorated or all_of_them, chosen)


def _parts_of(target: object, undecorated: bool) -> tuple[list[tuple[str, Any]], bool]:
    """Return what *target* has, by name, and whether undecorated functions are taken too."""
    if isinstance(target, types.ModuleType):
        return of_module(target), False
    if isinstance(target, type):
        return of_class(target, undecorated), False
    is_single = isinstance(target, Tool) or not has_tools(target)
    if callable(target) and not hasattr(target, "__iter__") and is_single:
        return [("", target)], True
    if isinstance(target, Iterable) and not isinstance(target, bytes | Mapping):
        given = [("", each) for each in islice(target, MAX_TOOLS + 1)]
        if len(given) > MAX_TOOLS:
            raise TooLarge(f"tools_of takes {MAX_TOOLS} functions, this iterable has more")
        return given, True
    if type(target).__module__ == "builtins":
        example = "tools.values()" if isinstance(target, Mapping) else "[f, g]"
        raise TypesigError(
            "tools_of takes a module, a class, an instance, or functions, not "
            f"{type(target).__name__}; write tools_of({example})"
        )
    return of_instance(target), False


def _collected(found: Iterable[tuple[str, Any]], undecorated: bool, options: Options) -> Toolset:
    tools: list[Tool[..., Any]] = []
    warnings: list[HintWarning] = []
    for _, value in found:
        if type(value) is HintWarning:
            warnings.append(value)
            continue
        try:
            # Its class may raise where it is asked for.
            with reading(value):
                if isinstance(value, Tool) or undecorated:
                    made = value if isinstance(value, Tool) else Tool(value, options=options)
                    tools.append(made._read())
        except TypesigError as error:
            warnings.append(_left_out(error))
    if not tools and not warnings:
        remedy = "decorate functions with @tool, or write undecorated=True"
        warnings.append(HintWarning("", "", "nothing here is a tool", remedy, "left_out"))
    return Toolset(tools, warnings)


def _left_out(error: TypesigError) -> HintWarning:
    """Return the warning that a callable is left out because of *error*."""
    reason, remedy = str(error), ""
    if isinstance(error, ExtractionError):
        reason, remedy = error.reason, error.remedy
    reason = f"{cut(reason, MAX_WARNING)}, so it is left out"
    return HintWarning("", "", reason, remedy or "correct it", "left_out")
