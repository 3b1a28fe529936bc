"""Finding tools by words, and the tool by which a model does."""

from __future__ import annotations

import pickle
from typing import Annotated, Any, TypedDict

import pytest

import typesig
from tests import sample_module
from typesig import Toolset, TypesigError, tool, tools_of
from typesig.errors import TooLarge
from typesig.limits import MAX_QUERY
from typesig.tools.search import iter_words


class Filter(TypedDict):
    label: Annotated[str, "marks of triage"]
    _secret: Annotated[str, "backdoor"]


def createIssue(title: str, body: str = "") -> int:  # noqa: N802 - a name of another language
    """Open an issue on GitHub."""
    return 1


def list_users(page: int = 1) -> list[str]:
    """List the users of a repository, in pages."""
    return []


def search_issues(query: str, only: Filter, _token: str = "") -> list[dict[str, Any]]:
    """Search issues.

    Args:
        query: words such as crash
        _token: hidden words
    """
    return []


@tool(
    "(tree :Tree) -> :Odd where Tree = {zebra :string, kids [:Leaf]}, "
    "Leaf = {fruit :string, up [:Tree]}, Odd = {result :int}"
)
def grow(tree: Any) -> Any:
    """Grow."""
    return 1


TOOLS = tools_of([createIssue, list_users, search_issues, grow])


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ("create issue", ("createIssue", "search_issues")),
        ("CREATEISSUE", ("createIssue",)),
        ("github", ("createIssue",)),
        ("repositories", ("list_users",)),
        ("crashes", ("search_issues",)),
        ("triage", ("search_issues",)),
        ("label", ("search_issues",)),
        ("zebra", ("grow",)),
        ("fruit", ("grow",)),
        ("result", ()),
        ("pages of users", ("list_users",)),
        ("nothing like it", ()),
        ("", ()),
        ("?!", ()),
        # Common words are looked for where there are no others.
        ("the", ("list_users",)),
    ],
)
def test_tools_are_found_by_words(query: str, names: tuple[str, ...]) -> None:
    assert names == TOOLS.search(query).names


@pytest.mark.parametrize("word", ["backdoor", "secret", "token", "hidden"])
def test_firewalled_names_and_texts_are_not_found(word: str) -> None:
    assert () == TOOLS.search(word).names


def test_no_more_than_k_tools_are_found_and_those_that_fit_best() -> None:
    assert ("createIssue",) == TOOLS.search("open issue", 1).names


def test_tools_that_fit_equally_well_keep_their_order() -> None:
    def make(name: str) -> typesig.Tool[..., Any]:
        return typesig.Tool(lambda: 1, "() -> :int", name=name)

    names = ("b_x", "a_x", "c_x")
    tools = Toolset([make(name) for name in names])

    assert names == tools.search("x").names


def test_an_empty_toolset_finds_nothing() -> None:
    assert () == Toolset().search("x").names


def test_found_tools_keep_their_modes_and_a_toolset_with_an_index_can_be_pickled() -> None:
    tools = tools_of(sample_module, mode="strict")
    found = tools.search("search")

    assert {"search": "strict"} == {n: m for n, m in found.modes.items() if n == "search"}
    assert tools.names == pickle.loads(pickle.dumps(tools)).names


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("createIssue", ["createissue", "create", "issue"]),
        ("get_HTTPResponse2", ["get", "httpresponse2", "http", "response2"]),
        ("a-b.c/d", ["a", "b", "c", "d"]),
        ("queries boxes matches", ["query", "box", "match"]),
        ("dresses issues status address", ["dress", "issue", "status", "address"]),
        ("日本", ["日", "本"]),
        ("Größe", ["grösse"]),
    ],
)
def test_words_are_split_at_case_and_separators(text: str, words: list[str]) -> None:
    assert words == list(iter_words(text))


@pytest.mark.parametrize(
    ("query", "k", "error", "message"),
    [
        (1, 1, TypesigError, "a query is text such as 'open issues', not int"),
        ("x", 0, TypesigError, "k is the number of tools to find, 1 or more, not 0"),
        ("x", True, TypesigError, "k is the number of tools to find, 1 or more, not bool"),
        ("x", "2", TypesigError, "k is the number of tools to find, 1 or more, not str"),
        (
            "x" * (MAX_QUERY + 1),
            1,
            TooLarge,
            f"a query has up to {MAX_QUERY} characters, this one has {MAX_QUERY + 1}",
        ),
    ],
)
def test_wrong_use_of_search_is_told(query: Any, k: Any, error: Any, message: str) -> None:
    with pytest.raises(error) as raised:
        TOOLS.search(query, k)

    assert message == str(raised.value)


# the tool


def test_a_model_finds_tools_by_a_tool() -> None:
    offered: list[Toolset] = []
    find = TOOLS.as_search(on_found=offered.append)
    outcome = find.call({"query": "github"})

    assert "(query :string) -> :string" == str(find.signature)
    assert {"readOnlyHint": True} == dict(find.annotations)
    assert outcome.value == TOOLS.select("createIssue").prompt()
    assert [("createIssue",)] == [found.names for found in offered]


def test_found_tools_are_listed_in_a_style() -> None:
    outcome = TOOLS.as_search(2, "compact", "signatures", "shared", True).call({"query": "issue"})
    found = TOOLS.search("issue", 2)

    assert outcome.value == found.prompt("compact", "signatures", "shared", True)
    with pytest.raises(TypesigError, match="there is no style 'yaml'"):
        TOOLS.as_search(style="yaml")  # type: ignore[arg-type]


def test_the_tool_says_that_nothing_is_found() -> None:
    outcome = TOOLS.as_search().call({"query": "qwerty"})

    assert outcome.value == "No tool has these words; try others."


def test_the_tool_finds_no_more_than_k() -> None:
    outcome = TOOLS.as_search(1).call({"query": "open issue"})

    assert outcome.value == TOOLS.select("createIssue").prompt()


def test_a_query_of_a_model_that_is_too_long_is_an_error_outcome() -> None:
    outcome = TOOLS.as_search().call({"query": "x" * (MAX_QUERY + 1)})

    assert not outcome.ok
    assert f"up to {MAX_QUERY} characters" in outcome.report()


def test_the_tool_stands_in_a_toolset_with_the_others() -> None:
    tools = TOOLS + Toolset([TOOLS.as_search(name="find")])

    assert tools.call("find", '{"query": "github"}').ok
    assert 1 == tools.call("createIssue", {"title": "x"}).value
    with pytest.raises(TypesigError, match="two tools are called find"):
        tools + Toolset([TOOLS.as_search(name="find")])


def test_wrong_use_of_the_tool_is_told() -> None:
    with pytest.raises(TypesigError, match="k is the number of tools to find"):
        TOOLS.as_search(0)
    with pytest.raises(TypesigError, match="on_found is a function, not int"):
        TOOLS.as_search(on_found=1)  # type: ignore[arg-type]


def test_what_on_found_raises_is_the_callers() -> None:
    def stop(found: Toolset) -> None:
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        TOOLS.as_search(on_found=stop).call({"query": "github"})


@tool
def echo(text: str) -> str:
    """Say it again."""
    return text


def test_one_tool_is_found_alone() -> None:
    assert ("echo",) == tools_of(echo).search("again").names
