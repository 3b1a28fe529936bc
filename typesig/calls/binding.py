"""What a model sees of a tool, and how a call reaches its function.

Decorating a function needs only this; `call` is loaded by the first call.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from typesig.algebra.signature import Signature
from typesig.extraction.hosts.host import HostPlan

if TYPE_CHECKING:
    from typesig.algebra.loss import Losses
    from typesig.extraction.callables.warnings import HintWarning
    from typesig.validation.rows.policy import Policy
    from typesig.validation.rows.run import Run


class Original(NamedTuple):
    """The definition of a tool of others, as they write it.

    #: input: the schema of the arguments; output: that of the results, or None if there is none
    #: losses: what the signature does not express as the schemas do
    #: beside: what else is in the definition, by key
    #: raw: the texts that were sent in another way than they are shown, by place
    """

    input: Any
    output: Any
    losses: Losses
    beside: Mapping[str, Any] = {}
    raw: Mapping[tuple[str, ...], str] = {}


class SentForm(NamedTuple):
    """Another form in which arguments are sent.

    #: signature: the arguments in that form, as the model is shown them
    #: decode: returns data in that form as the tool takes it; what is sent twice is an error in the
    #:     run, and without one stays as it was sent; the policy tells what is read from text
    """

    signature: Signature
    decode: Callable[[Any, Run | None, Policy], Any]


class Binding(NamedTuple):
    """What a model sees of a tool, and how a call reaches its function.

    #: name: the tool's name; signature: what the model sees
    #: host: how a call reaches the function; explicit: whether the signature was given as text
    #: original: the schemas that the signature was read from, or None
    #: sent: the form in which arguments are sent, or None if that is the signature's own
    #: unchecked: why parameters are not checked, and what to write instead, by name
    """

    name: str
    signature: Signature
    host: HostPlan
    explicit: bool
    original: Original | None = None
    sent: SentForm | None = None
    unchecked: Mapping[str, str] = {}

    @property
    def takes_any(self) -> bool:
        """Whether the function takes undeclared names."""
        return any(param.kind == "VAR_KEYWORD" for param in self.host.params)


def binding_of(
    name: str, signature: Signature, host: HostPlan, explicit: bool, warnings: Iterable[HintWarning]
) -> Binding:
    """Bind a function by its hints, or *explicit* text; *warnings* are about its hints."""
    unchecked = {
        each.place: f"{each.hint}: {each.reason}; {each.remedy}"
        for each in warnings
        if each.kind == "any" and each.hint
    }
    return Binding(name, signature, host, explicit, unchecked=unchecked)


def names_from_host(binding: Binding) -> dict[str, bool]:
    """Return the names that the host supplies, each with whether the function can do without it."""
    mine = {param.name: param.optional for param in binding.host.params if param.injected}
    optional = {param.name: param.optional for param in binding.host.params}
    for field in binding.signature.params:
        if field.firewalled:
            mine[field.name] = optional.get(field.name, True) or not field.required
    return mine
