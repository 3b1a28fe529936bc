"""Results: the schema for the provider, and the form in which a result is sent."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from typesig.algebra.constructors import (
    get_description,
    get_title,
    make_refined,
    make_union,
    strip_annotations,
)
from typesig.algebra.loss import Loss
from typesig.algebra.nodes import DATETIME, STRING, Field, MapOf, Record, Ref, Type
from typesig.algebra.redaction import redact_types
from typesig.algebra.rows.constraints import Constraint
from typesig.algebra.signature import Signature
from typesig.algebra.traversal import allows_nil, iter_distinct_parts, transform
from typesig.notations.json_schema import model_view
from typesig.notations.json_schema.widening import make_expressible_types
from typesig.notations.json_schema.writer import write_document as schema_of_types
from typesig.providers.registry.codecs import OptionalCodec, encode_value
from typesig.providers.registry.vendor import append_description
from typesig.providers.rewriting.descriptions import replace_surrogates
from typesig.providers.rewriting.shape_rewriter import rewrite_document
from typesig.validation.outcome.outcome import Outcome

if TYPE_CHECKING:
    from typesig.calls.binding import Original
    from typesig.providers.registry.vendor import Profile, Vendor

#: The field with a result that is neither an object nor a list.
RESULT = "result"


class ResultForm(NamedTuple):
    """The schema and the sent form of the results of a tool.

    #: schema: what the provider is told of them, or None
    #: is_list: whether results are lists; form: makes what the provider takes of the data
    #: codec: how they travel, in an object; wrapper: the only field of that object, or None
    #: unwraps: whether that field is sent without the object
    #: is_whole: whether undeclared keys are sent too, since the schema is that of others
    """

    schema: dict[str, Any] | None
    is_list: bool
    form: Callable[[Any], Any]
    codec: OptionalCodec = None
    wrapper: str | None = None
    unwraps: bool = False
    is_whole: bool = False

    def encode(self, result: Any) -> Any:
        """Convert *result*, an outcome or JSON data, to the sent form."""
        data = result
        if isinstance(result, Outcome):
            data = result.value if self.is_whole else result.for_model()
            # An outcome wraps a list.
            data = data["items"] if self.is_list and not self.is_whole else data
        if self.wrapper is None:
            return self.form(data if self.codec is None else encode_value(self.codec, data))
        sent = encode_value(self.codec, {self.wrapper: data})
        return self.form(sent[self.wrapper] if self.unwraps else sent)


def make_result_form(
    vendor: Vendor,
    profile: Profile,
    signature: Signature,
    losses: list[Loss],
    original: Original | None = None,
) -> ResultForm:
    """Build the result form of *signature*; inexpressible parts go to *losses*.

    Results of a tool with an *original* schema are sent as they came, with that schema, if any.
    """
    is_list = signature.returns_list()
    if profile.results == "untold":
        return ResultForm(None, is_list, vendor.result_of)
    if original is not None and (
        original.output is None or has_object(original.output) or profile.results == "any"
    ):
        return ResultForm(original.output, is_list, vendor.result_of, is_whole=True)
    t, names = _get_visible_type(signature, losses)
    # Some clients refuse all tools if the root is a reference.
    while isinstance(t, Ref):
        t = names[t.name]
    wrapper = "items" if is_list else None if is_object(t) else RESULT
    whole = to_record(strip_annotations(t)) if wrapper is None else wrap_in_record(t, wrapper)
    found = rewrite_document(profile, whole, names, "returns", True)
    losses += found.losses
    # A client takes a result that is null for one that was left out.
    unwraps = wrapper == RESULT and profile.results == "any" and not allows_nil(t, names)
    sent: Type = found.type
    if unwraps:
        assert isinstance(sent, Record)
        sent = sent.fields[0].type
    elif wrapper is None:
        sent = add_description(profile, t, sent)
    schema = schema_of_types(sent, found.names, profile.style)
    return ResultForm(schema, is_list, vendor.result_of, found.codec, wrapper, unwraps)


def write_plain_schema(
    profile: Profile, signature: Signature, losses: list[Loss]
) -> dict[str, Any]:
    """Write the schema of the results in `Outcome.text`, without a wrapper."""
    return schema_of_types(*_get_visible_type(signature, losses), profile.style)


def _get_visible_type(signature: Signature, losses: list[Loss]) -> tuple[Type, Mapping[str, Type]]:
    """Return the result type that a model sees, with its definitions."""
    at = ("returns",)
    t, names = redact_types(*model_view.view_result(signature), losses, at)
    t, names = (
        _allow_naive_datetimes(t),
        {name: _allow_naive_datetimes(part) for name, part in names.items()},
    )
    return make_expressible_types(t, names, losses, at)


#: The text of a datetime without an offset.
_NAIVE = r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?$"


def _allow_naive_datetimes(t: Type) -> Type:
    """Extend datetimes in *t* by datetimes without an offset."""
    if DATETIME not in iter_distinct_parts([t]):
        return t
    either = make_union([DATETIME, make_refined(STRING, [Constraint("pattern", _NAIVE)])])
    return transform(t, lambda part: either if part == DATETIME else part)


def has_object(schema: Any) -> bool:
    """Whether *schema*, JSON data, has the type "object" at its root."""
    return isinstance(schema, dict) and schema.get("type") == "object"


def add_description(profile: Profile, t: Type, sent: Type) -> Type:
    """Add the description and the title of *t* to *sent*, the type sent in its place."""
    text, title = get_description(t), get_title(t)
    if not profile.titles:
        text, title = text or title, None
    return append_description(
        sent,
        None if text is None else replace_surrogates(text),
        None if title is None else replace_surrogates(title),
    )


def wrap_in_record(t: Type, name: str) -> Record:
    """Build an object whose only field, called *name*, is of type *t*."""
    return Record((Field(name, t, True, None, True),), None)


def to_record(t: Type) -> Record:
    """Convert *t*, an expressible record or map with text keys, to a record."""
    if isinstance(t, MapOf):
        return Record((), t.value)
    assert isinstance(t, Record)
    return t


def is_object(t: Type) -> bool:
    """Whether the schema of *t* has the type "object" at its root."""
    return isinstance(strip_annotations(t), Record | MapOf)
