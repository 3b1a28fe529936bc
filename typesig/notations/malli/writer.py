"""Signatures to Malli data and EDN text."""

from __future__ import annotations

from typing import Any, assert_never

from typesig.algebra import nodes
from typesig.algebra.loss import Losses
from typesig.algebra.rows.constraints import Constraint
from typesig.algebra.rows.scalars import ScalarName
from typesig.algebra.rows.values import Const
from typesig.algebra.signature import Signature, make_type_signature
from typesig.notations.malli.names import (
    FORMAT_NAMES,
    NOT_NIL,
    SCALAR_FORMS,
    FormSpelling,
    get_form,
    group_of,
)
from typesig.notations.malli.widening import widen_signature


def render_data(
    signature: Signature, spelling: FormSpelling, result_only: bool, named: bool
) -> tuple[Any, Losses]:
    """Write *signature*, or its result, as Malli data; also return the losses."""
    if result_only:
        signature = make_type_signature(signature.returns, signature.definitions)
    widened, losses = widen_signature(signature, spelling, named)
    writer = Writer(spelling)
    if result_only:
        return writer.with_registry(writer.write_type(widened.returns), widened), losses
    return writer.write_function(widened, named), losses


class Writer:
    """Writer of types as Malli forms, in Python data or in EDN."""

    def __init__(self, spelling: FormSpelling) -> None:
        self.word = spelling.keyword

    def write_function(self, signature: Signature, named: bool) -> Any:
        """Write *signature* as a function form, with `:catn` if *named*."""
        kw = self.word
        params = [kw("catn" if named else "cat")]
        for field in signature.params:
            form = self.write_param(field)
            params.append([self.write_key(field), form] if named else form)
        returns = self.write_type(signature.returns)
        return self.with_registry([kw("=>"), params, returns], signature)

    def with_registry(self, form: Any, signature: Signature) -> Any:
        """Wrap *form* in a `:schema` with the definitions of *signature*."""
        if not signature.definitions:
            return form
        names = {d.name: self.write_type(d.type) for d in signature.definitions}
        return [self.word("schema"), {self.word("registry"): names}, form]

    def write_type(self, t: nodes.Type) -> Any:
        """Write the type *t* as a Malli form."""
        kw = self.word
        match t:
            case nodes.Scalar(name):
                return self.write_scalar(name)
            case nodes.List(item):
                return [kw("vector"), self.write_type(item)]
            case nodes.Set(item):
                return [kw("set"), self.write_type(item)]
            case nodes.Tuple(items, rest):
                if rest is None:
                    return [kw("tuple"), *map(self.write_type, items)]
                behind = [kw("*"), self.write_at_place(rest)]
                return [kw("cat"), *map(self.write_at_place, items), behind]
            case nodes.MapOf(key, value):
                return self.map_of(key, value)
            case nodes.Record(fields, extra):
                closed = [] if extra is not None else [{kw("closed"): True}]
                return [kw("map"), *closed, *map(self.write_entry, fields)]
            case nodes.Maybe(inner):
                return [kw("maybe"), self.write_type(inner)]
            case nodes.Enum(values):
                return self.write_enum(values)
            case nodes.Union(members):
                return [kw("or"), *map(self.write_type, members)]
            case nodes.Both(members):
                return [kw("and"), *map(self.write_type, members)]
            case nodes.Refinement(inner, constraints):
                return self.write_refined(inner, constraints)
            case nodes.Annotation():
                return self.write_annotated(t)
            case nodes.Ref(name):
                return [kw("ref"), name]
            case nodes.Not():
                return kw(NOT_NIL)
            case nodes.One() | nodes.ItemCount():  # pragma: no cover - these are widened
                raise AssertionError(t)
            case _:
                assert_never(t)

    def write_scalar(self, name: ScalarName) -> Any:
        """Write the scalar called *name* as a Malli form."""
        form = SCALAR_FORMS[name]
        return self.word(form) if isinstance(form, str) else [self.word(word) for word in form]

    def write_at_place(self, t: nodes.Type) -> Any:
        """Write *t* as an item of a sequence; wrap it if it is a sequence."""
        form = self.write_type(t)
        if type(form) is list and form[0] == self.word("cat"):
            return [self.word("schema"), form]
        return form

    def map_of(self, key: nodes.Type, value: nodes.Type) -> Any:
        """Write a map type of *key* and *value* types as a Malli form."""
        keys = self.write_type(key)
        if key == nodes.KEYWORD and value == nodes.ANY:
            # Without `:schema` it would be the form of the scalar map, whose keys are texts.
            keys = [self.word("schema"), keys]
        return [self.word("map-of"), keys, self.write_type(value)]

    # properties

    def write_annotated(self, t: nodes.Annotation) -> Any:
        """Write the annotated type *t* with its title and description."""
        words = {"title": t.title, "description": t.text}
        given = {self.word(name): text for name, text in words.items() if text is not None}
        return self.add_properties(self.write_type(t.inner), given)

    def add_properties(self, form: Any, given: dict[Any, Any]) -> Any:
        """Add the properties *given* to *form*, or wrap it if names clash."""
        if type(form) is not list:
            return [form, given]
        head, *parts = form
        if not parts or type(parts[0]) is not dict:
            return [head, given, *parts]
        if parts[0].keys() & given.keys():
            return [self.word("schema"), given, form]
        return [head, {**parts[0], **given}, *parts[1:]]

    # fields

    def write_key(self, field: nodes.Field) -> Any:
        """Write the name of *field* as a keyword, or as text if it is exact."""
        return field.name if field.exact else self.word(field.name)

    def write_entry(self, field: nodes.Field) -> Any:
        """Write *field* as an entry of a `:map` form."""
        if field.default is not None:
            given = {self.word("default"): self.write_value(field.default)}
        elif not field.required:
            given = {self.word("optional"): True}
        else:
            return [self.write_key(field), self.write_type(field.type)]
        return [self.write_key(field), given, self.write_type(field.type)]

    def write_param(self, field: nodes.Field) -> Any:
        """Write the parameter *field* as an item of the parameter sequence."""
        form = self.write_at_place(field.type)
        if field.default is not None:
            form = self.add_properties(
                form, {self.word("default"): self.write_value(field.default)}
            )
        return form if field.required else [self.word("?"), form]

    # values

    def write_enum(self, values: tuple[Const, ...]) -> Any:
        """Write an enum of *values*; guard a first map or nil against being properties."""
        first: list[Any] = [{}] if values[0].kind in ("map", "nil") else []
        return [self.word("enum"), *first, *map(self.write_value, values)]

    def write_value(self, value: Const) -> Any:
        """Write the constant *value* as Malli data."""
        match value.kind:
            case "keyword":
                return self.word(str.__str__(value.value))
            case "list":
                return [self.write_value(item) for item in value.value]
            case "map":
                return {pair.name: self.write_value(pair.const) for pair in value.value}
            case "nil" | "bool" | "int" | "float" | "string":
                return value.value
            case _:
                assert_never(value.kind)

    # constraints

    def write_refined(self, inner: nodes.Type, constraints: tuple[Constraint, ...]) -> Any:
        """Write *inner* with *constraints* as properties and members of `:and`."""
        group = group_of(inner)
        properties: dict[str, list[Any]] = {}
        members: list[Any] = []
        for constraint in constraints:
            form, argument = get_form(constraint, group), constraint.argument.value
            assert form is not None
            if form.is_member:
                members.append([self.word(form.word), argument])
            else:
                properties.setdefault(form.word, []).append(argument)
        whole = self.with_properties(inner, properties)
        return [self.word("and"), whole, *members] if members else whole

    def with_properties(self, inner: nodes.Type, properties: dict[str, list[Any]]) -> Any:
        """Write *inner* with *properties*, or as a Malli name for both."""
        if inner == nodes.STRING and properties.keys() == {"format"}:
            name, *others = properties["format"]
            if not others and name in FORMAT_NAMES:
                return self.word(FORMAT_NAMES[name])
        if not properties:
            return self.write_type(inner)
        given = {self.word(k): v[0] if len(v) == 1 else v for k, v in properties.items()}
        return self.add_properties(self.write_type(inner), given)
