"""The state that all rewrites share, and the codecs of values that are sent as text."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

from typesig.algebra.loss import Loss, LossKind
from typesig.algebra.naming import sort_by_dependency
from typesig.algebra.nodes import STRING, Type
from typesig.algebra.redaction import find_used_names
from typesig.algebra.rows.values import Const, to_const
from typesig.algebra.traversal import iter_types
from typesig.errors import TypesigError
from typesig.limits import MAX_DIGITS, MAX_SCHEMAS
from typesig.notations.json_schema.model_view import iter_exact_parts
from typesig.providers.registry.calls import QUIET, DecodingState
from typesig.providers.registry.codecs import Codec, OptionalCodec, TypeTest, write_json
from typesig.providers.registry.vendor import Path, Profile, SentType, TypePlace
from typesig.providers.rewriting.descriptions import describe_type, replace_surrogates
from typesig.validation.check.check import Compiler
from typesig.validation.check_state import CheckState
from typesig.validation.json_text import BadJson, read_digits
from typesig.validation.policy import ENABLED

# --- Codecs of values that are sent as text ---


class _TextCodec(Codec):
    """A base class for codecs of values that are sent as text."""

    __slots__ = ()

    def has_parts(self, text: str) -> bool:
        """Return False, since a value sent as text is neither a list nor an object."""
        return False


@dataclass(frozen=True, slots=True)
class JsonTextCodec(_TextCodec):
    """A value as JSON text; text that is not JSON represents itself."""

    def decode(self, value: Any, how: DecodingState = QUIET) -> Any:
        """Parse *value* as JSON text; other values are unchanged."""
        if not isinstance(value, str):
            return value
        try:
            return read_digits(value)[0]
        except BadJson:
            return value

    def encode(self, value: Any) -> Any:
        """Write *value* as JSON text."""
        return write_json(value)


_INTEGER = re.compile(r"-?[0-9]+")


@dataclass(frozen=True, slots=True)
class IntegerTextCodec(_TextCodec):
    """A codec between integers and texts of decimal digits."""

    def decode(self, value: Any, how: DecodingState = QUIET) -> Any:
        """Convert decimal digits to an integer; other values are unchanged."""
        if isinstance(value, str) and _INTEGER.fullmatch(value) and len(value) <= MAX_DIGITS:
            return int(value)
        return value

    def encode(self, value: Any) -> Any:
        """Write an integer as decimal digits."""
        return str(value)


@dataclass(frozen=True, slots=True)
class ConstantTextCodec(_TextCodec):
    """A codec between constants and texts that represent them.

    #: constants: the constants by their texts
    """

    constants: tuple[tuple[str, Const], ...]

    def decode(self, value: Any, how: DecodingState = QUIET) -> Any:
        """Convert a text to its constant; other values are unchanged."""
        for word, held in self.constants:
            if type(value) is str and value == word:
                return held.thaw()
        return value

    def encode(self, value: Any) -> Any:
        """Convert a constant to its text; other values are unchanged."""
        try:
            found = to_const(value)
        except TypesigError:
            return value
        return next((word for word, held in self.constants if held == found), value)


# --- Shared state of all rewrites: the profile, the definitions, and the losses ---
# `Rewriter` is all that the modules of single shapes know;
# `typesig.providers.rewriting.shape_rewriter` has the one that rewrites every shape.


class Rewriter(ABC):
    """A base class for rewriters of types that share definitions and record losses.

    #: closing: whether open records are closed, as they are in what a model answers
    #: codecs: the codecs of the names that are kept; sent: their rewritten definitions
    #: not_plain: the names that have a codec, as far as that is known from the start
    #: uses_expected: whether `expected` was asked; assumed: the types that were told apart by it
    """

    def __init__(
        self,
        profile: Profile,
        names: Mapping[str, Type],
        whole: Type,
        closing: bool = False,
        not_plain: frozenset[str] = frozenset(),
        expected: Mapping[str, SentType] | None = None,
    ) -> None:
        self.profile = profile
        self.names = names
        self.closing = closing
        self.losses: list[Loss] = []
        self.codecs: dict[str, OptionalCodec] = {}
        self.sent: dict[str, SentType] = {}
        self.given = TypeTester(names)
        self.judge = TypeTester({})
        self.not_plain = not_plain
        self._expected = expected or {}
        self.uses_expected = False
        self.assumed: list[tuple[Type, Type]] = []
        parts = [part for t in (whole, *names.values()) for part in iter_types(t)] if names else []
        self._exact = find_used_names(
            names, [below for part in parts for below in iter_exact_parts(part)]
        )
        self._open: set[str] = set()
        self._same: dict[Type, bool] = {}
        self._left = MAX_SCHEMAS

    @abstractmethod
    def rewrite(self, t: Type, at: TypePlace) -> SentType:
        """Rewrite *t*, which is located at *at*, to a type that the profile takes."""

    # What is done where a type cannot be said

    def record_loss(self, kind: LossKind, at: Path, what: str, became: str = "nothing") -> None:
        """Record that a part at *at* cannot be expressed and became *became*."""
        why = f"{self.profile.title} does not take it"
        self.losses.append(Loss(kind, at, what, why, became))

    def as_text(self, t: Type, at: TypePlace, what: str) -> SentType:
        """Replace the type *t* by a string of JSON text and record the loss at *at*."""
        self.record_loss("rewritten", at.path, what, "JSON text")
        words = self.describe_type(t, "JSON text of {}") or "any value, as JSON text"
        return SentType(STRING, JsonTextCodec()).append_description(words)

    def is_too_deep(self, level: int) -> bool:
        """Whether the profile allows no object at the nesting depth *level*."""
        most = self.profile.limits.get("levels")
        return most is not None and level > most

    # Names

    def get_definition(self, name: str) -> SentType | None:
        """Return the definition of *name*, rewritten on first use, or None meanwhile."""
        if name in self.sent:
            return self.sent[name]
        if name in self._open:
            return None
        self._open.add(name)
        place = TypePlace(("definitions", name), exact=name in self._exact)
        made = self.rewrite(self.names[name], place)
        self._open.discard(name)
        self.sent[name] = made
        self.codecs[name] = made.codec
        self.judge.names[name] = made.type
        return made

    def get_expected(self, name: str) -> SentType | None:
        """Return the definition of *name* from an earlier rewrite, or None."""
        self.uses_expected = True
        return self._expected.get(name)

    @cached_property
    def within_themselves(self) -> set[str]:
        """The names of types with recursive definitions, directly or indirectly."""
        return sort_by_dependency(self.names)[1]

    def is_kept(self, name: str) -> bool:
        """Whether *name* remains a named type."""
        profile = self.profile
        return profile.references and (profile.recursion or name not in self.within_themselves)

    # Words

    def add_annotations(
        self, made: SentType, text: str | None, title: str | None, at: TypePlace
    ) -> SentType:
        """Put the description *text* and *title* before the annotations of *made*."""
        if title is not None and not self.profile.titles:
            # The only words that there are, are kept as a description.
            self.record_loss(
                "omitted", at.path, "the title", "nothing" if text else "the description"
            )
            text, title = text or title, None
        return made.insert_description(
            None if text is None else replace_surrogates(text),
            None if title is None else replace_surrogates(title),
        )

    def describe_type(self, t: Type, form: str) -> str:
        """Describe *t* in JSON Schema words within *form*; empty if that is long."""
        words = replace_surrogates(describe_type(t, self.names))
        return form.format(words) if words else ""


_POLICY = ENABLED.for_output()


class TypeTester:
    """A maker of predicates that test values against types with shared definitions.

    #: names: the definitions, which may be completed until a test is first used
    """

    def __init__(self, names: Mapping[str, Type]) -> None:
        self.names = dict(names)

    @cached_property
    def _compiler(self) -> Compiler:
        """Compiler of checks, with the definitions of the types."""
        return Compiler(self.names, _POLICY)

    def make_test(self, t: Type) -> TypeTest:
        """Make a predicate for values that conform to *t*, compiled on first use."""
        compiled = cache(lambda: self._compiler.checker(t))

        def test(value: Any) -> bool:
            run = CheckState(1)
            compiled()(value, run)
            return not run.errors

        return test
