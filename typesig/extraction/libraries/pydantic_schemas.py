"""Types that are read from schemas of pydantic, without what schemas say and hints do not."""

from __future__ import annotations

from typesig.algebra.constructors import noted
from typesig.algebra.defaults import unfilled
from typesig.algebra.nodes import Field, Noted, Record, Refined, Type
from typesig.algebra.traversal import transform
from typesig.extraction.hints.context import HintContext


def without_noise(context: HintContext, t: Type) -> Type:
    """Return *t* without what a schema of pydantic says and a hint does not."""
    t = transform(transform(t, _untitled), _firewalled)
    if context.output:
        t = transform(t, unfilled)
    return transform(t, _unbounded) if context.ptc_runner else t


def _firewalled(t: Type) -> Type:
    """Return *t* where the model does not see names with a leading underscore, as in hints."""
    if not isinstance(t, Record):
        return t
    fields = (
        Field(f.name, f.type, f.required, f.default) if f.name.startswith("_") else f
        for f in t.fields
    )
    return Record(tuple(fields), t.extra, t.matching)


def _untitled(t: Type) -> Type:
    # The titles are those that pydantic makes of names: they say nothing.
    return noted(t.inner, t.text) if isinstance(t, Noted) and t.title is not None else t


def _unbounded(t: Type) -> Type:
    return t.inner if isinstance(t, Refined) else t
