"""Docstrings of other conventions, choices in them, and types that are inferred without hints."""

import enum
import json
from typing import Annotated, Any

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from typesig import Injected, TypesigError, extract, tool, tools_of
from typesig.cli.commands import typesig as command
from typesig.errors import ExtractionError
from typesig.extraction.docstrings.docs import read_docstring

YFINANCE = """Load the prices.
:Parameters:
    tickers : str, list
        which to load
    period : str
        how long

        at most
    start: str
        from when
"""
PYMONGO = """Load the prices.

:Parameters:
  - `tickers`: which to load
  - `period` (optional): how long
    at most
  - `start`: from when
"""
HTTPX = """Load the prices.

**Parameters:**

* **tickers** - which to load
* **period** - *(optional)* how long
at most
* **start** - from when

**Returns:** `Prices`

Usage:

    load("a")
"""
WIKIPEDIA = """Load the prices.

Keyword arguments:

* tickers - which to load
* period - how long at most
* start - from when
"""
COLONS = """Load the prices.

**Arguments**:
- tickers (str): which to load
- `period`: how long at most

- start: from when
"""


@pytest.mark.parametrize("text", [YFINANCE, PYMONGO, HTTPX, WIKIPEDIA, COLONS])
def test_a_docstring_of_another_convention_describes_its_parameters(text):
    found = read_docstring(text)

    assert "Load the prices." == found.text
    assert {
        "tickers": "which to load",
        "period": "how long at most",
        "start": "from when",
    } == found.params
    assert not found.unread


def test_types_and_results_of_other_conventions_are_read():
    assert {"tickers": "str | list", "period": "str", "start": "str"} == dict(
        read_docstring(YFINANCE).types
    )
    assert "`Prices`" == read_docstring(HTTPX).returns
    assert 'Usage:\n\n    load("a")' == read_docstring(HTTPX).details


@pytest.mark.parametrize(
    ("text", "description"),
    [
        (":calls: `GET /repos/{owner} <https://x.test>`_ or `GET /r <https://x.test>`__",
         "Calls GET /repos/{owner} or GET /r"),
        ("Get it.\n:calls: `GET /a <https://x.test>`_\n:param x: the x", "Get it."),
    ],
)  # fmt: skip
def test_an_endpoint_is_told(text, description):
    found = read_docstring(text)

    assert description == found.text
    if "param" in text:
        assert {"x": "the x"} == found.params
        assert "Calls GET /a" == found.details


@pytest.mark.parametrize(
    "text",
    [
        "Do.\n\n**Parameters:**\n\nSee `other`.",
        "Do.\n\n**Parameters:** see `other`.",
        "Do.\n\n**Parameters:**",
        "Do.\n\n:Parameters:\nnone",
        "Do.\n\n:Parameters:\n    some words\n",
        "Do.\n\n**Parameters:**\n\n* words alone\n",
    ],
)
def test_a_title_above_no_list_stays_text(text):
    assert {} == read_docstring(text).params
    assert "Do." == read_docstring(text).text


names = st.from_regex(r"[a-z][a-z_]{0,8}", fullmatch=True)
words = st.lists(st.from_regex(r"[a-z]{2,8}", fullmatch=True), min_size=1, max_size=6).map(" ".join)


@given(
    st.dictionaries(names, words, min_size=1, max_size=5),
    st.sampled_from(["md", "mongo", "numpy", "plain"]),
)
def test_each_convention_describes_the_same_parameters(params, form):
    write = {
        "md": ("**Parameters:**\n\n", "* **{}** - {}\n"),
        "mongo": (":Parameters:\n", "  - `{}`: {}\n"),
        "numpy": (":Parameters:\n", "    {} : str\n        {}\n"),
        "plain": ("Arguments:\n\n", "- {} - {}\n"),
    }
    head, item = write[form]
    text = f"Do it.\n\n{head}" + "".join(item.format(*each) for each in params.items())

    assert params == read_docstring(text).params


# choices


class Size(enum.Enum):
    BIG = "big"


def rate(
    score: int,
    kind: "str" = "a",
    part: float | None = None,
    flag: bool | None = None,
    free=None,
    size: Size = Size.BIG,
    odd: Annotated[int, "x"] = 1,
    bad: str = "",
    code: str = "",
):
    """Rate it.

    Args:
        score: the score (choices: [1, 2, 3])
        kind: (choices: ["a", 'b'])
        part: a part (choices: [1, 0.5]).
        flag: on or off (Choices: [true])
        free: any (choices: ["x", 1])
        size: a size (choices: ["big"])
        odd: a number (choices: [1])
        bad: a text (choices: [1])
        code: a text (choices: [open("x")])
    """
    return score


def test_choices_of_descriptions_are_enums():
    found = extract(rate)
    shown = {field.name: str(field.type) for field in found.signature.params}

    assert ":enum[1 2 3]" in str(found.signature)
    assert 'kind :enum["a" "b"] = "a"' in str(found.signature)
    assert "part :enum[1 0.5]?" in str(found.signature)
    assert "flag :enum[true]?" in str(found.signature)
    assert 'free :enum["x" 1]?' in str(found.signature)
    assert shown.keys() == rate.__annotations__.keys() | {"free"}
    assert "the score" == read_docstring(rate.__doc__).params["score"]
    assert tool(rate).call({"score": "2"}).result == 2
    assert not tool(rate).call({"score": 4}).ok


def test_choices_of_another_hint_stay_in_the_description():
    text = tool(rate).prompt()

    assert "a size (choices: ['big'])" in text
    assert "a text (choices: [1])" in text
    assert 'a text (choices: [open("x")])' in text.replace('\\"', '"')


# inferred types


def search(query, results=10, ratio=0.5, exact=False, tags=[], extra=None):  # noqa: B006
    """Search.

    Args:
        query (str): what to find
        results: how many
    """
    return [query, results]


def unknown(a, b): ...


def anything(*args, **kwargs): ...


def hinted(a: int, b=2): ...


def test_types_are_inferred_from_docstrings_and_defaults_and_marked():
    tools = tools_of([search, unknown, anything, hinted], undecorated="inferred")
    found = tools["search"]

    assert ("search", "unknown", "hinted") == tools.names
    assert (
        "(query :string, results :int = 10, ratio :float = 0.5, exact :bool = false, tags [:any] = [], "
        "extra :any?) -> :any" == str(found.signature)
    )
    assert '"what to find (inferred type)"' in found.prompt()
    assert '"how many (inferred type)"' in found.prompt()
    assert 'ratio :float = 0.5 "(inferred type)"' in found.prompt()
    assert "(a :any, b :any) -> :any" == str(tools["unknown"].signature)
    assert "(a :int, b :int = 2) -> :any" == str(tools["hinted"].signature)
    assert ["query", "results", "ratio", "exact", "tags", "b"] == [
        each.place for one in tools for each in one.warnings if each.kind == "inferred"
    ]
    assert "query: it has no hint, so its type is inferred from the docstring; write one" in map(
        str, found.warnings
    )
    assert ["x", 3] == found.call({"query": "x", "results": "3"}).result
    assert any("anything" in str(each) for each in tools.warnings)


def test_types_are_inferred_only_if_that_is_asked_for():
    assert ("hinted",) == tools_of([hinted, unknown], undecorated=True).names
    with pytest.raises(TypesigError, match="True, False or \"inferred\", not 'guess'"):
        tools_of([unknown], undecorated="guess")  # type: ignore[arg-type]
    with pytest.raises(TypesigError, match="inferred"):
        tools_of([search], undecorated="inferred", strict=True)
    with pytest.raises(TypeError):
        extract(search, inferred=True)  # type: ignore[call-arg]


def test_the_command_line_lists_functions_without_hints(tmp_path):
    file = tmp_path / "bare.py"
    file.write_text("def search(query, results=10):\n    return query\n")
    found = CliRunner().invoke(command, ["list", str(file), "--inferred", "--json"])

    assert 0 == found.exit_code, found.output
    assert "search" in found.output
    assert ["search"] == [each["name"] for each in _definitions(found.stdout)]


def _definitions(text: str) -> list[dict[str, Any]]:
    made = json.loads(text)
    return made if isinstance(made, list) else [*made.get("tools", made).values()]


def test_strict_extraction_names_a_function_without_hints():
    with pytest.raises(ExtractionError):
        tool(search, strict=True)


KEYWORDS = """Fetch a row.

:type Key: string
:param Key: **[REQUIRED]** which row
:type Size: integer
:param Size: how many bytes
:param Where: the place
"""
DISCOVERED = """Fetch a row.

Args:
  Key: string, which row (required)
  Size: integer, how many bytes
  Where: object, the place
"""


class LazyText(str):
    """A docstring whose text is made where it is asked for."""

    def __str__(self):
        return KEYWORDS


class LazyObject:
    """The same, without being text itself."""

    def __str__(self):
        return KEYWORDS


class Raising(LazyText):
    def __str__(self):
        raise ZeroDivisionError("boom")


def documented(doc):
    def fetch(*args, **kwargs):
        return f"{args} {kwargs}"

    fetch.__doc__ = doc
    return fetch


@pytest.mark.parametrize("doc", [KEYWORDS, LazyText(), LazyObject(), DISCOVERED])
def test_keyword_arguments_of_a_docstring_are_parameters(doc):
    (made,) = tools_of([documented(doc)], undecorated="inferred")

    assert "(Key :string, Size? :int, Where? :any, ** :any?) -> :any" == str(made.signature)
    assert "Fetch a row." == made.description
    assert "() {'Key': 'a', 'Size': 3}" == made.call({"Key": "a", "Size": "3"}).value
    assert "() {'Key': 'a'}" == made.call({"Key": "a"}).value
    assert ["Key"] == [issue.path[0] for issue in made.call({}).errors]
    assert {"only the docstring has this keyword argument"} == {
        each.reason for each in made.warnings if each.kind == "inferred"
    }


@pytest.mark.parametrize("undecorated", [True, "inferred"])
def test_keyword_arguments_with_a_hint_are_not_taken_from_the_docstring(undecorated):
    def fetch(n: int, *args: int, **kwargs: str) -> int: ...

    fetch.__doc__ = KEYWORDS
    (made,) = tools_of([fetch], undecorated=undecorated)

    assert "(n :int, args? [:int], ** :string) -> :int" == str(made.signature)


def test_hinted_parameters_stay_beside_documented_keyword_arguments():
    def fetch(Key: int, *rest: int, **kwargs): ...  # noqa: N803

    fetch.__doc__ = KEYWORDS
    (made,) = tools_of([fetch], undecorated="inferred")

    shown = "(Key :int, rest? [:int], Size? :int, Where? :any, ** :any?) -> :any"
    assert shown == str(made.signature)


def test_a_lazy_docstring_that_raises_is_left_out():
    def double(n: int) -> int: ...

    double.__doc__ = Raising()
    found = extract(double)

    assert found.description is None
    assert ["reading its docstring raises ZeroDivisionError: boom; correct it"] == [
        str(each) for each in found.warnings
    ]


def test_a_property_is_the_docstring_of_an_object():
    class Doubling:
        @property
        def __doc__(self):
            return "Double it."

        def __call__(self, n: int) -> int:
            return 2 * n

    assert "Double it." == extract(Doubling()).description


keyword_names = st.from_regex(r"[A-Z][A-Za-z]{0,8}", fullmatch=True)
documented_types = st.sampled_from(
    [("string", ":string"), ("integer", ":int"), ("boolean", ":bool"), ("list", "[:any]")]
)


@given(st.dictionaries(keyword_names, st.tuples(documented_types, st.booleans()), min_size=1))
def test_each_documented_keyword_argument_is_a_parameter(keywords):
    lines = [
        f":type {name}: {word}\n:param {name}: {'**[REQUIRED]** ' if needed else ''}the text"
        for name, ((word, _), needed) in keywords.items()
    ]
    (made,) = tools_of([documented("\n".join(["Do.", "", *lines]))], undecorated="inferred")

    shown = [
        f"{name}{'' if needed else '?'} {spelled}"
        for name, ((_, spelled), needed) in keywords.items()
    ]
    assert f"({', '.join(shown)}, ** :any?) -> :any" == str(made.signature)


def typed_by(text, default=...):
    """A function whose docstring has the type *text*."""

    def take(value): ...

    def take_default(value=default): ...

    target = take if default is ... else take_default
    target.__doc__ = f"Take.\n\nParameters\n----------\nvalue : {text}\n    it\n"
    return target


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("str or ExcelFile", "value :string"),
        ("str, file-like object, or sqlite3 Connection", "value :string"),
        ("int or pandas.Timestamp", "value :int"),
        ("int or Estimator", "value :int"),
        ("str or period-like", "value :string"),
        # These may be text.
        ("int or random state", "value :int|:any"),
        ("int or RGB", "value :int|:any"),
        ("ExcelFile", "value :any"),
        ("str or datetime-like", "value :string|:datetime"),
        ("datetime-like", "value :datetime"),
        ("column name or list of column names",
         "value :string|:float|:bool|[(:string|:float|:bool)?]|:nil"),
        ("1d ndarray or Series", "value [:any]"),
        ("array", "value [:any]"),
    ],
)  # fmt: skip
def test_objects_in_the_union_of_a_docstring_are_left_out(text, shown):
    (made,) = tools_of([typed_by(text)], undecorated="inferred")

    assert f"({shown}) -> :any" == str(made.signature)


def test_a_parameter_of_objects_is_left_to_its_default():
    (made,) = tools_of([typed_by("ExcelFile or Series", default=None)], undecorated="inferred")

    assert "() -> :any" == str(made.signature)


def test_the_type_of_a_docstring_is_taken_where_the_hint_has_none():
    def take(unit: "Nowhere", rows: list, path: Any, count: int, other: object): ...  # noqa: F821

    take.__doc__ = """Take.

    Parameters
    ----------
    unit : str, optional
    rows : list of int
    path : str
    count : str
    other : scalar or array-like
    """
    (made,) = tools_of([take], undecorated="inferred")
    (plain,) = tools_of([take], undecorated=True)

    assert "(unit :string, rows [:int], path :string, count :int, other :any) -> :any" == str(
        made.signature
    )
    assert "(unit :any, rows [:any], path :any, count :int, other :any) -> :any" == str(
        plain.signature
    )
    inferred = [each for each in made.warnings if each.kind == "inferred"]
    assert ["unit", "rows", "path"] == [each.place for each in inferred]
    assert ["its hint has no type, so that of the docstring is taken"] == [
        *{each.reason for each in inferred}
    ]


class Database: ...


@pytest.mark.parametrize(
    ("hint", "injected"),
    [(Injected[Database], ()), (Injected[Any], ()), (Database, (Database,)), (Any, ("db",))],
)
def test_a_docstring_never_shows_what_the_host_supplies(hint, injected):
    def take(key: str, db) -> str: ...

    take.__annotations__["db"] = hint
    take.__doc__ = "Take.\n\nParameters\n----------\ndb : dict of str to int\n    it\n"
    (made,) = tools_of([take], undecorated="inferred", injected=injected)

    assert "(key :string) -> :string" == str(made.signature)


def test_a_docstring_does_not_show_an_object_that_is_left_to_its_default():
    def take(key: str, db: Database = None) -> str: ...

    take.__doc__ = "Take.\n\nParameters\n----------\ndb : dict of str to int\n    it\n"
    (made,) = tools_of([take], undecorated="inferred")

    assert "(key :string) -> :string" == str(made.signature)


def test_a_keyword_argument_that_the_host_supplies_is_not_taken_from_the_docstring():
    (made,) = tools_of([documented(KEYWORDS)], undecorated="inferred", injected=["Where", Database])

    assert "(Key :string, Size? :int, ** :any?) -> :any" == str(made.signature)
