"""How Malli writes constraints, and where: one row each.

To write another constraint, fill its row in `CONSTRAINT_FORMS`; the reader reads what it names.
"""

from __future__ import annotations

from typing import Literal, NamedTuple, TypeAlias

from typesig.algebra.constructors import find_kinds
from typesig.algebra.nodes import ANY, FLOAT, STRING, List, MapOf, Set, Type
from typesig.algebra.rows.constraints import Constraint, ConstraintName
from typesig.algebra.rows.values import Kind

#: The kinds of values whose types Malli can constrain, in groups that it writes alike.
Group: TypeAlias = Literal["number", "text", "collection"]

GROUPS: dict[Kind, Group | None] = {
    "nil": None, "bool": None, "int": "number", "float": "number", "string": "text",
    "keyword": None, "list": "collection", "map": "collection", "set": "collection",
    "datetime": None, "object": None,
}  # fmt: skip


#: The type of all values of a kind, for constraints that stand beside a type in `:and`.
WHOLES: dict[Kind, Type | None] = {
    "nil": None, "bool": None, "int": None, "float": None, "string": STRING, "keyword": None,
    "list": List(ANY), "map": MapOf(ANY, ANY), "set": Set(ANY), "datetime": None, "object": None,
}  # fmt: skip


def group_of(t: Type) -> Group | None:
    """Return the group (number, text or collection) of all values of *t*, or None."""
    groups: set[Group | None] = {GROUPS[kind] for kind in find_kinds(t) or ()}
    return groups.pop() if len(groups) == 1 else None


class ConstraintForm(NamedTuple):
    """A Malli form of a constraint: a property name, or the head of a member of `:and`."""

    word: str
    is_member: bool


class ConstraintForms(NamedTuple):
    """The Malli forms of a constraint for numbers, texts and collections.

    #: phrase: what a loss calls the constraint, with its argument
    #: number: a member of `:and`
    #: text: a property or a member of `:and`
    #: collection: a property
    #: why: the reason that a loss gives where there is no form
    """

    phrase: str
    number: ConstraintForm | None
    text: ConstraintForm | None
    collection: ConstraintForm | None
    why: str = "Malli has no form for it here"

    def get_for_group(self, group: Group) -> ConstraintForm | None:
        """Return the form for types of *group*, or None."""
        forms: dict[Group, ConstraintForm | None] = {
            "number": self.number,
            "text": self.text,
            "collection": self.collection,
        }
        return forms[group]


def _make_property_form(word: str) -> ConstraintForm:
    """Build the form of a constraint that Malli writes as the property *word*."""
    return ConstraintForm(word, False)


def _make_member_form(word: str) -> ConstraintForm:
    """Build the form of a constraint that Malli writes as a member *word* of `:and`."""
    return ConstraintForm(word, True)


CONSTRAINT_FORMS: dict[ConstraintName, ConstraintForms] = {
    "at_least": ConstraintForms(
        "at least {}",
        _make_member_form(">="),
        _make_property_form("min"),
        _make_property_form("min"),
    ),
    "above": ConstraintForms("above {}", _make_member_form(">"), None, None),
    "at_most": ConstraintForms(
        "at most {}",
        _make_member_form("<="),
        _make_property_form("max"),
        _make_property_form("max"),
    ),
    "below": ConstraintForms("below {}", _make_member_form("<"), None, None),
    "multiple_of": ConstraintForms(
        "a multiple of {}", None, None, None, "Malli has only bounds for numbers"
    ),
    "pattern": ConstraintForms("the pattern /{}/", None, _make_member_form("re"), None),
    "format": ConstraintForms("the format {}", None, _make_property_form("format"), None),
    "unique": ConstraintForms(
        "unique items", None, None, None, "Malli has [:set …], whose values are sets"
    ),
}


def get_form(constraint: Constraint, group: Group | None) -> ConstraintForm | None:
    """Return the form of *constraint* for types of *group*, or None."""
    return None if group is None else CONSTRAINT_FORMS[constraint.name].get_for_group(group)


def _list_words(group: Group, is_member: bool) -> dict[str, ConstraintName]:
    """Map Malli's words for constraints on types of *group* to the names of constraints."""
    words: dict[str, ConstraintName] = {}
    for name, forms in CONSTRAINT_FORMS.items():
        form = forms.get_for_group(group)
        if form is not None and form.is_member == is_member:
            words[form.word] = name
    return words


#: The properties of texts, and those of collections, which numbers are read with too.
TEXT_PROPERTIES = _list_words("text", False)
SIZES = _list_words("collection", False)


class Member(NamedTuple):
    """A constraint written as a member of `:and`, and the type of the values it limits.

    #: whole: the type of all values that it is about; `:and` refuses the others
    """

    name: ConstraintName
    group: Group
    whole: Type


#: The members of `:and` that are constraints.
MEMBERS: dict[str, Member] = {
    **{word: Member(name, "number", FLOAT) for word, name in _list_words("number", True).items()},
    **{word: Member(name, "text", STRING) for word, name in _list_words("text", True).items()},
}
