"""Compare texts, defaults, annotations and injected parameters of two contracts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from typesig.algebra.redaction import find_used_names
from typesig.algebra.signature import Signature
from typesig.contracts.comparison import Change, Sides
from typesig.contracts.contract import FAMILIES, ToolContract, write_canonical_json
from typesig.contracts.places import find_annotations, get_owner
from typesig.contracts.rules import RULES
from typesig.notations.texts.quoting import quote, with_escapes
from typesig.relations.proofs.differences import format_place

#: What a hint of MCP is without a value, and the first part of its rules.
_HINTS: dict[str, tuple[bool, str]] = {
    "readOnlyHint": (False, "read-only"),
    "destructiveHint": (True, "destructive"),
    "idempotentHint": (False, "idempotent"),
    "openWorldHint": (True, "open-world"),
}


def find_text_changes(
    old: ToolContract, new: ToolContract, types: Iterable[Change], moves: list[tuple[str, str]]
) -> Iterator[Change]:
    """Yield changes of descriptions, titles, keywords and raw texts of a tool.

    *types* are the changes of its types: a text that went with one of these is not told.
    *moves* are the places of fields that have another name.
    """
    for what in ("description", "title"):
        before, after = getattr(old, what), getattr(new, what)
        if before != after:
            yield _change(f"tool-{what}", "", _quote(before), _quote(after))
    whole, around = _find_reported_places(types)
    for what, one, other in (
        ("description", old.notes, new.notes),
        ("title", old.titles, new.titles),
    ):
        for place, was, now in _iter_differing(_move_texts(one, moves), other):
            if now is None and _is_within(place, whole, around):
                continue
            yield _change(f"{get_owner(place)}-{what}", place, _quote(was), _quote(now))
    for place, was, now in _iter_differing(old.keywords, new.keywords, absent=_ABSENT):
        family = FAMILIES.get(place.rpartition(".")[2], "keyword")
        yield _change(family, place, *_get_texts("", was, now))
    for place, was, now in _iter_differing(old.raw, new.raw):
        yield _change("raw-text", place, _quote(was), _quote(now))


#: Stands for a value that is not there, where null is a value.
_ABSENT = object()


def _get_texts(head: str, was: Any, now: Any) -> tuple[str | None, str | None]:
    """Write two values as JSON text after *head*; an absent value gives None."""
    before, after = (
        None if v is _ABSENT else f"{head}{write_canonical_json(v)}" for v in (was, now)
    )
    return before, after


def _quote(text: str | None) -> str | None:
    """Quote *text* with escapes for control characters; None stays None."""
    return None if text is None else with_escapes(quote(text))


def _change(name: str, place: str, old: str | None, new: str | None) -> Change:
    """Build the `Change` from *old* to *new*; *name* begins the name of its rule."""
    change = "added" if old is None else "removed" if new is None else "changed"
    return Change(f"{name}-{change}", place, old or "", new or "")


def _iter_differing(
    a: Mapping[str, Any], b: Mapping[str, Any], absent: object = None
) -> Iterator[tuple[str, Any, Any]]:
    """Yield the keys whose JSON values differ between two maps, with both values."""
    for place in sorted({*a, *b}):
        was, now = a.get(place, absent), b.get(place, absent)
        # Of data, 1 and true are equal.
        if was is not now and (
            was is absent or now is absent or write_canonical_json(was) != write_canonical_json(now)
        ):
            yield place, was, now


def _move_texts(texts: Mapping[str, str], moves: list[tuple[str, str]]) -> Mapping[str, str]:
    """Rekey *texts* to the new places of renamed fields."""
    known = dict(moves)
    return {_move_place(place, known): text for place, text in texts.items()} if known else texts


def _move_place(place: str, moves: Mapping[str, str]) -> str:
    """Replace the start of *place* by its new place in *moves*, if it was renamed."""
    for end in [*(at for at, c in enumerate(place) if c == "."), len(place)]:
        if place[:end] in moves:
            return moves[place[:end]] + place[end:]
    return place


def _find_reported_places(types: Iterable[Change]) -> tuple[set[str], set[str]]:
    """Return the places of added, removed, shown or hidden fields, and of other changes."""
    whole: set[str] = set()
    around: set[str] = set()
    for found in types:
        is_field = any(word in found.rule for word in ("-added-", "-removed-", "-shown", "-hidden"))
        (whole if is_field else around).add(found.place)
    return whole, around


def _is_within(place: str, whole: set[str], around: set[str]) -> bool:
    """Whether *place* is one of *whole* or inside a place of *whole* or *around*."""
    if place in whole:
        return True
    places = (place[:at] for at, c in enumerate(place) if c == ".")
    return any(each in whole or each in around for each in places)


def default_changes(
    old: Signature, new: Signature, types: Iterable[Change], moves: list[tuple[str, str]]
) -> Iterator[Change]:
    """Yield how the defaults of fields changed."""
    whole, around = _find_reported_places(types)
    inputs = _find_input_names(old) | _find_input_names(new)
    one, other = find_annotations(old).defaults, find_annotations(new).defaults
    for place, was, now in _iter_differing(_move_texts(one, moves), other):
        if (was is None or now is None) and _is_within(place, whole, around):
            continue
        owner = get_owner(place)
        if owner == "type":
            is_input = any(place.startswith(f"{name}.") for name in inputs)
            owner = "input" if is_input else "output"
        name = "param-default" if owner == "param" else f"{owner}-field-default"
        yield _change(name, place, was, now)


def _find_input_names(signature: Signature) -> set[str]:
    """Places of the named types that parameters use."""
    wholes = [field.type for field in signature.params]
    wholes += [] if signature.extra is None else [signature.extra]
    return {format_place(("where", name)) for name in find_used_names(signature.names, wholes)}


def find_annotation_changes(old: ToolContract, new: ToolContract) -> Iterator[Change]:
    """Yield the changes of a tool's annotations."""
    for name, was, now in _iter_differing(old.annotations, new.annotations, absent=_ABSENT):
        texts = _get_texts(f"{name}: ", was, now)
        default, word = _HINTS.get(name, (False, ""))
        if word and all(each in (True, False, _ABSENT) for each in (was, now)):
            before, after = (default if each is _ABSENT else each for each in (was, now))
            if before is after:
                yield Change("annotation-stated", "", new=texts[1] or texts[0] or "")
            else:
                yield Change(f"{word}-{'gained' if after else 'lost'}", "")
            continue
        yield _change("annotation", "", *texts)


def find_secret_changes(old: ToolContract, new: ToolContract) -> Iterator[Change]:
    """Yield the fields that became secret or are no longer secret."""
    for name in sorted({*old.secrets} ^ {*new.secrets}):
        rule = "secret-added" if name in new.secrets else "secret-removed"
        yield Change(rule, format_place((name,)) if name else "returns")


def new_texts(old: ToolContract, new: ToolContract, found: Iterable[Change]) -> Iterator[Change]:
    """Yield a change that lists strings of *new* missing from *old* and *found*.

    The rule of such a change is more severe than additive, so it is not overlooked.
    """
    shown = [each.new for each in found if RULES[each.rule].severity != "additive"]
    missing = [
        with_escapes(quote(text))
        for text in sorted(new.strings - old.strings)
        if not any(text in each or with_escapes(quote(text))[1:-1] in each for each in shown)
    ]
    if missing:
        yield Change("other-text-added", "", new=", ".join(missing))


def find_unread_changes(old: ToolContract, new: ToolContract) -> Iterator[Change]:
    """Yield changes of foreign schema parts that the signature cannot express."""
    for place, was, now in _iter_differing(old.unread, new.unread):
        way = "output" if place.startswith("returns") else "input"
        yield Change(f"{way}-unread-changed", place, was or "nothing", now or "nothing")


def find_host_changes(
    sides: Sides, old: ToolContract, new: ToolContract, types: list[Change]
) -> list[Change]:
    """Merge *types* with changes of parameters that the host injects.

    A parameter that the host supplies now, or no longer, is told as this one change.
    """
    before, after = set(map(_make_key, old.hidden)), set(map(_make_key, new.hidden))
    shown = {_make_place(name) for name in _list_visible(new) if _make_key(name) in before}
    hidden = {_make_place(name) for name in _list_visible(old) if _make_key(name) in after}
    out: list[Change] = []
    told: set[str] = set()
    for found in types:
        if found.rule.startswith("param-added-") and found.place in shown:
            told.add(_make_key(found.place.removeprefix("params.")))
            found = found._replace(rule=found.rule.replace("added", "shown"))
        elif found.rule.startswith("param-removed-") and found.place in hidden:
            told.add(_make_key(found.place.removeprefix("params.")))
            found = found._replace(rule="param-hidden", old="")
        out.append(found)
    for name, was, now in _iter_differing(old.hidden, new.hidden):
        if _make_key(name) in told:
            continue
        if now is None:
            out.append(Change("hidden-param-removed", _make_place(name)))
        else:
            change = "added" if was is None else "became"
            need = "required" if now else "optional"
            out.append(Change(f"hidden-param-{change}-{need}", _make_place(name)))
    both = {f.name for f in old.signature.params} & {f.name for f in new.signature.params}
    return [
        *out,
        *_find_firewalled_changes(sides, old.signature, new.signature, out),
        *(
            Change(_KIND_RULES[now], _make_place(name))
            for name, _, now in _iter_differing(old.kinds, new.kinds)
            if name in both
        ),
    ]


def _make_key(name: str) -> str:
    """Strip leading underscores from *name*, so that hidden and visible names match."""
    return name.lstrip("_")


def _make_place(name: str) -> str:
    """Build the place of the parameter *name* in a contract, such as `params.q`."""
    return format_place(("params", name))


def _list_visible(contract: ToolContract) -> list[str]:
    """List the names of the parameters of *contract* that are not firewalled."""
    return [f.name for f in contract.signature.params if not f.firewalled]


def _find_firewalled_changes(
    sides: Sides, old: Signature, new: Signature, told: list[Change]
) -> Iterator[Change]:
    """Yield changes of firewalled parameters and of the order of all parameters."""
    a, b = {f.name: f for f in old.params}, {f.name: f for f in new.params}
    for name, field in a.items():
        if name in b and field.firewalled:
            other = b[name].with_type(sides.rename_new(b[name].type))
            before, after = sides.field_text(field), sides.field_text(other)
            if (field.type, field.required) != (other.type, other.required):
                yield Change("hidden-param-changed", _make_place(name), before, after)
    names, now = [name for name in a if name in b], [name for name in b if name in a]
    if names != now and all(found.rule != "param-reordered" for found in told):
        yield Change("param-reordered", "params", ", ".join(names), ", ".join(now))


_KIND_RULES: dict[str | None, str] = {
    "positional": "param-became-positional-only",
    "keyword": "param-became-keyword-only",
    None: "param-became-usual",
}
