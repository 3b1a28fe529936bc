"""How what is told of a tool changed: texts, defaults, annotations, and what the host supplies."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from typesig.algebra.signature import Signature
from typesig.algebra.views.redaction import used
from typesig.contracts.comparing.sides import Sides
from typesig.contracts.comparing.walk import Found
from typesig.contracts.locks.keywords import FAMILIES
from typesig.contracts.locks.locked import ToolContract, json_of
from typesig.contracts.locks.places import noted_in, owner_of, place_of
from typesig.contracts.rows.rules import RULES
from typesig.notations.texts.quoting import quoted
from typesig.notations.texts.unseen import with_escapes

#: What a hint of MCP is without a value, and the first part of its rules.
_HINTS: dict[str, tuple[bool, str]] = {
    "readOnlyHint": (False, "read-only"),
    "destructiveHint": (True, "destructive"),
    "idempotentHint": (False, "idempotent"),
    "openWorldHint": (True, "open-world"),
}


def text_changes(
    old: ToolContract, new: ToolContract, types: Iterable[Found], moves: list[tuple[str, str]]
) -> Iterator[Found]:
    """Yield how the texts of a tool changed.

    *types* are the changes of its types: a text that went with one of these is not told.
    *moves* are the places of fields that have another name.
    """
    for what in ("description", "title"):
        before, after = getattr(old, what), getattr(new, what)
        if before != after:
            yield _change(f"tool-{what}", "", _quoted(before), _quoted(after))
    whole, around = _told_of(types)
    for what, one, other in (
        ("description", old.notes, new.notes),
        ("title", old.titles, new.titles),
    ):
        for place, was, now in _differing(_moved(one, moves), other):
            if now is None and _is_within(place, whole, around):
                continue
            yield _change(f"{owner_of(place)}-{what}", place, _quoted(was), _quoted(now))
    for place, was, now in _differing(old.keywords, new.keywords, absent=_ABSENT):
        family = FAMILIES.get(place.rpartition(".")[2], "keyword")
        yield _change(family, place, *_texts("", was, now))
    for place, was, now in _differing(old.raw, new.raw):
        yield _change("raw-text", place, _quoted(was), _quoted(now))


#: Stands for a value that is not there, where null is a value.
_ABSENT = object()


def _texts(head: str, was: Any, now: Any) -> tuple[str | None, str | None]:
    before, after = (None if v is _ABSENT else f"{head}{json_of(v)}" for v in (was, now))
    return before, after


def _quoted(text: str | None) -> str | None:
    return None if text is None else with_escapes(quoted(text))


def _change(name: str, place: str, old: str | None, new: str | None) -> Found:
    change = "added" if old is None else "removed" if new is None else "changed"
    return Found(f"{name}-{change}", place, old or "", new or "")


def _differing(
    a: Mapping[str, Any], b: Mapping[str, Any], absent: object = None
) -> Iterator[tuple[str, Any, Any]]:
    for place in sorted({*a, *b}):
        was, now = a.get(place, absent), b.get(place, absent)
        # Of data, 1 and true are equal.
        if was is not now and (was is absent or now is absent or json_of(was) != json_of(now)):
            yield place, was, now


def _moved(texts: Mapping[str, str], moves: list[tuple[str, str]]) -> Mapping[str, str]:
    """Return *texts* at the places where the fields are now that have another name."""
    known = dict(moves)
    return {_moved_place(place, known): text for place, text in texts.items()} if known else texts


def _moved_place(place: str, moves: Mapping[str, str]) -> str:
    for end in [*(at for at, c in enumerate(place) if c == "."), len(place)]:
        if place[:end] in moves:
            return moves[place[:end]] + place[end:]
    return place


def _told_of(types: Iterable[Found]) -> tuple[set[str], set[str]]:
    """Return the places that came or went, and those of which a part did."""
    whole: set[str] = set()
    around: set[str] = set()
    for found in types:
        is_field = any(word in found.rule for word in ("-added-", "-removed-", "-shown", "-hidden"))
        (whole if is_field else around).add(found.place)
    return whole, around


def _is_within(place: str, whole: set[str], around: set[str]) -> bool:
    if place in whole:
        return True
    places = (place[:at] for at, c in enumerate(place) if c == ".")
    return any(each in whole or each in around for each in places)


def default_changes(
    old: Signature, new: Signature, types: Iterable[Found], moves: list[tuple[str, str]]
) -> Iterator[Found]:
    """Yield how the defaults of fields changed."""
    whole, around = _told_of(types)
    inputs = _input_names(old) | _input_names(new)
    one, other = noted_in(old).defaults, noted_in(new).defaults
    for place, was, now in _differing(_moved(one, moves), other):
        if (was is None or now is None) and _is_within(place, whole, around):
            continue
        owner = owner_of(place)
        if owner == "type":
            is_input = any(place.startswith(f"{name}.") for name in inputs)
            owner = "input" if is_input else "output"
        name = "param-default" if owner == "param" else f"{owner}-field-default"
        yield _change(name, place, was, now)


def _input_names(signature: Signature) -> set[str]:
    """Return the places of the named types that parameters use."""
    wholes = [field.type for field in signature.params]
    wholes += [] if signature.extra is None else [signature.extra]
    return {place_of(("where", name)) for name in used(signature.names, wholes)}


def annotation_changes(old: ToolContract, new: ToolContract) -> Iterator[Found]:
    """Yield how the annotations of a tool changed."""
    for name, was, now in _differing(old.annotations, new.annotations, absent=_ABSENT):
        texts = _texts(f"{name}: ", was, now)
        default, word = _HINTS.get(name, (False, ""))
        if word and all(each in (True, False, _ABSENT) for each in (was, now)):
            before, after = (default if each is _ABSENT else each for each in (was, now))
            if before is after:
                yield Found("annotation-stated", "", new=texts[1] or texts[0] or "")
            else:
                yield Found(f"{word}-{'gained' if after else 'lost'}", "")
            continue
        yield _change("annotation", "", *texts)


def secret_changes(old: ToolContract, new: ToolContract) -> Iterator[Found]:
    """Yield which fields became secrets, or no longer are."""
    for name in sorted({*old.secrets} ^ {*new.secrets}):
        rule = "secret-added" if name in new.secrets else "secret-removed"
        yield Found(rule, place_of((name,)) if name else "returns")


def new_texts(old: ToolContract, new: ToolContract, found: Iterable[Found]) -> Iterator[Found]:
    """Yield that *new* has texts which *old* has not, unless a change that was *found* shows them.

    The rule of such a change is more severe than additive, so it is not overlooked.
    """
    shown = [each.new for each in found if RULES[each.rule].severity != "additive"]
    missing = [
        with_escapes(quoted(text))
        for text in sorted(new.strings - old.strings)
        if not any(text in each or with_escapes(quoted(text))[1:-1] in each for each in shown)
    ]
    if missing:
        yield Found("other-text-added", "", new=", ".join(missing))


def unread_changes(old: ToolContract, new: ToolContract) -> Iterator[Found]:
    """Yield how the parts changed that the signature does not express."""
    for place, was, now in _differing(old.unread, new.unread):
        way = "output" if place.startswith("returns") else "input"
        yield Found(f"{way}-unread-changed", place, was or "nothing", now or "nothing")


def host_changes(
    sides: Sides, old: ToolContract, new: ToolContract, types: list[Found]
) -> list[Found]:
    """Return *types*, the changes of parameters, and how what the host supplies changed.

    A parameter that the host supplies now, or no longer, is told as this one change.
    """
    before, after = set(map(_key, old.hidden)), set(map(_key, new.hidden))
    shown = {_place(name) for name in _visible(new) if _key(name) in before}
    hidden = {_place(name) for name in _visible(old) if _key(name) in after}
    out: list[Found] = []
    told: set[str] = set()
    for found in types:
        if found.rule.startswith("param-added-") and found.place in shown:
            told.add(_key(found.place.removeprefix("params.")))
            found = found._replace(rule=found.rule.replace("added", "shown"))
        elif found.rule.startswith("param-removed-") and found.place in hidden:
            told.add(_key(found.place.removeprefix("params.")))
            found = found._replace(rule="param-hidden", old="")
        out.append(found)
    for name, was, now in _differing(old.hidden, new.hidden):
        if _key(name) in told:
            continue
        if now is None:
            out.append(Found("hidden-param-removed", _place(name)))
        else:
            change = "added" if was is None else "became"
            need = "required" if now else "optional"
            out.append(Found(f"hidden-param-{change}-{need}", _place(name)))
    return [*out, *_firewalled_changes(sides, old.signature, new.signature, out), *_kinds(old, new)]


def _key(name: str) -> str:
    return name.lstrip("_")


def _place(name: str) -> str:
    return place_of(("params", name))


def _visible(contract: ToolContract) -> list[str]:
    return [f.name for f in contract.signature.params if not f.firewalled]


def _firewalled_changes(
    sides: Sides, old: Signature, new: Signature, told: list[Found]
) -> Iterator[Found]:
    """Yield how firewalled parameters of both changed, and the order among all parameters."""
    a, b = {f.name: f for f in old.params}, {f.name: f for f in new.params}
    for name, field in a.items():
        if name in b and field.firewalled:
            other = b[name].with_type(sides.new(b[name].type))
            before, after = sides.field_text(field), sides.field_text(other)
            if (field.type, field.required) != (other.type, other.required):
                yield Found("hidden-param-changed", _place(name), before, after)
    names, now = [name for name in a if name in b], [name for name in b if name in a]
    if names != now and all(found.rule != "param-reordered" for found in told):
        yield Found("param-reordered", "params", ", ".join(names), ", ".join(now))


_KIND_RULES: dict[str | None, str] = {
    "positional": "param-became-positional-only",
    "keyword": "param-became-keyword-only",
    None: "param-became-usual",
}


def _kinds(old: ToolContract, new: ToolContract) -> Iterator[Found]:
    both = {f.name for f in old.signature.params} & {f.name for f in new.signature.params}
    for name, _, now in _differing(old.kinds, new.kinds):
        if name in both:
            yield Found(_KIND_RULES[now], _place(name))
