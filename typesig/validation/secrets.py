"""Secrets, such as passwords: which values are some, and issues that do not show them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import assert_never

from typesig.algebra.names import folded
from typesig.algebra.nodes import (
    Both,
    Enum,
    List,
    MapOf,
    Maybe,
    Not,
    Noted,
    One,
    Record,
    Ref,
    Refined,
    Scalar,
    Set,
    Tuple,
    Type,
    Union,
)
from typesig.algebra.traversal import level
from typesig.validation.issues import Issue


def without_secrets(
    issues: list[Issue], t: Type, names: Mapping[str, Type], secrets: Collection[str]
) -> list[Issue]:
    """Return *issues* of a value of *t*, where those that can show a secret only name its kind.

    *secrets* are the names of fields with secrets; an empty name is the whole value.
    """
    if not secrets:
        return issues
    known = {folded(name) for name in secrets}
    return [_masked(issue) if _may_show(t, names, issue.path, known) else issue for issue in issues]


def secrets_of_result(secrets: frozenset[str]) -> frozenset[str]:
    """Return *secrets* of a function, where `returns` is its result, for the result alone."""
    return secrets | {""} if "returns" in secrets else secrets


def _masked(issue: Issue) -> Issue:
    hint = "" if issue.hint.startswith("got ") else issue.hint
    # An excerpt begins with the kind of the value; the others are sentences without values.
    is_sentence = issue.code in (
        "call",
        "host",
        "json",
        "tool",
        "extra",
        "twice",
        "keys",
        "repeated",
        "renamed",
        "unwrapped",
    )
    got = issue.got if is_sentence else issue.got.partition(" ")[0]
    return Issue(issue.code, issue.path, issue.expected, got, hint, issue.rule, issue.hidden)


def _may_show(
    t: Type, names: Mapping[str, Type], path: tuple[str | int, ...], secrets: set[str]
) -> bool:
    """Return whether the value at *path* is a secret, within one, or has one."""
    if "" in secrets or any(folded(str(step)) in secrets for step in path):
        return True
    here: Iterable[Type] = [t]
    for step in path:
        shapes = [shape for each in here for shape in level(each, names)]
        here = [part for shape in shapes for part in parts_at(shape, step)]
    return has_secret(here, names, secrets)


def has_secret(types: Iterable[Type], names: Mapping[str, Type], secrets: Collection[str]) -> bool:
    """Return whether a field of *secrets* stands in one of *types*, at any depth."""
    pending, seen = list(types), set[Type]()
    while pending:
        for shape in level(pending.pop(), names):
            declared = shape.fields if isinstance(shape, Record) else ()
            if any(folded(field.name) in secrets for field in declared):
                return True
            if shape not in seen:
                seen.add(shape)
                pending.extend(parts_at(shape, None))
    return False


def parts_at(shape: Type, step: str | int | None) -> Iterator[Type]:
    """Yield the types of what *shape* has at *step*, or of all that it has."""
    match shape:
        case List(item) | Set(item):
            yield item
        case Tuple(items, rest):
            yield from (*items, *([] if rest is None else [rest]))
        case MapOf(_, value):
            yield value
        case Record(fields, extra):
            for field in fields:
                if step is None or field.key == folded(str(step)):
                    yield field.type
            yield from [] if extra is None else [extra]
        case Maybe() | Union() | One() | Both() | Refined() | Noted() | Ref():
            return  # `level` yields the types within, too
        case Scalar() | Enum() | Not():
            return
        case _:
            assert_never(shape)
