"""A contract for an answer: what a model should answer, and how its answer is read."""

from __future__ import annotations

import re
import types
from collections.abc import Callable
from typing import Any, Generic, TypeVar, overload

from typesig.algebra.nodes import Type
from typesig.algebra.redaction import redacted
from typesig.algebra.signature import Signature, lone
from typesig.errors import TypesigError
from typesig.extraction.callables import callee_of
from typesig.extraction.extract import extracted
from typesig.extraction.hints import read
from typesig.extraction.plans import Decode, HostError
from typesig.extraction.reading import Options, Reading
from typesig.extraction.resolve import HintScope
from typesig.extraction.warnings import HintWarning
from typesig.notations import parse
from typesig.notations.shorthand.writer import lone_text
from typesig.tools.tool import Tool
from typesig.validation.excerpt import shown
from typesig.validation.issues import Issue
from typesig.validation.json_text import BadJson, read_json
from typesig.validation.outcome import Outcome
from typesig.validation.plain import plain
from typesig.validation.policy import ModeName, Policy, policy_of
from typesig.validation.verdicts import checked

T = TypeVar("T")

_FENCE = re.compile(r"\s*```[A-Za-z]*[ \t]*\r?\n(.*?)\n?[ \t]*```\s*", re.DOTALL)


class Contract(Generic[T]):
    """What a model should answer.

    #: signature: the answer's type, as the result of a signature without parameters
    #: warnings: what the type does not say as the hint does
    """

    __slots__ = ("_decode", "_hinted", "signature", "warnings")

    def __init__(
        self,
        signature: Signature,
        decode: Decode = None,
        warnings: tuple[HintWarning, ...] = (),
        hinted: bool = False,
    ) -> None:
        # Hints name all keys that their types hold; a text leaves others open.
        self._hinted = hinted
        self.signature = lone(signature.returns, signature.definitions)
        self.warnings = warnings
        self._decode = decode

    def __repr__(self) -> str:
        return f"<contract {lone_text(self.signature, described=False)}>"

    def prompt(self) -> str:
        """Return the words that ask a model for the answer."""
        return f"Answer with JSON that fits: {lone_text(redacted(self.signature))}"

    def to_json_schema(self, exact: bool = False, inline: bool = False) -> dict[str, Any]:
        """Return the JSON Schema of the answer; see `Signature.to_json_schema`."""
        return self.signature.to_json_schema(exact, inline)

    def read(self, text: object, mode: ModeName | Policy = "enabled") -> Outcome[T]:
        """Return the outcome of reading a model's answer, JSON text or data.

        A code fence around the text is taken off, `{"items": […]}` around a list is unwrapped;
        then the answer is coerced, checked and decoded to what the hint says.
        """
        try:
            data = read_json(_unfenced(text)) if isinstance(text, str | bytes) else text
        except BadJson as error:
            issue = Issue("json", (), "", f"the answer is {error}")
            return Outcome(stage="input", errors=[issue], rejected=text)
        policy = policy_of(mode)
        if policy.on_issue == "skip":
            return Outcome[Any](data, stage="input")
        value = self._unwrapped(data)
        nested = policy.for_call() if self._hinted else policy.changed(firewall=True)
        found = checked(self.signature.returns, self.signature.definitions, value, nested, "input")
        if not found.ok:
            return Outcome(stage="input", errors=found.errors, warnings=found.warnings,
                           rejected=data, unseen=found.unseen)  # fmt: skip
        return self._decoded(found, data)

    def _decoded(self, found: Outcome[Any], data: object) -> Outcome[T]:
        result = found.result
        try:
            made = result if self._decode is None else self._decode(result)
        except HostError as error:
            path = tuple(reversed(error.steps))
            issue = Issue("host", path, "", error.message, f"got {shown(result)}")
            return Outcome(stage="input", errors=[issue], rejected=data)
        return Outcome(made, (), found.warnings, "input", plain=lambda: plain(result))

    def _unwrapped(self, data: Any) -> Any:
        if self.signature.returns_list() and isinstance(data, dict) and data.keys() == {"items"}:
            return data["items"]
        return data


def _unfenced(text: str | bytes) -> str | bytes:
    if isinstance(text, bytes):
        try:
            text = text.decode()
        except UnicodeDecodeError:
            # The reader of JSON says where it is no UTF-8.
            return text
    fenced = _FENCE.fullmatch(text)
    return text if fenced is None else fenced[1]


@overload
def contract(
    hint: type[T],
    *,
    strict: bool = False,
    profile: str = "python",
    optional: str = "loose",
    recursive: bool = False,
    max_depth: int = 3,
) -> Contract[T]: ...
@overload
def contract(
    hint: object,
    *,
    strict: bool = False,
    profile: str = "python",
    optional: str = "loose",
    recursive: bool = False,
    max_depth: int = 3,
) -> Contract[Any]: ...
def contract(
    hint: Any,
    *,
    strict: bool = False,
    profile: str = "python",
    optional: str = "loose",
    recursive: bool = False,
    max_depth: int = 3,
) -> Contract[Any]:
    """Return the contract of an answer: of any hint, of what `parse` takes, or of a callable.

    A signature's or callable's result is what is asked for; a class is a hint.
    The options are those of `extract`.

    >>> contract(list[int]).read('{"items": ["1", 2]}').result
    [1, 2]
    """
    options = Options(strict, profile, optional, recursive, max_depth).checked()
    if isinstance(hint, Signature | str | list | tuple | Type):
        return Contract(parse(hint))
    if isinstance(hint, Contract):
        return hint
    if isinstance(hint, Tool):
        explicit = hint._face.explicit
        return Contract(hint.signature, hint._face.host.returns, hint.warnings, not explicit)
    if isinstance(hint, _FUNCTIONS) or _is_callable_object(hint):
        return _of_callable(hint, options)
    reading = Reading(options, HintScope())
    found = read(reading, hint)
    if strict and reading.warnings:
        from typesig.errors import ExtractionError

        lines = "\n".join(f"- {warning}" for warning in reading.warnings)
        raise ExtractionError(f"the hint cannot be read without loss:\n{lines}")
    signature = lone(found.type, reading.definitions)
    return Contract(signature, found.decode, tuple(reading.warnings), True)


_FUNCTIONS = (types.FunctionType, types.MethodType, types.BuiltinFunctionType)


def _is_callable_object(hint: Any) -> bool:
    home = getattr(type(hint), "__module__", "")
    return callable(hint) and not isinstance(hint, type) and home not in (
        "typing", "typing_extensions", "types", "builtins",
    )  # fmt: skip


def _of_callable(target: Callable[..., Any], options: Options) -> Contract[Any]:
    found = extracted(callee_of(target), options)
    if found.signature is None:
        raise TypesigError(f"{found.name} has no hints to ask an answer by; give a signature")
    return Contract(found.signature, found.returns, found.warnings, True)
