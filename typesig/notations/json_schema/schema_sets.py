"""Many schemas over the same definitions, as those of one document of OpenAPI: each is read once.

Read one by one, each of several hundred schemas would read the definitions that it uses again.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

from typesig.algebra.loss import Loss, select_changing
from typesig.algebra.nodes import ANY, Record, Tuple, Type
from typesig.algebra.redaction import find_used_names
from typesig.algebra.rows.pattern_budget import limit_pattern_work
from typesig.algebra.signature import Signature, with_fitting_defaults
from typesig.errors import TypesigError
from typesig.notations.json_schema.parameters import merge_parameters
from typesig.notations.json_schema.parser import find_secret_names
from typesig.notations.json_schema.reader import Reader
from typesig.notations.json_schema.references import Pointer


class Root(NamedTuple):
    """A schema of arguments or of a result; its definitions are kept elsewhere.

    #: is_input: whether it describes arguments, or else a result
    """

    schema: dict[str, Any]
    is_input: bool


#: Types by themselves: equal ones are the same object, so that they are compared in no time.
Types: TypeAlias = dict[Type, Type]


def read_several(
    roots: Sequence[Root], definitions: Mapping[str, Any], types: Types
) -> list[Signature | None]:
    """Read *roots* together as signatures, with None for a schema to be read alone.

    It has no losses but those that change what is accepted.  None is returned for a schema that has
    to be read by itself: it is refused, or means something else beside others.  *types* are those
    of other schemas of the document, and get more.
    """
    if not roots:
        return []
    if not _can_share([root.schema for root in roots], definitions):
        return [None] * len(roots)
    return _read(roots, definitions, types)


def _read(
    roots: Sequence[Root], definitions: Mapping[str, Any], types: Types
) -> list[Signature | None]:
    """Read the schemas *roots* together, or by halves; return None for a failing schema."""
    try:
        found = _Several(roots, definitions, types).signatures()
    except (TypesigError, RecursionError):
        found = None
    if found is not None:
        return found
    if len(roots) == 1:
        return [None]
    # What is too large together, or refused, is not read by itself with all of the others.
    half = len(roots) // 2
    first = _read(roots[:half], definitions, types)
    return [*first, *_read(roots[half:], definitions, types)]


#: The keywords by which a schema means something else where it stands.
_SCOPED = frozenset({
    "$anchor", "$defs", "$dynamicAnchor", "$dynamicRef", "$id", "$recursiveAnchor",
    "$recursiveRef", "$schema", "definitions",
})  # fmt: skip

_DEFINED = "#/$defs/"


def _can_share(roots: list[Any], definitions: Mapping[str, Any]) -> bool:
    """Whether *roots* and *definitions* mean the same in one schema together."""
    pending: list[Any] = [*roots, *definitions.values()]
    while pending:
        part = pending.pop()
        if isinstance(part, dict):
            reference = part.get("$ref", _DEFINED)
            if not _SCOPED.isdisjoint(part) or not str(reference).startswith(_DEFINED):
                return False
            pending += part.values()
        elif isinstance(part, list):
            pending += part
    return not any(name.startswith("(") for name in definitions)


def _used_by(roots: Iterable[Root], definitions: Mapping[str, Any]) -> dict[str, Any]:
    """Return the definitions to which *roots* refer, directly or indirectly."""
    from urllib.parse import unquote

    pending: list[Any] = [root.schema for root in roots]
    found: dict[str, Any] = {}
    while pending:
        part = pending.pop()
        if isinstance(part, dict):
            reference = part.get("$ref")
            if isinstance(reference, str):
                name = unquote(reference.removeprefix(_DEFINED))
                name = name.replace("~1", "/").replace("~0", "~")
                if name in definitions and name not in found:
                    found[name] = definitions[name]
                    pending.append(definitions[name])
            pending += part.values()
        elif isinstance(part, list):
            pending += part
    return found


class _Several:
    """A run that reads several schemas and their definitions as one schema."""

    def __init__(self, roots: Sequence[Root], definitions: Mapping[str, Any], types: Types) -> None:
        self._roots = roots
        self._types = types
        self._places: list[Pointer] = [("$defs", f"({n})") for n in range(len(roots))]
        own = {at: root.schema for (_, at), root in zip(self._places, roots, strict=True)}
        self._whole = {"$defs": {**_used_by(roots, definitions), **own}}
        self._losses: list[Loss] = []
        self._has_secrets = bool(find_secret_names(self._whole))

    @limit_pattern_work()
    def signatures(self) -> list[Signature | None] | None:
        """Return the signatures, or None if the schemas must be read separately."""
        self._reader = reader = Reader(self._whole, {}, True, self._losses)
        types: list[Type] = []
        for place, root in zip(self._places, self._roots, strict=True):
            at = reader.document.places[place]
            types.append(
                reader.read(at, frozenset({"object"})) if root.is_input else reader.read(at)
            )
        reader.read_definitions(ANY)
        if reader.widened_names & reader.negated_names:
            return None
        merged = [self._merged(t, root) for t, root in zip(types, self._roots, strict=True)]
        wholes = [None if each is None else each[0] for each in merged]
        wholes = self._with_fitting_defaults(wholes)
        for name, t in reader.definitions.items():
            reader.definitions[name] = self._types.setdefault(t, t)
        by_place: dict[Pointer, list[Loss]] = {}
        for loss in select_changing(self._losses):
            by_place.setdefault(loss.path[:2], []).append(loss)
        return [
            None if each is None or t is None else self._signature(n, t, each[1], by_place)
            for n, (each, t) in enumerate(zip(merged, wholes, strict=True))
        ]

    def _merged(self, t: Type, root: Root) -> tuple[Type, list[Loss]] | None:
        """Return *t*, merged to a record if *root* is an input, and its losses."""
        if not root.is_input:
            return t, []
        own: list[Loss] = []
        self._reader.losses = own
        try:
            return merge_parameters(self._reader, t), own
        except TypesigError:
            return None
        finally:
            self._reader.losses = self._losses

    def _with_fitting_defaults(self, wholes: list[Type | None]) -> list[Type | None]:
        """Return *wholes* without the defaults that do not fit their types."""
        reader = self._reader
        if not reader.defaults:
            return wholes
        # A tuple has at least two positions.
        together = Tuple((ANY, ANY, *[ANY if t is None else t for t in wholes]))
        found, _ = with_fitting_defaults((), together, reader.definitions)
        reader.definitions.update(found.names)
        made = found.returns
        assert isinstance(made, Tuple)
        return [None if t is None else new for t, new in zip(wholes, made.items[2:], strict=True)]

    def _signature(
        self, n: int, t: Type, own: list[Loss], by_place: Mapping[Pointer, list[Loss]]
    ) -> Signature | None:
        """Build the signature of root number *n* from the type *t* and its losses."""
        reader, root = self._reader, self._roots[n]
        kept = find_used_names(reader.definitions, [t])
        named = {name: each for name, each in reader.definitions.items() if name in kept}
        losses = [
            Loss(each.kind, each.path[2:], each.what, each.why, each.became)
            for each in by_place.get(self._places[n], ())
        ]
        for (pointer, _), name in reader.names.items():
            if name in kept:
                losses += by_place.get(pointer[:2], ())
        step = "input" if root.is_input else "output"
        told = tuple(dict.fromkeys([each.below(step) for each in (*losses, *own)]))
        secrets = self._secrets(root, named)
        try:
            if isinstance(t, Record) and root.is_input:
                return Signature(t.fields, ANY, named, t.extra, secrets=secrets, losses=told)
            return Signature((), t, named, secrets=secrets, losses=told)
        except TypesigError:
            return None

    def _secrets(self, root: Root, named: Mapping[str, Type]) -> frozenset[str]:
        """Find the names of secret properties in *root* and its definitions *named*."""
        if not self._has_secrets:
            return frozenset()
        definitions = self._whole["$defs"]
        own = {name: definitions[name] for name in named if name in definitions}
        found = find_secret_names({**root.schema, "$defs": own})
        return found - {""} if root.is_input else found
