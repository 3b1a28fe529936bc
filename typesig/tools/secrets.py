"""Issues that do not show values of secret types, such as a password of a wrong kind."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import assert_never

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
    folded,
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
    here = [t]
    for step in path:
        shapes = [shape for each in here for shape in level(each, names)]
        here = [part for shape in shapes for part in _parts(shape, step)]
    pending, seen = here, set[Type]()
    while pending:
        for shape in level(pending.pop(), names):
            if isinstance(shape, Record) and any(field.key in secrets for field in shape.fields):
                return True
            if shape not in seen:
                seen.add(shape)
                pending.extend(_parts(shape, None))
    return False


def _parts(shape: Type, step: str | int | None) -> Iterator[Type]:
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
