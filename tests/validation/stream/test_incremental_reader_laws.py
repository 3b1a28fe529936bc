"""Laws of reading a text that arrives in pieces."""

from __future__ import annotations

import json
from collections.abc import Collection
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.generators import LAW, valued
from tests.validation.repair.test_repair_laws import PIECES, WHOLES
from typesig import Contract, Outcome, Partial, contract
from typesig.algebra import nodes
from typesig.algebra.rows.names import fold_name
from typesig.contracts.rehearsals.mistakes import MISTAKES
from typesig.limits import MAX_OPEN
from typesig.validation.keys import get_near_form
from typesig.validation.plain_data import to_plain
from typesig.validation.stream.partial import Path


@st.composite
def cut(draw: st.DrawFn, text: str) -> list[str]:
    """Draw *text* in pieces: all, each character, or cut at some places."""
    if draw(st.booleans()):
        return list(text) if draw(st.booleans()) else [text]
    places = sorted(draw(st.lists(st.integers(0, len(text)), max_size=6)))
    return [text[a:b] for a, b in zip([0, *places], [*places, len(text)], strict=True)]


def told(outcome: Outcome[Any]) -> tuple[Any, ...]:
    value = json.dumps(outcome.value) if outcome.ok else None
    return value, outcome.errors, outcome.warnings, outcome.unseen


def is_within(part: Any, whole: Any, growing: Collection[Path] = (), at: Path = ()) -> bool:
    """Whether *part* has nothing that *whole* lacks: some keys of a map, the first items of a list.

    A text at a place that is *growing* has the beginning of that in *whole*.
    """
    if isinstance(part, dict):
        return isinstance(whole, dict) and all(
            key in whole and is_within(item, whole[key], growing, (*at, key))
            for key, item in part.items()
        )
    if isinstance(part, list):
        return (
            isinstance(whole, list)
            and len(part) <= len(whole)
            and all(
                is_within(item, whole[index], growing, (*at, index))
                for index, item in enumerate(part)
            )
        )
    if at in growing:
        return isinstance(part, str) and isinstance(whole, str) and whole.startswith(part)
    return json.dumps(part) == json.dumps(whole)


def parts_of(
    asked: Contract[Any], chunks: list[str], mode: Any
) -> tuple[list[Partial], Outcome[Any]]:
    stream = asked.stream(mode=mode)
    parts = [stream.feed(chunk) for chunk in [*chunks, ""]]
    return parts, stream.close()


def check(asked: Contract[Any], text: str, chunks: list[str], mode: Any) -> None:
    whole = asked.read(text, mode)
    parts, outcome = parts_of(asked, chunks, mode)
    again, _ = parts_of(asked, [text], mode)

    assert told(whole) == told(outcome)
    # Whatever the pieces are, the same is told.
    assert json.dumps(again[-1].value) == json.dumps(parts[-1].value)
    assert again[-1].missing == parts[-1].missing
    assert again[-1].errors == parts[-1].errors
    assert again[-1].warnings == parts[-1].warnings
    # A text whose quotes are not escaped goes on behind what had ended.
    may_go_on = any(warning.rule == "quotes_in_text" for warning in outcome.warnings)
    if outcome.ok and "</" not in text:
        for part in parts[-1:] if may_go_on else parts:
            assert part.errors == ()
            assert part.value is None or is_within(part.value, outcome.value, part.growing)
    *_, last = asked.stream(chunks, mode)
    assert last.errors == outcome.errors
    assert last.warnings == outcome.warnings
    if outcome.ok:
        assert json.dumps(last.value) == json.dumps(outcome.value)
        assert last.complete


@pytest.mark.parametrize("mode", ["enabled", "lenient", "strict", "warn_only", "disabled"])
@LAW
@given(st.data())
def test_a_stream_ends_as_reading_the_whole_and_shows_only_what_is_in_it(
    mode: Any, data: st.DataObject
) -> None:
    signature, value = data.draw(valued())
    text = json.dumps(to_plain(value), indent=data.draw(st.sampled_from([None, 1])))
    asked = contract(signature)

    check(asked, text, data.draw(cut(text)), mode)


ASKED = {
    hint: contract(hint)
    for hint in (
        ":any", ":map", "[:any]", "{a :any}", "{id :int?, name :string?}", "[{id :int?}]", ":string",
        ":map[:string [:int]]", "{id {name {at :int}?}?}",
    )
}  # fmt: skip


@pytest.mark.parametrize("mistake", MISTAKES)
@pytest.mark.parametrize("mode", ["enabled", "lenient"])
@LAW
@given(WHOLES, st.sampled_from([*ASKED]), st.data())
def test_a_spoilt_text_in_pieces_shows_only_what_is_in_the_whole(
    mode: Any, mistake: str, value: Any, hint: str, data: st.DataObject
) -> None:
    text = MISTAKES[mistake](value)

    check(ASKED[hint], text, data.draw(cut(text)), mode)


@pytest.mark.parametrize("mode", ["enabled", "lenient"])
@LAW
@given(st.lists(PIECES, max_size=30).map("".join), st.sampled_from([*ASKED]), st.data())
def test_any_text_in_pieces_shows_only_what_is_in_the_whole(
    mode: Any, text: str, hint: str, data: st.DataObject
) -> None:
    check(ASKED[hint], text, data.draw(cut(text)), mode)


@LAW
@given(st.data())
def test_a_part_of_a_text_is_read_as_a_stream_shows_it(data: st.DataObject) -> None:
    signature, value = data.draw(valued())
    text = json.dumps(to_plain(value))
    part = text[: data.draw(st.integers(0, len(text)))]
    asked = contract(signature)

    found = asked.read(part, partial=True)
    shown, _ = parts_of(asked, [part], "enabled")

    if found.complete:
        assert part == text
        assert told(asked.read(text))[1:3] == (found.errors, found.warnings)
    else:
        assert json.dumps(found.value) == json.dumps(shown[-1].value)
        assert found.missing


class Written:
    """JSON text of a value; `ended` is the part of the value that is certain from its first characters.

    It is defined a second time here, as plainly as possible, from where each part stands.
    """

    def __init__(self, value: Any, ascii_only: bool, blank: str) -> None:
        self.text = ""
        self._ascii, self._blank = ascii_only, blank
        self.ends: list[int] = [0]
        self.root = self._write(value)

    def _write(self, value: Any) -> tuple[int, int, Any]:
        """Write *value*; return where it begins, where it ends, and its parts or itself."""
        start = len(self.text)
        parts: Any = value
        if isinstance(value, list):
            self.text, parts = self.text + "[", []
            for item in value:
                self.text += f",{self._blank}" if parts else ""
                parts.append(self._write(item))
            self.text += "]"
        elif isinstance(value, dict):
            self.text, parts = self.text + "{", {}
            for key, item in value.items():
                self.text += f",{self._blank}" if parts else ""
                self.text += f"{json.dumps(key)}:{self._blank}"
                parts[key] = self._write(item)
            self.text += "}"
        else:
            self.text += json.dumps(value, ensure_ascii=self._ascii)
        self.ends.append(len(self.text))
        return start, len(self.text), parts

    def ended(self, node: Any, t: Any, names: Any, whole: Any, size: int, depth: int = 0) -> Any:
        """Return what *size* characters give of the part *node*, in a list, or nothing.

        *t* is its type, with the types of references, and *whole* what is read of all of it.
        """
        start, end, parts = node
        is_number = type(parts) in (int, float)
        if end + is_number <= size:
            return [whole]
        shapes = list(flat(t, names))
        if isinstance(parts, str):
            is_open = "string" in map(name_of, shapes) and {"string", "nil"} >= set(
                map(name_of, shapes)
            )
            text = so_far(self.text[start + 1 : size]) if is_open else ""
            return [text] if text else []
        if not isinstance(parts, list | dict) or depth == MAX_OPEN or size <= start:
            return []
        found = [each for shape in shapes for each in opened(shape, isinstance(parts, list))]
        if len(found) != 1 or found[0] is None:
            return []
        made: Any = [] if isinstance(parts, list) else {}
        for step, item in parts.items() if isinstance(parts, dict) else enumerate(parts):
            name, part = part_type(found[0], step)
            told = part is not None and self.ended(item, part, names, whole[name], size, depth + 1)
            if told and isinstance(made, dict):
                made[name] = told[0]
            elif told:
                made.append(told[0])
        return [made] if made else []


def flat(t: Any, names: Any) -> Any:
    match t:
        case nodes.Ref(name):
            yield from flat(names[name], names)
        case nodes.Maybe(inner):
            yield from (*flat(inner, names), nodes.NIL)
        case nodes.Annotation(inner):
            yield from flat(inner, names)
        case nodes.Refinement(inner):
            # A text that the type asks for as a whole.
            yield from (part for part in flat(inner, names) if name_of(part) != "string")
            yield nodes.Refinement(inner, ())
        case nodes.Union(members):
            for member in members:
                yield from flat(member, names)
        case _:
            yield t


def name_of(shape: Any) -> str:
    return shape.name if isinstance(shape, nodes.Scalar) else type(shape).__name__


def opened(shape: Any, is_list: bool) -> list[Any]:
    """Return what *shape* says of a list or map: a shape with parts, None for one without."""
    match shape:
        case nodes.Scalar("any"):
            return [nodes.List(nodes.ANY) if is_list else nodes.MapOf(nodes.STRING, nodes.ANY)]
        case nodes.Scalar("map"):
            return [] if is_list else [nodes.MapOf(nodes.STRING, nodes.ANY)]
        case nodes.List() | nodes.Tuple():
            return [shape] if is_list else []
        case nodes.Set():
            return [None] if is_list else []
        case nodes.Record():
            return [] if is_list else [None if shape.matching else shape]
        case nodes.MapOf(key):
            return [] if is_list else [shape if key == nodes.STRING else None]
        case nodes.One() | nodes.Both() | nodes.Not() | nodes.ItemCount():
            return [None]
        case _:
            return []


def part_type(shape: Any, step: Any) -> tuple[Any, Any]:
    match shape:
        case nodes.List(item):
            return step, item
        case nodes.Tuple(items, rest):
            return step, items[step] if step < len(items) else rest
        case nodes.MapOf(_, value):
            return step, value
    for field in shape.fields:
        if field.key == fold_name(step):
            return field.name, field.type
    # A name that is near to a declared one is read when all are known.
    assume(all(get_near_form(field.name) != get_near_form(step) for field in shape.fields))
    return step, shape.extra


def so_far(text: str) -> str:
    """Return what the beginning of a text in JSON says, without an escape that has not ended."""
    for end in range(len(text), max(-1, len(text) - 12), -1):
        try:
            read = json.loads(f'"{text[:end]}"')
            read.encode()
        except ValueError:
            continue
        return str(read)
    raise AssertionError(text)


@pytest.mark.parametrize("mode", ["enabled", "lenient", "strict"])
@LAW
@given(st.data())
def test_what_has_ended_is_given_and_what_may_grow_is_held_back(
    mode: Any, data: st.DataObject
) -> None:
    signature, value = data.draw(valued())
    sent = to_plain(value)
    blank = data.draw(st.sampled_from(["", " ", "\n "]))
    written = Written(sent, data.draw(st.booleans()), blank)
    asked = contract(signature)
    whole = asked.read(written.text, mode)
    size = data.draw(st.integers(0, len(written.text) - 1) | st.sampled_from(written.ends[:-1]))
    part = written.text[:size]
    t, names = asked.signature.returns, asked.signature.names
    assume(whole.ok and isinstance(sent, dict | list))

    expected = written.ended(written.root, t, names, whole.value, size)
    found = asked.read(part, mode, partial=True)
    shown, _ = parts_of(asked, data.draw(cut(part)), mode)

    assert json.dumps(expected[0] if expected else None) == json.dumps(found.value)
    assert json.dumps(found.value) == json.dumps(shown[-1].value)
    assert found.growing == shown[-1].growing
    assert found.missing == shown[-1].missing


TEXTS = contract("{body :string, lines [{text :string?}], by :map[:string :string]}")


@LAW
@given(st.data())
def test_the_pieces_of_a_text_are_the_text(data: st.DataObject) -> None:
    words = st.text(max_size=20)
    sent = {
        "body": data.draw(words),
        "lines": [{"text": text} for text in data.draw(st.lists(words, max_size=3))],
        "by": data.draw(st.dictionaries(words, words, max_size=3)),
    }
    text = json.dumps(sent, ensure_ascii=data.draw(st.booleans()))
    parts, outcome = parts_of(TEXTS, data.draw(cut(text)), "enabled")
    pieces: dict[Any, str] = {}
    for part in parts:
        for path, piece in part.pieces:
            pieces[path] = pieces.get(path, "") + piece
        for path in part.growing:
            assert at_path(part.value, path) == pieces[path]

    assert outcome.ok
    assert all(at_path(sent, path) == piece for path, piece in pieces.items())
    assert sum(map(len, pieces.values())) == sum(
        len(each)
        for each in [sent["body"], *(line["text"] for line in sent["lines"]), *sent["by"].values()]
    )


def at_path(value: Any, path: Any) -> Any:
    for step in path:
        value = value[step]
    return value


def test_line_breaks_before_a_table_are_read_past() -> None:
    stream = contract("[{a :int}]").stream()

    assert [None] * 4 == [stream.feed(each).value for each in ("\n", "\r\n", "a", "\n1\n")]
    assert [{"a": 1}] == stream.close().value
