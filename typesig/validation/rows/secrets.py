"""Issues that show no secrets, such as passwords, and no firewalled values at any place."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import assert_never

from typesig.algebra import nodes
from typesig.algebra.rows.frozen import HIDDEN
from typesig.algebra.rows.names import folded
from typesig.algebra.traversal import distinct_parts, item_types, level
from typesig.algebra.views.redaction import hides, hiding_names
from typesig.validation.issues.excerpt import kind_in
from typesig.validation.issues.issues import Issue, IssueCode, hint_alone
from typesig.validation.issues.near import Search
from typesig.validation.issues.remedies import Remedy
from typesig.validation.rows.keys import near_form
from typesig.validation.rows.run import Found


def without_hidden(
    issues: list[Issue], t: nodes.Type, names: Mapping[str, nodes.Type], secrets: Collection[str]
) -> list[Issue]:
    """Return *issues* of a value of *t* without what they show of secrets and firewalled values.

    *secrets* are the names of fields with secrets; an empty name is the whole value.  A misplaced
    secret may be any value that is wrong, so of a type with secrets every issue only names kinds.
    Of a type with firewalled fields, those issues do that which are of a value where such a field
    may be, or show the name of one.
    """
    if not issues or not may_hide(t, names, secrets):
        return issues
    if any_secret([t], names, {folded(name) for name in secrets}):
        return [_masked(issue) for issue in issues]
    hidden = Firewalled(names, [t])
    return [_masked(issue) if hidden.may_be_in(t, issue) else issue for issue in issues]


def may_hide(t: nodes.Type, names: Mapping[str, nodes.Type], secrets: Collection[str]) -> bool:
    """Return whether *t* may have secrets or firewalled fields; quick, and true in doubt."""
    return bool(secrets or t.flags & HIDDEN or any(u.flags & HIDDEN for u in names.values()))


def secrets_of_result(secrets: frozenset[str]) -> frozenset[str]:
    """Return *secrets* of a function, where `returns` is its result, for the result alone."""
    return secrets | {""} if "returns" in secrets else secrets


#: The issues whose `got` is an excerpt of a value.  Those of the others are sentences, names of
#: keys and counts.
_EXCERPTS: tuple[IssueCode, ...] = (
    "type", "enum", "refined", "key", "keys", "duplicate", "cannot", "cannot_be", "coerced",
    "empty", "naive",
)  # fmt: skip


def _masked(issue: Issue) -> Issue:
    hint = hint_alone(issue)
    if isinstance(hint, Remedy):
        # Its text may have the value.
        hint = hint.form()
    hint = "" if isinstance(hint, str) and hint.startswith("got ") else hint
    got = kind_in(issue.got) if issue.code in _EXCERPTS else issue.got
    found = Found(issue.code, issue.expected, got, hint, issue.rule)
    search = getattr(issue, "_search", None) or Search()
    return Issue._later(issue.path, issue.hidden, found, search)


class Firewalled:
    """The firewalled fields of types that share definitions."""

    def __init__(self, names: Mapping[str, nodes.Type], types: Iterable[nodes.Type]) -> None:
        self._names = names
        self._hiding = hiding_names(names)
        #: The names of the fields as they are compared.
        self.forms: frozenset[str] = frozenset(
            [
                unhidden_form(field.name)
                for part in distinct_parts(t for t in (*types, *names.values()) if t.flags & HIDDEN)
                if isinstance(part, nodes.Record)
                for field in part.fields
                if field.firewalled
            ]
        )

    def may_be_in(self, t: nodes.Type, issue: Issue) -> bool:
        """Return whether *issue* of a value of *t* may show a firewalled value."""
        hint = hint_alone(issue)
        # What has to be looked for is a declared name or value.
        told = f"{issue.got} {hint if isinstance(hint, str) else ''}"
        if issue.hidden >= 0 or self.is_told_of(told):
            return True
        here: Iterable[nodes.Type] = [t]
        for step in issue.path:
            shapes = [shape for each in here for shape in level(each, self._names)]
            here = [part for shape in shapes for part in parts_at(shape, step)]
        return self.stands_in(here)

    def stands_in(self, types: Iterable[nodes.Type]) -> bool:
        """Return whether a firewalled field stands in one of *types*, at any depth."""
        return any(hides(t, self._hiding) for t in types)

    def is_told_of(self, text: str) -> bool:
        """Return whether *text*, an excerpt of data, has a key like a firewalled name."""
        return names_one(text, self.forms)


def names_one(text: str, forms: Collection[str]) -> bool:
    """Return whether *text*, which may be data, has a key whose unhidden form is in *forms*."""
    return any(unhidden_form(key) in forms for key in _KEY.findall(text))


#: A key in data, or in a text that may be data: a word before a colon or a sign of equality.
_KEY = re.compile(r"""(?<![\w-])([\w-]+)\\*["']?\s*[:=]""")


def unhidden_form(name: str) -> str:
    """Return what names share that differ only in case, separators or leading underscores.

    >>> unhidden_form("_user-id") == unhidden_form("userId")
    True
    """
    return near_form(name.lstrip("_-"))


def any_secret(
    types: Iterable[nodes.Type], names: Mapping[str, nodes.Type], secrets: Collection[str]
) -> bool:
    """Return whether a field of *secrets* stands in one of *types*, at any depth.

    An empty name is the whole value.
    """
    if "" in secrets:
        return True
    pending, seen = list(types), set[nodes.Type]()
    while pending:
        for shape in level(pending.pop(), names):
            if isinstance(shape, nodes.Record) and _declares(shape, secrets):
                return True
            if shape not in seen:
                seen.add(shape)
                pending.extend(parts_at(shape, None))
    return False


def _declares(record: nodes.Record, secrets: Collection[str]) -> bool:
    """Return whether *record* declares one of *secrets*, or may have it among its extras."""
    if any(folded(field.name) in secrets for field in record.fields):
        return True
    # The name of `**tokens` is that of no key.
    return record.extra not in (None, nodes.ANY) and bool(secrets)


def parts_at(shape: nodes.Type, step: str | int | None) -> Iterator[nodes.Type]:
    """Yield the types of what *shape* has at *step*, or of all that it has."""
    match shape:
        case nodes.MapOf(_, value):
            yield value
        case nodes.Record(fields, extra, matching):
            for field in fields:
                if step is None or field.key == folded(str(step)):
                    yield field.type
            for each in matching:
                if step is None or each.test()(str(step)):
                    yield each.type
            yield from [] if extra is None else [extra]
        case nodes.Leaf() | nodes.Container() | nodes.Through() | nodes.Not():
            yield from item_types(shape)  # `level` yields the types within others, too
        case _:
            assert_never(shape)
