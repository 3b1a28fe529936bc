"""How Malli writes names and texts, types, formats and constraints."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, Literal, NamedTuple, TypeAlias

from typesig.algebra import nodes
from typesig.algebra.constructors import find_kinds, make_enum, make_not, make_refined, record
from typesig.algebra.nodes import ANY, FLOAT, STRING, List, MapOf, Set, Type
from typesig.algebra.rows.constraints import Constraint, ConstraintName
from typesig.algebra.rows.scalars import ScalarName
from typesig.algebra.rows.values import Keyword, Kind
from typesig.notations.edn import Symbol, is_name

# --- Malli's names of types, formats and predicates, and those that are refused ---
# To write another scalar, add its row to `SCALAR_FORMS`.  To read another name of a type, add its
# row to `READ` or `PREDICATES`; to refuse a name, to `REFUSED`; a name that people guess, to
# `GUESSED`.


def _format(name: str) -> nodes.Type:
    """Build the type of strings in the format *name*."""
    return make_refined(nodes.STRING, [Constraint("format", name)])


def _add_limits(t: nodes.Type, *names: ConstraintName) -> nodes.Type:
    """Build the refinement of *t* by the bounds *names*, all of them at zero."""
    return make_refined(t, [Constraint(name, 0) for name in names])


#: How each scalar is written: a name, or a form made of names.
SCALAR_FORMS: dict[ScalarName, str | tuple[str, ...]] = {
    "string": "string",
    "int": "int",
    "float": "double",
    "bool": "boolean",
    "keyword": "keyword",
    "any": "any",
    "nil": "nil",
    "datetime": "time/offset-date-time",
    "map": ("map-of", "keyword", "any"),
}

#: The formats that have a name of their own; others are the property `:format`.
FORMAT_NAMES: dict[str, str] = {
    "uuid": "uuid",
    "date": "time/local-date",
    "time": "time/local-time",
    "offset-time": "time/offset-time",
    "duration": "time/duration",
}

#: The name of anything but nil.
NOT_NIL = "some"

#: The types by their names, with names that are read but never written.
READ: dict[str, nodes.Type] = {
    **{form: nodes.Scalar(name) for name, form in SCALAR_FORMS.items() if isinstance(form, str)},
    NOT_NIL: make_not(nodes.NIL),
    **{name: _format(known) for known, name in FORMAT_NAMES.items()},
    "float": nodes.FLOAT,
    "time/instant": nodes.DATETIME,
    "time/zoned-date-time": nodes.DATETIME,
}

#: The types that predicates of Clojure stand for.
PREDICATES: dict[str, nodes.Type] = {
    "any?": nodes.ANY, "some?": make_not(nodes.NIL), "nil?": nodes.NIL, "string?": nodes.STRING,
    "int?": nodes.INT, "integer?": nodes.INT, "pos-int?": _add_limits(nodes.INT, "above"),
    "neg-int?": _add_limits(nodes.INT, "below"), "nat-int?": _add_limits(nodes.INT, "at_least"),
    "number?": nodes.FLOAT, "float?": nodes.FLOAT, "double?": nodes.FLOAT,
    "pos?": _add_limits(nodes.FLOAT, "above"), "neg?": _add_limits(nodes.FLOAT, "below"),
    "zero?": _add_limits(nodes.FLOAT, "at_least", "at_most"), "boolean?": nodes.BOOL,
    "true?": make_enum([True]), "false?": make_enum([False]), "keyword?": nodes.KEYWORD,
    "uuid?": _format("uuid"), "uri?": _format("uri"), "decimal?": _format("decimal"),
    "bytes?": _format("base64"),
    "char?": make_refined(nodes.STRING, [Constraint("at_least", 1), Constraint("at_most", 1)]),
    "inst?": nodes.DATETIME, "map?": record([]), "vector?": nodes.List(nodes.ANY),
    "sequential?": nodes.List(nodes.ANY), "list?": nodes.List(nodes.ANY),
    "seq?": nodes.List(nodes.ANY), "set?": nodes.Set(nodes.ANY),
}  # fmt: skip

_CODE = "it runs code"

#: Malli's names that are not read: why, or what to write instead.
REFUSED: dict[str, str] = {
    "=>": "a function must be the root, not within a type",
    "->": "a function must be the root, not within a type",
    "function": "a function must be the root, not within a type",
    "fn": f"{_CODE}; write constraints such as [:and :int [:> 0]], or [:re …]",
    "not": "write it in shorthand, :not[:T]; anything but nil is :some",
    "not=": "write it in shorthand, :not[:enum[…]]; anything but nil is :some",
    "merge": "write one [:map …] with all the entries, or [:and [:map …] [:map …]]",
    "union": "write one [:map …] with all the entries",
    "select-keys": "write one [:map …] with the entries that stay",
    "andn": "write [:and …]",
    "alt": "write [:or …]",
    "altn": "write [:or …]",
    "repeat": "write [:vector {:min 1 :max 5} :T]",
    "every": "write [:sequential :T]",
    "seqable": "write [:sequential :T]",
    "symbol": "write :keyword, or :string",
    "qualified-symbol": "write :keyword, or :string",
    "qualified-keyword": "write :keyword",
    "time/local-date-time": "it has no offset; write :time/offset-date-time",
    "time/zone-id": "write :string",
    "time/zone-offset": "write :string",
    "time/period": "write :time/duration",
}

#: Predicates that are not read, and what to write instead.
REFUSED_PREDICATES: dict[str, str] = {
    "fn?": "data has no functions", "ifn?": "data has no functions",
    "coll?": "write [:or [:vector :any] [:set :any] :map]",
    "seqable?": "write [:or [:vector :any] [:set :any] :map]",
    "empty?": "write [:vector {:max 0} :any]", "associative?": "write :map",
    "indexed?": "write [:vector :any]", "ident?": "write :keyword",
    "simple-ident?": "write :keyword", "qualified-ident?": "write :keyword",
    "simple-keyword?": "write :keyword", "qualified-keyword?": "write :keyword",
    "symbol?": "write :keyword, or :string", "simple-symbol?": "write :keyword, or :string",
    "qualified-symbol?": "write :keyword, or :string", "ratio?": "write :double",
    "rational?": "write :double",
}  # fmt: skip

#: Names that people guess, and what to write instead.
GUESSED: dict[str, str] = {
    "str": ":string", "text": ":string", "String": ":string", "integer": ":int",
    "number": ":double", "bool": ":boolean", "null": ":nil", "none": ":nil",
    "list": "[:vector :any]", "array": "[:vector :any]", "object": ":map", "dict": ":map",
    "record": ":map", "optional": "[:maybe :T]", "datetime": ":time/offset-date-time",
    "date": ":time/local-date", "time": ":time/local-time", "duration": ":time/duration",
    "email": '[:string {:format "email"}]', "uri": '[:string {:format "uri"}]',
    "url": '[:string {:format "uri"}]',
}  # fmt: skip


# --- How names and texts are told apart: in Python data, and in what EDN text reads to ---
# In Python data a keyword is text with a leading colon, and a symbol is any other text; so a text
# that itself begins with a colon has no form there.  EDN tells all of them apart.


class FormSpelling(NamedTuple):
    """The functions that distinguish keywords, symbols and texts in Malli data.

    #: word: returns the name of a keyword, or None for anything else
    #: symbol: returns the name of a symbol, or None for anything else
    #: keyword: returns the keyword of a name
    #: has_text: tells whether it has a form for a text
    #: has_keyword: tells whether it has a form for a keyword
    #: why: why it has no form for some texts or keywords
    """

    word: Callable[[object], str | None]
    symbol: Callable[[object], str | None]
    keyword: Callable[[str], Any]
    has_text: Callable[[str], bool]
    has_keyword: Callable[[str], bool]
    why: str


def get_text(form: object) -> str | None:
    """Return *form* if it is a text and not a keyword, else None."""
    return str.__str__(form) if isinstance(form, str) and not isinstance(form, Keyword) else None


def _read_python_word(form: object) -> str | None:
    """Return the name of *form*, a keyword in Python data such as `":int"`, or None."""
    if isinstance(form, Keyword):
        return str.__str__(form)
    if isinstance(form, str) and form.startswith(":"):
        # Clojure's "::" refers to the namespace of the file; data has none.
        return str.__str__(form)[1:].removeprefix(":")
    return None


PYTHON = FormSpelling(
    word=_read_python_word,
    symbol=lambda form: form.name if isinstance(form, Symbol) else get_text(form),
    keyword=":".__add__,
    has_text=lambda text: not text.startswith(":"),
    has_keyword=lambda name: True,
    why="text with a leading colon is a keyword in malli",
)

EDN = FormSpelling(
    word=lambda form: str.__str__(form) if isinstance(form, Keyword) else None,
    symbol=lambda form: form.name if isinstance(form, Symbol) else None,
    keyword=lru_cache(maxsize=1024)(Keyword),
    has_text=lambda text: True,
    has_keyword=is_name,
    why="EDN has no keyword of such a name",
)


# --- How Malli writes constraints, and where: one row each ---
# To write another constraint, fill its row in `CONSTRAINT_FORMS`; the reader reads what it names.

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


_MIN, _MAX = ConstraintForm("min", False), ConstraintForm("max", False)


class ConstraintForms(NamedTuple):
    """The Malli forms of a constraint, by the groups of types that have one.

    #: phrase: what a loss calls the constraint, with its argument
    #: why: the reason that a loss gives where there is no form
    """

    phrase: str
    forms: Mapping[Group, ConstraintForm] = {}
    why: str = "Malli has no form for it here"


CONSTRAINT_FORMS: dict[ConstraintName, ConstraintForms] = {
    "at_least": ConstraintForms(
        "at least {}", {"number": ConstraintForm(">=", True), "text": _MIN, "collection": _MIN}
    ),
    "above": ConstraintForms("above {}", {"number": ConstraintForm(">", True)}),
    "at_most": ConstraintForms(
        "at most {}", {"number": ConstraintForm("<=", True), "text": _MAX, "collection": _MAX}
    ),
    "below": ConstraintForms("below {}", {"number": ConstraintForm("<", True)}),
    "multiple_of": ConstraintForms("a multiple of {}", why="Malli has only bounds for numbers"),
    "pattern": ConstraintForms("the pattern /{}/", {"text": ConstraintForm("re", True)}),
    "format": ConstraintForms("the format {}", {"text": ConstraintForm("format", False)}),
    "unique": ConstraintForms("unique items", why="Malli has [:set …], whose values are sets"),
}


def get_form(constraint: Constraint, group: Group | None) -> ConstraintForm | None:
    """Return the form of *constraint* for types of *group*, or None."""
    return None if group is None else CONSTRAINT_FORMS[constraint.name].forms.get(group)


def _list_words(group: Group, is_member: bool) -> dict[str, ConstraintName]:
    """Map Malli's words for constraints on types of *group* to the names of constraints."""
    words: dict[str, ConstraintName] = {}
    for name, forms in CONSTRAINT_FORMS.items():
        form = forms.forms.get(group)
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
