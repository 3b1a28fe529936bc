"""Places in a contract, with the descriptions, titles and defaults there.

A place is written `params.q`, `returns.[].id` or `where.Tree.kids`, as `relations.Difference` does.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from typesig.algebra import nodes
from typesig.algebra.rows.frozen import DEFAULTS, NOTES
from typesig.algebra.rows.values import Const
from typesig.algebra.signature import Signature
from typesig.algebra.traversal import get_children
from typesig.errors import TooLarge
from typesig.limits.contracts import MAX_CONTRACT_PLACES
from typesig.notations.texts.literals import write_literal
from typesig.relations.proofs.differences import Path, format_place


def get_owner(place: str) -> str:
    """Kind of *place*: `param`, part of `input` or `output`, or a named `type`.

    >>> get_owner("params.q"), get_owner("params.q.[]"), get_owner("returns")
    ('param', 'input', 'output')
    """
    head, _, rest = place.partition(".")
    if head == "where":
        return "type"
    if head == "returns":
        return "output"
    return "param" if count_steps(rest) == 1 else "input"


def count_steps(place: str) -> int:
    """Number of steps in *place*; dots inside quotes do not separate steps."""
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


class Annotations(NamedTuple):
    """Descriptions, titles, defaults and values of a signature, by place.

    #: values: the texts in names, enums and defaults
    """

    descriptions: dict[str, str]
    titles: dict[str, str]
    defaults: dict[str, str]
    values: dict[str, list[str]]


def find_annotations(signature: Signature) -> Annotations:
    """Find the annotations and defaults of *signature*, by place.

    Raises `TooLarge` if more than `MAX_CONTRACT_PLACES` places have to be looked at.
    """
    found = Annotations({}, {}, {}, {})
    walk = _AnnotationVisitor(found)
    wholes: list[tuple[Path, nodes.Type]] = [(("returns",), signature.returns)]
    if signature.extra is not None:
        wholes.append((("params", "**"), signature.extra))
    wholes += [(("where", d.name), d.type) for d in signature.definitions]
    walk.visit_fields(("params",), signature.params)
    for path, t in wholes:
        walk.visit_part(path, t)
    return found


def iter_texts(data: object) -> Iterator[str]:
    """Yield the strings in *data*, JSON data or a constant, including keys."""
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


class _AnnotationVisitor:
    """Collector of the descriptions, titles, defaults and texts of types, by place."""

    def __init__(self, found: Annotations) -> None:
        self._found = found
        self._left = MAX_CONTRACT_PLACES

    def visit_fields(self, path: Path, fields: tuple[nodes.Field, ...]) -> None:
        """Collect the names, defaults and annotations of *fields* at *path*."""
        for field in fields:
            at = (*path, field.name)
            place = format_place(at)
            values = self._found.values[place] = [field.name]
            if field.default is not None:
                self._found.defaults[place] = write_literal(field.default)
                values += iter_texts(field.default)
            self.visit_part(at, field.type)

    def visit_part(self, path: Path, t: nodes.Type) -> None:
        """Collect the annotations and enum values of *t* at *path* and inside it."""
        self._left -= 1
        if self._left < 0:
            raise TooLarge(f"a contract has {MAX_CONTRACT_PLACES} places, this one has more")
        while isinstance(t, nodes.Annotation):
            for texts, text in ((self._found.descriptions, t.text), (self._found.titles, t.title)):
                if text is not None:
                    place = format_place(path)
                    # A note around another one: both are read.
                    texts[place] = f"{texts[place]}\n{text}" if place in texts else text
            t = t.inner
        if isinstance(t, nodes.Record):
            self.visit_fields(path, t.fields)
            for matching in t.matching:
                self.visit_part((*path, f"/{matching.pattern}/"), matching.type)
            if t.extra is not None:
                self.visit_part((*path, "**"), t.extra)
        elif isinstance(t, nodes.Enum):
            values = [text for value in t.values for text in iter_texts(value)]
            self._found.values.setdefault(format_place(path), []).extend(values)
        elif t.flags & (NOTES | DEFAULTS) or get_children(t):
            for step, child in iter_steps_into(t):
                self.visit_part((*path, *step), child)


def iter_steps_into(t: nodes.Type) -> Iterator[tuple[Path, nodes.Type]]:
    """Yield the direct parts of *t*, which is no record, each with the path into it."""
    parts = get_children(t)
    if isinstance(t, nodes.List | nodes.Set | nodes.ItemCount):
        yield ("[]",), parts[0]
    elif isinstance(t, nodes.Tuple):
        for place, item in enumerate(t.items):
            yield (str(place),), item
        if t.rest is not None:
            yield ("**",), t.rest
    elif isinstance(t, nodes.MapOf):
        yield ("key",), t.key
        yield ("value",), t.value
    elif isinstance(t, nodes.Combination):
        for place, member in enumerate(t.members, 1):
            yield (f"|{place}",), member
    else:
        for inner in parts:
            yield (), inner
