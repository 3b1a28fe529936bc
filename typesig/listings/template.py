"""Prompt templates whose placeholders are checked against a signature."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, NoReturn, assert_never

from typesig.algebra import nodes
from typesig.algebra.rows.builtin import as_builtin, read_mapping
from typesig.algebra.rows.names import folded
from typesig.algebra.rows.scalars import SCALARS
from typesig.algebra.rows.values import kind_of
from typesig.algebra.signature import Signature
from typesig.algebra.traversal import level
from typesig.errors import TypesigError, short
from typesig.limits import MAX_EXCERPT, MAX_NAMED
from typesig.listings.firewall import DataWriter
from typesig.notations import parse
from typesig.validation.issues.excerpt import text as excerpt
from typesig.validation.issues.issues import ValidationError, path_text
from typesig.validation.rows.keys import KeyPlan
from typesig.validation.rows.plain import key_text, plain

_PLACEHOLDER = re.compile(r"\{\{([^{}]*)\}\}")
_PATH = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*(?:\.[A-Za-z_][A-Za-z0-9_-]*)*")


def placeholders(text: str) -> tuple[tuple[str, ...], ...]:
    """Return the paths between double braces in *text*, each once, in order.

    Raises `TypesigError` for a placeholder that is empty or not a name.

    >>> placeholders("Find {{ user.name }} on {{topic}}")
    (('user', 'name'), ('topic',))
    """
    return tuple(dict.fromkeys(path for _, path in _found(text)))


def _found(text: str) -> Iterator[tuple[re.Match[str], tuple[str, ...]]]:
    for match in _PLACEHOLDER.finditer(text):
        name = match[1].strip()
        where = f"placeholder {short(match[0])} at character {match.start() + 1}"
        if not name:
            raise TypesigError(f"{where} is empty; write a name, as in {{{{name}}}}")
        if _PATH.fullmatch(name) is None:
            raise TypesigError(
                f"{where} is not a name; names begin with a letter, as in {{{{user.name}}}}"
            )
        yield match, tuple(name.split("."))


class Template:
    """A text with placeholders for values of a signature's parameters.

    Making one raises `TypesigError` for a placeholder that the parameters do not provide.

    >>> Template("Find {{user.name}}", "(user {name :string}) -> :any").render(
    ...     {"user": {"name": "Ann"}}
    ... )
    'Find Ann'
    """

    __slots__ = ("signature", "text")

    def __init__(self, text: str, signature: object) -> None:
        self.text = text
        self.signature = parse(signature)
        arguments: nodes.Type = self.signature.arguments
        levels = _Levels(self.signature.names)
        for path in placeholders(text):
            _check(path, arguments, levels)

    def render(self, values: Mapping[str, Any]) -> str:
        """Return the text with each placeholder replaced by its value.

        Text is written as it is, nil as an empty text, lists and maps as JSON, with `<Firewalled>`
        in place of firewalled values within; placeholders in a value are not replaced.  Raises
        `ValidationError` if a value is missing, `TypesigError` if JSON has no form for it, and
        `TooLarge` beyond `MAX_RENDERED`.
        """
        if not issubclass(type(values), Mapping):
            raise TypesigError(
                f"the values of a template are a dict by name, not {type(values).__name__}"
            )
        rendering = _Rendering(as_builtin(read_mapping(values)), self.signature)
        out, at = [], 0
        for match, path in _found(self.text):
            out.append(self.text[at : match.start()])
            out.append(rendering.text(path))
            at = match.end()
        return "".join([*out, self.text[at:]])


class _Rendering:
    """The values that a template is rendered with.

    #: arguments: the type of the values; texts: the texts of placeholders
    #: keys: the keys of each map, by their folded texts
    """

    __slots__ = ("arguments", "keys", "levels", "texts", "values")

    def __init__(self, values: dict[str, Any], signature: Signature) -> None:
        self.values = values
        self.arguments: nodes.Type = signature.arguments
        self.levels = _Levels(signature.names)
        self.texts: dict[tuple[str, ...], str] = {}
        self.keys: dict[int, dict[str, Any]] = {}

    def text(self, path: tuple[str, ...]) -> str:
        """Return the text of the placeholder *path*."""
        known = self.texts.get(path)
        if known is None:
            known = self.texts[path] = self._written(path, *self._value(path))
        return known

    def _value(self, path: tuple[str, ...]) -> tuple[Any, tuple[nodes.Type, ...]]:
        """Return the value of a placeholder and its types."""
        current: Any = self.values
        reached: tuple[nodes.Type, ...] = (self.arguments,)
        for depth, step in enumerate(path):
            if current is None and depth:
                # The value above is nil, which has nothing below it.
                return None, ()
            fields, types = self.levels[reached].below(step)
            found = self._key(current, step)
            if not found or current is None:
                missing = next((field for field in fields if not field.required), None)
                if missing is None:
                    where = path_text(path[: depth + 1])
                    raise ValidationError(f"{where}: missing in the values")
                default = None if missing.default is None else missing.default.thaw()
                return default, (missing.type,)
            current, reached = current[found[0]], types
        return current, reached

    def _key(self, data: Any, step: str) -> tuple[Any, ...]:
        """Return the key of *data* that *step* stands for, or nothing."""
        if not issubclass(type(data), dict):
            return ()
        if step in data:
            return (step,)
        keys = self.keys.get(id(data))
        if keys is None:
            keys = self.keys[id(data)] = {}
            for key in data:
                keys.setdefault(folded(key_text(key)), key)
        return (keys[folded(step)],) if folded(step) in keys else ()

    def _written(self, path: tuple[str, ...], value: Any, types: tuple[nodes.Type, ...]) -> str:
        data = plain(value) if kind_of(value) not in ("list", "set", "map") else value
        if data is None or type(data) is str:
            return data or ""

        def refuse(at: tuple[str | int, ...], what: str, _value: Any) -> NoReturn:
            within = f" at {path_text(at)}" if at else ""
            raise TypesigError(
                f"placeholder {_braced('.'.join(path))} cannot be written: JSON has no form for "
                f"{what}{within}; give its text, or data that JSON has a form for"
            )

        return DataWriter(self.levels.names, refuse).text(data, types)


def _braced(name: str) -> str:
    return f"{{{{{name if len(name) <= MAX_EXCERPT else excerpt(name)}}}}}"


class _Level:
    """The records and maps that a value can be.

    #: free: whether any name can be written here; values: the types of the values of maps
    #: offered: the fields of the records; records: each record with its fields by their names
    """

    __slots__ = ("free", "offered", "records", "values")

    def __init__(self, reached: tuple[nodes.Type, ...], names: Mapping[str, nodes.Type]) -> None:
        self.free = False
        self.values: list[nodes.Type] = []
        self.offered: list[nodes.Field] = []
        self.records: list[tuple[nodes.Record, dict[str, list[nodes.Field]]]] = []
        for part in [part for one in reached for part in level(one, names)]:
            match part:
                case nodes.Scalar(name):
                    kinds = SCALARS[name].kinds
                    self.free = self.free or not kinds or "map" in kinds
                case nodes.MapOf(_, value):
                    self.values.append(value)
                case nodes.Record(fields):
                    self.offered.extend(fields)
                    named: dict[str, list[nodes.Field]] = {}
                    for field in fields:
                        for spelling in {field.key, field.name}:
                            named.setdefault(spelling, []).append(field)
                    self.records.append((part, named))
                case nodes.Leaf() | nodes.Container() | nodes.Not():
                    continue
                case nodes.Around() | nodes.Joined() | nodes.Ref():
                    continue  # `level` yields the types within, too
                case _:
                    assert_never(part)

    def below(self, step: str) -> tuple[list[nodes.Field], tuple[nodes.Type, ...]]:
        """Return the fields that the name *step* refers to, and the types of its values."""
        fields: list[nodes.Field] = []
        others = list(self.values)
        for part, named in self.records:
            mine = [
                field
                for field in dict.fromkeys((*named.get(folded(step), ()), *named.get(step, ())))
                if field.key == folded(step) or field.name == step
            ]
            fields.extend(mine)
            matched = [m.type for m in part.matching if m.test()(step)]
            others.extend(matched)
            if not mine and not matched and part.extra is not None and part.extra != nodes.ANY:
                others.append(part.extra)
        return fields, (*(field.type for field in fields), *others)


class _Levels(dict[tuple[nodes.Type, ...], _Level]):
    """The levels of values of types that share the definitions *names*, each made once."""

    def __init__(self, names: Mapping[str, nodes.Type]) -> None:
        self.names = names

    def __missing__(self, reached: tuple[nodes.Type, ...]) -> _Level:
        made = self[reached] = _Level(reached, self.names)
        return made


def _check(path: tuple[str, ...], t: nodes.Type, levels: _Levels) -> None:
    reached: tuple[nodes.Type, ...] = (t,)
    for depth, step in enumerate(path):
        found = levels[reached]
        if found.free:
            return
        _, reached = found.below(step)
        if not reached:
            raise TypesigError(_unknown(path, depth, found.offered))


def _unknown(path: tuple[str, ...], depth: int, offered: list[nodes.Field]) -> str:
    whole = _braced(".".join(path))
    if not offered:
        above = _braced(".".join(path[:depth]))
        return f"placeholder {whole}: nothing is named below {above[2:-2]}; write {above}"
    near = KeyPlan(offered).hint(path[depth])
    names = [path_text([field.name]) for field in offered[:MAX_NAMED]]
    has = ", ".join([*names, "…"] if len(offered) > MAX_NAMED else names)
    step = path_text([path[depth]])
    return f"placeholder {whole}: there is no {step}; {near or f'there are {has}'}"
