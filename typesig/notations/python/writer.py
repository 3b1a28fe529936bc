"""Writing Python stubs: hints, with comments on what they do not say.

The names that stubs use are those of `typing`, and `datetime`.  To add a scalar, add its row to
`SCALARS`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set
from keyword import iskeyword, kwlist
from typing import assert_never

from typesig.algebra import nodes
from typesig.algebra.constructors import make_union
from typesig.algebra.loss import Losses
from typesig.algebra.naming import (
    NamedSignatures,
    make_unused_name,
    with_all_definitions,
    with_named_records,
)
from typesig.algebra.rows.scalars import ScalarName
from typesig.algebra.rows.values import Const, ConstKind
from typesig.algebra.signature import Signature, with_fitting_defaults
from typesig.algebra.traversal import transform
from typesig.notations.texts.comments import (
    ATOM,
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
    "string": "str",
    "int": "int",
    "float": "float",
    "bool": "bool",
    "keyword": "str",
    "any": "Any",
    "nil": "None",
    "datetime": "datetime",
    "map": "dict[str, Any]",
}

#: The hint of a constant of each kind that is not in `Literal`; None for those that are.
_CONST_HINTS: dict[ConstKind, str | None] = {
    "nil": None,
    "bool": None,
    "int": None,
    "float": "float",
    "string": None,
    "keyword": "str",
    "list": "list[Any]",
    "map": "dict[str, Any]",
}

#: The names that a type cannot have.
TAKEN = frozenset(kwlist) | {
    "Annotated", "Answer", "Any", "Callable", "Literal", "NotRequired", "Optional", "TypeAlias",
    "TypedDict", "Union", "bool", "bytes", "datetime", "dict", "float", "frozenset", "int",
    "list", "object", "set", "str", "tool", "tuple", "type",
}  # fmt: skip

_BUILTINS = """
    ArithmeticError AssertionError AttributeError BaseException Ellipsis Exception False
    FileExistsError FileNotFoundError ImportError IndexError IsADirectoryError KeyError
    KeyboardInterrupt LookupError MemoryError ModuleNotFoundError NameError None
    NotADirectoryError NotImplemented NotImplementedError OSError OverflowError PermissionError
    RecursionError RuntimeError StopIteration SyntaxError SystemExit TimeoutError True TypeError
    UnboundLocalError UnicodeDecodeError UnicodeEncodeError ValueError ZeroDivisionError
    __debug__ __doc__ __name__ __package__ __spec__ abs all any bin bool bytes chr complex dict
    divmod enumerate eval exec filter float format frozenset getattr hasattr hash hex id int
    isinstance iter len list locals map max min next object oct open ord pow print property
    range repr reversed round set setattr slice sorted str sum tuple type zip
"""

#: The names that a program has without an import; a tool of such a name is not what it would call.
BUILTINS = frozenset(_BUILTINS.split())

#: The names that hints have besides: a function of such a name would stand in their place.
_HINTED = frozenset(
    ("Any", "Callable", "Literal", "NotRequired", "TypeAlias", "TypedDict", "datetime")
)


class StubWriter(CommentWriter):
    """Writer of Python stubs, functions and types, which records the losses."""

    where, mark = "a stub", "#"
    anything, any_list, in_json = "Any", "list[Any]", False

    # functions

    def write_function(
        self, name: str, signature: Signature, lines: Sequence[str], called: str | None = None
    ) -> str:
        """Write the stub of the function *name*, with *lines* as its docstring.

        *called* is the name of the tool if it is another one.
        """
        notes: tuple[str, ...] = ()
        if called is not None:
            self._record_loss("renamed", (), f"the name {called}", name)
            notes = (f"called {quote(called)}",)
        params, others = self._write_params(signature)
        returns, note = self._split_annotations(signature.returns, ("returns",))
        written = self._write_form(returns, ("returns",))
        result = "" if returns == nodes.ANY else f" -> {written.text}"
        said = join_comments(
            make_comment((*notes, *others), None), make_comment(written.notes, note)
        )
        comment = self._add_comment(said)
        head = f"def {name}({params}){result}:"
        return f"{head}{comment}\n {write_docstring(lines)}" if lines else f"{head} ...{comment}"

    def _write_params(self, signature: Signature) -> tuple[str, tuple[str, ...]]:
        """Write the parameters up to the closing bracket, and list the omissions."""
        names = make_python_names(field.name for field in signature.params)
        unhinted = find_unhinted_defaults(signature)
        entries, seen_optional, is_mixed = [], False, False
        for field, name in zip(signature.params, names, strict=True):
            is_mixed = is_mixed or (field.required and seen_optional)
            seen_optional = seen_optional or not field.required
            entries.append(self._write_param(field, name, field.name not in unhinted))
        if is_mixed:
            # All parameters are given by name; only here must a stub say so.
            entries.insert(0, Entry("*", ""))
        extra = signature.extra
        if extra is None:
            self._record_loss("widened", ("params",), "no other arguments")
            return lay_out(entries, self.mark), ("no other arguments",)
        if extra != nodes.ANY:
            made = self._write_form(extra, ("params", "**"))
            others = make_unused_name("others", {*names})
            entries.append(Entry(f"**{others}: {made.text}", make_comment(made.notes, None)))
        return lay_out(entries, self.mark), ()

    def _write_param(self, field: nodes.Field, name: str, is_hinted: bool) -> Entry:
        """Write the parameter *field* as *name* with its hint, default and comment."""
        path = ("params", field.name)
        inner, note = self._split_annotations(field.type, path)
        made = self._write_form(inner, path)
        notes = made.notes
        if name != field.name:
            self._record_loss("renamed", path, f"the name {field.name}", name)
            notes = (f"called {quote(field.name)}", *notes)
        default = ""
        if field.default is not None and is_hinted:
            default = f" = {_write_value(field.default)}"
        elif field.default is not None:
            # Its value is of another type than the hint, such as a list for a tuple.
            self._record_loss("omitted", path, "the default")
            default = " = ..."
            notes = (*notes, f"default {write_literal(field.default)}")
        elif not field.required:
            default = " = None" if isinstance(inner, nodes.Maybe) else " = ..."
        return Entry(f"{name}: {made.text}{default}", make_comment(notes, note))

    # definitions

    def write_definition(self, name: str, t: nodes.Type, path: Path = ()) -> str:
        """Write the type *t* as a TypedDict or an alias called *name*."""
        inner, note = self._split_annotations(t, path)
        if isinstance(inner, nodes.Record) and inner.fields:
            said = self._describe_other_keys(inner, path)
            comment = self._add_comment(make_comment(said, note))
            fields = [self._write_field(field, (*path, field.name)) for field in inner.fields]
            named = list(zip(inner.fields, fields, strict=True))
            if all(_is_name(field.name) and field.name[:2] != "__" for field in inner.fields):
                lines = [
                    f" {f.name}: {text}{self._add_comment(words)}" for f, (text, words) in named
                ]
                return "\n".join([f"class {name}(TypedDict):{comment}", *lines])
            entries = [Entry(f"{_write_text(f.name)}: {text}", words) for f, (text, words) in named]
            return f'{name} = TypedDict("{name}", {{{lay_out(entries, self.mark)}}}){comment}'
        made = self._write_form(inner, path)
        return f"{name}: TypeAlias = {made.text}{self._add_comment(make_comment(made.notes, note))}"

    def _write_field(self, field: nodes.Field, path: Path) -> Entry:
        """Write the type of the TypedDict key *field*, and its comment."""
        text, comment = self._describe_field(field, path)
        return Entry(text if field.required else f"NotRequired[{text}]", comment)

    def _describe_other_keys(self, record: nodes.Record, path: Path) -> tuple[str, ...]:
        """Describe the pattern fields and other keys of *record* in comments."""
        notes = self._describe_patterns(record.matching, path)
        return (*notes, *self._describe_extra(record.extra, path, "other keys"))

    # hints

    def _write_form(self, t: nodes.Type, path: Path) -> WrittenType:
        """Write the type *t* at path *path* as a hint, with its comments."""
        match t:
            case nodes.Scalar(name):
                if name == "keyword":
                    self._record_loss("widened", path, ":keyword", SCALARS[name])
                return WrittenType(ATOM, SCALARS[name])
            case nodes.List(item):
                made = self._write_form(item, path)
                return WrittenType(ATOM, f"list[{made.text}]", made.notes)
            case nodes.Set(item):
                made = self._write_form(item, path)
                return WrittenType(ATOM, f"set[{made.text}]", made.notes)
            case nodes.Tuple(items, rest):
                return self._write_tuple(items, rest, path)
            case nodes.MapOf(key, value):
                return self._map_of(key, value, path)
            case nodes.Record(fields):
                # Records with fields have names.
                assert not fields
                return WrittenType(ATOM, "dict[str, Any]", self._describe_other_keys(t, path))
            case nodes.Maybe(inner):
                made = self._write_form(inner, path)
                return WrittenType(UNION, f"{made.text} | None", made.notes)
            case nodes.Enum(values):
                return self._write_enum(values, path)
            case nodes.Union(members):
                return self._write_union(members, path)
            case nodes.One(members):
                made = self._write_union(members, path)
                self._record_loss("widened", path, "exactly one of the types")
                return made._replace(notes=(*made.notes, "exactly one of the types"))
            case nodes.Both(members):
                return self._write_both(members, path)
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

    def _write_union(self, members: Sequence[nodes.Type], path: Path) -> WrittenType:
        """Write the union of the types *members* as a hint with `|`."""
        made = [self._write_form(member, path) for member in members]
        notes = tuple([note for each in made for note in each.notes])
        return WrittenType(UNION, " | ".join(dict.fromkeys([each.text for each in made])), notes)

    def _write_both(self, members: Sequence[nodes.Type], path: Path) -> WrittenType:
        """Write the first of the types *members* as a hint, the others in comments."""
        first, *others = [self._write_form(member, path) for member in members]
        self._record_loss("widened", path, "several types at once")
        notes = list(first.notes)
        for each in others:
            notes += [f"and {each.text}", *each.notes]
        return first._replace(notes=tuple(notes))

    def _map_of(self, key: nodes.Type, value: nodes.Type, path: Path) -> WrittenType:
        """Write a map type as a `dict` hint of the *key* and *value* types."""
        keys, made = self._write_form(key, path), self._write_form(value, path)
        return WrittenType(ATOM, f"dict[{keys.text}, {made.text}]", keys.notes + made.notes)

    def _write_tuple(
        self, items: Sequence[nodes.Type], rest: nodes.Type | None, path: Path
    ) -> WrittenType:
        """Write a tuple of types *items*, then any number of *rest*, as a hint."""
        made = [self._write_form(item, path) for item in items]
        texts = [each.text for each in made]
        if rest is not None:
            made.append(self._write_form(rest, path))
            texts.append(f"*tuple[{made[-1].text}, ...]")
        notes = tuple([note for each in made for note in each.notes])
        return WrittenType(ATOM, f"tuple[{', '.join(texts)}]", notes)

    def _write_enum(self, values: Sequence[Const], path: Path) -> WrittenType:
        """Write the enum of the constants *values* as `Literal` or wider hints."""
        said = [_write_value(value) for value in values if _CONST_HINTS[value.kind] is None]
        hints = [_CONST_HINTS[value.kind] for value in values]
        others = list(dict.fromkeys([hint for hint in hints if hint is not None]))
        texts = [f"Literal[{', '.join(said)}]"] if said else []
        notes: tuple[str, ...] = ()
        if others:
            self._record_loss("widened", path, ":enum")
            notes = (f"one of {', '.join([write_literal(value) for value in values])}",)
        parts = [*texts, *others]
        return WrittenType(ATOM if len(parts) == 1 else UNION, " | ".join(parts), notes)


def write_docstring(lines: Sequence[str]) -> str:
    """Return *lines*, each of them printable, as a docstring with one blank of indent."""
    text = "\n ".join(line.replace("\\", "\\\\") for line in lines)
    # A quote that another one or the end follows is escaped, so that none ends the text early.
    closed = "".join(
        '\\"' if c == '"' and text[at + 1 : at + 2] in ("", '"') else c for at, c in enumerate(text)
    )
    return f'"""{closed}"""'


def make_function_names(names: Iterable[str]) -> list[str]:
    """Convert the tool *names* to unique valid names of Python functions."""
    return make_python_names(names, BUILTINS | _HINTED)


def make_python_names(names: Iterable[str], reserved: Set[str] = frozenset()) -> list[str]:
    """Convert *names* to unique Python identifiers other than *reserved*.

    *reserved* are names that none of them gets.
    """
    given = list(names)
    taken = {name for name in given if _is_name(name)} - reserved
    out = []
    for name in given:
        made = name
        if name not in taken:
            kept = "".join([c if c.isascii() and c.isalnum() else "_" for c in name])
            kept = kept if kept[:1].isalpha() else f"x_{kept}"
            made = make_unused_name(
                f"{kept}_" if iskeyword(kept) or kept in reserved else kept, taken
            )
            taken.add(made)
        out.append(made)
    return out


def _is_name(name: str) -> bool:
    """Whether Python accepts *name* unchanged; names outside ASCII are normalized."""
    fine = name.isascii() and name.isidentifier()
    return fine and not iskeyword(name) and name != "__debug__"


def _write_text(text: str) -> str:
    """Write *text* as a Python string literal, in double quotes if it is printable."""
    return quote(text) if text.isprintable() else repr(text)


def _write_value(value: Const) -> str:
    """Write the constant *value* as a Python expression."""
    match value.kind:
        case "string" | "keyword":
            return _write_text(str(value.value))
        case "nil" | "bool" | "int" | "float":
            return repr(value.value)
        case "list":
            return f"[{', '.join(_write_value(item) for item in value.value)}]"
        case "map":
            pairs = (f"{_write_text(p.name)}: {_write_value(p.const)}" for p in value.value)
            return f"{{{', '.join(pairs)}}}"
        case kind:
            assert_never(kind)


#: What the lone type is called; no definition has the name.
ANSWER = "Answer"


def write_signature(signature: Signature, lone: bool) -> tuple[str, Losses]:
    """Write *signature*, or its result if *lone*, as Python; also return the losses."""
    shown, losses = express(signature)
    named = with_all_definitions([shown], lambda name: make_identifier(name, TAKEN), TAKEN)
    if lone:
        # The outermost record is the class of the answer itself.
        named = NamedSignatures((), {**named.ahead, ANSWER: named.signatures[0].returns})
    names = [] if lone else ["tool"]
    arranged = with_named_records(named, names, lambda *_: True, TAKEN)
    ahead = dict(arranged.ahead)
    answer = ahead.pop(ANSWER, None)
    writer = StubWriter()
    lines = [writer.write_definition(name, t, ("definitions", name)) for name, t in ahead.items()]
    if answer is not None:
        lines.append(writer.write_definition(ANSWER, answer, ("returns",)))
    lines += [writer.write_function("tool", each, ()) for each in arranged.signatures]
    return "\n".join(lines), (*losses, *writer.losses)


_NEVER = nodes.Not(nodes.ANY)


def find_unhinted_defaults(signature: Signature) -> frozenset[str]:
    """Return the parameters whose JSON defaults do not fit their Python hints.

    >>> from typesig import parse
    >>> sorted(
    ...     find_unhinted_defaults(parse("(a [:int, :int] = [1, 2], b [:int] = [1, 2]) -> :any"))
    ... )
    ['a']
    """
    given = [f for f in signature.params if f.default is not None]
    if all(f.default is None or f.default.kind not in ("list", "map") for f in given):
        return frozenset()
    params = [
        nodes.Field(f.name, transform(f.type, _to_hinted), False, f.default, True) for f in given
    ]
    names = {name: transform(t, _to_hinted) for name, t in signature.names.items()}
    _, unfit = with_fitting_defaults(params, nodes.ANY, names)
    return frozenset(field.name for field, _ in unfit)


def _to_hinted(t: nodes.Type) -> nodes.Type:
    """Return the type of the JSON values that fit the Python hint of *t*."""
    match t:
        case nodes.Tuple() | nodes.Set() | nodes.Scalar("datetime"):
            return _NEVER
        case nodes.Record(fields) if fields:
            return nodes.Record(
                tuple([nodes.Field(f.name, f.type, f.required, None, True) for f in fields]), None
            )
        case nodes.Record():
            return nodes.Scalar("map")
        case nodes.Not():
            return nodes.ANY
        case nodes.ItemCount():
            return nodes.List(nodes.ANY)
        case nodes.Both(members):
            return members[0]
        case nodes.One(members):
            return make_union(members)
        case nodes.Refinement(inner) | nodes.Annotation(inner):
            return inner
        case _:
            return t
