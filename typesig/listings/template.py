"""Prompt templates whose placeholders are checked against a signature."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, NoReturn, assert_never

from typesig.algebra import nodes
from typesig.algebra.rows.builtin import as_builtin, read_mapping
from typesig.algebra.rows.names import fold_name
from typesig.algebra.rows.scalars import SCALARS
from typesig.algebra.rows.values import get_kind
from typesig.algebra.signature import Signature
from typesig.algebra.traversal import iter_same_value_types
from typesig.errors import TypesigError, format_value
from typesig.limits import MAX_EXCERPT, MAX_NAMED
from typesig.listings.firewall import DataWriter
from typesig.notations import parse
from typesig.validation.issues.excerpt import quote_text as excerpt
from typesig.validation.issues.issues import ValidationError, write_path
from typesig.validation.keys import KeyPlan
from typesig.validation.plain_data import to_plain, write_key

_PLACEHOLDER = re.compile(r"\{\{([^{}]*)\}\}")
_PATH = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*(?:\.[A-Za-z_][A-Za-z0-9_-]*)*")


def placeholders(text: str) -> tuple[tuple[str, ...], ...]:
    """Paths between double braces in *text*, without duplicates, in order.

    Raises `TypesigError` for a placeholder that is empty or not a name.

    >>> placeholders("Find {{ user.name }} on {{topic}}")
    (('user', 'name'), ('topic',))
    """
    return tuple(dict.fromkeys(path for _, path in _iter_placeholders(text)))


def _iter_placeholders(text: str) -> Iterator[tuple[re.Match[str], tuple[str, ...]]]:
    """Yield the match and path of all placeholders in *text*; raise on a bad name."""
    for match in _PLACEHOLDER.finditer(text):
        name = match[1].strip()
        where = f"placeholder {format_value(match[0])} at character {match.start() + 1}"
        if not name:
            raise TypesigError(f"{where} is empty; write a name, as in {{{{name}}}}")
        if _PATH.fullmatch(name) is None:
            raise TypesigError(
                f"{where} is not a name; names begin with a letter, as in {{{{user.name}}}}"
            )
        yield match, tuple(name.split("."))


class Template:
    """A text with placeholders for the parameters of a signature.

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
        levels = _LevelCache(self.signature.names)
        for path in placeholders(text):
            _check_placeholder(path, arguments, levels)

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
        rendering = _Renderer(as_builtin(read_mapping(values)), self.signature)
        out, at = [], 0
        for match, path in _iter_placeholders(self.text):
            out.append(self.text[at : match.start()])
            out.append(rendering.get_text(path))
            at = match.end()
        return "".join([*out, self.text[at:]])


class _Renderer:
    """Writer of placeholder values in a template.

    #: arguments: the type of the values; texts: the texts of placeholders
    #: keys: the keys of each map, by their folded texts
    """

    __slots__ = ("arguments", "keys", "levels", "texts", "values")

    def __init__(self, values: dict[str, Any], signature: Signature) -> None:
        self.values = values
        self.arguments: nodes.Type = signature.arguments
        self.levels = _LevelCache(signature.names)
        self.texts: dict[tuple[str, ...], str] = {}
        self.keys: dict[int, dict[str, Any]] = {}

    def get_text(self, path: tuple[str, ...]) -> str:
        """Text of the placeholder *path*."""
        known = self.texts.get(path)
        if known is None:
            known = self.texts[path] = self._write(path, *self._find_value(path))
        return known

    def _find_value(self, path: tuple[str, ...]) -> tuple[Any, tuple[nodes.Type, ...]]:
        """Value of the placeholder *path*, and its possible types."""
        current: Any = self.values
        reached: tuple[nodes.Type, ...] = (self.arguments,)
        for depth, step in enumerate(path):
            if current is None and depth:
                # The value above is nil, which has nothing below it.
                return None, ()
            fields, types = self.levels[reached].get_fields(step)
            found = self._find_key(current, step)
            if not found or current is None:
                missing = next((field for field in fields if not field.required), None)
                if missing is None:
                    where = write_path(path[: depth + 1])
                    raise ValidationError(f"{where}: missing in the values")
                default = None if missing.default is None else missing.default.thaw()
                return default, (missing.type,)
            current, reached = current[found[0]], types
        return current, reached

    def _find_key(self, data: Any, step: str) -> tuple[Any, ...]:
        """Return the key of *data* that matches *step*, as a 1-tuple, or ()."""
        if not issubclass(type(data), dict):
            return ()
        if step in data:
            return (step,)
        keys = self.keys.get(id(data))
        if keys is None:
            keys = self.keys[id(data)] = {}
            for key in data:
                keys.setdefault(fold_name(write_key(key)), key)
        return (keys[fold_name(step)],) if fold_name(step) in keys else ()

    def _write(self, path: tuple[str, ...], value: Any, types: tuple[nodes.Type, ...]) -> str:
        """Write the placeholder *path*: text unquoted, other data as JSON."""
        data = to_plain(value) if get_kind(value) not in ("list", "set", "map") else value
        if data is None or type(data) is str:
            return data or ""

        def refuse(at: tuple[str | int, ...], what: str, _value: Any) -> NoReturn:
            within = f" at {write_path(at)}" if at else ""
            raise TypesigError(
                f"placeholder {_wrap_in_braces('.'.join(path))} cannot be written: JSON has "
                "no form for "
                f"{what}{within}; give its text, or data that JSON has a form for"
            )

        return DataWriter(self.levels.names, refuse).text(data, types)


def _wrap_in_braces(name: str) -> str:
    """Write *name* as a `{{…}}` placeholder, shortened if long."""
    return f"{{{{{name if len(name) <= MAX_EXCERPT else excerpt(name)}}}}}"


class _Level:
    """Record and map types that a value may have, to resolve a placeholder step.

    #: free: whether any name can be written here; values: the types of the values of maps
    #: offered: the fields of the records; records: each record with its fields by their names
    """

    __slots__ = ("free", "offered", "records", "values")

    def __init__(self, reached: tuple[nodes.Type, ...], names: Mapping[str, nodes.Type]) -> None:
        self.free = False
        self.values: list[nodes.Type] = []
        self.offered: list[nodes.Field] = []
        self.records: list[tuple[nodes.Record, dict[str, list[nodes.Field]]]] = []
        for part in [part for one in reached for part in iter_same_value_types(one, names)]:
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
                case nodes.Wrapper() | nodes.Combination() | nodes.Ref():
                    continue  # `iter_same_value_types` yields the types within, too
                case _:
                    assert_never(part)

    def get_fields(self, step: str) -> tuple[list[nodes.Field], tuple[nodes.Type, ...]]:
        """Return the fields called *step*, and the possible types of the value."""
        fields: list[nodes.Field] = []
        others = list(self.values)
        for part, named in self.records:
            mine = [
                field
                for field in dict.fromkeys((*named.get(fold_name(step), ()), *named.get(step, ())))
                if field.key == fold_name(step) or field.name == step
            ]
            fields.extend(mine)
            matched = [m.type for m in part.matching if m.test()(step)]
            others.extend(matched)
            if not mine and not matched and part.extra is not None and part.extra != nodes.ANY:
                others.append(part.extra)
        return fields, (*(field.type for field in fields), *others)


class _LevelCache(dict[tuple[nodes.Type, ...], _Level]):
    """Levels by possible types, for types that share the definitions *names*."""

    def __init__(self, names: Mapping[str, nodes.Type]) -> None:
        self.names = names

    def __missing__(self, reached: tuple[nodes.Type, ...]) -> _Level:
        made = self[reached] = _Level(reached, self.names)
        return made


def _check_placeholder(path: tuple[str, ...], t: nodes.Type, levels: _LevelCache) -> None:
    """Raise `TypesigError` if type *t* has no field at the placeholder *path*."""
    reached: tuple[nodes.Type, ...] = (t,)
    for depth, step in enumerate(path):
        found = levels[reached]
        if found.free:
            return
        _, reached = found.get_fields(step)
        if not reached:
            raise TypesigError(_explain_unknown(path, depth, found.offered))


def _explain_unknown(path: tuple[str, ...], depth: int, offered: list[nodes.Field]) -> str:
    """Write the error for the unknown step *depth* of *path*, naming *offered* fields."""
    whole = _wrap_in_braces(".".join(path))
    if not offered:
        above = _wrap_in_braces(".".join(path[:depth]))
        return f"placeholder {whole}: nothing is named below {above[2:-2]}; write {above}"
    near = KeyPlan(offered).find_hint(path[depth])
    names = [write_path([field.name]) for field in offered[:MAX_NAMED]]
    has = ", ".join([*names, "…"] if len(offered) > MAX_NAMED else names)
    step = write_path([path[depth]])
    return f"placeholder {whole}: there is no {step}; {near or f'there are {has}'}"
