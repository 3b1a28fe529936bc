"""Issues that show no secrets, such as passwords, and no firewalled values at any place."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import assert_never

from typesig.algebra import nodes
from typesig.algebra.redaction import find_hiding_names, hides_field
from typesig.algebra.rows.frozen import HIDDEN
from typesig.algebra.rows.names import fold_name
from typesig.algebra.traversal import get_item_types, iter_distinct_parts, iter_same_value_types
from typesig.validation.issues.excerpt import get_excerpt_kind
from typesig.validation.issues.issues import Issue, IssueCode, get_issue_hint
from typesig.validation.issues.suggestions import Remedy, SuggestionSearch
from typesig.validation.rows.check_state import Finding
from typesig.validation.rows.keys import get_near_form


def hide_private_values(
    issues: list[Issue], t: nodes.Type, names: Mapping[str, nodes.Type], secrets: Collection[str]
) -> list[Issue]:
    """Return *issues* of a value of *t*, with secrets and firewalled values masked.

    *secrets* are the names of fields with secrets; an empty name is the whole value.  A misplaced
    secret may be any value that is wrong, so of a type with secrets every issue only names kinds.
    Of a type with firewalled fields, those issues do that which are of a value where such a field
    may be, or show the name of one.
    """
    if not issues or not may_hide(t, names, secrets):
        return issues
    if has_any_secret([t], names, {fold_name(name) for name in secrets}):
        return [_mask_issue(issue) for issue in issues]
    hidden = FirewalledFields(names, [t])
    return [_mask_issue(issue) if hidden.may_be_in(t, issue) else issue for issue in issues]


def may_hide(t: nodes.Type, names: Mapping[str, nodes.Type], secrets: Collection[str]) -> bool:
    """Whether *t* may have secrets or firewalled fields; quick, and true in doubt."""
    return bool(secrets or t.flags & HIDDEN or any(u.flags & HIDDEN for u in names.values()))


def get_result_secrets(secrets: frozenset[str]) -> frozenset[str]:
    """Return the *secrets* of a function's result; an empty name is the entire result."""
    return secrets | {""} if "returns" in secrets else secrets


#: The issues whose `got` is an excerpt of a value.  Those of the others are sentences, names of
#: keys and counts.
_EXCERPTS: tuple[IssueCode, ...] = (
    "type", "enum", "refined", "key", "keys", "duplicate", "cannot", "cannot_be", "coerced",
    "empty", "naive",
)  # fmt: skip


def _mask_issue(issue: Issue) -> Issue:
    """Copy of *issue* without excerpts of the value in its texts."""
    hint = get_issue_hint(issue)
    if isinstance(hint, Remedy):
        # Its text may have the value.
        hint = hint.write_form()
    hint = "" if isinstance(hint, str) and hint.startswith("got ") else hint
    got = get_excerpt_kind(issue.got) if issue.code in _EXCERPTS else issue.got
    found = Finding(issue.code, issue.expected, got, hint, issue.rule)
    search = getattr(issue, "_search", None) or SuggestionSearch()
    return Issue._make_lazy(issue.path, issue.hidden, found, search)


class FirewalledFields:
    """The firewalled fields of types that share definitions."""

    def __init__(self, names: Mapping[str, nodes.Type], types: Iterable[nodes.Type]) -> None:
        self._names = names
        self._hiding = find_hiding_names(names)
        #: The names of the fields as they are compared.
        self.forms: frozenset[str] = frozenset(
            [
                get_unhidden_form(field.name)
                for part in iter_distinct_parts(
                    t for t in (*types, *names.values()) if t.flags & HIDDEN
                )
                if isinstance(part, nodes.Record)
                for field in part.fields
                if field.firewalled
            ]
        )

    def may_be_in(self, t: nodes.Type, issue: Issue) -> bool:
        """Whether *issue* of a value of *t* may show a firewalled value."""
        hint = get_issue_hint(issue)
        # What has to be looked for is a declared name or value.
        told = f"{issue.got} {hint if isinstance(hint, str) else ''}"
        if issue.hidden >= 0 or self.mentions_firewalled_key(told):
            return True
        here: Iterable[nodes.Type] = [t]
        for step in issue.path:
            shapes = [shape for each in here for shape in iter_same_value_types(each, self._names)]
            here = [part for shape in shapes for part in iter_parts_at(shape, step)]
        return self.is_in_any(here)

    def is_in_any(self, types: Iterable[nodes.Type]) -> bool:
        """Whether one of *types* has a firewalled field, at any depth."""
        return any(hides_field(t, self._hiding) for t in types)

    def mentions_firewalled_key(self, text: str) -> bool:
        """Whether *text*, an excerpt of data, has a key like a firewalled name."""
        return has_key_of(text, self.forms)


def has_key_of(text: str, forms: Collection[str]) -> bool:
    """Whether *text*, which may be data, has a key whose unhidden form is in *forms*."""
    return any(get_unhidden_form(key) in forms for key in _KEY.findall(text))


#: A key in data, or in a text that may be data: a word before a colon or a sign of equality.
_KEY = re.compile(r"""(?<![\w-])([\w-]+)\\*["']?\s*[:=]""")


def get_unhidden_form(name: str) -> str:
    """Return the near form of *name* without its leading underscores and hyphens.

    >>> get_unhidden_form("_user-id") == get_unhidden_form("userId")
    True
    """
    return get_near_form(name.lstrip("_-"))


def has_any_secret(
    types: Iterable[nodes.Type], names: Mapping[str, nodes.Type], secrets: Collection[str]
) -> bool:
    """Whether one of *types* has a field named in *secrets*, at any depth.

    An empty name is the whole value.
    """
    if "" in secrets:
        return True
    pending, seen = list(types), set[nodes.Type]()
    while pending:
        for shape in iter_same_value_types(pending.pop(), names):
            if isinstance(shape, nodes.Record) and _may_declare(shape, secrets):
                return True
            if shape not in seen:
                seen.add(shape)
                pending.extend(iter_parts_at(shape, None))
    return False


def _may_declare(record: nodes.Record, secrets: Collection[str]) -> bool:
    """Whether *record* declares one of *secrets*, or may have it among its extras."""
    if any(fold_name(field.name) in secrets for field in record.fields):
        return True
    # The name of `**tokens` is that of no key.
    return record.extra not in (None, nodes.ANY) and bool(secrets)


def iter_parts_at(shape: nodes.Type, step: str | int | None) -> Iterator[nodes.Type]:
    """Yield the types of the parts of *shape* at *step*, or of all parts if None."""
    match shape:
        case nodes.MapOf(_, value):
            yield value
        case nodes.Record(fields, extra, matching):
            for field in fields:
                if step is None or field.key == fold_name(str(step)):
                    yield field.type
            for each in matching:
                if step is None or each.test()(str(step)):
                    yield each.type
            yield from [] if extra is None else [extra]
        case nodes.Leaf() | nodes.Container() | nodes.Through() | nodes.Not():
            yield from get_item_types(
                shape
            )  # `iter_same_value_types` yields the types within others, too
        case _:
            assert_never(shape)
