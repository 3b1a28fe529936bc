"""Writing Python stubs: hints, with comments on what they do not say.

The names that stubs use are those of `typing`, and `datetime`.  To add a scalar, add its row to
`SCALARS`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set
from keyword import iskeyword, kwlist
from typing import assert_never

from typesig.algebra import nodes
from typesig.algebra.constructors import union
from typesig.algebra.loss import Losses
from typesig.algebra.rows.scalars import ScalarName
from typesig.algebra.rows.values import Const, ConstKind
from typesig.algebra.signature import Signature, with_fitting_defaults
from typesig.algebra.traversal import transform
from typesig.algebra.views.naming import Named, unused, with_all_definitions, with_named_records
from typesig.notations.texts.comments import (
    ATOM,
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
    """Writes functions and types, and keeps the losses."""

    where, mark = "a stub", "#"
    anything, any_list, in_json = "Any", "list[Any]", False

    # functions

    def function(
        self, name: str, signature: Signature, lines: Sequence[str], called: str | None = None
    ) -> str:
        """Return the function *name*, with *lines* as its docstring.

        *called* is the name of the tool if it is another one.
        """
        notes: tuple[str, ...] = ()
        if called is not None:
            self._lose("renamed", (), f"the name {called}", name)
            notes = (f"called {quoted(called)}",)
        params, others = self._params(signature)
        returns, note = self._parted(signature.returns, ("returns",))
        written = self._form(returns, ("returns",))
        result = "" if returns == nodes.ANY else f" -> {written.text}"
        said = joined_comments(comment_of((*notes, *others), None), comment_of(written.notes, note))
        comment = self._behind(said)
        head = f"def {name}({params}){result}:"
        return f"{head}{comment}\n {docstring(lines)}" if lines else f"{head} ...{comment}"

    def _params(self, signature: Signature) -> tuple[str, tuple[str, ...]]:
        """Return the parameters up to the closing bracket, and what they do not say."""
        names = python_names(field.name for field in signature.params)
        unhinted = unhinted_defaults(signature)
        entries, seen_optional, is_mixed = [], False, False
        for field, name in zip(signature.params, names, strict=True):
            is_mixed = is_mixed or (field.required and seen_optional)
            seen_optional = seen_optional or not field.required
            entries.append(self._param(field, name, field.name not in unhinted))
        if is_mixed:
            # All parameters are given by name; only here must a stub say so.
            entries.insert(0, Entry("*", ""))
        extra = signature.extra
        if extra is None:
            self._lose("widened", ("params",), "no other arguments")
            return laid_out(entries, self.mark), ("no other arguments",)
        if extra != nodes.ANY:
            made = self._form(extra, ("params", "**"))
            others = unused("others", {*names})
            entries.append(Entry(f"**{others}: {made.text}", comment_of(made.notes, None)))
        return laid_out(entries, self.mark), ()

    def _param(self, field: nodes.Field, name: str, is_hinted: bool) -> Entry:
        path = ("params", field.name)
        inner, note = self._parted(field.type, path)
        made = self._form(inner, path)
        notes = made.notes
        if name != field.name:
            self._lose("renamed", path, f"the name {field.name}", name)
            notes = (f"called {quoted(field.name)}", *notes)
        default = ""
        if field.default is not None and is_hinted:
            default = f" = {_value(field.default)}"
        elif field.default is not None:
            # Its value is of another type than the hint, such as a list for a tuple.
            self._lose("omitted", path, "the default")
            default = " = ..."
            notes = (*notes, f"default {literal(field.default)}")
        elif not field.required:
            default = " = None" if isinstance(inner, nodes.Maybe) else " = ..."
        return Entry(f"{name}: {made.text}{default}", comment_of(notes, note))

    # definitions

    def definition(self, name: str, t: nodes.Type, path: Path = ()) -> str:
        """Return the definition of *name*: a class for a record with fields, else an alias."""
        inner, note = self._parted(t, path)
        if isinstance(inner, nodes.Record) and inner.fields:
            return self._class(name, inner, note, path)
        made = self._form(inner, path)
        return f"{name}: TypeAlias = {made.text}{self._behind(comment_of(made.notes, note))}"

    def _class(self, name: str, record: nodes.Record, note: str | None, path: Path) -> str:
        said = self._other_keys(record, path)
        comment = self._behind(comment_of(said, note))
        fields = [self._field(field, (*path, field.name)) for field in record.fields]
        named = list(zip(record.fields, fields, strict=True))
        if all(_is_name(field.name) and field.name[:2] != "__" for field in record.fields):
            lines = [f" {f.name}: {text}{self._behind(words)}" for f, (text, words) in named]
            return "\n".join([f"class {name}(TypedDict):{comment}", *lines])
        entries = [Entry(f"{_text(f.name)}: {text}", words) for f, (text, words) in named]
        return f'{name} = TypedDict("{name}", {{{laid_out(entries, self.mark)}}}){comment}'

    def _field(self, field: nodes.Field, path: Path) -> Entry:
        """Return the hint of a key, and its comment."""
        text, comment = self._described(field, path)
        return Entry(text if field.required else f"NotRequired[{text}]", comment)

    def _other_keys(self, record: nodes.Record, path: Path) -> tuple[str, ...]:
        notes = self._matching_notes(record.matching, path)
        return (*notes, *self._extra_notes(record.extra, path, "other keys"))

    # hints

    def _form(self, t: nodes.Type, path: Path) -> Written:
        match t:
            case nodes.Scalar(name):
                if name == "keyword":
                    self._lose("widened", path, ":keyword", SCALARS[name])
                return Written(ATOM, SCALARS[name])
            case nodes.List(item):
                made = self._form(item, path)
                return Written(ATOM, f"list[{made.text}]", made.notes)
            case nodes.Set(item):
                made = self._form(item, path)
                return Written(ATOM, f"set[{made.text}]", made.notes)
            case nodes.Tuple(items, rest):
                return self._tuple(items, rest, path)
            case nodes.MapOf(key, value):
                return self._map_of(key, value, path)
            case nodes.Record(fields):
                # Records with fields have names.
                assert not fields
                return Written(ATOM, "dict[str, Any]", self._other_keys(t, path))
            case nodes.Maybe(inner):
                made = self._form(inner, path)
                return Written(UNION, f"{made.text} | None", made.notes)
            case nodes.Enum(values):
                return self._enum(values, path)
            case nodes.Union(members):
                return self._union(members, path)
            case nodes.One(members):
                made = self._union(members, path)
                self._lose("widened", path, "exactly one of the types")
                return made._replace(notes=(*made.notes, "exactly one of the types"))
            case nodes.Both(members):
                return self._both(members, path)
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

    def _union(self, members: Sequence[nodes.Type], path: Path) -> Written:
        made = [self._form(member, path) for member in members]
        notes = tuple([note for each in made for note in each.notes])
        return Written(UNION, " | ".join(dict.fromkeys([each.text for each in made])), notes)

    def _both(self, members: Sequence[nodes.Type], path: Path) -> Written:
        first, *others = [self._form(member, path) for member in members]
        self._lose("widened", path, "several types at once")
        notes = list(first.notes)
        for each in others:
            notes += [f"and {each.text}", *each.notes]
        return first._replace(notes=tuple(notes))

    def _map_of(self, key: nodes.Type, value: nodes.Type, path: Path) -> Written:
        keys, made = self._form(key, path), self._form(value, path)
        return Written(ATOM, f"dict[{keys.text}, {made.text}]", keys.notes + made.notes)

    def _tuple(self, items: Sequence[nodes.Type], rest: nodes.Type | None, path: Path) -> Written:
        made = [self._form(item, path) for item in items]
        texts = [each.text for each in made]
        if rest is not None:
            made.append(self._form(rest, path))
            texts.append(f"*tuple[{made[-1].text}, ...]")
        notes = tuple([note for each in made for note in each.notes])
        return Written(ATOM, f"tuple[{', '.join(texts)}]", notes)

    def _enum(self, values: Sequence[Const], path: Path) -> Written:
        said = [_value(value) for value in values if _CONST_HINTS[value.kind] is None]
        hints = [_CONST_HINTS[value.kind] for value in values]
        others = list(dict.fromkeys([hint for hint in hints if hint is not None]))
        texts = [f"Literal[{', '.join(said)}]"] if said else []
        notes: tuple[str, ...] = ()
        if others:
            self._lose("widened", path, ":enum")
            notes = (f"one of {', '.join([literal(value) for value in values])}",)
        parts = [*texts, *others]
        return Written(ATOM if len(parts) == 1 else UNION, " | ".join(parts), notes)


def docstring(lines: Sequence[str]) -> str:
    """Return *lines*, each of them printable, as a docstring with one blank of indent."""
    text = "\n ".join(line.replace("\\", "\\\\") for line in lines)
    # A quote that another one or the end follows is escaped, so that none ends the text early.
    closed = "".join(
        '\\"' if c == '"' and text[at + 1 : at + 2] in ("", '"') else c for at, c in enumerate(text)
    )
    return f'"""{closed}"""'


def function_names(names: Iterable[str]) -> list[str]:
    """Return *names* of tools as names of functions: others for those that mean something else."""
    return python_names(names, BUILTINS | _HINTED)


def python_names(names: Iterable[str], reserved: Set[str] = frozenset()) -> list[str]:
    """Return *names* as names of functions or parameters: others for what cannot be one.

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
            made = unused(f"{kept}_" if iskeyword(kept) or kept in reserved else kept, taken)
            taken.add(made)
        out.append(made)
    return out


def _is_name(name: str) -> bool:
    """Tell whether Python takes *name* as it is; it normalizes what is not ASCII."""
    fine = name.isascii() and name.isidentifier()
    return fine and not iskeyword(name) and name != "__debug__"


def _text(text: str) -> str:
    return quoted(text) if text.isprintable() else repr(text)


def _value(value: Const) -> str:
    """Return a constant as a Python expression."""
    match value.kind:
        case "string" | "keyword":
            return _text(str(value.value))
        case "nil" | "bool" | "int" | "float":
            return repr(value.value)
        case "list":
            return f"[{', '.join(_value(item) for item in value.value)}]"
        case "map":
            pairs = (f"{_text(p.name)}: {_value(p.const)}" for p in value.value)
            return f"{{{', '.join(pairs)}}}"
        case kind:
            assert_never(kind)


#: What the lone type is called; no definition has the name.
ANSWER = "Answer"


def text_of(signature: Signature, lone: bool) -> tuple[str, Losses]:
    """Return *signature* as text, or its result alone, and the losses."""
    shown, losses = express(signature)
    named = with_all_definitions([shown], lambda name: identifier(name, TAKEN), TAKEN)
    if lone:
        # The outermost record is the class of the answer itself.
        named = Named((), {**named.ahead, ANSWER: named.signatures[0].returns})
    names = [] if lone else ["tool"]
    arranged = with_named_records(named, names, lambda *_: True, TAKEN)
    ahead = dict(arranged.ahead)
    answer = ahead.pop(ANSWER, None)
    writer = StubWriter()
    lines = [writer.definition(name, t, ("definitions", name)) for name, t in ahead.items()]
    if answer is not None:
        lines.append(writer.definition(ANSWER, answer, ("returns",)))
    lines += [writer.function("tool", each, ()) for each in arranged.signatures]
    return "\n".join(lines), (*losses, *writer.losses)


_NEVER = nodes.Not(nodes.ANY)


def unhinted_defaults(signature: Signature) -> frozenset[str]:
    """Return the names of the parameters whose defaults are of other types than the hints.

    >>> from typesig import parse
    >>> sorted(unhinted_defaults(parse("(a [:int, :int] = [1, 2], b [:int] = [1, 2]) -> :any")))
    ['a']
    """
    given = [f for f in signature.params if f.default is not None]
    if all(f.default is None or f.default.kind not in ("list", "map") for f in given):
        return frozenset()
    params = [
        nodes.Field(f.name, transform(f.type, _hinted), False, f.default, True) for f in given
    ]
    names = {name: transform(t, _hinted) for name, t in signature.names.items()}
    _, unfit = with_fitting_defaults(params, nodes.ANY, names)
    return frozenset(field.name for field, _ in unfit)


def _hinted(t: nodes.Type) -> nodes.Type:
    """Return *t*, whose parts are done, as the type of the JSON values that its hint has."""
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
        case nodes.Counted():
            return nodes.List(nodes.ANY)
        case nodes.Both(members):
            return members[0]
        case nodes.One(members):
            return union(members)
        case nodes.Refined(inner) | nodes.Noted(inner):
            return inner
        case _:
            return t
