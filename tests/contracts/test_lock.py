"""Lock files: what they say of tools, what is read back, and what is refused."""

from __future__ import annotations

import json
from typing import Annotated, Any

import pytest

from typesig import Injected, Toolset, TypesigError, parse, tool, tools_of
from typesig.contracts import Lock, contract, diff, lock, places
from typesig.contracts.contract import make_contract
from typesig.contracts.places import count_steps, find_annotations, get_owner
from typesig.errors import TooLarge
from typesig.relations.proofs.differences import format_place
from typesig.tools.foreign.foreign import ForeignDefinition, foreign_tool


@tool(title="Find", annotations={"readOnlyHint": True})
def find(query: Annotated[str, "words"], /, limit: int = 10, *, db: Injected[int]) -> list[str]:
    """Find pages."""
    return []


TOOLS = Toolset([find])


def test_a_lock_has_what_a_tool_takes_returns_and_tells() -> None:
    entry = json.loads(Lock.of(TOOLS).text())["tools"]["find"]
    prints = {key: entry.pop(key) for key in ("input", "output", "texts")}

    assert {
        "signature": "(query :string, limit :int = 10) -> [:string]",
        "description": "Find pages.",
        "title": "Find",
        "annotations": {"readOnlyHint": True},
        "notes": {"params.query": "words"},
        "hidden": {"db": True},
        "kinds": {"query": "positional"},
    } == entry
    assert all(len(each) == 16 and int(each, 16) >= 0 for each in prints.values())


def test_a_lock_is_a_collection_of_contracts() -> None:
    made = Lock.of(TOOLS)

    assert ("find",) == made.names
    assert 1 == len(made)
    assert ["find"] == [one.name for one in made]
    assert made["find"] is made.tools["find"]
    assert "Lock(find)" == repr(made)
    assert made is Lock.of(made)
    assert {made} == {Lock.read(made.text())}
    assert made != "find"


def test_one_and_true_are_different_annotations() -> None:
    locks = []
    for value in (1, True):
        made = tool("() -> :nil", name="f", annotations={"x": value})(lambda: None)
        locks.append(Lock.of(Toolset([made])))

    assert locks[0] != locks[1]


def test_characters_that_are_not_seen_are_escaped_in_a_lock() -> None:
    made = tool("() -> :nil", name="f", description="a\u202eb\x7f\x9b é \ud800")(lambda: None)
    text = Lock.of(Toolset([made])).text()

    assert '"description": "a\\u202eb\\u007f\\u009b é \\ud800"' in text
    assert text.encode()
    assert Lock.of(Toolset([made])) == Lock.read(text)


def test_a_fingerprint_is_of_its_own_part() -> None:
    base = make_contract(find)
    cases: list[tuple[dict[str, Any], set[str]]] = [
        ({"signature": parse("(q :int) -> [:string]")}, {"input"}),
        ({"signature": parse("(query :string, limit :int = 10) -> :int")}, {"output"}),
        ({"hidden": {}}, {"input"}),
        ({"kinds": {}}, {"input"}),
        ({"unread": {"params.q": "x"}}, {"input"}),
        ({"unread": {"returns": "x"}}, {"output"}),
        *(({key: "x"}, {"texts"}) for key in ("description", "title")),
        *(({key: {"p": "x"}}, {"texts"}) for key in ("notes", "titles", "annotations", "keywords")),
        ({"raw": {"p": "x"}}, {"texts"}),
        ({"secrets": ("x",)}, {"texts"}),
        ({"name": "other"}, set()),
    ]
    for parts, changed in cases:
        other = base._replace(**parts)

        assert changed == {
            key for key in ("input", "output", "texts") if getattr(base, key) != getattr(other, key)
        }, parts


def test_types_that_are_not_used_are_not_locked() -> None:
    made = contract.to_bare_signature(parse("(a :T) -> :nil where T = {n :int}, U = {m :int}"))

    assert "(a :T) -> :nil where T = {n :int}" == str(made)


def changed(**parts: Any) -> str:
    data = json.loads(Lock.of(TOOLS).text())
    data["tools"]["find"].update(parts)
    return json.dumps({**data, "tools": {"find": data["tools"]["find"]}})


WHOLE = Lock.of(TOOLS).text()
AGAIN = "write it anew with typesig lock"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (WHOLE[:100], "the lock is not JSON, or it is cut off: "),
        ("", "the lock is not JSON, or it is cut off: "),
        (b"\xff\xfe", "the lock is not JSON, or it is cut off: "),
        ("[" * 100_000, "the lock is not JSON, or it is cut off: "),
        ("[]", "the lock is not a lock: it has no 'typesig-lock'; " + AGAIN),
        ('{"typesig-lock": 2}', "the lock has the format 2, and this version of typesig reads 1"),
        ('{"typesig-lock": "1"}', "the lock: 'typesig-lock' is the number of a format, not '1'"),
        ('{"typesig-lock": true}', "the lock: 'typesig-lock' is the number of a format, not True"),
        ('{"typesig-lock": 0}', "the lock: 'typesig-lock' is the number of a format, not 0"),
        ('{"typesig-lock": 1}', "the lock: 'tools' has to be an object, not None; " + AGAIN),
        ('{"typesig-lock": 1, "tools": {}, "x": 1}', "the lock has the unknown part 'x'; " + AGAIN),
        (
            '{"typesig-lock": 1, "tools": {"f": []}}',
            "the lock: 'f' has to be an object, not []; " + AGAIN,
        ),
        (
            '{"typesig-lock": 1, "tools": {"f": {}}}',
            "the lock: 'f': 'signature' has to be text, not None; " + AGAIN,
        ),
        (
            changed(signature="(a :itn) -> :nil"),
            "the lock: 'find': its signature cannot be read: there is no type \":itn\"; did you "
            "mean :int?; " + AGAIN,
        ),
        (
            changed(signature="(query :string) -> [:string]"),
            "the lock: 'find' was edited by hand: its fingerprint 'input' is not that of its "
            "parameters; " + AGAIN,
        ),
        (
            changed(description="Find other pages."),
            "the lock: 'find' was edited by hand: its fingerprint 'texts' is not that of its "
            "texts; " + AGAIN,
        ),
        (
            changed(output="0" * 16),
            "the lock: 'find' was edited by hand: its fingerprint 'output' is not that of its "
            "result; " + AGAIN,
        ),
        (changed(input=None), "the lock: 'find': 'input' has to be text, not None; " + AGAIN),
        (changed(more=1), "the lock: 'find' has the unknown part 'more'; " + AGAIN),
        (changed(notes=[1]), "the lock: 'find': 'notes' cannot be [1]; " + AGAIN),
        (changed(secrets="x"), "the lock: 'find': 'secrets' cannot be 'x'; " + AGAIN),
        (changed(hidden={"db": 1}), "the lock: 'find': 'hidden' cannot be {'db': 1}; " + AGAIN),
        (changed(kinds={"a": "b"}), "the lock: 'find': 'kinds' cannot be {'a': 'b'}; " + AGAIN),
    ],
)
def test_a_bad_lock_is_an_error_that_says_why(text: str | bytes, message: str) -> None:
    with pytest.raises(TypesigError) as caught:
        Lock.read(text)

    assert str(caught.value).startswith(message)


@pytest.mark.parametrize("size", range(0, len(WHOLE) - 2, 17))
def test_a_lock_that_is_cut_off_anywhere_is_an_error(size: int) -> None:
    with pytest.raises(TypesigError):
        Lock.read(WHOLE[:size])


def test_a_huge_lock_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lock, "MAX_LOCK", 10)

    with pytest.raises(TooLarge, match=r"^tools.lock has more than 10 bytes$"):
        Lock.read(WHOLE, "tools.lock")


@pytest.mark.parametrize("given", [[find], "examples.shop", None, find])
def test_a_lock_is_made_of_a_toolset(given: Any) -> None:
    with pytest.raises(TypesigError, match=r"^a lock is made of a toolset, not "):
        Lock.of(given)


def test_annotations_that_are_not_json_cannot_be_locked() -> None:
    made = tool("() -> :nil", name="f", annotations={"x": {1}})(lambda: None)

    with pytest.raises(
        TypesigError, match=r"^the annotations of f are not JSON, so they cannot be"
    ):
        Lock.of(Toolset([made]))


def test_places_are_told_apart_with_quotes() -> None:
    assert 'params."a.b"."".|1' == format_place(("params", "a.b", "", "|1"))
    assert [1, 2, 1, 2] == [count_steps(p) for p in ("a", "a.b", '"a.b"', '"a\\".".b')]
    assert ["type", "output", "param", "input"] == [
        get_owner(p) for p in ("where.T", "returns.a", 'params."a.b"', "params.a.b")
    ]


def test_notes_and_defaults_are_kept_by_place() -> None:
    text = """(a {b :int = 1 "one", /x/ {c :int "two"}, ** {d :int "three"}},
        ** {l :int "eleven"}) -> [{e :int "four"}, ** {f :int "five"}] where T = {n :int}"""
    found = find_annotations(parse(text))

    assert {
        "params.a.b": "one",
        "params.a./x/.c": "two",
        "params.a.**.d": "three",
        "params.**.l": "eleven",
        "returns.0.e": "four",
        "returns.**.f": "five",
    } == found.descriptions
    assert {"params.a.b": "1"} == found.defaults


def test_notes_of_maps_unions_and_named_types_are_kept() -> None:
    text = "(a :map[:int {b :int 'x'}]) -> {c :int 'y'}|#{{d :int 'z'}} where T = {n :int 'w'}"
    found = find_annotations(parse(text.replace("'", '"')))

    assert {
        "params.a.value.b": "x",
        "returns.|1.c": "y",
        "returns.|2.[].d": "z",
        "where.T.n": "w",
    } == found.descriptions


def test_a_note_around_a_note_is_kept() -> None:
    from typesig.algebra.nodes import INT, Annotation
    from typesig.algebra.signature import make_type_signature

    found = find_annotations(make_type_signature(Annotation(Annotation(INT, "in", "t"), "out")))

    assert {"returns": "out\nin"} == found.descriptions
    assert {"returns": "t"} == found.titles


def test_too_many_places_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(places, "MAX_CONTRACT_PLACES", 3)
    with pytest.raises(TooLarge, match=r"^a contract has 3 places, this one has more$"):
        find_annotations(parse("(a :int, b :int, c :int, d :int) -> :nil"))

    monkeypatch.setattr(contract, "MAX_CONTRACT_PLACES", 3)
    with pytest.raises(TooLarge, match=r"^a contract has 3 places, this one has more$"):
        contract.find_unread_keywords({"properties": dict.fromkeys("abcd", True)}, "params")

    monkeypatch.setattr(contract, "MAX_CONTRACT_PLACES", 3)
    with pytest.raises(TooLarge, match=r"^a contract has 3 places, this one has more$"):
        list(contract.iter_signature_texts(parse("(a :int, b :int, c :int, d :int) -> :nil")))


def test_keywords_that_constrain_nothing_are_kept_wherever_they_stand() -> None:
    schema = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$comment": "c",
        "properties": {"a": {"format": "odd", "contentSchema": {"type": "object"}}},
        "items": {"x-y": 1, "format": "date"},
        "anyOf": [{"deprecated": True}, False],
    }

    assert {
        "params.$comment": "c",
        "params.properties.a.format": "odd",
        "params.properties.a.contentSchema": {"type": "object"},
        "params.items.x-y": 1,
        "params.anyOf.0.deprecated": True,
    } == contract.find_unread_keywords(schema, "params")


def foreign(schema: Any, output: Any = None) -> Lock:
    return Lock.of(
        Toolset([foreign_tool(lambda **_: None, ForeignDefinition("f", schema, output))])
    )


def test_what_is_not_read_of_a_schema_is_kept() -> None:
    bad = {"type": "object", "properties": {"a": {"type": "string", "pattern": "("}}}
    made = foreign(bad, {"type": "array", "contains": 3, "items": {"pattern": "(", "minItems": -1}})

    assert {"params", "returns"} == {place.partition(".")[0] for place in made["f"].unread}
    assert made == Lock.read(made.text())


def test_annotations_of_schemas_constrain_nothing_and_are_told_as_texts() -> None:
    def of(more: dict[str, Any]) -> Lock:
        return foreign({"type": "object", "properties": {"a": {"type": "string", **more}}})

    old = of({"contentEncoding": "base64"})
    new = of({"contentMediaType": "image/png"})

    assert [
        ("content-removed", "text", "params.properties.a.contentEncoding"),
        ("content-added", "text", "params.properties.a.contentMediaType"),
    ] == [(each.rule, each.direction, each.place) for each in diff(old, new)]


RAW = ForeignDefinition(
    "f",
    {"type": "object", "properties": {"a": {"type": "string", "description": "On\u200be."}}},
    {"type": "string", "title": "T\u202ew\nlines"},
    "Do\U000e0041 it.",
    "T\u3164 \n itle",
    {"title": "O\x1bld", "readOnlyHint": True},
    called="f\u200b",
)


def test_what_is_not_shown_of_a_text_is_locked() -> None:
    made = Lock.of(Toolset([foreign_tool(lambda **_: None, RAW)]))

    assert {
        "name": "f\u200b",
        "description": "Do\U000e0041 it.",
        "title": "T\u3164 \n itle",
        "annotations.title": "O\x1bld",
        "params.properties.a.description": "On\u200be.",
        "returns.title": "T\u202ew\nlines",
    } == made["f"].raw
    assert ("Do it.", "T itle", {"title": "Old", "readOnlyHint": True}) == (
        made["f"].description,
        made["f"].title,
        made["f"].annotations,
    )
    assert made == Lock.read(made.text())
    assert '"description": "Do\\udb40\\udc41 it."' in made.text()
    assert '"title": "T\\u3164 \\n itle"' in made.text()


def test_a_change_of_what_is_not_shown_is_a_change() -> None:
    old, new = (
        Lock.of(Toolset([foreign_tool(lambda **_: None, ForeignDefinition("f", {}, None, text))]))
        for text in ("Do\u200b it.", "Do it\u3164.")
    )

    assert (
        'dangerous: f: description: what is sent, but not shown, changed from "Do\\u200b it." to '
        '"Do it\\u3164." [raw-text-changed]'
    ) == str(diff(old, new))


def test_tools_with_secrets_have_them_in_the_lock() -> None:
    schema = {"type": "object", "properties": {"p": {"type": "string", "format": "password"}}}

    assert ("p",) == foreign(schema)["f"].secrets


def test_a_toolset_is_compared_with_a_lock() -> None:
    assert () == TOOLS.diff(Lock.of(tools_of([find]))).findings


def test_a_signature_that_could_not_be_read_back_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(contract, "MAX_TEXT", 10)

    with pytest.raises(TooLarge, match=r"^the signature of 'find' has more than 10 characters, so"):
        Lock.of(TOOLS)
