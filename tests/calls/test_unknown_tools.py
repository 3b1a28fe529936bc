"""Names of tools as models spell them, and parameters whose hints have no JSON form."""

from __future__ import annotations

import asyncio
import json
import warnings
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import typesig
from tests.generators import LAW
from typesig import Policy, TypesigError, tool, tools_of
from typesig.calls.unknown_tools import find_name, fold_name
from typesig.cli.inputs.targets import count_warnings
from typesig.contracts.rehearsals.rehearsal import call_of
from typesig.governance import Ask, Governance, Paused
from typesig.tools.toolset import Toolset
from typesig.validation.issues.ledger import Ledger


@tool
def get_user(id: int) -> int:
    """Get a user."""
    return id


@tool
async def delete_user(id: int) -> int:
    """Delete a user."""
    return id


@tool
def listUsers() -> list[int]:  # noqa: N802
    """List the users."""
    return [1]


TOOLS = tools_of([get_user, delete_user, listUsers])
SPELT = ["Get_User", "get-user", "getUser", "functions.get_user", "get_user()", "functions.GetUser(id=1)",
         "GET USER", "get.user", " get_user "]  # fmt: skip


def lines(issues: Any) -> list[str]:
    return [str(issue) for issue in issues]


@pytest.mark.parametrize("name", SPELT)
def test_another_spelling_of_one_name_is_that_tool_with_a_warning(name: str) -> None:
    ledger = Ledger()
    told = f"the tool get_user was called as {json.dumps(name)}"
    governance = Governance()
    for out in (
        TOOLS.call(name, {"id": 1}, ledger=ledger),
        asyncio.run(TOOLS.acall(name, {"id": 1})),
        TOOLS.call(name, {"id": 1}, governance=governance),
        asyncio.run(TOOLS.acall(name, {"id": 1}, governance=governance)),
    ):
        assert (1, [told]) == (out.value, lines(out.warnings))
        assert f"1\nWarnings about this call: {told}" == out.text()
    [row] = ledger.rows()
    assert row.id == "called"
    assert [told] == lines(TOOLS.stream(name, ['{"id": 1}']).close().warnings)
    assert (told, {"id": 1}) == (
        lines(TOOLS.stream(name, ['{"id": 1}']).close().warnings)[0],
        TOOLS.stream(name, ['{"id": 1}']).close().value,
    )


@pytest.mark.parametrize(
    "name", ["getusr", "get_users", "user", "functions.", "()", "_", "", "delete", 3]
)
def test_what_is_only_close_never_runs(name: Any) -> None:
    out = TOOLS.call(name, {"id": 1})

    assert ["call"] == [error.code for error in out.errors]
    assert out.errors == TOOLS.stream(name, ['{"id": 1}']).close().errors
    assert find_name(name, TOOLS.names) is None


def test_a_spelling_of_two_names_runs_neither() -> None:
    ran: list[str] = []

    @tool(name="get_item")
    def one() -> None:
        ran.append("one")

    @tool(name="getItem")
    def other() -> None:
        ran.append("other")

    tools = tools_of([one, other])

    assert not tools.call("GetItem").ok
    assert tools.call("getItem").ok
    assert ["other"] == ran


def test_a_spelling_of_a_refused_tool_is_not_taken_for_another() -> None:
    tools = Toolset([get_user], refused={"getUser": TypesigError("changed")})

    assert tools.call("get_user", {"id": 1}).ok
    assert not tools.call("Get-User", {"id": 1}).ok
    assert ['the tool "getUser" is refused by the host; use another tool'] == lines(
        tools.call("getUser", {"id": 1}).errors
    )


def test_the_policy_can_keep_it_from_the_model() -> None:
    out = TOOLS.call("getUser", {"id": 1}, mode=Policy(tell_model=False))

    assert ("", 1) == (out.notice, len(out.warnings))


@pytest.mark.parametrize("provider", ["openai", "anthropic", "gemini", "mcp"])
def test_every_provider_answers_it_with_the_name_that_the_model_wrote(provider: Any) -> None:
    made, ledger = TOOLS.project(provider), Ledger()
    sent = call_of(made.provider, made.profile.api, "functions.getUser", {"id": 1})
    found = made.handle(sent, ledger=ledger)

    assert 'the tool get_user was called as \\"functions.getUser\\"' in json.dumps(found)
    assert found == asyncio.run(made.ahandle(sent)) == made.handle(sent, governance=Governance())
    assert ["called"] == [row.id for row in ledger.rows()]
    assert 'there is no tool \\"getUsr\\"' in json.dumps(
        made.handle(call_of(made.provider, made.profile.api, "getUsr", {"id": 1}))
    )
    with pytest.raises(TypesigError, match="coroutine function"):
        made.handle(call_of(made.provider, made.profile.api, "Delete-User", {"id": 1}))


def test_a_call_that_waits_for_a_person_is_the_same_later() -> None:
    ask = Governance(before=lambda call: Ask("really?"))
    with pytest.raises(Paused) as paused:
        TOOLS.call("getUser", {"id": 1}, governance=ask)
    pending = paused.value.pending

    assert 1 == TOOLS.call(pending.decided({"0": None}), governance=ask).value


def test_the_texts_of_open_models_have_the_same_rule() -> None:
    tools = tools_of([get_user])
    text = '<tool_call>{"name": "functions.getUser", "arguments": {"id": 1}}</tool_call>'
    xml = "<tool_call>getUser<arg_key>id</arg_key><arg_value>1</arg_value></tool_call>"
    for dialect, said in (("hermes", text), ("glm-4.7", xml)):
        made = tools.project(dialect=dialect)
        [message] = made.handle(said)
        [call] = tools.read(said, dialect=dialect).calls
        stream = tools.stream(chunks=[said], dialect=dialect)

        assert message["content"].startswith(
            "1\nWarnings about this call: the tool get_user was called"
        )
        assert {"id": 1} == call.outcome.value
        assert ["called"] == [issue.code for issue in call.outcome.warnings]
        assert any(getattr(each, "value", None) == 1 for each in stream)
        assert {"id": 1} == made.assembled(said)["tool_calls"][0]["function"]["arguments"]


@LAW
@given(
    st.lists(st.text("abC_-. (", max_size=6), max_size=6, unique=True),
    st.text("abC_-. ()f", max_size=8),
)
def test_a_name_is_found_only_if_it_is_the_same_but_for_spelling(
    known: list[str], name: str
) -> None:
    found = find_name(name, known)

    if name in known:
        assert name == found
    elif found is not None:
        forms = {fold_name(name), fold_name(name.strip().partition("(")[0])}
        assert fold_name(found) in forms
        assert 1 == len([each for each in known if fold_name(each) == fold_name(found)])


# parameters that are not checked


class Frame:
    """A class without a JSON form."""

    def __init__(self, *parts: Any) -> None:
        self.parts = parts


@tool
def rows(frame: Frame, count: int = 1) -> int:
    """Count rows."""
    return len(frame)  # type: ignore[arg-type]


REMEDY = (
    "Frame: the class has no JSON form of its own, so it became :any; write a dataclass or a "
    "TypedDict, Injected[…] where the host supplies it, or an explicit signature"
)


def test_a_call_tells_that_a_parameter_was_not_checked_and_what_to_write() -> None:
    for mode in ("enabled", "strict", "warn_only"):
        for _ in range(4):
            out = rows.call({"frame": [1, 2]}, mode=mode)

            assert (2, [f"frame: not checked: {REMEDY}"]) == (out.value, lines(out.warnings))
            # A model cannot mend it.
            assert ("", "2") == (out.notice, out.text())
    with pytest.warns(UserWarning, match="rows: frame: not checked: Frame: the class"):
        rows.as_function()(frame=[1])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert rows(Frame.__new__(Sized))
    assert [f"frame: not checked: {REMEDY}"] == lines(
        rows.project("openai").tools["rows"].read({"frame": 1}).warnings
    )


class Sized(Frame):
    def __len__(self) -> int:
        return 1


def test_a_parameter_without_a_hint_and_one_within_a_list_have_no_such_warning() -> None:
    @tool
    def several(a, b: Any, c: object, d: list[Frame]) -> int:  # type: ignore[no-untyped-def]
        return 1

    assert [] == lines(several.call({"a": 1, "b": 2, "c": 3, "d": []}).warnings)


def test_a_toolset_has_the_warnings_of_its_tools(capsys: pytest.CaptureFixture[str]) -> None:
    tools = tools_of([rows, get_user])

    assert [f"rows.frame: {REMEDY}"] == lines(tools.warnings)
    assert lines(tools.warnings) == lines((tools + tools_of([listUsers])).warnings)
    assert lines(tools.prefixed("x_").warnings) == [f"x_rows.frame: {REMEDY}"]
    assert [] == lines(tools.select("get_user").warnings)
    assert REMEDY.replace("…", "…")[:20] in tools._repr_html_()
    count_warnings(tools, False)
    assert "1 warning about hints; typesig list -v shows each" in capsys.readouterr().err
    count_warnings(tools, True)
    assert f"rows.frame: {REMEDY[:30]}" in capsys.readouterr().err
    count_warnings(tools_of([get_user]), False)
    assert "" == capsys.readouterr().err


def test_a_tool_whose_hints_cannot_be_read_has_no_warnings_in_a_toolset() -> None:
    @tool
    def unread(a: Missing) -> int:  # type: ignore[name-defined]  # noqa: F821
        return 1

    assert isinstance(typesig.Toolset([unread]).warnings, tuple)
