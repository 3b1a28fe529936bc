"""Results: the schema that a provider is told, and the form in which a result is sent."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from typesig.algebra.constructors import bare, refined, text_of, title_of, union
from typesig.algebra.loss import Loss
from typesig.algebra.nodes import DATETIME, STRING, Field, MapOf, Record, Ref, Type
from typesig.algebra.rows.constraints import Constraint
from typesig.algebra.signature import Signature
from typesig.algebra.traversal import admits_nil, distinct_parts, transform
from typesig.algebra.views.redaction import redacted_types
from typesig.notations.json_schema.writing import model_view
from typesig.notations.json_schema.writing.widening import expressible_types
from typesig.notations.json_schema.writing.writer import document_of as schema_of_types
from typesig.providers.rewriting.describing import sendable
from typesig.providers.rewriting.rewriting import document_of
from typesig.providers.rows.codecs import Coding, encoded
from typesig.providers.rows.wire import described
from typesig.validation.outcome.outcome import Outcome

if TYPE_CHECKING:
    from typesig.calls.binding import Original
    from typesig.providers.rows.profile import Profile
    from typesig.providers.rows.vendor import Vendor

#: The field with a result that is neither an object nor a list.
RESULT = "result"


class ResultForm(NamedTuple):
    """How the results of a tool are sent.

    #: schema: what the provider is told of them, or None
    #: is_list: whether results are lists; form: makes what the provider takes of the data
    #: codec: how they travel, in an object; wrapper: the only field of that object, or None
    #: unwraps: whether that field is sent without the object
    #: is_whole: whether undeclared keys are sent too, since the schema is that of others
    """

    schema: dict[str, Any] | None
    is_list: bool
    form: Callable[[Any], Any]
    codec: Coding = None
    wrapper: str | None = None
    unwraps: bool = False
    is_whole: bool = False

    def encode(self, result: Any) -> Any:
        """Return *result*, an outcome or JSON data, as it is sent."""
        data = result
        if isinstance(result, Outcome):
            data = result.value if self.is_whole else result.for_model()
            # An outcome wraps a list.
            data = data["items"] if self.is_list and not self.is_whole else data
        if self.wrapper is None:
            return self.form(data if self.codec is None else encoded(self.codec, data))
        sent = encoded(self.codec, {self.wrapper: data})
        return self.form(sent[self.wrapper] if self.unwraps else sent)


def form_of(
    vendor: Vendor,
    profile: Profile,
    signature: Signature,
    losses: list[Loss],
    original: Original | None = None,
) -> ResultForm:
    """Return how results of *signature* are sent; what a schema does not say is in *losses*.

    Results of a tool with an *original* schema are sent as they came, with that schema, if any.
    """
    is_list = signature.returns_list()
    if profile.results == "untold":
        return ResultForm(None, is_list, vendor.result_of)
    if original is not None and _is_sent(original.output, profile):
        return ResultForm(original.output, is_list, vendor.result_of, is_whole=True)
    t, names = _shown(signature, losses)
    # Some clients refuse all tools if the root is a reference.
    while isinstance(t, Ref):
        t = names[t.name]
    wrapper = "items" if is_list else None if is_object(t) else RESULT
    whole = as_record(bare(t)) if wrapper is None else wrapped(t, wrapper)
    found = document_of(profile, whole, names, "returns", True)
    losses += found.losses
    # A client takes a result that is null for one that was left out.
    unwraps = wrapper == RESULT and profile.results == "any" and not admits_nil(t, names)
    sent: Type = found.type
    if unwraps:
        assert isinstance(sent, Record)
        sent = sent.fields[0].type
    elif wrapper is None:
        sent = with_words(profile, t, sent)
    schema = schema_of_types(sent, found.names, profile.style)
    return ResultForm(schema, is_list, vendor.result_of, found.codec, wrapper, unwraps)


def plain_schema(profile: Profile, signature: Signature, losses: list[Loss]) -> dict[str, Any]:
    """Return the schema of results of *signature* as `Outcome.text` has them, in no object."""
    return schema_of_types(*_shown(signature, losses), profile.style)


def _shown(signature: Signature, losses: list[Loss]) -> tuple[Type, Mapping[str, Type]]:
    """Return the type of results as a model is shown it, with its definitions."""
    at = ("returns",)
    t, names = redacted_types(*model_view.result_view(signature), losses, at)
    t, names = _with_naive(t), {name: _with_naive(part) for name, part in names.items()}
    return expressible_types(t, names, losses, at)


#: The text of a datetime without an offset.
_NAIVE = r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?$"


def _with_naive(t: Type) -> Type:
    """Return *t* as the results of a call are: a datetime may lack its offset, with a warning."""
    if DATETIME not in distinct_parts([t]):
        return t
    either = union([DATETIME, refined(STRING, [Constraint("pattern", _NAIVE)])])
    return transform(t, lambda part: either if part == DATETIME else part)


def _is_sent(schema: Any, profile: Profile) -> bool:
    """Tell whether *schema*, of results or None, may be sent as it is."""
    return schema is None or has_object(schema) or profile.results == "any"


def has_object(schema: Any) -> bool:
    """Tell whether *schema*, JSON data, has the type of an object at its root."""
    return isinstance(schema, dict) and schema.get("type") == "object"


def with_words(profile: Profile, t: Type, sent: Type) -> Type:
    """Return *sent*, which is sent in place of the object *t*, with the description of *t*."""
    text, title = text_of(t), title_of(t)
    if not profile.titles:
        text, title = text or title, None
    return described(
        sent, None if text is None else sendable(text), None if title is None else sendable(title)
    )


def wrapped(t: Type, name: str) -> Record:
    """Return the object whose only field, called *name*, is of type *t*."""
    return Record((Field(name, t, True, None, True),), None)


def as_record(t: Type) -> Record:
    """Return *t*, an expressible record or map of texts, as a record."""
    if isinstance(t, MapOf):
        return Record((), t.value)
    assert isinstance(t, Record)
    return t


def is_object(t: Type) -> bool:
    """Tell whether the schema of *t* has the type of an object at its root."""
    return isinstance(bare(t), Record | MapOf)
