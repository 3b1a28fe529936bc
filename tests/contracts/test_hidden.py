"""What the texts of tools hide: each kind, each place, and what is not reported."""

from __future__ import annotations

import enum
from typing import Annotated, Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.contracts.hidden_texts import TEXTS
from tests.generators import LAW
from typesig import Toolset, TypesigError, tool, tools_of
from typesig.contracts import HIDDEN, Hidden, Lock, hidden_in
from typesig.contracts.hidden import cut_excerpt
from typesig.notations.texts.quoting import UNSEEN, list_codes
from typesig.tools.foreign.foreign import ForeignDefinition, foreign_tool


def with_text(text: str) -> Toolset:
    """Return tools of which one has the description *text*."""
    made = tool("() -> :nil", name="f", description=text)(lambda: None)
    others = [tool("() -> :nil", name=n)(lambda: None) for n in ("search", "send_mail")]
    return Toolset([made, *others])


def test_each_kind_has_a_text() -> None:
    assert HIDDEN.keys() == TEXTS.keys()


@pytest.mark.parametrize(
    ("kind", "text", "at", "told"),
    [(kind, *case) for kind, cases in TEXTS.items() for case in cases],
)
def test_what_hides_is_told_with_its_place(kind: str, text: str, at: int, told: str) -> None:
    found = hidden_in(with_text(text))

    assert Hidden(kind, "f", "description", at, told) in found
    assert all("{" not in str(each) for each in found)


@pytest.mark.parametrize(
    "text",
    [
        "Search for a word; a < b and c > d, even 1<2.\r\nNext\tline. \U0001f44d\ufe0f",
        "It is a search, and f is this tool.",
        "Do.\n\n\n    And so on." + " " * 200,
        "[not a reference]: in the middle"[1:],
    ],
)
def test_usual_texts_hide_nothing(text: str) -> None:
    assert () == hidden_in(with_text(text))


class Mood(enum.Enum):
    """How it is."""

    CALM = "ca\u200blm"


def test_every_text_of_a_tool_is_looked_at() -> None:
    @tool(title="A <!-- 2 -->", annotations={"x": ["<!-- 3 -->", {"<!-- 4 -->": 1}]})
    def f(
        mood: Mood,
        way: Literal["<!-- 5 -->"] = "<!-- 5 -->",
        deep: Annotated[dict[str, int], "<!-- 6 -->"] = {"<!-- 7 -->": 1},  # noqa: B006
    ) -> list[Annotated[int, "<!-- 8 -->"]]:
        "Do. <!-- 1 -->"
        return []

    found = [(each.place, each.text) for each in hidden_in(tools_of([f]))]

    assert [
        ("description", "<!-- 1 -->"),
        ("title", "<!-- 2 -->"),
        ("params.deep", "<!-- 6 -->"),
        ("returns.[]", "<!-- 8 -->"),
        ("annotations.x", "<!-- 3 -->"),
        ("annotations.x", "<!-- 4 -->"),
        ("params.mood", "\\u200b"),
        ("params.way", "<!-- 5 -->"),
        ("params.way", "<!-- 5 -->"),
        ("params.deep", "<!-- 7 -->"),
    ] == found


def test_names_and_notes_of_schemas_are_looked_at() -> None:
    schema = {
        "type": "object",
        "properties": {"a<b>": {"type": "string", "examples": ["<c>"], "title": "<d>"}},
    }
    made = foreign_tool(lambda **_: None, ForeignDefinition("f", schema))

    assert [
        ("params.a<b>", "<d>"),
        ("params.properties.a<b>.examples", "<c>"),
        ("params.a<b>", "<b>"),
    ] == [(each.place, each.text) for each in hidden_in(Toolset([made]))]


def test_texts_of_others_are_looked_at_as_they_were_sent() -> None:
    schema = {"properties": {"a": {"description": "O\u202ene <!-- a -->"}}}
    made = foreign_tool(
        lambda **_: None, ForeignDefinition("f", schema, None, "D\u200bo <IMP\u200bORTANT>")
    )
    lock = Lock.of(Toolset([made]))

    assert [
        "f: description: has a tag: <IMPORTANT> [single-tag]",
        "f: params.a: has a comment that HTML does not show: <!-- a --> [html-comment]",
        "f: description: has characters that are not seen: \\u200b [invisible-characters]",
        "f: description: has characters that are not seen: \\u200b [invisible-characters]",
        "f: params.properties.a.description: has characters that change the direction of what is "
        "seen: \\u202e [bidirectional-characters]",
    ] == [str(each) for each in hidden_in(lock)]
    assert hidden_in(lock) == hidden_in(Lock.read(lock.text()))


def test_the_name_of_a_tool_is_looked_at() -> None:
    one = Lock.of(tools_of([tool("() -> :nil", name="f")(lambda: None)]))["f"]
    [found] = hidden_in(Lock({"f\u202e": one._replace(name="f\u202e")}))

    assert (
        '"f\\u202e": has characters that change the direction of what is seen: \\u202e '
        "[bidirectional-characters]"
    ) == str(found)


def test_only_tools_are_looked_at() -> None:
    with pytest.raises(TypesigError, match=r"^a lock is made of a toolset, not str"):
        hidden_in("x")  # type: ignore[arg-type]


UNSEEN_CODES = sorted({code for ranges in UNSEEN.values() for code in list_codes(ranges)})


@LAW
@given(st.text(max_size=40), st.sampled_from(UNSEEN_CODES), st.text(max_size=40))
def test_no_character_that_is_not_seen_is_missed_or_shown(
    before: str, code: int, behind: str
) -> None:
    found = hidden_in(with_text(f"{before}a{chr(code)}b{behind}"))

    assert any(HIDDEN[each.kind].is_of_characters and each.at <= len(before) + 1 for each in found)
    assert not any(chr(code) in str(each) for each in found)


def test_an_excerpt_is_bounded() -> None:
    long: Any = "a" * 10_000

    assert 121 == len(cut_excerpt(long))
    assert "a\\n\\u200b" == cut_excerpt("a\n\u200b")
