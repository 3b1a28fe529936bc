"""Hints of choices: unions, literals, enums, and classes themselves."""

from __future__ import annotations

import sys
import typing
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from typesig.algebra.constructors import (
    make_enum,
    make_maybe,
    make_not,
    make_noted,
    make_refined,
    make_union,
)
from typesig.algebra.nodes import (
    ANY,
    FLOAT,
    INT,
    MAP,
    NIL,
    STRING,
    Enum,
    Leaf,
    List,
    MapOf,
    Maybe,
    Set,
    Type,
)
from typesig.algebra.rows.constraints import Constraint
from typesig.algebra.rows.values import Const, to_const
from typesig.algebra.signature import Signature, make_type_signature
from typesig.algebra.traversal import get_children, transform
from typesig.errors import TypesigError
from typesig.extraction.callables.generics import LITERAL, UNIONS
from typesig.extraction.hints.context import Findings, HintContext, HostType
from typesig.extraction.hints.metadata import add_text, get_class_text
from typesig.extraction.python_types import decoders, encoders
from typesig.extraction.python_types.decoders import BadParts, BranchBadParts, find_bad_parts
from typesig.extraction.python_types.leaves import get_member_constant, is_enum, is_flag, to_base64
from typesig.limits import MAX_FLAG_BITS, MAX_ISSUES

if TYPE_CHECKING:
    from typesig.validation.check_state import Checker


#: The type that has no values.
NEVER = make_not(ANY)
_BASE64 = make_refined(STRING, [Constraint("format", "base64")])


def read_union(context: HintContext, _hint: Any, _origin: Any, arguments: Any) -> HostType:
    """Return the type of a union of *arguments* without sentinels such as UNSET."""
    branches = [branch for branch in arguments if not is_sentinel(branch)]
    return (
        read_branches(context, branches) if context.output else _read_input_union(context, branches)
    )


def _read_input_union(context: HintContext, branches: list[Any]) -> HostType:
    """Return the type of an argument's union, without branches that have no JSON form.

    They are left out with a warning, since they would make `:any` of the whole.
    """
    findings = context.findings
    found = [findings.read_apart(partial(context.read, branch)) for branch in branches]
    lost = [
        part.type == ANY
        and (formless or any(warning.reason.startswith("the name ") for warning in told))
        for part, told, formless in found
    ]
    without = [
        is_lost or (formless and holds_only_any(part.type))
        for is_lost, (part, _, formless) in zip(lost, found, strict=True)
    ]
    # Collections of objects are left out only beside something else that can be sent.
    others = [part for (part, _, _), is_lost in zip(found, without, strict=True) if not is_lost]
    lost = without if any(part.type != NIL for part in others) else lost
    kept = [part for (part, _, _), is_lost in zip(found, lost, strict=True) if not is_lost]
    is_typed = any(part.type != NIL for part in kept) and not any(_is_any(p.type) for p in kept)
    for (_, warnings, is_formless), is_lost in zip(found, lost, strict=True):
        for warning in warnings:
            findings.warn(warning.of_branch() if is_lost and is_typed else warning)
        findings.formless |= is_formless and not (is_lost and is_typed)
    return join_branches(context, kept if is_typed else [part for part, _, _ in found])


def read_branches(context: HintContext, branches: typing.Iterable[Any]) -> HostType:
    """Return the type of a union of the hints *branches*."""
    return join_branches(context, [context.read(branch) for branch in branches])


def join_branches(context: HintContext, found: list[HostType]) -> HostType:
    """Return the type of the union of the types *found*."""
    # `T | None`, as most unions are.
    part = _find_nullable_branch(found)
    if part is not None:
        encode = encoders.make_nullable(part.encode)
        return HostType(make_maybe(part.type), decoders.make_nullable(part.decode), True, encode)
    kept = [part for part in found if part.type not in (NIL, NEVER)]
    nil = any(part.nil for part in found)
    encode = encoders.make_union(
        [(_make_acceptance_test(context.findings, p.type), p.encode) for p in found]
    )
    # int | float is a float to the model; the function gets the number as it was sent.
    if any(part.type == FLOAT for part in kept) and any(part.type == INT for part in kept):
        context.findings.exact = True
        kept = [HostType(FLOAT) if p.type == FLOAT else p for p in kept if p.type != INT]
    if any(p.type == STRING and p.decode is None for p in kept):
        # Any text could be base64: bytes beside text would take what was meant as text.
        kept = [part for part in kept if part.type != _BASE64]
    kept = _drop_bytes_branches(kept)
    if not kept:
        return HostType(NIL, None, True)
    shown = [part.type for part in kept]
    if any(_is_any(t) for t in shown):
        # Beside `:any`, a list or map of anything says nothing.
        shown = [t for t in shown if _is_any(t) or not _has_only_any(t)]
    whole = make_union([part.type for part in found if part.type == NIL] + shown)
    if len(kept) == 1:
        only = kept[0].decode
        return HostType(whole, decoders.make_nullable(only) if nil else only, nil, encode)
    types = [part.type for part in kept]
    decode = decoders.make_union(
        tuple((_make_acceptance_test(context.findings, part.type), part.decode) for part in kept),
        _make_undeclared_counter(context.findings, types),
        _make_branch_finder(context.findings, types),
        tuple(types),
    )
    return HostType(whole, decoders.make_nullable(decode) if nil else decode, nil, encode)


def _drop_bytes_branches(found: list[HostType]) -> list[HostType]:
    """Drop union branches that are collections of bytes beside such collections of text."""
    texts = {part.type for part in found}
    return [
        part
        for part in found
        if isinstance(part.type, Leaf)
        or (of_text := transform(part.type, lambda t: STRING if t == _BASE64 else t)) == part.type
        or of_text not in texts
    ]


def _find_nullable_branch(found: list[HostType]) -> HostType | None:
    """Return the branch beside None in a union of only two branches *found*, or None."""
    if len(found) != 2:
        return None
    first, second = found
    part, nil = (first, second) if second.type is NIL else (second, first)
    return part if nil.type is NIL and part.type not in (NIL, NEVER) else None


def _is_any(t: Type) -> bool:
    """Whether *t* is `:any` or `:any?`."""
    return t in (ANY, make_maybe(ANY))


def holds_only_any(t: Type) -> bool:
    """Whether *t* is `:any`, or a collection with items or values of type `:any`."""
    inner = t.inner if isinstance(t, Maybe) else t
    return _is_any(inner) or inner == MAP or any(map(holds_only_any, _items_of(inner)))


def _items_of(t: Type) -> Iterable[Type]:
    """Return the item types of the list or set *t*, or the value type of the map *t*."""
    return (
        (t.value,) if isinstance(t, MapOf) else get_children(t) if isinstance(t, List | Set) else ()
    )


def _has_only_any(t: Type) -> bool:
    """Whether *t* is a collection in which all items and values are `:any`."""
    if isinstance(t, MapOf):
        return t.key == STRING and (_is_any(t.value) or _has_only_any(t.value))
    inner = get_children(t)
    return t == MAP or (
        isinstance(t, List | Set) and all(_is_any(each) or _has_only_any(each) for each in inner)
    )


def _make_undeclared_counter(findings: Findings, types: list[Type]) -> Callable[[int, Any], int]:
    """Make a function that counts the undeclared keys of a value for a union branch."""

    def count(place: int, value: Any) -> int:
        from typesig.validation.check.record_branches import count_undeclared

        return count_undeclared(types[place], value, findings.definitions)

    return count


def _make_branch_finder(
    findings: Findings, types: list[Type]
) -> Callable[[Any, BadParts], decoders.BranchMatch | None]:
    """Make a function that finds the only union branch a refused value may belong to."""
    known: list[tuple[Mapping[str, Type], frozenset[str], list[Checker]]] = []

    def meant(value: Any, bad: BadParts) -> decoders.BranchMatch | None:
        from typesig.validation.check.check import compile_checker
        from typesig.validation.check.record_branches import find_tag_names
        from typesig.validation.check_state import CheckState
        from typesig.validation.policy import ENABLED
        from typesig.validation.verdicts import run_checker

        # More definitions may be found until all hints have been read.
        if not known or known[-1][0] != findings.definitions:
            held = dict(findings.definitions)
            wholes = [make_type_signature(t, held) for t in types]
            policy = ENABLED.for_call()
            checks = [compile_checker(whole.returns, whole.definitions, policy) for whole in wholes]
            known[:] = [(held, find_tag_names(tuple(types), held), checks)]
        _, tags, checks = known[-1]
        if not tags.isdisjoint(bad):
            # The value is of no branch.
            return None
        found: list[decoders.BranchMatch] = []
        for place, check in enumerate(checks):
            run = CheckState(MAX_ISSUES)
            read = run_checker(check, value, run)
            refused = find_bad_parts(run, BranchBadParts)
            if refused is not None and refused == bad:
                found.append(decoders.BranchMatch(place, read, refused))
        return found[0] if len(found) == 1 else None

    return meant


def _make_acceptance_test(findings: Findings, t: Type) -> Callable[[Any], bool]:
    """Make a predicate for values of *t*, using the definitions in *findings*."""
    known: list[tuple[Mapping[str, Type], Signature]] = []

    def accepts(value: Any) -> bool:
        # More definitions may be found until all hints have been read.
        if not known or known[-1][0] != findings.definitions:
            held = dict(findings.definitions)
            known[:] = [(held, make_type_signature(t, held))]
        return known[-1][1].accepts(value)

    return accepts


def read_literal(context: HintContext, hint: Any, _origin: Any, arguments: Any) -> HostType:
    """Return the type of a `Literal`."""
    members: dict[Const, Any] = {}
    nil = False
    for value in arguments:
        if value is None:
            nil = True
            continue
        try:
            if type(value) is bytes:
                known = to_const(to_base64(value))
            else:
                known = get_member_constant(value) if is_enum(type(value)) else to_const(value)
        except TypesigError as error:
            return context.fall_back(hint, str(error), "write values that JSON has")
        members[known] = value
    if not members:
        return HostType(NIL, None, True)
    t: Type = Enum(tuple(members))
    return HostType(make_maybe(t) if nil else t, decoders.make_members(members), nil)


def read_enum(context: HintContext, hint: Any, _origin: Any, _arguments: Any) -> HostType:
    """Return the type of an enum class."""
    if is_flag(hint):
        return _read_flag(context, hint)
    members = {get_member_constant(member): member for member in hint}
    if not members:
        return context.fall_back(hint, "the enum has no members", "give it members")
    return HostType(
        make_noted(make_enum(members), get_class_text(context, hint)),
        decoders.make_members(members),
    )


def _read_flag(context: HintContext, hint: Any) -> HostType:
    """Return the integer type for the members of a flag and their sums."""
    bits = [member.value for member in hint]

    def made(value: int) -> Any:
        try:
            return hint(value)
        except ValueError as error:
            raise decoders.HostError(str(error).partition("\n")[0]) from None

    decode = decoders.LeafDecoder(made)
    if len(bits) > MAX_FLAG_BITS and context.ptc_runner:
        return HostType(INT, decode)
    if len(bits) > MAX_FLAG_BITS:
        top = 0
        for bit in bits:
            top |= bit
        return HostType(
            make_refined(INT, [Constraint("at_least", 0), Constraint("at_most", top)]), decode
        )
    sums = {0}
    for bit in bits:
        sums |= {known | bit for known in sums}
    shown = ", ".join(f"{member.value} {member.name}" for member in hint)
    t = add_text(
        make_noted(make_enum(sorted(sums)), f"a sum of {shown}"), get_class_text(context, hint)
    )
    return HostType(t, decode)


def read_hashable(context: HintContext, hint: Any, _origin: Any, _arguments: Any) -> HostType:
    """Return the type of JSON's hashable values; a result may have others, such as a tuple."""
    if context.output:
        return context.fall_back_without_form(hint)
    found = read_branches(context, (str, int, float, bool))
    return found._replace(type=make_union([found.type, NIL]))


def read_type(context: HintContext, hint: Any, _origin: Any, arguments: Any) -> HostType:
    """Return the enum of the names of the classes in `type[C]`, with their subclasses."""
    asked = arguments[0] if arguments else Any
    tops = typing.get_args(asked) or (asked,)
    if any(not isinstance(top, type) or top.__module__ in sys.stdlib_module_names for top in tops):
        # The descendants of these differ from process to process.
        return context.fall_back_without_form(hint)
    known: dict[str, Any] = {}
    for top in tops:
        for cls in sorted(
            _find_descendants(top), key=lambda cls: (cls is not top, cls.__qualname__)
        ):
            known.setdefault(cls.__name__, cls)
    return HostType(make_enum(known), decoders.LeafDecoder(known.__getitem__))


def _find_descendants(cls: Any) -> set[Any]:
    """Find *cls* and all its direct and indirect subclasses."""
    found, pending = {cls}, [cls]
    while pending:
        below = set(type.__subclasses__(pending.pop())) - found
        found |= below
        pending.extend(below)
    return found


# --- Sentinels in hints: objects that mean a missing value, which no model can send ---


def is_sentinel(branch: Any) -> bool:
    """Whether *branch* of a union is a sentinel of msgspec or of PEP 661."""
    return getattr(branch, "__name__", "") == "UnsetType" or is_missing(branch)


def is_missing(value: Any) -> bool:
    """Whether *value* is a sentinel of PEP 661, such as pydantic's `MISSING`."""
    kind = type(value)
    return kind.__name__ in ("Sentinel", "sentinel") and kind.__module__ in _HOMES


_HOMES = ("builtins", "typing", "typing_extensions")


def find_sentinel(hint: Any) -> Any:
    """Return the PEP 661 sentinel among the branches of the union *hint*, or None."""
    branches = typing.get_args(hint) if type(hint) in UNIONS else ()
    return next((b for b in branches if is_missing(b)), None)


def drop_sentinel(context: HintContext, hint: Any, default: Any) -> list[Any] | None:
    """Return the branches of *hint* without the sentinel *default*; None if no sentinel.

    Sentinels are the only member of an enum, `object()`, and what has no JSON form, as in
    `a: str | NotGiven = NOT_GIVEN`.
    """
    cls: Any = type(default)
    branches = (hint,) if type(hint) is LITERAL else typing.get_args(hint)
    is_only = is_enum(cls) and len(cls) == 1
    others = [branch for branch in branches if branch is not cls and branch is not default]
    if is_only:
        others = [each for branch in others for each in _drop_member(branch, default)]
    elif not (cls is object or is_missing(default)):
        is_plain = cls.__module__ == "builtins"
        if is_plain or len(others) == len(branches) or context.has_form(cls):
            return None
    return others if others and others != list(branches) else None


def _drop_member(branch: Any, member: Any) -> list[Any]:
    """Remove the enum *member* from *branch* if it is a `Literal`; return the branches."""
    if typing.get_origin(branch) is not typing.Literal:
        return [branch]
    values = typing.get_args(branch)
    kept = tuple(value for value in values if value is not member)
    if len(kept) == len(values):
        return [branch]
    return [typing.Literal[kept]] if kept else []
