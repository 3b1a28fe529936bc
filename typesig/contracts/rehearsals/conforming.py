"""The arguments that a tool's types generate: those that conform, and those that nearly do."""

from __future__ import annotations

from random import Random
from typing import Any

from typesig.algebra.nodes import ANY, Record
from typesig.algebra.signature import Signature
from typesig.algebra.views.redaction import redacted
from typesig.calls.called import Called
from typesig.relations.limits.conformance import Judge
from typesig.relations.limits.step_budget import NoSample, Work
from typesig.relations.sampling.drawing import Drawer
from typesig.relations.sampling.samples import near_misses, samples
from typesig.validation.rows.plain import plain


def whole_of(tool: Called) -> Signature:
    """Return a signature whose result is the named arguments that a model sends to *tool*."""
    # A firewalled name, at any depth, is refused in what a model sends.
    signature = redacted(tool.signature)
    needed = tool.needs
    params = tuple([field for field in signature.params if field.name not in needed])
    # Other names are dropped, unless the function takes them.
    extra = signature.extra if tool.binding.takes_any or signature.extra != ANY else None
    return Signature((), Record(params, extra), signature.names)


def arguments_of(tool: Called, seed: int, count: int) -> list[Any]:
    """Return up to *count* different arguments that conform, as JSON data.

    Raises `NoSample` if none are found.
    """
    return [plain(each) for each in samples(whole_of(tool), seed, count)]


def near_arguments_of(tool: Called, seed: int, count: int) -> list[Any]:
    """Return up to *count* different arguments, JSON data, that *tool* just refuses.

    There are none if no arguments are found.  Null is not one of them: it stands for no arguments.
    """
    try:
        found = near_misses(whole_of(tool), seed, count, json=True)
    except NoSample:
        return []
    return [each for each in found if each is not None]


def drawn_arguments(whole: Signature, rng: Random) -> Any:
    """Return a value of the result of *whole*, as JSON data; raise `NoSample` if none is found."""
    drawer = Drawer(whole.definitions, rng, judge=Judge(whole.definitions, Work()))
    return plain(drawer.draw_value(whole.returns))
