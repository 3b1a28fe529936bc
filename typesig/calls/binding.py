"""Binding of a tool: the visible signature, and the way of a call to its function.

Decorating a function needs only this; `call` is loaded by the first call.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from typesig.algebra.nodes import Field
from typesig.algebra.signature import Signature
from typesig.extraction.callables.parameters import EMPTY
from typesig.extraction.python_types.host_plan import HostPlan

if TYPE_CHECKING:
    from typesig.algebra.loss import Losses
    from typesig.extraction.callables.warnings import HintWarning
    from typesig.validation.check_state import CheckState
    from typesig.validation.plan.operations import Operation
    from typesig.validation.policy import Policy


class Original(NamedTuple):
    """The foreign definition that a signature was read from, such as an MCP tool's.

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
    """An alternative form of the arguments in which a model sends them.

    #: signature: the arguments in that form, as the model is shown them
    #: decode: returns data in that form as the tool takes it; what is sent twice is an error in the
    #:     run, and without one stays as it was sent; the policy tells what is read from text
    #: operation: makes the operation that does so for data of the form, None if that needs none
    """

    signature: Signature
    decode: Callable[[Any, CheckState | None, Policy], Any]
    operation: Callable[[Policy], Operation | None]


class Binding(NamedTuple):
    """The visible signature of a tool, and the plan for calling its function.

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
        """Whether the function has a `**kwargs` parameter."""
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


def get_host_names(binding: Binding) -> dict[str, bool]:
    """Return the names of host parameters, and whether each is optional."""
    mine = {param.name: param.optional for param in binding.host.params if param.injected}
    optional = {param.name: param.optional for param in binding.host.params}
    for field in binding.signature.params:
        if field.firewalled:
            mine[field.name] = optional.get(field.name, True) or not field.required
    return mine


def get_checked_signature(binding: Binding) -> Signature:
    """Signature that arguments are checked against.

    It lacks the defaults that the function fills in itself: it gets its own objects, not what
    their JSON form is decoded to.
    """
    signature = binding.signature
    names = _find_own_defaults(binding)
    return _drop_defaults(signature, names) if names else signature


def find_missing_defaults(binding: Binding, data: Mapping[str, Any]) -> dict[str, Any]:
    """Defaults of the signature, as data, of the arguments that *data* leaves to the function."""
    names = _find_own_defaults(binding)
    return {
        field.name: field.default.thaw()
        for field in binding.signature.params
        if field.default is not None and field.name in names and field.name not in data
    }


def find_missing_objects(binding: Binding, values: Mapping[str, Any]) -> dict[str, Any]:
    """Return Python defaults of the function's parameters that *values* lacks."""
    names = _find_own_defaults(binding)
    lacking = [p for p in binding.host.params if p.name in names and p.name not in values]
    made = {p.name: p.default if p.fill is None else p.fill() for p in lacking}
    return {name: value for name, value in made.items() if value is not EMPTY}


def _find_own_defaults(binding: Binding) -> frozenset[str]:
    """Return the arguments with a Python default other than that in the signature."""
    params = binding.host.params
    defaults = {field.name for field in binding.signature.params if field.default is not None}
    return frozenset(
        [p.name for p in params if p.optional and p.keeps_default and p.name in defaults]
    )


@lru_cache(maxsize=512)
def _drop_defaults(signature: Signature, names: frozenset[str]) -> Signature:
    """Return *signature* without the defaults of the parameters *names*."""
    params = [
        Field(field.name, field.type, False, None, field.exact) if field.name in names else field
        for field in signature.params
    ]
    returns, definitions, secrets = signature.returns, signature.definitions, signature.secrets
    return Signature(params, returns, definitions, signature.extra, signature.io, secrets)
