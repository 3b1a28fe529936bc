"""Writing TypeScript: types, with comments on what they do not say.

To add a scalar, add its row to `SCALARS`; one that JSON has no form for needs a row in `ALIASES`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from typesig.algebra import nodes
from typesig.algebra.loss import Losses
from typesig.algebra.rows.scalars import ScalarName
from typesig.algebra.signature import Signature, outer_types
from typesig.algebra.traversal import walk
from typesig.algebra.views.naming import with_all_definitions
from typesig.notations.texts.comments import (
    ATOM,
    BOTH,
    UNION,
    CommentWriter,
    Entry,
    Path,
    Written,
    comment_of,
    express,
    identifier,
    joined_comments,
    laid_out,
)
from typesig.notations.texts.literals import literal
from typesig.notations.texts.quoting import quoted

SCALARS: dict[ScalarName, str] = {
    "string": "string",
    "int": "int",
    "float": "number",
    "bool": "boolean",
    "keyword": "keyword",
    "any": "any",
    "nil": "null",
    "datetime": "datetime",
    "map": "Record<string, any>",
}

#: The scalars that TypeScript does not have: the type that they are to it, and a comment.
ALIASES: dict[ScalarName, tuple[str, str]] = {
    "int": ("number", "a whole number"),
    "keyword": ("string", "a word"),
    "datetime": ("string", "such as 2026-01-31T12:00:00Z"),
}

#: The names that a definition cannot have.
TAKEN = frozenset({
    "Answer", "Array", "Boolean", "Function", "Map", "Number", "Object", "Partial", "Promise",
    "Record", "Set", "String", "Symbol", "Tool", "Tools", "any", "as", "async", "await", "bigint",
    "boolean", "break", "case", "catch", "class", "const", "continue", "datetime", "debugger",
    "declare", "default", "delete", "do", "else", "enum", "export", "extends", "false", "finally",
    "for", "function", "if", "implements", "import", "in", "infer", "instanceof", "int",
    "interface", "keyof", "keyword", "let", "module", "namespace", "never", "new", "null",
    "number", "object", "package", "private", "protected", "public", "readonly", "return",
    "static", "string", "super", "switch", "symbol", "this", "throw", "true", "try", "type",
    "typeof", "undefined", "unique", "unknown", "var", "void", "while", "with", "yield",
})  # fmt: skip


class TypeWriter(CommentWriter):
    """Writes types whose definitions have identifiers for names, and keeps the losses.

    #: flat: whether all is written on one line, with the comments of fields among the notes
    """

    where, mark = "TypeScript", "//"
    anything, any_list, in_json = "any", "any[]", True

    def __init__(self, flat: bool = False) -> None:
        super().__init__()
        self.flat = flat

    def text(self, t: nodes.Type) -> str:
        """Return *t* as text, without the comment that belongs behind it."""
        return self._at(t, (), UNION).text

    def definition(self, name: str, t: nodes.Type, path: Path = ()) -> str:
        """Return the definition of *name* as lines."""
        inner, note = self._parted(t, path)
        written = self._at(inner, path, UNION)
        return f"type {name} = {written.text}{self._behind(comment_of(written.notes, note))}"

    def call(self, name: str, arrow: str, signature: Signature) -> str:
        """Return the call of *signature* as *name*, with *arrow* before the result."""
        args = self._arguments(signature)
        returns, note = self._parted(signature.returns, ("returns",))
        written = self._at(returns, ("returns",), UNION)
        result = "" if returns == nodes.ANY and arrow == ": " else f"{arrow}{written.text}"
        said = joined_comments(comment_of(args.notes, None), comment_of(written.notes, note))
        return f"{name}({args.text}){result}{self._behind(said)}"

    def _arguments(self, signature: Signature) -> Written:
        """Return the only parameter, an object, and what it does not say."""
        notes = self._extra_notes(signature.extra, ("params",), "other arguments")
        if not signature.params:
            return Written(ATOM, "", notes)
        mark = "" if any(field.required for field in signature.params) else "?"
        entries = [self._field(field, ("params", field.name)) for field in signature.params]
        return Written(ATOM, f"args{mark}: {{{laid_out(entries, self.mark)}}}", notes)

    def _aside(self, t: nodes.Type, path: Path) -> Written:
        """Return *t* as a part of a comment."""
        writer = TypeWriter(flat=True)
        made = writer._at(t, path, ATOM)
        self.losses += writer.losses
        return made

    def _at(self, t: nodes.Type, path: Path, place: int) -> Written:
        """Return *t* as text, in parentheses if it binds less tightly than *place* asks."""
        written = self._form(t, path)
        if written.binding >= place:
            return written
        return Written(ATOM, f"({written.text})", written.notes)

    def _form(self, t: nodes.Type, path: Path) -> Written:
        match t:
            case nodes.Scalar(name):
                if name in ALIASES:
                    self._lose("widened", path, f":{name}", ALIASES[name][0])
                return Written(ATOM, SCALARS[name])
            case nodes.List(item):
                inner = self._at(item, path, ATOM)
                return Written(ATOM, f"{inner.text}[]", inner.notes)
            case nodes.Set(item):
                self._lose("widened", path, "unique items")
                inner = self._at(item, path, ATOM)
                return Written(ATOM, f"{inner.text}[]", (*inner.notes, "unique"))
            case nodes.Tuple(items, rest):
                return self._tuple(items, rest, path)
            case nodes.MapOf(key, value):
                return self._map_of(key, value, path)
            case nodes.Record(fields, extra, matching):
                return self._record(fields, extra, matching, path)
            case nodes.Maybe(inner):
                made = self._at(inner, path, BOTH)
                return Written(UNION, f"{made.text} | null", made.notes)
            case nodes.Enum(values):
                binding = ATOM if len(values) == 1 else UNION
                return Written(binding, " | ".join([literal(value, True) for value in values]))
            case nodes.Union(members):
                return self._members(members, path, " | ", UNION)
            case nodes.One(members):
                self._lose("widened", path, "exactly one of the types")
                return self._members(members, path, " | ", UNION, "exactly one of the types")
            case nodes.Both(members):
                return self._members(members, path, " & ", BOTH)
            case nodes.Not(inner):
                return self._negated(inner, path)
            case nodes.Counted():
                return self._counted(t, path)
            case nodes.Refined():
                return self._refined(t, path)
            case nodes.Noted():
                return self._noted(t, path)
            case nodes.Ref(name):
                return Written(ATOM, name)
            case _:
                assert_never(t)

    def _members(
        self, members: Sequence[nodes.Type], path: Path, sign: str, place: int, *notes: str
    ) -> Written:
        made = [self._at(member, path, place + 1) for member in members]
        said = tuple([note for each in made for note in each.notes])
        return Written(place, sign.join([each.text for each in made]), (*said, *notes))

    def _tuple(self, items: Sequence[nodes.Type], rest: nodes.Type | None, path: Path) -> Written:
        made = [self._at(item, path, UNION) for item in items]
        texts = [each.text for each in made]
        if rest is not None:
            made.append(self._at(rest, path, ATOM))
            texts.append(f"...{made[-1].text}[]")
        notes = tuple([note for each in made for note in each.notes])
        return Written(ATOM, f"[{', '.join(texts)}]", notes)

    def _map_of(self, key: nodes.Type, value: nodes.Type, path: Path) -> Written:
        made = self._at(value, path, UNION)
        notes = made.notes
        if key != nodes.STRING:
            self._lose("widened", path, "the type of the keys")
            keys = self._aside(key, path)
            notes = (*notes, f"keys are {keys.text}", *keys.notes)
        return Written(ATOM, f"Record<string, {made.text}>", notes)

    def _record(
        self,
        fields: Sequence[nodes.Field],
        extra: nodes.Type | None,
        matching: Sequence[nodes.Matching],
        path: Path,
    ) -> Written:
        notes = self._matching_notes(matching, path)
        notes += self._extra_notes(extra, path, "other keys")
        entries = [self._field(field, (*path, field.name)) for field in fields]
        if self.flat:
            notes += [f"{text.partition(': ')[0]}: {said}" for text, said in entries if said]
            entries = [Entry(text, "") for text, _ in entries]
        return Written(ATOM, f"{{{laid_out(entries, self.mark)}}}", tuple(notes))

    def _field(self, field: nodes.Field, path: Path) -> Entry:
        text, comment = self._described(field, path)
        mark = "" if field.required else "?"
        return Entry(f"{property_name(field.name)}{mark}: {text}", comment)


def aliases_of(signature: Signature) -> list[tuple[str, str]]:
    """Return the scalars of *signature* that TypeScript lacks: each name and its definition."""
    wholes = [*outer_types(signature), *signature.names.values()]
    found = {part.name for t in wholes for part in walk(t) if isinstance(part, nodes.Scalar)}
    return [
        (name, f"type {name} = {base} // {words}")
        for name, (base, words) in ALIASES.items()
        if name in found
    ]


def property_name(name: str) -> str:
    """Return the name of a property, in quotes unless it is a plain word."""
    plain = name.isascii() and name.isidentifier() and name != "new"
    return name if plain else quoted(name)


def text_of(signature: Signature, lone: bool) -> tuple[str, Losses]:
    """Return *signature* as text, or its result alone, and the losses."""
    shown, losses = express(signature)
    [shown], ahead = with_all_definitions([shown], lambda name: identifier(name, TAKEN), TAKEN)
    writer = TypeWriter()
    lines = [text for _, text in aliases_of(shown)]
    lines += [writer.definition(name, t, ("definitions", name)) for name, t in ahead.items()]
    if lone:
        lines.append(writer.definition("Answer", shown.returns, ("returns",)))
    else:
        lines.append(writer.call("type Tool = ", " => ", shown))
    return "\n".join(lines), (*losses, *writer.losses)
