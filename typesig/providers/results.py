"""Results: the schema that a provider is told, and the form in which a result is sent."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

from typesig.algebra.constructors import bare
from typesig.algebra.loss import Loss
from typesig.algebra.nodes import Field, MapOf, Record, Ref, Type
from typesig.algebra.redaction import redacted_types
from typesig.algebra.signature import Signature
from typesig.notations.json_schema import model_view
from typesig.notations.json_schema.widening import expressible_types
from typesig.notations.json_schema.writer import document_of
from typesig.providers import mcp
from typesig.validation.outcome import Outcome

if TYPE_CHECKING:
    from typesig.providers.profile import Profile
    from typesig.providers.vendors import Vendor

#: The field with a result that is neither an object nor a list.
RESULT = "result"


class ResultForm(NamedTuple):
    """How the results of a tool are sent.

    #: schema: what the provider is told of them, or None
    #: wraps_list: whether a list is sent in `items`; wraps: whether the rest is in `result`
    #: is_list: whether results are lists; form: makes what the provider takes of the data
    """

    schema: dict[str, Any] | None
    is_list: bool
    wraps_list: bool
    wraps: bool
    form: Callable[[Any], Any]

    def encode(self, result: Any) -> Any:
        """Return *result*, an outcome or JSON data, as it is sent."""
        data = result
        if isinstance(result, Outcome):
            data = result.for_model()
            # An outcome wraps a list.
            data = data["items"] if self.is_list else data
        if self.wraps_list:
            return self.form({"items": data})
        return self.form({RESULT: data} if self.wraps else data)


def form_of(
    vendor: Vendor, profile: Profile, signature: Signature, losses: list[Loss]
) -> ResultForm:
    """Return how results of *signature* are sent; what a schema does not say is in *losses*."""
    is_list = signature.returns_list()
    if profile.provider != "mcp":
        return ResultForm(None, is_list, False, False, vendor.result_of)
    at = ("returns",)
    t, names = redacted_types(*model_view.result_view(signature), losses, at)
    t, names = expressible_types(t, names, losses, at)
    # Some clients refuse all tools if the root is a reference.
    while isinstance(t, Ref):
        t = names[t.name]
    if is_list:
        t = model_view.wrapped_list(t)
    wraps = profile.api not in mcp.ANY_RESULT and not is_object(t)
    if wraps:
        t = Record((Field(RESULT, t, True, None, True),), None)
    schema = document_of(t, names, profile.style)
    return ResultForm(schema, is_list, is_list, wraps, vendor.result_of)


def is_object(t: Type) -> bool:
    """Tell whether the schema of *t* has the type of an object at its root."""
    return isinstance(bare(t), Record | MapOf)
