"""Listings in programming languages, which models know from training: TypeScript and Python."""

from __future__ import annotations

from collections.abc import Sequence

from typesig.algebra.loss import Losses
from typesig.algebra.nodes import Type
from typesig.algebra.signature import Signature
from typesig.algebra.views.naming import Named, with_all_definitions, with_named_records
from typesig.listings.text_styles import shorter
from typesig.listings.tiers import Layout, Sharing
from typesig.notations.python.writer import TAKEN as TAKEN_IN_PYTHON
from typesig.notations.python.writer import StubWriter, function_names
from typesig.notations.texts.comments import express, identifier
from typesig.notations.texts.counters import Counter
from typesig.notations.texts.quoting import quoted
from typesig.notations.typescript.writer import TAKEN as TAKEN_IN_TYPESCRIPT
from typesig.notations.typescript.writer import TypeWriter, aliases_of, property_name

TYPESCRIPT_LEGEND = (
    "// A call is a JSON object with the args of the tool; what has a ? may be left out.",
    "// A comment behind a name tells what its type does not: bounds, a pattern, the default.",
    "// int is a whole number; other names of types are defined ahead of the tools.",
)

PYTHON_LEGEND = (
    "# A call is a JSON object with the arguments by name; one with a default may be left out.",
    "# A comment behind a name tells what its type does not: bounds, a pattern, its real name.",
    "# Sets and tuples are JSON arrays, and a datetime is text with an offset.",
)


def express_code(signature: Signature, described: bool) -> tuple[Signature, Losses]:
    """Return what a style can say of *signature* in code or in comments, and the losses."""
    shown, losses = express(signature, described)
    return shown, tuple(losses)


def arrange_typescript(
    signatures: Sequence[Signature], names: Sequence[str], types: Sharing, count: Counter
) -> Named:
    """Return *signatures* with all definitions ahead, and the records that are shorter there."""
    taken = TAKEN_IN_TYPESCRIPT
    named = with_all_definitions(signatures, lambda name: identifier(name, taken), taken)
    if types == "inline":
        return named
    pays = shorter(TypeWriter().text, count, "")
    return with_named_records(named, names, pays, taken)


def arrange_python(
    signatures: Sequence[Signature], names: Sequence[str], types: Sharing, count: Counter
) -> Named:
    """Return *signatures* with all definitions and records ahead: only a class has typed keys."""
    taken = {*TAKEN_IN_PYTHON, *function_names(names)}
    named = with_all_definitions(signatures, lambda name: identifier(name, taken), taken)
    return with_named_records(named, names, lambda *_: True, taken)


class TypeScriptWriter:
    """Writes a listing as an interface with a method for each tool."""

    def __init__(self, arranged: Named, names: Sequence[str]) -> None:
        pass

    def layout(self) -> Layout:
        """Return what stands around the entries."""
        return Layout("// Tools you can call", start="interface Tools {", end="}")

    def name(self, name: str) -> str:
        """Return the property *name*."""
        return property_name(name)

    def entry(self, name: str, signature: Signature, lines: Sequence[str]) -> tuple[str, Losses]:
        """Return the method of a tool, its description in comments before it."""
        writer = TypeWriter()
        call = writer.call(property_name(name), ": ", signature)
        return "\n".join([*(f"// {line}" for line in lines), call]), tuple(writer.losses)

    def definition(self, name: str, t: Type) -> tuple[str, Losses]:
        """Return the definition of *name*."""
        writer = TypeWriter()
        return writer.definition(name, t), tuple(writer.losses)

    def aliases(self, signature: Signature) -> Sequence[tuple[str, str]]:
        """Return the scalars of *signature* that TypeScript lacks, and their definitions."""
        return aliases_of(signature)


class PythonWriter:
    """Writes a listing as a stub with a function for each tool."""

    def __init__(self, arranged: Named, names: Sequence[str]) -> None:
        self._names = dict(zip(names, function_names(names), strict=True))

    def layout(self) -> Layout:
        """Return what stands around the entries."""
        return Layout("# Tools you can call")

    def name(self, name: str) -> str:
        """Return the declaration of a function without its parameters."""
        made = self._names[name]
        return f"{made}: Callable" + ("" if made == name else f" # called {quoted(name)}")

    def entry(self, name: str, signature: Signature, lines: Sequence[str]) -> tuple[str, Losses]:
        """Return the function of a tool, with its description as the docstring."""
        writer = StubWriter()
        made = self._names[name]
        text = writer.function(made, signature, lines, None if made == name else name)
        return text, tuple(writer.losses)

    def definition(self, name: str, t: Type) -> tuple[str, Losses]:
        """Return the class or the alias *name*."""
        writer = StubWriter()
        return writer.definition(name, t), tuple(writer.losses)

    def aliases(self, signature: Signature) -> Sequence[tuple[str, str]]:
        """Return nothing: Python has all scalars."""
        return ()
