"""A contract for an answer: what a model should answer, and how its answer is read."""

from __future__ import annotations

import re
import types
from collections.abc import Callable
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Generic, TypeVar, overload

from typesig.algebra.nodes import Type
from typesig.algebra.redaction import redacted
from typesig.algebra.signature import Signature, lone
from typesig.errors import TypesigError
from typesig.extraction.callables import callee_of
from typesig.extraction.decoders import Decode
from typesig.extraction.extract import extract_callee, raise_if_warned
from typesig.extraction.hints import context_of
from typesig.extraction.options import ANSWER_OPTIONS, Options, options_of
from typesig.extraction.resolve import HintScope
from typesig.extraction.spellings import Speller, Spellings
from typesig.extraction.warnings import HintWarning
from typesig.notations import parse
from typesig.notations.shorthand.writer import lone_text
from typesig.tools.decoding import decode_value, policy_for_host
from typesig.tools.tool import Tool
from typesig.validation.check import compiled
from typesig.validation.issues import Issue
from typesig.validation.json_text import BadJson, read_json
from typesig.validation.outcome import Outcome
from typesig.validation.plain import plain
from typesig.validation.policy import ModeName, Policy, policy_of
from typesig.validation.run import Run
from typesig.validation.verdicts import settled, walked

if TYPE_CHECKING:
    from typing import Unpack

    from typesig.extraction.options import HintKeywords

T = TypeVar("T")

_FENCE = re.compile(r"\s*```[A-Za-z]*[ \t]*\r?\n(.*?)\n?[ \t]*```\s*", re.DOTALL)


class Contract(Generic[T]):
    """What a model should answer.

    #: signature: the answer's type, as the result of a signature without parameters
    #: warnings: what the type does not express as the hint does
    """

    __slots__ = ("_decode", "_exact", "_explicit", "_spellings", "signature", "warnings")

    def __init__(
        self,
        signature: Signature,
        decode: Decode = None,
        warnings: tuple[HintWarning, ...] = (),
        explicit: bool = True,
        exact: bool = False,
        spellings: Spellings = MappingProxyType({}),
    ) -> None:
        self._spellings = spellings
        self._explicit = explicit
        self._exact = exact
        self.signature = lone(signature.returns, signature.definitions)
        self.warnings = warnings
        self._decode = decode

    def __repr__(self) -> str:
        return f"<contract {lone_text(self.signature, described=False)}>"

    def prompt(self) -> str:
        """Return the text that asks a model for the answer."""
        return f"Answer with JSON that fits: {lone_text(redacted(self.signature))}"

    def to_json_schema(self, exact: bool = False, inline: bool = False) -> dict[str, Any]:
        """Return the JSON Schema of the answer; see `Signature.to_json_schema`."""
        return self.signature.to_json_schema(exact, inline)

    def read(self, text: object, mode: ModeName | Policy = "enabled") -> Outcome[T]:
        """Return the outcome of reading a model's answer, JSON text or data.

        A code fence around the text is removed, and `{"items": […]}` around a list unwrapped; then
        the answer is coerced, checked and decoded to an object of the hint.
        """
        try:
            data = read_json(_unfenced(text)) if isinstance(text, str | bytes) else text
        except BadJson as error:
            issue = Issue("json", (), "", f"the answer is {error}")
            return Outcome(stage="input", errors=[issue], rejected=text)
        policy = policy_of(mode)
        if policy.on_issue == "skip":
            return Outcome[Any](data, stage="input")
        nested = policy_for_host(policy, self._explicit, self._exact)
        check = compiled(self.signature.returns, self.signature.definitions, nested)
        run = Run(policy.max_issues)
        sent = self._unwrapped(data)
        if self._spellings:
            sent = Speller(self._spellings, self.signature.names).spelled(
                self.signature.returns, sent
            )
        value = walked(check, sent, run)
        errors, warnings = settled(run.found, policy, "input")
        made: Any = value
        if all(found.warning for found in run.found):
            made, refusals = decode_value(self._decode, value, (), "the hint")
            (errors if policy.on_issue == "fail" else warnings).extend(refusals)
        if errors:
            return Outcome(
                stage="input", errors=errors, warnings=warnings, rejected=data, unseen=run.unseen
            )
        return Outcome(
            made, (), warnings, "input", unseen=run.unseen_warnings, plain=lambda: plain(value)
        )

    def _unwrapped(self, data: Any) -> Any:
        if self.signature.returns_list() and isinstance(data, dict) and data.keys() == {"items"}:
            return data["items"]
        return data


def _unfenced(text: str | bytes) -> str | bytes:
    if isinstance(text, bytes):
        try:
            text = text.decode()
        except UnicodeDecodeError:
            # The reader of JSON reports where the text is not UTF-8.
            return text
    fenced = _FENCE.fullmatch(text)
    return text if fenced is None else fenced[1]


@overload
def contract(hint: type[T], **options: Unpack[HintKeywords]) -> Contract[T]: ...
@overload
def contract(hint: object, **options: Unpack[HintKeywords]) -> Contract[Any]: ...
def contract(hint: Any, **options: Unpack[HintKeywords]) -> Contract[Any]:
    """Return the contract of an answer: of any hint, of what `parse` takes, or of a callable.

    Of a signature or a callable, the result is asked for; a class is a hint.
    The options are those of `extract`, without `injected`.

    >>> contract(list[int]).read('{"items": ["1", 2]}').result
    [1, 2]
    """
    chosen = options_of("contract", options, ANSWER_OPTIONS)
    if isinstance(hint, Signature | str | list | tuple | Type):
        return Contract(parse(hint))
    if isinstance(hint, Contract):
        return hint
    if isinstance(hint, Tool):
        binding = hint.binding
        host = binding.host
        signature, explicit = binding.signature, binding.explicit
        return Contract(
            signature, host.returns, hint.warnings, explicit, host.exact, host.spellings
        )
    if isinstance(hint, _FUNCTIONS) or _is_callable_object(hint):
        return _of_callable(hint, chosen)
    context = context_of(chosen, HintScope())
    found = context.read(hint)
    warnings = context.findings.warnings
    if chosen.strict:
        raise_if_warned("the hint cannot be read without loss", warnings)
    signature = lone(found.type, context.findings.definitions)
    exact, spellings = context.findings.exact, context.findings.spellings
    return Contract(signature, found.decode, tuple(warnings), False, exact, spellings)


_FUNCTIONS = (types.FunctionType, types.MethodType, types.BuiltinFunctionType)


def _is_callable_object(hint: Any) -> bool:
    home = getattr(type(hint), "__module__", "")
    return callable(hint) and not isinstance(hint, type) and home not in (
        "typing", "typing_extensions", "types", "builtins",
    )  # fmt: skip


def _of_callable(target: Callable[..., Any], options: Options) -> Contract[Any]:
    found, plan = extract_callee(callee_of(target), options)
    if found.signature is None:
        raise TypesigError(f"{found.name} has no hints for an answer; give a signature")
    return Contract(
        found.signature, plan.returns, found.warnings, False, plan.exact, plan.spellings
    )
