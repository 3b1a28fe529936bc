"""What the rewriting of every shape shares: the profile, the names, and what is lost.

`Rewriter` is all that the modules of single shapes know; `typesig.providers.rewriting.rewriting`
has the one that rewrites every shape.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from functools import cache, cached_property
from typing import Any

from typesig.algebra.loss import Loss, LossKind
from typesig.algebra.nodes import STRING, Type
from typesig.algebra.traversal import walk
from typesig.algebra.views.naming import dependency_order
from typesig.algebra.views.redaction import used
from typesig.limits import MAX_SCHEMAS
from typesig.notations.json_schema.writing.model_view import exact_below
from typesig.providers.rewriting.describing import sendable, words_of_type
from typesig.providers.rewriting.text_codecs import JsonText
from typesig.providers.rows.codecs import Accepts, Coding
from typesig.providers.rows.profile import Profile
from typesig.providers.rows.wire import Path, Place, Wire
from typesig.validation.check.check import Compiler
from typesig.validation.rows.policy import ENABLED
from typesig.validation.rows.run import Run


class Rewriter(ABC):
    """Rewrites types that share definitions, and records the losses.

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
        expected: Mapping[str, Wire] | None = None,
    ) -> None:
        self.profile = profile
        self.names = names
        self.closing = closing
        self.losses: list[Loss] = []
        self.codecs: dict[str, Coding] = {}
        self.sent: dict[str, Wire] = {}
        self.given = Judge(names)
        self.judge = Judge({})
        self.not_plain = not_plain
        self._expected = expected or {}
        self.uses_expected = False
        self.assumed: list[tuple[Type, Type]] = []
        parts = [part for t in (whole, *names.values()) for part in walk(t)] if names else []
        self._exact = used(names, [below for part in parts for below in exact_below(part)])
        self._open: set[str] = set()
        self._same: dict[Type, bool] = {}
        self._left = MAX_SCHEMAS

    @abstractmethod
    def rewrite(self, t: Type, at: Place) -> Wire:
        """Return what is sent in place of *t*, which stands at *at*."""

    # What is done where a type cannot be said

    def lose(self, kind: LossKind, at: Path, what: str, became: str = "nothing") -> None:
        """Record a loss at *at*."""
        why = f"{self.profile.title} does not take it"
        self.losses.append(Loss(kind, at, what, why, became))

    def as_text(self, t: Type, at: Place, what: str) -> Wire:
        """Return *t*, called *what*, as JSON text."""
        self.lose("rewritten", at.path, what, "JSON text")
        words = self.words_of(t, "JSON text of {}") or "any value, as JSON text"
        return Wire(STRING, JsonText()).described(words)

    def is_too_deep(self, level: int) -> bool:
        """Tell whether there may be no object at *level*."""
        most = self.profile.limits.get("levels")
        return most is not None and level > most

    # Names

    def definition(self, name: str) -> Wire | None:
        """Return the rewritten definition of *name*, or None while it is being rewritten."""
        if name in self.sent:
            return self.sent[name]
        if name in self._open:
            return None
        self._open.add(name)
        place = Place(("definitions", name), exact=name in self._exact)
        made = self.rewrite(self.names[name], place)
        self._open.discard(name)
        self.sent[name] = made
        self.codecs[name] = made.codec
        self.judge.names[name] = made.type
        return made

    def expected(self, name: str) -> Wire | None:
        """Return what *name*, which is being rewritten, was rewritten to before, if it was."""
        self.uses_expected = True
        return self._expected.get(name)

    @cached_property
    def within_themselves(self) -> set[str]:
        """The names that are defined by themselves, directly or by others."""
        return dependency_order(self.names)[1]

    def is_kept(self, name: str) -> bool:
        """Tell whether *name* stays a named type."""
        profile = self.profile
        return profile.references and (profile.recursion or name not in self.within_themselves)

    # Words

    def noted(self, made: Wire, text: str | None, title: str | None, at: Place) -> Wire:
        """Return *made* with a description and a title before those of its own."""
        if title is not None and not self.profile.titles:
            # The only words that there are, are kept as a description.
            self.lose("omitted", at.path, "the title", "nothing" if text else "the description")
            text, title = text or title, None
        return made.introduced(
            None if text is None else sendable(text), None if title is None else sendable(title)
        )

    def words_of(self, t: Type, form: str) -> str:
        """Return *t* in the words of JSON Schema within *form*; empty if that would be long."""
        words = sendable(words_of_type(t, self.names))
        return form.format(words) if words else ""


_POLICY = ENABLED.for_output()


class Judge:
    """Makes tests of types that share definitions.

    #: names: the definitions, which may be completed until a test is first used
    """

    def __init__(self, names: Mapping[str, Type]) -> None:
        self.names = dict(names)

    @cached_property
    def _compiler(self) -> Compiler:
        return Compiler(self.names, _POLICY)

    def accepts(self, t: Type) -> Accepts:
        """Return the test of whether a value conforms to *t*, compiled when it is first used."""
        compiled = cache(lambda: self._compiler.checker(t))

        def test(value: Any) -> bool:
            run = Run(1)
            compiled()(value, run)
            return not run.errors

        return test
