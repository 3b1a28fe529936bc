"""Arguments of calls that are not sent as JSON: injected values, and texts to be read by type."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, NamedTuple, TypeAlias

from typesig.algebra.definitions import Definition
from typesig.algebra.nodes import ANY, NIL, Type
from typesig.algebra.rows.names import fold_name
from typesig.calls.binding import Binding
from typesig.errors import TypesigError
from typesig.validation.check.check import compile_checker
from typesig.validation.check_state import CheckState
from typesig.validation.issues.issues import Issue
from typesig.validation.json_text import BadJson, read_json
from typesig.validation.policy import ENABLED, Policy, RepairId
from typesig.validation.repair.input_reader import read_sent
from typesig.validation.verdicts import run_checker

# --- Injected and firewalled values of calls, by name ---

#: Values by name, or what returns them when it is asked for a call.
Given: TypeAlias = (
    Mapping[str, Any] | Callable[..., Mapping[str, Any] | Awaitable[Mapping[str, Any]]]
)


class InjectedValues:
    """The host values of the tool *name*: a mapping, or a function that returns it.

    *needed* has the names that the host supplies, each with whether the tool can do without it.
    Raises `TypesigError` if *given* is a dict that lacks one, or is neither a dict nor a function.
    """

    __slots__ = ("_given", "_name", "_needed", "_takes_context")

    def __init__(self, name: str, needed: Mapping[str, bool], given: Given | None) -> None:
        self._name = name
        self._needed = needed
        self._given = given
        self._takes_context = callable(given) and _accepts_context(given)
        if not callable(given):
            self._check_values(given)

    def values(self, context: object = None) -> Mapping[str, Any]:
        """Return the host values for a call in *context*, checked.

        Raises `TypesigError` if they lack a name that the tool needs, or can only be awaited.
        """
        given = self._call_function(context)
        if inspect.isawaitable(given):
            if inspect.iscoroutine(given):
                given.close()
            raise TypesigError(
                f"given for {self._name} is a coroutine function, and this call is not "
                "asynchronous: pass a plain function"
            )
        return self._check_values(given)

    async def avalues(self, context: object = None) -> Mapping[str, Any]:
        """Return the host values as `values` does; await a coroutine function."""
        given = self._call_function(context)
        return self._check_values(await given if inspect.isawaitable(given) else given)

    def _call_function(self, context: object) -> Any:
        """Return the host values, or the result of the function for them."""
        if not callable(self._given):
            return self._given
        return self._given(context) if self._takes_context else self._given()

    def _check_values(self, given: Any) -> Mapping[str, Any]:
        """Check that *given*, the host values, has every required name."""
        if not isinstance(given, Mapping | None):
            raise TypesigError(
                f"given for {self._name} is a dict, or a function that returns one, not "
                f"{type(given).__name__}"
            )
        values = given or {}
        missing = [
            name for name, optional in self._needed.items() if not optional and name not in values
        ]
        if missing:
            example = ", ".join(f'"{name}": …' for name in missing)
            raise TypesigError(
                f"{self._name} needs {', '.join(missing)} from its host: write "
                f"given={{{example}}}, or a function that returns it"
            )
        return values


def check_names(name: str, needed: Mapping[str, bool], given: Given | None) -> None:
    """Raise `TypesigError` if *given* has a name that is no host parameter of *name*."""
    unknown = [each for each in given if each not in needed] if isinstance(given, Mapping) else []
    if unknown:
        offered = f"it takes {', '.join(needed)}" if needed else "it needs nothing given"
        raise TypesigError(f"{name} takes no {unknown[0]} from its host; {offered}")


def _accepts_context(function: Callable[..., Any]) -> bool:
    """Whether *function* takes a context argument."""
    try:
        inspect.signature(function).bind(None)
    except (TypeError, ValueError):
        return False
    return True


# --- Arguments that are sent as the text of each: data by the types of the tool ---


class CastResult(NamedTuple):
    """Arguments converted from texts to data, with warnings about repairs."""

    data: dict[str, Any]
    warnings: tuple[Issue, ...]


def cast_texts(binding: Binding, texts: Mapping[str, str], policy: Policy) -> CastResult:
    """Convert the argument *texts* to data of the parameter types.

    JSON text is read as its data where that conforms to the type, unless it is a string: where the
    text itself conforms, it is the text.  A word for null is null where the type has null.
    """
    signature = binding.signature if binding.sent is None else binding.sent.signature
    types = {fold_name(field.name): field.type for field in signature.params}
    # What is said of undeclared arguments; if that is nothing, they stay texts.
    other = None if signature.extra == ANY else signature.extra
    data: dict[str, Any] = {}
    warnings: list[Issue] = []
    for key, text in texts.items():
        t = types.get(fold_name(key), other)
        if t is None:
            data[key] = text
            continue
        data[key], found = _cast(text, t, signature.definitions, policy)
        warnings += [Issue(w.code, (key, *w.path), w.expected, w.got, "", w.rule) for w in found]
    return CastResult(data, tuple(warnings))


def _cast(
    text: str, t: Type, definitions: tuple[Definition, ...], policy: Policy
) -> tuple[Any, tuple[Issue, ...]]:
    """Convert *text* to a value of *t*, as JSON or as plain text, with any warnings."""

    def conforms(value: Any) -> bool:
        run = CheckState(1)
        run_checker(compile_checker(t, definitions, _EXACT), value, run)
        return not run.errors

    try:
        data = read_json(text)
    except BadJson:
        data = text
    if not isinstance(data, str) and conforms(data):
        return data, ()
    if conforms(None):
        words = policy.changed(repairs=_WORDS)
        read = read_sent(text, "the text is", NIL, {}, words, lambda made, _: made is None)
        if read.error is None and read.data is None:
            return None, read.warnings
    if conforms(text):
        return text, ()
    if not isinstance(data, str) or conforms(data):
        return data, ()
    names = {each.name: each.type for each in definitions}
    # Where no text is wanted, a word without quotes and an escaped quote have no other meaning.
    escaped: frozenset[RepairId] = frozenset({"escaped_json"} if policy.repairs else ())
    mends = policy.changed(repairs=policy.repairs | _WORDS | escaped)
    read = read_sent(text, "the text is", t, names, mends, lambda made, _: conforms(made))
    if read.error is None and conforms(read.data):
        return read.data, read.warnings
    # The coercions of the policy may read it.
    return text, ()


_EXACT = ENABLED.for_output()

#: The repairs of words that JSON writes otherwise, such as `True` and `NULL`.
_WORDS: frozenset[RepairId] = frozenset({"python_literal", "literal_case"})
