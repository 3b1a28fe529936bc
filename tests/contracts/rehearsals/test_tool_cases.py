"""Cases made from signatures: tools return what they declare, and refuse near misses."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Annotated, Any, Never
from unittest import SkipTest

import pytest
from annotated_types import Gt
from hypothesis import given
from hypothesis import strategies as st

import typesig
from tests.generators import LAW, signatures
from typesig import Injected, ToolError, TypesigError, tool
from typesig.algebra.nodes import INT
from typesig.algebra.signature import Signature
from typesig.contracts.rehearsals import Case, cases
from typesig.contracts.rehearsals.rehearsal import TrialFailure, draw_conforming, draw_near_misses
from typesig.relations.step_budget import NoSample

SAFE = {"readOnlyHint": True}


@tool(annotations=SAFE)
def shorten(text: str, words: list[str]) -> str:
    """Fail at two words."""
    if len(words) > 1:
        raise KeyError("two words")
    return text


@tool(annotations=SAFE)
def half(n: int) -> int:
    """Break the type of the result."""
    return n / 2  # type: ignore[return-value]


@tool(annotations=SAFE)
async def quarter(n: int) -> int:
    """Break the type of the result, later."""
    return n / 4  # type: ignore[return-value]


@tool(annotations=SAFE)
def find(query: str) -> str:
    """Keep the contract: a `ToolError` is an answer."""
    raise ToolError("nothing was found")


@tool
def wipe(path: str, db: Injected[dict[str, int]]) -> str:
    """Have an effect."""
    db[path] = 1
    return path


def case_of(one: Any, subject: str = "results", **options: Any) -> Case:
    return next(case for case in cases([one], **options) if case.subject == subject)


def failure_of(case: Case, **given: Any) -> str:
    with pytest.raises(TrialFailure) as caught:
        case(**given)
    return str(caught.value)


def reason_of(case: Case, **given: Any) -> str:
    with pytest.raises(SkipTest) as caught:
        case(**given)
    return str(caught.value)


@pytest.fixture(params=["hypothesis", "samples"])
def search(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    if request.param == "samples":
        # As where Hypothesis is not installed.
        name = "typesig.contracts.rehearsals.hypothesis_search"
        monkeypatch.setitem(sys.modules, name, None)
    return str(request.param)


def test_what_a_tool_raises_is_told_with_the_smallest_arguments(search: str) -> None:
    told = failure_of(case_of(shorten))
    first, arguments, how = told.split("\n")

    assert "shorten raised KeyError: 'two words'" == first
    assert how.endswith(" calls with seed 0)")
    assert 2 <= len(json.loads(arguments.removeprefix("  arguments: "))["words"])
    if search == "hypothesis":
        assert '  arguments: {"text": "", "words": ["", ""]}' == arguments


def test_the_cause_of_a_failure_is_raised_in_the_function(search: str) -> None:
    with pytest.raises(TrialFailure) as caught:
        case_of(shorten)()
    cause = caught.value.__cause__
    assert cause is not None
    assert cause.__traceback__ is not None

    assert "shorten" == cause.__traceback__.tb_frame.f_code.co_name
    assert not hasattr(cause, "__notes__")


@pytest.mark.once
def test_the_same_seed_finds_the_same(search: str) -> None:
    assert failure_of(case_of(shorten, seed=3)) == failure_of(case_of(shorten, seed=3))


@pytest.mark.needs_process
@pytest.mark.parametrize("one", [half, quarter], ids=str)
def test_a_result_that_does_not_fit_is_a_failure(one: Any, search: str) -> None:
    told = failure_of(case_of(one))

    assert f"{one.name} returned what does not fit its result type: expected int, got float" in told


def test_a_tool_error_is_an_answer(search: str) -> None:
    case_of(find)()


def test_an_exception_in_the_call_itself_keeps_its_place(search: str) -> None:
    told = failure_of(case_of(find), function=lambda: "no argument")

    assert "find raised TypeError: " in told


def test_an_exit_is_a_failure(search: str) -> None:
    def leave(query: str) -> str:
        sys.exit(3)

    assert "find raised SystemExit: 3" in failure_of(case_of(find), function=leave)


def test_a_function_that_answers_differently_each_time_is_told() -> None:
    calls: list[str] = []

    def once(query: str) -> str:
        calls.append(query)
        if len(calls) == 3:
            raise ValueError("the third call")
        return query

    assert "find raised ValueError: the third call" in failure_of(case_of(find), function=once)


def test_what_hypothesis_itself_raises_passes() -> None:
    def stop(query: str) -> str:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        case_of(find)(function=stop)


def test_a_function_with_effects_does_not_run() -> None:
    db: dict[str, int] = {}
    told = reason_of(case_of(wipe), given={"db": db})

    assert (
        "wipe may have effects: it lacks the annotation readOnlyHint; run it with --typesig-run "
        "wipe or run=[…], or give a function in its place" == told
    )
    assert {} == db


@pytest.mark.parametrize(
    "options", [{"run": ["wipe"]}, {"run": "wipe"}, {"run_all": True}], ids=str
)
def test_a_function_with_effects_runs_where_it_is_marked(options: Any, search: str) -> None:
    db: dict[str, int] = {}
    case_of(wipe, **options)(given={"db": db, "other": 1})

    assert db


def test_a_function_in_the_place_of_one_with_effects_runs(search: str) -> None:
    called: list[str] = []

    def stand_in(path: str, db: dict[str, int]) -> str:
        called.append(path)
        return path

    case_of(wipe)(given={"db": {}}, function=stand_in)

    assert called


def test_a_tool_that_lacks_what_its_host_supplies_is_skipped() -> None:
    told = reason_of(case_of(wipe, run_all=True))

    assert (
        "wipe needs db from its host: return it from the fixture typesig_given, or pass given={…}"
        == told
    )


def test_near_misses_never_reach_the_function() -> None:
    for one in (shorten, half, quarter, find, wipe):
        case_of(one, "refusals")()


def test_a_tool_whose_mode_lets_near_misses_through_fails() -> None:
    def count(n: int) -> int:
        return n

    skipping = tool(mode="disabled")(count)
    warning = tool(mode="warn_only")(count)
    of_toolset = cases(typesig.tools_of([count], mode="disabled"))[1]

    for case in (case_of(skipping, "refusals"), of_toolset):
        told = failure_of(case)

        assert told.startswith("count ran with arguments that do not conform, without a warning\n")
        assert told.endswith(", seed 0)")
    assert failure_of(case_of(warning, "refusals")).startswith(
        "count ran with arguments that do not conform: n: expected int, got "
    )


def test_a_tool_of_an_empty_type_is_skipped(search: str) -> None:
    @tool(annotations=SAFE)
    def never(n: Never) -> int:
        return 1

    told = reason_of(case_of(never))
    near = reason_of(case_of(never, "refusals"))

    assert "no near misses were found for never; its types are probably empty" == near
    assert "no arguments were found for never; its types are probably empty" == told
    assert [] == draw_near_misses(never, 0, 3)
    with pytest.raises(NoSample):
        draw_conforming(never, 0, 3)


def test_a_type_that_refuses_all_that_conforms_is_told(search: str) -> None:
    from dataclasses import dataclass

    @dataclass
    class Picky:
        n: Annotated[int, Gt(0)]

        def __post_init__(self) -> None:
            raise ValueError("never good enough")

    @tool(annotations=SAFE)
    def pick(one: Picky) -> int:
        return 1

    told = failure_of(case_of(pick))

    assert told.startswith("pick refuses all generated arguments, which conform: one: ")
    assert "never good enough" in told


def test_a_function_that_is_no_tool_is_skipped_with_the_reason() -> None:
    def plain(a):  # type: ignore[no-untyped-def]
        return a

    found = cases([find, plain])

    assert ["find-results", "find-refusals", "left out 1-signature"] == list(map(str, found))
    assert "plain has no hints, so it is left out" in reason_of(found[-1])


def test_targets_are_named_as_modules_and_what_is_in_them(monkeypatch: pytest.MonkeyPatch) -> None:
    own = sys.modules[__name__]
    monkeypatch.setattr(own, "BOTH", typesig.tools_of([find, half]), raising=False)
    whole, one, of_toolset = (
        [case.name for case in cases(__name__ + name) if case.subject == "results"]
        for name in ("", ":half", ":BOTH.find")
    )

    assert {"shorten", "half", "quarter", "find", "wipe"} == set(whole)
    assert ["half"] == one
    assert ["find"] == of_toolset


def test_public_functions_of_a_module_without_tools_are_taken() -> None:
    names = {case.name for case in cases("docstring_parser")}

    assert {"parse", "compose", "combine_docstrings", "parse_from_object"} <= names


@pytest.mark.parametrize(
    ("target", "told"),
    [
        ("no_such_module_x", "'no_such_module_x' cannot be imported: ModuleNotFoundError: "),
        ("json:nothing", "'json:nothing' cannot be imported: AttributeError: "),
        ("textwrap", "'textwrap' has no tools: wrap has no hints"),
        ([], "list has no tools: nothing here is a tool"),
        (3, "tools_of takes a module"),
    ],
    ids=str,
)
def test_a_target_without_tools_is_an_error(target: Any, told: str) -> None:
    with pytest.raises(TypesigError) as caught:
        cases(target)

    assert told in str(caught.value).replace("[] has", "list has")


def test_an_error_of_ours_in_a_module_passes_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(name: str) -> None:
        raise TypesigError("as it is")

    monkeypatch.setattr("typesig.contracts.rehearsals.tool_cases.import_module", fail)

    with pytest.raises(TypesigError, match=r"\Aas it is\Z"):
        cases("x")


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"run": ["wpe"]}, "there is no tool 'wpe'; there are 'wipe'"),
        ({"seed": "1"}, "seed is an int, not '1'"),
        ({"count": 0}, "count is an int of at least 1, not 0"),
        ({"count": True}, "count is an int of at least 1, not True"),
    ],
    ids=str,
)
def test_wrong_options_are_errors(options: Any, told: str) -> None:
    with pytest.raises(TypesigError) as caught:
        cases([wipe], **options)

    assert told == str(caught.value)


def test_no_arguments_are_drawn_that_a_model_may_not_send() -> None:
    @tool("(a [{_key? :string, id :int}], more? :map[{_b :int}], ** {_c? :int}) -> :int")
    def run(**sent: Any) -> int:
        return 1

    found = [sent for seed in range(10) for sent in draw_conforming(run, seed, 3)]

    assert all(run.call(sent).ok for sent in found)
    assert any(sent["a"] for sent in found)


@LAW
@given(data=st.data())
def test_drawn_arguments_reach_the_function_and_near_ones_do_not(data: st.DataObject) -> None:
    drawn = data.draw(signatures())
    ran: list[Any] = []

    @tool(Signature(drawn.params, INT, drawn.names, drawn.extra), name="f")
    def run(**sent: Any) -> int:
        ran.append(sent)
        return 1

    given_ = dict.fromkeys(run.needs)
    try:
        found = draw_conforming(run, data.draw(st.integers(0, 99)), 3)
    except NoSample:
        found = []
    # A set is sent as a list, and a firewalled field is not sent: a negated type may refuse both.
    exotic = "#" in str(drawn) or ":not" in str(drawn)
    for arguments in found:
        outcome = run.call(json.loads(json.dumps(arguments)), given=given_)

        assert outcome.ok or exotic
    before = len(ran)
    for arguments in draw_near_misses(run, 0, 3):
        outcome = run.call(arguments, given=given_)

        assert len(ran) == before or outcome.warnings
        before = len(ran)


@pytest.mark.needs_process
def test_cases_are_run_where_hypothesis_is_not_installed() -> None:
    code = (
        "import sys; sys.modules['hypothesis'] = None\n"
        "from typesig import tool\n"
        "from typesig.contracts.rehearsals import cases\n"
        "@tool(annotations={'readOnlyHint': True})\n"
        "def double(n: int) -> int:\n"
        "    return 2 * n\n"
        "for case in cases([double], seed=1):\n"
        "    case()\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
