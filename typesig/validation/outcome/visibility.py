"""Which parts of what a model sent may be shown to it again: no firewalled parts, no secrets."""

from __future__ import annotations

import re
from collections.abc import Collection, Container, Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any, NamedTuple, assert_never

from typesig.algebra import nodes
from typesig.algebra.definitions import Definition
from typesig.algebra.redaction import find_hiding_names, hides_field
from typesig.algebra.rows.frozen import HIDDEN
from typesig.algebra.rows.names import fold_name
from typesig.algebra.rows.values import get_kind
from typesig.algebra.traversal import get_item_types, iter_distinct_parts, iter_same_value_types
from typesig.validation.check_state import Finding, Subject
from typesig.validation.issues.excerpt import get_excerpt_kind
from typesig.validation.issues.issues import Issue, IssueCode, get_issue_hint
from typesig.validation.issues.suggestions import Remedy, SuggestionSearch
from typesig.validation.keys import get_near_form

# --- Issues that show no secrets, such as passwords, and no firewalled values at any place ---


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
        if issue.hidden >= 0 or has_key_of(told, self.forms):
            return True
        here: Iterable[nodes.Type] = [t]
        for step in issue.path:
            shapes = [shape for each in here for shape in iter_same_value_types(each, self._names)]
            here = [part for shape in shapes for part in iter_parts_at(shape, step)]
        return self.is_in_any(here)

    def is_in_any(self, types: Iterable[nodes.Type]) -> bool:
        """Whether one of *types* has a firewalled field, at any depth."""
        return any(hides_field(t, self._hiding) for t in types)


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
            if isinstance(shape, nodes.Record) and (
                any(fold_name(field.name) in secrets for field in shape.fields)
                # The name of `**tokens` is that of no key.
                or (shape.extra not in (None, nodes.ANY) and bool(secrets))
            ):
                return True
            if shape not in seen:
                seen.add(shape)
                pending.extend(iter_parts_at(shape, None))
    return False


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


# --- Which parts of what a model sent may be shown to it again: no firewalled parts, no secrets ---
# The parts of a value are followed together with the shapes that judge them, so that a value is
# known as a secret also where it is of a wrong kind.

#: What stands for the value of a secret.
SECRET = '"<Secret>"'

#: What stands for what is left out.
CUT = "…"

#: The shapes that judge a value; empty if its type is not known.
Shapes = tuple[nodes.Type, ...]


class KeyVisibility(NamedTuple):
    """Visibility of one key of a map, with the types of its value.

    #: firewalled: whether a model is not shown the entry
    #: secret: whether the value is a secret, or may be one
    #: shapes: those of the value; fields: the fields that the key stands for
    """

    firewalled: bool
    secret: bool
    shapes: Shapes
    fields: tuple[nodes.Field, ...]


def _collect_shapes(types: Iterable[nodes.Type], names: Mapping[str, nodes.Type]) -> Shapes:
    """Collect the shapes of values of any of *types*, with *names* resolved."""
    return tuple(dict.fromkeys([shape for t in types for shape in iter_same_value_types(t, names)]))


#: How much is kept of a type from one value to the next: patterns of keys may make any number of
#: combinations of shapes.
_MOST_KEPT = 1000


class _TypeVisibility:
    """Visibility of the parts of a type, shared by all values checked against it.

    *secrets* are the names of fields with secrets.

    #: names: the definitions; whole: the shapes of the whole value
    #: secrets: those that stand in the type; forms: what they share with names like them
    #: firewalled: the firewalled fields, or None if nothing is hidden
    #: entries: what is known of declared names; items: the shapes of the items of lists that do
    #:     not tell them apart, at place 0; of both, at most `_MOST_KEPT`
    """

    __slots__ = ("entries", "firewalled", "forms", "items", "names", "secrets", "whole")

    def __init__(
        self, t: nodes.Type, definitions: tuple[Definition, ...], secrets: frozenset[str]
    ) -> None:
        self.names = names = {d.name: d.type for d in definitions}
        self.whole = _collect_shapes([t], names)
        self.secrets: frozenset[str] = frozenset()
        self.firewalled: FirewalledFields | None = None
        if may_hide(t, names, secrets):
            named = frozenset(fold_name(name) for name in secrets)
            self.secrets = named if has_any_secret(self.whole, names, named) else self.secrets
            self.firewalled = FirewalledFields(names, [t])
        self.forms = frozenset(get_unhidden_form(name) for name in self.secrets)
        self.entries: dict[tuple[Shapes, str], KeyVisibility] = {}
        self.items: dict[tuple[Shapes, int], Shapes] = {}


_get_type_visibility = lru_cache(maxsize=256)(_TypeVisibility)

#: What tells nothing: there is no type.
_UNTOLD = _TypeVisibility(nodes.ANY, (), frozenset())


class Visibility:
    """Lookup whether the parts of a value may be shown, cached by key."""

    def __init__(self, subject: Subject | None, wrong: Container[int] = ()) -> None:
        told = _UNTOLD
        if subject is not None:
            told = _get_type_visibility(subject.type, subject.definitions, subject.secrets)
        self.names = told.names
        self.whole: Shapes = () if subject is None else told.whole
        self._secrets = told.secrets
        self._firewalled = told.firewalled
        self._forms = told.forms
        self._declared = told.entries
        self._alike = told.items
        self._wrong = wrong
        self._is_unchecked = subject is not None and subject.policy.on_issue != "fail"
        self._entries: dict[tuple[Shapes, str], KeyVisibility] = {}
        self._items: dict[tuple[Shapes, int], Shapes] = {}
        self._with_secrets: dict[Shapes, bool] = {}

    def get_entry(self, shapes: Shapes, key: str) -> KeyVisibility:
        """Return the visibility of *key* in a map of these *shapes*."""
        place = shapes, key
        known = self._declared.get(place) or self._entries.get(place)
        if known is None:
            known = self._make_entry(shapes, key)
            # A model may spell a name in any number of ways.
            is_declared = any(field.name == key for field in known.fields)
            kept = is_declared and len(self._declared) < _MOST_KEPT
            (self._declared if kept else self._entries)[place] = known
        return known

    def _make_entry(self, shapes: Shapes, key: str) -> KeyVisibility:
        """Determine the visibility of the entry *key* in a map of *shapes*."""
        fields: list[nodes.Field] = []
        below: list[nodes.Type] = []
        is_data = False
        for shape in shapes:
            match shape:
                case nodes.Record(declared, extra, matching):
                    found = [f for f in declared if f.name == key or f.key == fold_name(key)]
                    fields += found
                    below += [f.type for f in found]
                    below += [m.type for m in matching if m.test()(key)]
                    below += [] if found or extra is None else [extra]
                case nodes.MapOf(_, value):
                    below.append(value)
                    is_data = True
                case nodes.Leaf() | nodes.Container() | nodes.Through() | nodes.Not():
                    pass  # the level has the types within, too
                case _:
                    assert_never(shape)
        form = get_unhidden_form(key)
        is_private = fold_name(key).startswith("_")
        is_named = self._firewalled is not None and form in self._firewalled.forms
        # The keys of a map may be any; elsewhere one like a firewalled name may stand for it.
        is_data = is_data or nodes.ANY in shapes
        looks_firewalled = is_private and is_named if is_data else is_private or is_named
        firewalled = any(f.firewalled for f in fields) if fields else looks_firewalled
        # What a model sends under a wrong key may well be a secret that belongs elsewhere.
        is_record = any(isinstance(shape, nodes.Record) for shape in shapes)
        misplaced = not fields and is_record and bool(self._secrets)
        secret = misplaced or form in self._forms
        return KeyVisibility(firewalled, secret, _collect_shapes(below, self.names), tuple(fields))

    def get_item_shapes(self, shapes: Shapes, index: int) -> Shapes:
        """Return the types of the item at *index* in a list of *shapes*."""
        # Only a tuple tells its items apart; in a wrong one a hidden value may be at any place.
        tells = any(isinstance(shape, nodes.Tuple) for shape in shapes)
        tells = tells and not (self._may_hold_secrets(shapes) or self._may_be_firewalled(shapes))
        place = shapes, index if tells else 0
        known = self._alike.get(place) if not tells else None
        known = self._items.get(place) if known is None else known
        if known is None:
            at = index if tells else None
            parts = [part for shape in shapes for part in get_item_types(shape, at)]
            known = _collect_shapes(parts, self.names)
            kept = not tells and len(self._alike) < _MOST_KEPT
            (self._alike if kept else self._items)[place] = known
        return known

    def get_concealment(self, shapes: Shapes, value: Any) -> str:
        """Return the placeholder for a hidden *value*, or an empty text."""
        if self._secrets:
            return SECRET if self._may_be_secret(shapes, value) else ""
        is_wrong = self._is_unchecked or id(value) in self._wrong
        if self._firewalled is None:
            return ""
        if isinstance(value, str) and has_key_of(str.__str__(value), self._firewalled.forms):
            return CUT
        hides = (
            is_wrong and self._may_be_firewalled(shapes) and not _has_inner_shapes(shapes, value)
        )
        return CUT if hides else ""

    def _may_be_secret(self, shapes: Shapes, value: Any) -> bool:
        """Whether *value*, of *shapes*, may contain a secret."""
        if "" in self._secrets or self._is_unchecked or id(value) in self._wrong:
            return True
        if isinstance(value, str) and has_key_of(str.__str__(value), self._forms):
            # A whole object may have been written into one of its texts.
            return True
        return not _has_inner_shapes(shapes, value) and self._may_hold_secrets(shapes)

    def _may_be_firewalled(self, shapes: Shapes) -> bool:
        """Whether a value of *shapes* may contain a firewalled field."""
        return self._firewalled is not None and self._firewalled.is_in_any(shapes)

    def _may_hold_secrets(self, shapes: Shapes) -> bool:
        """Whether the types *shapes* have a secret field; cached."""
        known = self._with_secrets.get(shapes)
        if known is None:
            known = has_any_secret(shapes, self.names, self._secrets)
            self._with_secrets[shapes] = known
        return known

    @property
    def is_open(self) -> bool:
        """Whether the type has neither secrets nor firewalled fields."""
        return not self._secrets and (self._firewalled is None or not self._firewalled.forms)


def _has_inner_shapes(shapes: Shapes, value: Any) -> bool:
    """Whether *shapes* declare types for the items or entries of *value*."""
    match get_kind(value):
        case "map":
            return any(isinstance(shape, nodes.Record | nodes.MapOf) for shape in shapes)
        case "list":
            return any(
                isinstance(shape, nodes.List | nodes.Set | nodes.Tuple | nodes.ItemCount)
                for shape in shapes
            )
        case _:
            return False
