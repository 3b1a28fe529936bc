"""Malli's names of types, formats and predicates, and those that are refused, with remedies.

To write another scalar, add its row to `SCALAR_FORMS`.  To read another name of a type, add its row
to `READ` or `PREDICATES`; to refuse a name, to `REFUSED`; a name that people guess, to `GUESSED`.
"""

from __future__ import annotations

from typing import NamedTuple

from typesig.algebra import nodes
from typesig.algebra.constructors import make_enum, make_not, make_refined, record
from typesig.algebra.rows.constraints import Constraint, ConstraintName
from typesig.algebra.rows.scalars import ScalarName


def _format(name: str) -> nodes.Type:
    """Build the type of strings in the format *name*."""
    return make_refined(nodes.STRING, [Constraint("format", name)])


def _add_limits(t: nodes.Type, *names: ConstraintName) -> nodes.Type:
    """Build the refinement of *t* by the bounds *names*, all of them at zero."""
    return make_refined(t, [Constraint(name, 0) for name in names])


class WiderForm(NamedTuple):
    """The wider Malli type for an inexpressible scalar, and the reason."""

    name: str
    why: str


#: How each scalar is written: a name, a form made of names, or something wider.
SCALAR_FORMS: dict[ScalarName, str | tuple[str, ...] | WiderForm] = {
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
