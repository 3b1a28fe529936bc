"""Forms for elicitation, in the protocol's subset of JSON Schema."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Generic, Literal, NamedTuple, TypeVar, overload

from typesig.calls.functions import ToolError
from typesig.errors import TypesigError
from typesig.tools.answers.contract_factory import contract
from typesig.validation.outcome.outcome import Outcome

if TYPE_CHECKING:
    from typesig.tools.answers.contract import Contract

T = TypeVar("T")

#: The keywords of each type that a form has, beside `type`.
_KEYWORDS = {
    "boolean": ("default",),
    "integer": ("minimum", "maximum", "default"),
    "number": ("minimum", "maximum", "default"),
    "string": ("minLength", "maxLength", "format", "default"),
}
_TEXTS = ("title", "description")
_FORMATS = ("date", "date-time", "email", "uri")

#: The name of the field of a form that asks for one value.
_ALONE = "value"

_SHOWN = (
    "a form has one line for each field: a text, a number, a boolean, one of several texts, or "
    "some of them"
)


class Elicited(NamedTuple, Generic[T]):
    """The response of a person to a form.

    #: action: they accepted it, declined, or left it without a choice
    #: outcome: what their answer says, if they accepted: `ok` is false if it never fitted
    """

    action: Literal["accept", "decline", "cancel"]
    outcome: Outcome[T] | None = None

    @property
    def value(self) -> T:
        """The person's answer; raises `ToolError` for a missing or invalid answer."""
        match self.action:
            case "decline":
                raise ToolError("the person was asked, and declined to answer")
            case "cancel":
                raise ToolError("the person was asked, and did not answer")
        assert self.outcome is not None
        if not self.outcome.ok:
            raise ToolError(f"the person's answer does not fit: {self.outcome.report()}")
        return self.outcome.result


class Form(Generic[T]):
    """A question to a person, whose answer has the type *asked*.

    *asked* is what `contract` takes: a flat record of texts, numbers, booleans and choices, or one
    of these.  *message* tells the person what is asked; a class with a docstring needs none.
    Raises `TypesigError` with the place of what no form can show.

    #: contract: what the answer has to be; message, schema: what a client shows

    >>> from typesig.mcp import Form
    >>> Form(int, "How many?").schema
    {'type': 'object', 'properties': {'value': {'type': 'integer'}}, 'required': ['value']}
    """

    __slots__ = ("_empty", "_is_alone", "contract", "message", "schema")
    contract: Contract[T]
    message: str
    schema: Mapping[str, Any]

    @overload
    def __init__(self, asked: type[T], message: str | None = None) -> None: ...
    @overload
    def __init__(self: Form[Any], asked: object, message: str | None = None) -> None: ...
    def __init__(self, asked: Any, message: str | None = None) -> None:
        self.contract = contract(asked)
        whole = self.contract.to_json_schema(inline=True)
        self._is_alone = "properties" not in whole
        told = message if message is not None else whole.get("description")
        if not isinstance(told, str) or not told.strip():
            raise TypesigError('a form needs a message: write Form(int, "How many?")')
        self.message = told
        owner = str(whole.get("title", ""))
        if self._is_alone:
            whole = {"properties": {_ALONE: whole}, "required": [_ALONE]}
        fields, self._empty = {}, set()
        for name, each in whole["properties"].items():
            place = ".".join(filter(None, [owner, "" if self._is_alone else name]))
            fields[name], can_lack = _make_field(each, place)
            if can_lack and name in whole.get("required", ()):
                self._empty.add(name)
        self.schema = {"type": "object", "properties": fields}
        needed = [name for name in whole.get("required", ()) if name not in self._empty]
        if needed:
            self.schema = {**self.schema, "required": needed}

    def __repr__(self) -> str:
        return f"<form {self.message!r}: {', '.join(self.schema['properties'])}>"

    def read(self, content: Mapping[str, Any]) -> Outcome[T]:
        """Check *content*, the client's answer to the form, and return the outcome."""
        # A field that was left empty comes as null, or not at all.
        filled = {key: each for key, each in content.items() if each is not None}
        filled.update(dict.fromkeys(self._empty - filled.keys()))
        if self._is_alone:
            return self.contract.read(filled.get(_ALONE))
        return self.contract.read(filled)


def _make_field(schema: Mapping[str, Any], place: str) -> tuple[dict[str, Any], bool]:
    """Make the form field for *schema*; also return whether null is allowed."""
    given = schema.get("anyOf", ())
    branches = [each for each in given if each != {"type": "null"}]
    can_lack = len(branches) < len(given)
    if can_lack:
        rest = {key: each for key, each in schema.items() if key != "anyOf"}
        schema = {**(branches[0] if len(branches) == 1 else {"anyOf": branches}), **rest}
    shown = (
        _make_choice_field(schema) or _make_multi_choice_field(schema) or _make_plain_field(schema)
    )
    if shown is None:
        raise TypesigError(f"{place or 'the type'} cannot be asked in a form: {_SHOWN}")
    return {**shown, **_select_keywords(schema, _TEXTS)}, can_lack


def _make_choice_field(schema: Mapping[str, Any]) -> dict[str, Any] | None:
    """Field for one choice among texts, or None for another *schema*."""
    values = [schema["const"]] if "const" in schema else schema.get("enum")
    if values and all(isinstance(each, str) for each in values):
        return {"type": "string", "enum": values, **_select_keywords(schema, ("default",))}
    titled = _collect_titled_choices(schema)
    if titled is None:
        return None
    return {"type": "string", "oneOf": titled, **_select_keywords(schema, ("default",))}


def _make_multi_choice_field(schema: Mapping[str, Any]) -> dict[str, Any] | None:
    """Field for several choices among texts, or None for another *schema*."""
    items = schema.get("items")
    choices = _make_choice_field(items) if isinstance(items, dict) else None
    if choices is None:
        return None
    shown = {"anyOf": choices["oneOf"]} if "oneOf" in choices else choices
    return {
        "type": "array",
        "items": shown,
        **_select_keywords(schema, ("minItems", "maxItems", "default")),
    }


def _collect_titled_choices(schema: Mapping[str, Any]) -> list[dict[str, str]] | None:
    """Choices in *schema* with their titles, or None."""
    found = schema.get("oneOf") or schema.get("anyOf") or ()
    if not found or not all(isinstance(each.get("const"), str) for each in found):
        return None
    names = [each.get("title", each.get("description", each["const"])) for each in found]
    return [
        {"const": each["const"], "title": name} for each, name in zip(found, names, strict=True)
    ]


def _make_plain_field(schema: Mapping[str, Any]) -> dict[str, Any] | None:
    """Field for a single plain value, or None for another *schema*.

    What the keywords of a form do not say is checked when the answer is there.
    """
    kind = schema.get("type")
    if kind not in _KEYWORDS or "enum" in schema or "const" in schema:
        return None
    kept = _select_keywords(schema, _KEYWORDS[kind])
    if kept.get("format", "date") not in _FORMATS:
        del kept["format"]
    return {"type": kind, **kept}


def _select_keywords(schema: Mapping[str, Any], keys: tuple[str, ...]) -> dict[str, Any]:
    """Copy the keywords *keys* of *schema* that are present and not None."""
    return {key: schema[key] for key in keys if schema.get(key) is not None}
