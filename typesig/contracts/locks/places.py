"""The places in a contract, and what stands at each: descriptions, titles and defaults.

A place is written `params.q`, `returns.[].id` or `where.Tree.kids`, as `relations.Difference` does.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from typesig.algebra import nodes
from typesig.algebra.rows.frozen import DEFAULTS, NOTES
from typesig.algebra.rows.values import Const
from typesig.algebra.signature import Signature
from typesig.algebra.traversal import children
from typesig.contract_limits import MAX_CONTRACT_PLACES
from typesig.errors import TooLarge
from typesig.notations.texts.literals import literal
from typesig.notations.texts.quoting import quoted

Path = tuple[str, ...]


def place_of(path: Path) -> str:
    """Return *path* as text; names that contain separators are quoted.

    >>> place_of(("params", "a.b", "[]"))
    'params."a.b".[]'
    """
    return ".".join([_step(name) for name in path])


def _step(name: str) -> str:
    plain = name and name.isprintable() and not set(name) & set(' ".:')
    return name if plain else quoted(name)


def owner_of(place: str) -> str:
    """Return what stands at *place*: a `param`, a part of `input` or `output`, or a named `type`.

    >>> owner_of("params.q"), owner_of("params.q.[]"), owner_of("returns")
    ('param', 'input', 'output')
    """
    head, _, rest = place.partition(".")
    if head == "where":
        return "type"
    if head == "returns":
        return "output"
    return "param" if steps_of(rest) == 1 else "input"


def steps_of(place: str) -> int:
    """Return how many steps *place* has: points within quotes separate nothing."""
    count, quotes, escaped = 1, False, False
    for c in place:
        if escaped:
            escaped = False
        elif c == "\\":
            escaped = quotes
        elif c == '"':
            quotes = not quotes
        elif c == "." and not quotes:
            count += 1
    return count


class Noted(NamedTuple):
    """What stands at the places of a signature: descriptions, titles, and defaults, as text.

    #: values: the texts in names, enums and defaults
    """

    descriptions: dict[str, str]
    titles: dict[str, str]
    defaults: dict[str, str]
    values: dict[str, list[str]]


def noted_in(signature: Signature) -> Noted:
    """Return the notes and the defaults of *signature*, by place.

    Raises `TooLarge` if more than `MAX_CONTRACT_PLACES` places have to be looked at.
    """
    found = Noted({}, {}, {}, {})
    walk = _Walk(found)
    wholes: list[tuple[Path, nodes.Type]] = [(("returns",), signature.returns)]
    if signature.extra is not None:
        wholes.append((("params", "**"), signature.extra))
    wholes += [(("where", d.name), d.type) for d in signature.definitions]
    walk.fields(("params",), signature.params)
    for path, t in wholes:
        walk.part(path, t)
    return found


def texts_in(data: object) -> Iterator[str]:
    """Yield the texts in *data*, JSON data or a constant, names included."""
    pending = [data]
    while pending:
        part = pending.pop()
        if isinstance(part, Const):
            part = part.thaw()
        if isinstance(part, str):
            yield part
        elif isinstance(part, dict):
            pending += [each for item in reversed(part.items()) for each in reversed(item)]
        elif isinstance(part, list):
            pending += reversed(part)


class _Walk:
    def __init__(self, found: Noted) -> None:
        self._found = found
        self._left = MAX_CONTRACT_PLACES

    def fields(self, path: Path, fields: tuple[nodes.Field, ...]) -> None:
        for field in fields:
            at = (*path, field.name)
            place = place_of(at)
            values = self._found.values[place] = [field.name]
            if field.default is not None:
                self._found.defaults[place] = literal(field.default)
                values += texts_in(field.default)
            self.part(at, field.type)

    def part(self, path: Path, t: nodes.Type) -> None:
        self._left -= 1
        if self._left < 0:
            raise TooLarge(f"a contract has {MAX_CONTRACT_PLACES} places, this one has more")
        while isinstance(t, nodes.Noted):
            for texts, text in ((self._found.descriptions, t.text), (self._found.titles, t.title)):
                if text is not None:
                    place = place_of(path)
                    # A note around another one: both are read.
                    texts[place] = f"{texts[place]}\n{text}" if place in texts else text
            t = t.inner
        if isinstance(t, nodes.Record):
            self.fields(path, t.fields)
            for matching in t.matching:
                self.part((*path, f"/{matching.pattern}/"), matching.type)
            if t.extra is not None:
                self.part((*path, "**"), t.extra)
        elif isinstance(t, nodes.Enum):
            values = [text for value in t.values for text in texts_in(value)]
            self._found.values.setdefault(place_of(path), []).extend(values)
        elif t.flags & (NOTES | DEFAULTS) or children(t):
            for step, child in steps_into(t):
                self.part((*path, *step), child)


def steps_into(t: nodes.Type) -> Iterator[tuple[Path, nodes.Type]]:
    """Yield the parts of *t*, which is no record, and the step that leads to each."""
    parts = children(t)
    if isinstance(t, nodes.List | nodes.Set | nodes.Counted):
        yield ("[]",), parts[0]
    elif isinstance(t, nodes.Tuple):
        for place, item in enumerate(t.items):
            yield (str(place),), item
        if t.rest is not None:
            yield ("**",), t.rest
    elif isinstance(t, nodes.MapOf):
        yield ("key",), t.key
        yield ("value",), t.value
    elif isinstance(t, nodes.Joined):
        for place, member in enumerate(t.members, 1):
            yield (f"|{place}",), member
    else:
        for inner in parts:
            yield (), inner
