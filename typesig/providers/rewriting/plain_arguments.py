"""Whether arguments are sent unchanged: most are, and need no rewriting for their schema.

A fast path of `typesig.providers.rewriting`, which says the same of each such type; a law compares
the two.
"""

from __future__ import annotations

from typesig.algebra import nodes
from typesig.algebra.rows.frozen import FOREIGN, HIDDEN, NAMES, RECORDS, cache_by_identity
from typesig.algebra.rows.values import ConstKind
from typesig.algebra.signature import Signature
from typesig.notations.json_schema.writer import Style
from typesig.providers.rewriting.descriptions import is_sendable
from typesig.providers.rows.profile import PRIMITIVES, Profile


def is_sent_unchanged(profile: Profile, signature: Signature) -> bool:
    """Whether *profile* takes the parameters of *signature* without any loss or change."""
    params, rule = signature.params, profile.property_names
    if not params or signature.extra is not nodes.ANY or not _takes_plain_types(profile):
        return False
    for field in params:
        name, default = field.name, field.default
        if not (name.isascii() if rule is None else rule.allows(name)):
            return False
        if field.flags & _OTHER or field.depth > _DEEPEST:
            return False
        # Of the constants, lists and maps have parts.
        if default is not None and (default.kind not in _SCALARS or not is_sendable(default.value)):
            return False
        t = field.type
        if type(t) is nodes.Annotation:
            if t.title is not None or t.text is None or not is_sendable(t.text):
                return False
            t = t.inner
        # Where a default stands, null is a value of its own.
        if not _is_plain(t) or (default is not None and type(t) is nodes.Maybe):
            return False
    return True


@cache_by_identity
def _takes_plain_types(profile: Profile) -> bool:
    """Whether *profile* takes open objects, constants of one kind and defaults as they are."""
    style = profile.style._replace(
        whole_objects=False, closing=True, lone_references=False, falses=False, pattern=None
    )
    is_restricted = profile.closed or profile.complete or profile.typed or not profile.defaults
    return not is_restricted and style == Style() and profile.enums >= PRIMITIVES


#: The depth of a type up to which no schema is too deep.
_DEEPEST = 32

_SCALARS: frozenset[ConstKind] = frozenset({*PRIMITIVES, "nil"})

#: What only some profiles take, or what has a form of its own.
_OTHER = FOREIGN | HIDDEN | NAMES | RECORDS


@cache_by_identity
def _is_plain(t: nodes.Type) -> bool:
    """Whether *t* is a scalar, texts to choose from, or a list or a nullable type of such."""
    match t:
        case nodes.Scalar():
            return True
        case nodes.List(item):
            return _is_plain(item)
        case nodes.Maybe(inner):
            return inner != nodes.ANY and _is_plain(inner)
        case nodes.Enum(values):
            return all(
                each.kind == "string" and each.value and is_sendable(each.value) for each in values
            )
        case _:
            return False
