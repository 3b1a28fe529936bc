"""Writing TypeScript: types, with comments on what they do not say.

To add a scalar, add its row to `SCALARS`; one that JSON has no form for needs a row in `ALIASES`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from typesig.algebra import nodes
from typesig.algebra.loss import Losses
from typesig.algebra.naming import with_all_definitions
from typesig.algebra.rows.scalars import ScalarName
from typesig.algebra.signature import Signature, get_outer_types
from typesig.algebra.traversal import iter_types
from typesig.notations.texts.comments import (
    ATOM,
    BOTH,
    UNION,
    CommentWriter,
    Entry,
    Path,
    WrittenType,
    express,
    join_comments,
    lay_out,
    make_comment,
    make_identifier,
)
from typesig.notations.texts.literals import write_literal
from typesig.notations.texts.quoting import quote

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
    """Writer of types in TypeScript, which records the losses.

    #: flat: whether all is written on one line, with the comments of fields among the notes
    """

    where, mark = "TypeScript", "//"
    anything, any_list, in_json = "any", "any[]", True

    def __init__(self, flat: bool = False) -> None:
        super().__init__()
        self.flat = flat

    def write_text(self, t: nodes.Type) -> str:
        """Write *t* in TypeScript, without the comment that follows it."""
        return self._write_at(t, (), UNION).text

    def write_definition(self, name: str, t: nodes.Type, path: Path = ()) -> str:
        """Write the definition of *name* as the type *t*, as lines."""
        inner, note = self._split_annotations(t, path)
        written = self._write_at(inner, path, UNION)
        return f"type {name} = {written.text}{self._add_comment(make_comment(written.notes, note))}"

    def call(self, name: str, arrow: str, signature: Signature) -> str:
        """Write *signature* as a callable *name*, with *arrow* before the result type."""
        args = self._write_arguments(signature)
        returns, note = self._split_annotations(signature.returns, ("returns",))
        written = self._write_at(returns, ("returns",), UNION)
        result = "" if returns == nodes.ANY and arrow == ": " else f"{arrow}{written.text}"
        said = join_comments(make_comment(args.notes, None), make_comment(written.notes, note))
        return f"{name}({args.text}){result}{self._add_comment(said)}"

    def _write_arguments(self, signature: Signature) -> WrittenType:
        """Write the arguments as a single object parameter, with notes."""
        notes = self._describe_extra(signature.extra, ("params",), "other arguments")
        if not signature.params:
            return WrittenType(ATOM, "", notes)
        mark = "" if any(field.required for field in signature.params) else "?"
        entries = [self._write_field(field, ("params", field.name)) for field in signature.params]
        return WrittenType(ATOM, f"args{mark}: {{{lay_out(entries, self.mark)}}}", notes)

    def _write_aside(self, t: nodes.Type, path: Path) -> WrittenType:
        """Write the type *t* at the path *path* on one line for a comment."""
        writer = TypeWriter(flat=True)
        made = writer._write_at(t, path, ATOM)
        self.losses += writer.losses
        return made

    def _write_at(self, t: nodes.Type, path: Path, place: int) -> WrittenType:
        """Write *t*, in parentheses if it binds looser than *place* demands."""
        written = self._write_form(t, path)
        if written.binding >= place:
            return written
        return WrittenType(ATOM, f"({written.text})", written.notes)

    def _write_form(self, t: nodes.Type, path: Path) -> WrittenType:
        """Write the type *t* at path *path* in TypeScript, with its comments."""
        match t:
            case nodes.Scalar(name):
                if name in ALIASES:
                    self._record_loss("widened", path, f":{name}", ALIASES[name][0])
                return WrittenType(ATOM, SCALARS[name])
            case nodes.List(item):
                inner = self._write_at(item, path, ATOM)
                return WrittenType(ATOM, f"{inner.text}[]", inner.notes)
            case nodes.Set(item):
                self._record_loss("widened", path, "unique items")
                inner = self._write_at(item, path, ATOM)
                return WrittenType(ATOM, f"{inner.text}[]", (*inner.notes, "unique"))
            case nodes.Tuple(items, rest):
                return self._write_tuple(items, rest, path)
            case nodes.MapOf(key, value):
                return self._map_of(key, value, path)
            case nodes.Record(fields, extra, matching):
                return self._record(fields, extra, matching, path)
            case nodes.Maybe(inner):
                made = self._write_at(inner, path, BOTH)
                return WrittenType(UNION, f"{made.text} | null", made.notes)
            case nodes.Enum(values):
                binding = ATOM if len(values) == 1 else UNION
                return WrittenType(
                    binding, " | ".join([write_literal(value, True) for value in values])
                )
            case nodes.Union(members):
                return self._write_members(members, path, " | ", UNION)
            case nodes.One(members):
                self._record_loss("widened", path, "exactly one of the types")
                return self._write_members(members, path, " | ", UNION, "exactly one of the types")
            case nodes.Both(members):
                return self._write_members(members, path, " & ", BOTH)
            case nodes.Not(inner):
                return self._describe_negation(inner, path)
            case nodes.ItemCount():
                return self._describe_counted(t, path)
            case nodes.Refinement():
                return self._describe_refined(t, path)
            case nodes.Annotation():
                return self._describe_annotated(t, path)
            case nodes.Ref(name):
                return WrittenType(ATOM, name)
            case _:
                assert_never(t)

    def _write_members(
        self, members: Sequence[nodes.Type], path: Path, sign: str, place: int, *notes: str
    ) -> WrittenType:
        """Join the types *members* by the operator *sign*; *place* is its binding."""
        made = [self._write_at(member, path, place + 1) for member in members]
        said = tuple([note for each in made for note in each.notes])
        return WrittenType(place, sign.join([each.text for each in made]), (*said, *notes))

    def _write_tuple(
        self, items: Sequence[nodes.Type], rest: nodes.Type | None, path: Path
    ) -> WrittenType:
        """Write a tuple of types *items*, then any number of *rest*."""
        made = [self._write_at(item, path, UNION) for item in items]
        texts = [each.text for each in made]
        if rest is not None:
            made.append(self._write_at(rest, path, ATOM))
            texts.append(f"...{made[-1].text}[]")
        notes = tuple([note for each in made for note in each.notes])
        return WrittenType(ATOM, f"[{', '.join(texts)}]", notes)

    def _map_of(self, key: nodes.Type, value: nodes.Type, path: Path) -> WrittenType:
        """Write a map type as `Record<string, …>` of the *value* type."""
        made = self._write_at(value, path, UNION)
        notes = made.notes
        if key != nodes.STRING:
            self._record_loss("widened", path, "the type of the keys")
            keys = self._write_aside(key, path)
            notes = (*notes, f"keys are {keys.text}", *keys.notes)
        return WrittenType(ATOM, f"Record<string, {made.text}>", notes)

    def _record(
        self,
        fields: Sequence[nodes.Field],
        extra: nodes.Type | None,
        matching: Sequence[nodes.PatternField],
        path: Path,
    ) -> WrittenType:
        """Write a record type as an object type on lines of its own, or flat."""
        notes = self._describe_patterns(matching, path)
        notes += self._describe_extra(extra, path, "other keys")
        entries = [self._write_field(field, (*path, field.name)) for field in fields]
        if self.flat:
            notes += [f"{text.partition(': ')[0]}: {said}" for text, said in entries if said]
            entries = [Entry(text, "") for text, _ in entries]
        return WrittenType(ATOM, f"{{{lay_out(entries, self.mark)}}}", tuple(notes))

    def _write_field(self, field: nodes.Field, path: Path) -> Entry:
        """Write *field* as a property of an object type, with its comment."""
        text, comment = self._describe_field(field, path)
        mark = "" if field.required else "?"
        return Entry(f"{write_property_name(field.name)}{mark}: {text}", comment)


def find_aliases(signature: Signature) -> list[tuple[str, str]]:
    """Return names and definitions of the scalars of *signature* that TypeScript lacks."""
    wholes = [*get_outer_types(signature), *signature.names.values()]
    found = {part.name for t in wholes for part in iter_types(t) if isinstance(part, nodes.Scalar)}
    return [
        (name, f"type {name} = {base} // {words}")
        for name, (base, words) in ALIASES.items()
        if name in found
    ]


def write_property_name(name: str) -> str:
    """Write *name* as a TypeScript property name, quoted unless a plain word."""
    plain = name.isascii() and name.isidentifier() and name != "new"
    return name if plain else quote(name)


def write_signature(signature: Signature, lone: bool) -> tuple[str, Losses]:
    """Write *signature*, or its result if *lone*, in TypeScript; also return the losses."""
    shown, losses = express(signature)
    [shown], ahead = with_all_definitions([shown], lambda name: make_identifier(name, TAKEN), TAKEN)
    writer = TypeWriter()
    lines = [text for _, text in find_aliases(shown)]
    lines += [writer.write_definition(name, t, ("definitions", name)) for name, t in ahead.items()]
    if lone:
        lines.append(writer.write_definition("Answer", shown.returns, ("returns",)))
    else:
        lines.append(writer.call("type Tool = ", " => ", shown))
    return "\n".join(lines), (*losses, *writer.losses)
