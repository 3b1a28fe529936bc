"""Listings in every style: tiers, shared types, legends, losses, and answers."""

from __future__ import annotations

import ast
from typing import Any, NamedTuple, TypedDict, get_args

import pytest

import typesig
from tests import sample_module
from tests.tools.test_toolset import FORGED, LINE_ENDS
from typesig import TypesigError, contract, tool, tools_of
from typesig.algebra.constructors import make_enum, make_field, make_noted, record
from typesig.algebra.loss import Loss
from typesig.algebra.signature import Signature
from typesig.limits import MAX_NAMES
from typesig.listings import answer_prompt, parse_listing
from typesig.listings.entries import Style, TieredText, split_lines
from typesig.listings.styles import STYLES, make_listing
from typesig.notations import compact
from typesig.relations.step_budget import NoSample


class Listed(NamedTuple):
    """A tool as listings see it."""

    name: str
    signature: Signature
    description: str | None = None
    details: str | None = None


def listed(name: str, text: str, *prose: str) -> Listed:
    return Listed(name, typesig.parse(text), *prose)


ITEM = '{id :int "the id", title :string, note :string?, in_stock :bool, price :float}'
SHOP = [
    listed(
        "search",
        f'(query :string "words to look for", limit :int[1..100] = 10 "rows") -> [{ITEM}] "found"',
        "Search for items.",
        "The best come first.\n\n- all words\n- any case",
    ),
    listed("save", f"(item {ITEM}) -> :nil", "Save an item."),
]

FULL = {
    "signature": """\
## Tools you can call

search(query :string "words to look for", limit :int[1..100] = 10 "rows") -> [{id :int "the id", title :string, note :string?, in_stock :bool, price :float}] "found"
  Search for items.

save(item {id :int "the id", title :string, note :string?, in_stock :bool, price :float}) -> :nil
  Save an item.""",
    "compact": """\
## Tools you can call

search(
 query, ; words to look for
 limit int[1..100]=10 ; rows
) -> [{
 id int, ; the id
 title, note string?, in_stock bool, price float}] ; found
 Search for items.
 The best come first.
 - all words
 - any case

save(item {
 id int, ; the id
 title, note string?, in_stock bool, price float}) -> nil
 Save an item.""",
    "call": """\
## Tools you can call

# Search for items.
# The best come first.
# - all words
# - any case
{"name": "search", "arguments": {query: string (words to look for), limit?: int (1 to 100, default 10; rows)}} -> {id: int (the id), title: string, note?: string | null, in_stock: boolean, price: number}[] (found)

# Save an item.
{"name": "save", "arguments": {item: {id: int (the id), title: string, note?: string | null, in_stock: boolean, price: number}}} -> null""",
    "typescript": """\
// Tools you can call

type int = number // a whole number

interface Tools {

// Search for items.
// The best come first.
// - all words
// - any case
search(args: {
 query: string, // words to look for
 limit?: int // 1..100, default 10; rows
}): {
 id: int, // the id
 title: string, note?: string | null, in_stock: boolean, price: number}[] // found

// Save an item.
save(args: {item: {
 id: int, // the id
 title: string, note?: string | null, in_stock: boolean, price: number}}): null

}""",
    "python": '''\
# Tools you can call

class SearchResult(TypedDict):
 id: int # the id
 title: str
 note: NotRequired[str | None]
 in_stock: bool
 price: float

def search(
 query: str, # words to look for
 limit: int = 10 # 1..100; rows
) -> list[SearchResult]: # found
 """Search for items.
 The best come first.
 - all words
 - any case"""

def save(item: SearchResult) -> None:
 """Save an item."""''',
}

SIGNATURES = {
    "signature": """\
## Tools you can call

search(query :string, limit :int[1..100] = 10) -> [{id :int, title :string, note :string?, in_stock :bool, price :float}]

save(item {id :int, title :string, note :string?, in_stock :bool, price :float}) -> :nil""",
    "compact": """\
## Tools you can call

search(query, limit int[1..100]=10) -> [{id int, title, note string?, in_stock bool, price float}]

save(item {id int, title, note string?, in_stock bool, price float}) -> nil""",
    "call": """\
## Tools you can call

{"name": "search", "arguments": {query: string, limit?: int (1 to 100, default 10)}} -> {id: int, title: string, note?: string | null, in_stock: boolean, price: number}[]

{"name": "save", "arguments": {item: {id: int, title: string, note?: string | null, in_stock: boolean, price: number}}} -> null""",
    "typescript": """\
// Tools you can call

type int = number // a whole number

interface Tools {

search(args: {query: string,
 limit?: int // 1..100, default 10
}): {id: int, title: string, note?: string | null, in_stock: boolean, price: number}[]

save(args: {item: {id: int, title: string, note?: string | null, in_stock: boolean, price: number}}): null

}""",
    "python": """\
# Tools you can call

class SearchResult(TypedDict):
 id: int
 title: str
 note: NotRequired[str | None]
 in_stock: bool
 price: float

def search(query: str,
 limit: int = 10 # 1..100
) -> list[SearchResult]: ...

def save(item: SearchResult) -> None: ...""",
}

NAMES = {
    "signature": "## Tools you can call\n\nsearch\nsave",
    "compact": "## Tools you can call\n\nsearch\nsave",
    "call": "## Tools you can call\n\nsearch\nsave",
    "typescript": "// Tools you can call\n\ninterface Tools {\n\nsearch\nsave\n\n}",
    "python": "# Tools you can call\n\nsearch: Callable\nsave: Callable",
}

SHARED = {
    "signature": """\
## Tools you can call

where SearchResult = {id :int "the id", title :string, note :string?, in_stock :bool, price :float}

search(query :string "words to look for", limit :int[1..100] = 10 "rows") -> [:SearchResult] "found"
  Search for items.

save(item :SearchResult) -> :nil
  Save an item.""",
    "compact": """\
## Tools you can call

where SearchResult={
 id int, ; the id
 title, note string?, in_stock bool, price float}

search(
 query, ; words to look for
 limit int[1..100]=10 ; rows
) -> [:SearchResult] ; found
 Search for items.
 The best come first.
 - all words
 - any case

save(item :SearchResult) -> nil
 Save an item.""",
    "call": """\
## Tools you can call

type SearchResult = {id: int (the id), title: string, note?: string | null, in_stock: boolean, price: number}

# Search for items.
# The best come first.
# - all words
# - any case
{"name": "search", "arguments": {query: string (words to look for), limit?: int (1 to 100, default 10; rows)}} -> SearchResult[] (found)

# Save an item.
{"name": "save", "arguments": {item: SearchResult}} -> null""",
    "typescript": """\
// Tools you can call

type int = number // a whole number
type SearchResult = {
 id: int, // the id
 title: string, note?: string | null, in_stock: boolean, price: number}

interface Tools {

// Search for items.
// The best come first.
// - all words
// - any case
search(args: {
 query: string, // words to look for
 limit?: int // 1..100, default 10; rows
}): SearchResult[] // found

// Save an item.
save(args: {item: SearchResult}): null

}""",
    "python": FULL["python"],
}


@pytest.mark.parametrize("style", STYLES)
def test_a_listing_at_the_tier_full_has_all_prose(style):
    assert FULL[style] == make_listing(SHOP, style).text()


@pytest.mark.parametrize("style", STYLES)
def test_a_listing_at_the_tier_signatures_has_all_types(style):
    assert SIGNATURES[style] == make_listing(SHOP, style, "signatures").text()


@pytest.mark.parametrize("style", STYLES)
def test_a_listing_at_the_tier_names_has_the_names(style):
    assert NAMES[style] == str(make_listing(SHOP, style, "names", "shared"))


@pytest.mark.parametrize("style", STYLES)
def test_a_record_that_stands_twice_is_named_once_ahead_of_the_tools(style):
    # Characters: twice the record is more than its definition and two names.
    assert SHARED[style] == make_listing(SHOP, style, types="shared").text()


@pytest.mark.parametrize("style", STYLES)
def test_the_styles_at_all_tiers_fit_the_tables_of_types(style):
    assert set(STYLES) == set(get_args(Style))
    assert 3 == len(STYLES[style].legend)


@pytest.mark.parametrize("style", STYLES)
def test_a_legend_of_three_lines_stands_below_the_heading(style):
    head, rest = FULL[style].split("\n\n", 1)
    legend = "\n".join(STYLES[style].legend)

    assert f"{head}\n\n{legend}\n\n{rest}" == make_listing(SHOP, style, legend=True).text()


def test_the_default_listing_is_that_of_ptc_runner_to_the_letter():
    tools = tools_of(sample_module)

    assert tools.prompt() == tools.listing().text()
    assert tools.prompt("compact") == tools.listing("compact").text()
    assert tools.prompt(legend=True) == tools.listing(legend=True).text()


@pytest.mark.parametrize("style", STYLES)
def test_a_toolset_without_tools_has_a_listing(style):
    text = make_listing([], style, types="shared").text()

    assert ["Tools you can call"] == [line for line in [text.split("\n")[0].lstrip("#/ ")] if line]
    assert text == typesig.Toolset().prompt(style)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"style": "xml"}, "there is no style 'xml'; there are signature, compact, call, typescript, python"),
        ({"tier": "all"}, "there is no tier 'all'; there are names, signatures, full"),
        (
            {"types": "shared", "counter": str},
            "a counter returns a whole number, not str; write "
            "lambda text: len(encoding.encode(text))",
        ),
        ({"types": None}, 'types are "inline" or "shared", not None'),
    ],
)  # fmt: skip
def test_wrong_choices_are_refused(given: dict[str, Any], message: str):
    with pytest.raises(TypesigError) as caught:
        tools_of(sample_module).prompt(**given)

    assert message == str(caught.value)


def test_the_counter_decides_what_is_shared():
    words = make_listing(SHOP, "compact", types="shared", counter=lambda text: len(text.split()))

    assert [] == [each.name for each in words.types if each.name != "SearchResult"]
    assert () == make_listing(SHOP, "compact", types="shared", counter=lambda text: 1).types


def test_one_record_that_is_shorter_in_place_stays_there():
    tools = [listed("a", "(p {x :int}) -> {x :int}")]

    assert (
        make_listing(tools, "compact").text()
        == make_listing(tools, "compact", types="shared").text()
    )


def test_a_listing_tells_less_of_some_tools():
    listing = make_listing(SHOP, "compact", types="shared")
    text = SHARED["compact"]

    assert text == listing.text()
    without = text.replace("save(item :SearchResult) -> nil\n Save an item.", "save")
    assert without == listing.text({"save": "names"})
    assert (
        "## Tools you can call\n\nwhere SearchResult={id int, title, note string?, in_stock bool, price float}\n\n"
        "search\n\nsave(item :SearchResult) -> nil"
        == listing.text({"search": "names", "save": "signatures"})
    )
    assert "## Tools you can call\n\nsearch\nsave" == listing.text(
        {"search": "names", "save": "names"}
    )


@pytest.mark.parametrize(
    ("tiers", "message"),
    [
        ({"find": "names"}, "the listing has no tool 'find'"),
        ({"save": "full"}, "save cannot be full: the listing has the tier signatures"),
        ({"save": "most"}, "there is no tier 'most'; there are names, signatures, full"),
    ],
)
def test_a_listing_cannot_tell_more_than_it_has(tiers, message):
    with pytest.raises(TypesigError) as caught:
        make_listing(SHOP, "compact", "signatures").text(tiers)

    assert message == str(caught.value)


def test_an_entry_has_its_text_at_each_tier():
    [entry] = make_listing([listed("a", '(x :int "words") -> :any', "Do.")], "compact").entries

    assert entry == TieredText("a", "a", "a(x int)", "a(\n x int ; words\n)\n Do.", ("a",))
    assert ["a", "a(x int)", entry.full] == [
        entry.text(tier) for tier in ("names", "signatures", "full")
    ]


# names


def exact(name: str, key: str) -> Listed:
    schema = {"type": "object", "properties": {key: {"type": "integer"}}}
    return Listed(name, typesig.from_json_schema(schema, {}))


def test_the_heading_of_a_compact_listing_says_once_that_all_names_are_exact():
    tools = [exact("a", "max_results"), exact("b", "plain")]

    assert (
        "## Tools you can call, names exact\n\na(max_results? int)\n\nb(plain? int)"
        == make_listing(tools, "compact").text()
    )


def test_each_signature_says_it_where_names_are_mixed():
    tools = [exact("a", "max_results"), listed("b", "(max_results :int) -> :any")]

    assert (
        "## Tools you can call\n\na=(max_results? int)\n\nb(max_results int)"
        == make_listing(tools, "compact").text()
    )


def test_exact_names_are_quoted_where_names_are_mixed_and_types_stand_ahead():
    record = "{some_id :int, the_title :string, a_note :string}"
    tools = [
        exact("a", "max_results"),
        listed("b", f"(x {record}) -> {record}"),
    ]

    assert (
        "## Tools you can call\n\nwhere X={some_id int, the_title, a_note}\n\n"
        'a("max_results"? int)\n\nb(x :X) -> :X'
        == make_listing(tools, "compact", types="shared").text()
    )


def test_names_of_types_come_from_where_the_record_stands():
    fields = "second :string[1..20], third :string[1..20], fourth :string[1..20]"
    inner = f"{{fifth :string, {fields}}}"
    outer = f"{{sixth :string, more {inner}, {fields}}}"
    tools = [
        listed("find-all", f"(categories [{outer}]) -> {outer}"),
        listed("x", f"() -> [{inner}]"),
        listed("y", f"(boss {{seventh :int, {fields}}}, ** {{seventh :int, {fields}}}) -> :any"),
        listed("z", f'(" 1" {{eighth :int, {fields}}}) -> {{eighth :int, {fields}}}'),
        listed("w", f"(boss {{ninth :int, {fields}}}) -> {{ninth :int, {fields}}}"),
    ]
    listing = make_listing(tools, "compact", types="shared")

    assert ["Category", "More", "Boss", "Value1", "Boss2"] == [each.name for each in listing.types]
    assert ("find-all", "x") == listing.types[1].tools


def test_definitions_that_tools_have_alike_stand_once_ahead_of_them():
    tree = "Tree = {value :int, children [:Tree]}"
    tools = [
        listed("a", f"() -> :Tree where {tree}, Other = :int"),
        listed("b", f"(t :Tree) -> :Other where {tree}, Other = :string"),
        listed("c", f"(t :Tree) -> :Lone where {tree}, Lone = [:Tree]"),
    ]
    shared = (
        "where Tree={value int, children [:Tree]}\n\n"
        "a() -> :Tree\n\nb(t :Tree) -> string\n\nc(t :Tree) -> [:Tree]"
    )

    assert shared in make_listing(tools, "compact", types="shared").text()
    assert (
        "type int = number // a whole number\n"
        "type Other = int\ntype Tree = {value: int, children: Tree[]}\n"
        "type Other2 = string\ntype Tree2 = {value: int, children: Tree2[]}\n"
        "type Lone = Tree3[]\ntype Tree3 = {value: int, children: Tree3[]}\n\ninterface"
    ) in make_listing(tools, "typescript").text()


def test_types_and_descriptions_of_fields_that_repeat_stand_once_ahead_of_the_tools():
    project = ':string "Project ID, or the path of the project, URL-encoded"'
    state = ':enum["opened" "closed" "locked" "merged" "all"]'
    tools = [
        listed("show", f'(project {project}, page :int "a page") -> :any'),
        listed("find", f'(project? {project}, page :int "a page", state {state}) -> :any'),
        listed("sort", f"(by [{{id {project}, state {state}?}}]) -> :any"),
    ]
    listing = make_listing(tools, "compact", types="shared")

    assert (
        "## Tools you can call\n\n"
        'where Project=(string "Project ID, or the path of the project, URL-encoded"),\n'
        " State=[opened closed locked merged all]\n\n"
        "show(project :Project,\n page int ; a page\n)\n\n"
        "find(project? :Project,\n page int, ; a page\n state :State)\n\n"
        "sort(by [{id :Project, state :State?}])"
    ) == listing.text()
    assert ("show", "find", "sort") == listing.types[0].tools
    assert listing.text(dict.fromkeys(("show", "find", "sort"), "signatures")).startswith(
        "## Tools you can call\n\nwhere Project=string,\n State=["
    )


def test_types_behind_patterns_and_in_closed_tools_are_shared():
    word = ':enum["opened" "closed" "locked" "merged" "all"]'
    tools = [
        listed("a", f"(by {{/^x/ {word}}})! -> :any"),
        listed("b", f"(** {word}) -> {{id :int, /^x/ {word}}}!"),
    ]
    text = make_listing(tools, "compact", types="shared").text()

    assert text.endswith(
        "where Value=[opened closed locked merged all]\n\n"
        "a(by {/^x/ :Value})!\n\nb(** :Value) -> {id int, /^x/ :Value}!"
    )


def test_a_short_type_of_a_field_stands_in_its_place():
    fields = 'rows :int[1..100] "rows at most"'
    tools = [listed(name, f"({fields})" + " -> [:float[0..1]]") for name in ("a", "b", "c", "d")]

    assert () == make_listing(tools, "compact", types="shared").types


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("(a :A) -> :B where A = [:C], B = :enum[1 2], C = {b :int}", "(a [{b int}]) -> [1,2]"),
        (
            "(a :A, b :A) -> :nil where A = {n :B}, B = [:int]",
            "(a :A, b :A) -> nil where A={n [int]}",
        ),
        ("(a :A?) -> :any where A = {up :A?}", "(a :A?) where A={up :A?}"),
        ('(a :A "own") -> :any where A = ({b :int} "its")', '(\n a ({b int} "its") ; own\n)'),
        ('(a :A) -> :any where A = ({b :int} "its")', "(\n a {b int} ; its\n)"),
        ("(a :A[2..]) -> :any where A = :string", "(a :A[2..]) where A=string"),
        ("(** :A) -> :any where A = :int, Unused = [:Other], Other = [:Unused]", "(** int)"),
    ],
)
def test_a_type_that_is_used_once_stands_in_its_place(text, shown):
    listing = make_listing([listed("t", text)], "compact")

    assert f"## Tools you can call\n\nt{shown}" == listing.text()
    assert typesig.parse(shown, "compact") == listing.signatures["t"]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ('(a (:int "n")? "n") -> :any', "(\n a int? ; n\n)"),
        ('(a (:int "n")|(:string "n")|:bool "n") -> :any', "(\n a int|string|bool ; n\n)"),
        ('(a (:int "n\\nm")? "n\\nm") -> :any', "(\n a int? ; n m\n)"),
        ('(a (:int "m")|:bool "n") -> :any', '(\n a (int "m")|bool ; n\n)'),
        ('(a [(:int "n")] "n") -> :any', '(\n a [(int "n")] ; n\n)'),
        (
            '(a [{b (:int "n")?}] "n") -> (:int "x")? "x"',
            '(\n a [{b (int "n")?}] ; n\n) -> int? ; x',
        ),
    ],
)
def test_a_description_that_repeats_the_one_around_it_is_left_out(text, shown):
    listing = make_listing([listed("t", text)], "compact")

    assert f"{shown}" == listing.entries[0].full.removeprefix("t")
    assert typesig.parse(shown, "compact") == listing.signatures["t"]


def test_a_type_that_would_be_too_deep_in_its_place_keeps_its_name():
    nested = "[" * 90
    text = f"() -> :A where A = {nested}:B{']' * 90}, B = {nested}:int{']' * 90}"
    listing = make_listing([listed("t", text)], "compact")

    assert typesig.parse(text) == listing.signatures["t"]


def test_a_record_that_refers_to_a_definition_of_its_tool_stays_there():
    wrap = "{first :string, second :string, tree :Tree}"
    text = f"(w {wrap}) -> {wrap} where Tree = [:Tree]"
    tools = [listed("a", text)]

    assert () == make_listing(tools, "compact", types="shared").types
    assert ["Tree", "W"] == [
        e.name for e in make_listing(tools, "typescript", types="shared").types
    ]


def test_names_that_python_cannot_have_are_told_in_comments():
    tools = [
        listed("get-it", "(class :int) -> :any"),
        listed("get_it", '() -> {t :T} where T = ({x :int} "a T")'),
    ]
    listing = make_listing(tools, "python")

    assert (
        "# Tools you can call\n\nclass T(TypedDict): # a T\n x: int\n"
        "class GetItResult(TypedDict):\n t: T\n\n"
        'def get_it2(\n class_: int # called "class"\n): ... # called "get-it"\n\n'
        "def get_it() -> GetItResult: ..." == listing.text()
    )
    assert ["renamed", "renamed"] == [loss.kind for loss in listing.losses]
    assert 'get_it2: Callable # called "get-it"' in listing.text({"get-it": "names"})


def test_a_function_in_python_does_not_have_the_name_of_a_builtin_or_a_hint():
    names = ["list", "list_", "Any", "datetime", "find"]
    listing = make_listing([listed(name, "() -> [:any]") for name in names], "python")

    assert (
        'def list_2() -> list[Any]: ... # called "list"\n\n'
        "def list_() -> list[Any]: ...\n\n"
        'def Any_() -> list[Any]: ... # called "Any"\n\n'
        'def datetime_() -> list[Any]: ... # called "datetime"\n\n'
        "def find() -> list[Any]: ..." == listing.text().partition("\n\n")[2]
    )
    assert [("tools", "list"), ("tools", "Any"), ("tools", "datetime")] == [
        loss.path for loss in listing.losses
    ]


# losses


def test_what_a_listing_does_not_say_is_data():
    text = '(x :int "words", _p :int) -> (:T "no") where T = [(:int "deep")]'
    tools = [listed("a", text, "Do.", "More.")]
    why = "PtcRunner's listing has one paragraph for each tool"

    assert (
        Loss("omitted", ("tools", "a"), "firewalled names", "a model is not shown them"),
        Loss("omitted", ("tools", "a"), "the other paragraphs", why),
    ) == make_listing(tools).losses
    assert 'a(x :int "words") -> :T "no" where T = [(:int "deep")]\n  Do.' in str(
        make_listing(tools)
    )
    assert ["firewalled names"] == [
        loss.what for loss in make_listing(tools, "signature", "signatures").losses
    ]
    assert () == make_listing(tools, "signature", "names").losses
    assert ["firewalled names"] == [loss.what for loss in make_listing(tools, "compact").losses]


def test_a_type_ahead_has_its_losses_by_its_name():
    tools = [listed("a", "() -> :T where T = {x :int[1..5]}!")]

    assert [("types", "T"), ("types", "T", "x")] == [
        loss.path for loss in make_listing(tools, "python").losses
    ]


def test_a_tool_with_a_description_of_its_own_has_no_details():
    def f(a: int) -> int:
        """Do.

        Details.
        """
        return a

    assert ("Do.", "Details.") == (tool(f).description, tool(f).details)
    assert ("Mine.", None) == (
        tool(description="Mine.")(f).description,
        tool(description="Mine.")(f).details,
    )
    assert tools_of([f]).prompt("compact").endswith("f(a int) -> int\n Do.\n Details.")


# hostile text


def hostile(end: str, forged: str) -> Listed:
    """Return a tool with a text that tries to forge lines, wherever a text can be."""
    bad = f"x{end}{forged}{end}{end}{forged} */ \"\"\" ''' \\ ; {forged}"
    signature = Signature(
        [
            make_field("a", typesig.parse(":int").returns, text=bad),
            make_field(bad, typesig.parse(":string").returns, default=bad),
        ],
        make_noted(
            record([make_field(bad, make_enum([bad, "b"]), text=bad)]),
            bad,
        ),
    )
    return Listed("f", signature, bad, bad)


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("end", LINE_ENDS, ids=repr)
def test_no_text_forges_a_line_of_a_listing(end, style):
    for forged in FORGED:
        one = hostile(end, forged)
        text = make_listing([one], style, types="shared").text()

        assert text.splitlines() == text.split("\n")
        assert all(line.isprintable() for line in text.split("\n"))
        assert forged.startswith(" ") or forged not in text.split("\n")[1:]
        starts = {line[:1] for line in text.split("\n")[2:]}
        own = {"#", "{", "t", ""} if style == "call" else {*"f}/itcdRF) ", ""}
        assert starts <= own
        if style == "python":
            node = ast.parse(text).body[-1]
            said = "\n".join(split_lines(f"{one.description}\n{one.details}"))
            assert isinstance(node, ast.FunctionDef)
            assert said == ast.get_docstring(node)
        if style == "compact":
            prose = [*split_lines(one.description), *split_lines(one.details)]
            entry = text.split("\n\n")[1].removeprefix("f").split("\n")[: -len(prose)]
            back = typesig.parse("\n".join(entry), "compact")
            assert compact.make_expressible(one.signature) == back


@pytest.mark.parametrize("text", ['"', '""', '"""', '""""', 'a"', "\\", '\\"', 'a\\"""b\\', "'''"])
def test_a_docstring_in_python_says_its_text(text):
    listing = make_listing([listed("f", "() -> :any", text)], "python").text()

    [node] = ast.parse(listing).body

    assert isinstance(node, ast.FunctionDef)
    assert text == ast.get_docstring(node, clean=False)


class Secret(TypedDict):
    id: int
    _owner: str


@pytest.mark.parametrize("style", STYLES)
def test_firewalled_params_and_fields_stand_in_no_style(style):
    def find(query: str, _token: str = "x") -> list[Secret]:
        """Find."""
        return []

    text = tools_of([find]).prompt(style, types="shared")

    assert "_owner" not in text
    assert "_token" not in text
    assert "id" in text
    assert "_owner" not in contract(Secret).prompt(style, example=True)


# bounds of the style call


@pytest.mark.parametrize(("shown", "said"), [
    (":int[1..9]", "int (1 to 9)"), (":int[3..3]", "int (exactly 3)"), (":int[2..]", "int (at least 2)"),
    (":float[..9.5]", "number (at most 9.5)"), (":string[1..1]", "string (exactly 1 character)"),
    (":string[..5]", "string (at most 5 characters)"), ("[:int][1..]", "int[] (at least 1 item)"),
    (":map[1..3]", "Record<string, any> (1 to 3 items)"), (":int[%2]", "int (%2)"),
    (":int[>2]", "int (>2)"), (":int[5.., ..3]", "int (5.., ..3)"), (":string[date]", "string (date)"),
    (":any", "any"), (":keyword", "keyword"),
])  # fmt: skip
def test_bounds_are_in_words_in_the_style_call(shown: str, said: str) -> None:
    [line] = make_listing([listed("f", f"(x {shown}) -> :any")], "call").text().splitlines()[-1:]

    assert f'{{"name": "f", "arguments": {{x: {said}}}}}' == line


# answers

ANSWERS = {
    "signature": 'Answer with JSON that fits: {id :int "the id", tags [:string]}',
    "compact": "Answer with JSON that fits: {\n id int, ; the id\n tags [string]}",
    "call": "Answer with JSON that fits:\n\n{id: int (the id), tags: string[]}",
    "typescript": "Answer with JSON that fits Answer:\n\n"
    "type int = number // a whole number\ntype Answer = {\n id: int, // the id\n tags: string[]}",
    "python": "Answer with JSON that fits Answer:\n\n"
    "class Answer(TypedDict):\n id: int # the id\n tags: list[str]",
}


@pytest.mark.parametrize("style", STYLES)
def test_a_contract_asks_in_every_style(style):
    asked = contract('{id :int "the id", tags [:string]}')

    assert ANSWERS[style] == asked.prompt(style)
    text, _, example = asked.prompt(style, example=True).partition("\n\nFor example: ")
    assert ANSWERS[style] == text
    assert example.startswith('{"id": ')
    assert asked.read(example).ok
    assert example != asked.prompt(style, example=True, seed=5).partition("For example: ")[2]


def test_the_default_prompt_of_a_contract_is_as_before():
    asked = contract('{id :int "the id", tags [:string]}')

    assert ANSWERS["signature"] == asked.prompt()


@pytest.mark.parametrize(
    ("answer", "shown"),
    [
        (":any", "any"),
        (":Tree where Tree = {kids [:Tree]}", ":Tree where Tree={kids [:Tree]}"),
        ('{"max_rows" :int}', "{max_rows int}"),
        (':int', "int"),
    ],
)  # fmt: skip
def test_a_compact_answer_is_a_type_alone(answer, shown):
    assert f"Answer with JSON that fits: {shown}" == contract(answer).prompt("compact")


@pytest.mark.parametrize(
    ("answer", "example"),
    [
        ("#{:keyword}", '["'),
        ("{a :int} & {b :int}", '{"b": -3, "a": 4, "more": true}'),
        (":enum[\"a\\u2028\"]", '"a\\u2028"'),
        ("{at :datetime}", '{"at": "2008-01-22T23:20:00Z"}'),
    ],
)  # fmt: skip
def test_an_example_is_json_on_one_line_that_the_contract_reads(answer, example):
    asked = contract(answer)
    drawn = asked.prompt(example=True).partition("For example: ")[2]

    assert asked.read(drawn).ok
    assert drawn.isprintable()
    assert example[:2] == drawn[:2]


def test_an_example_is_a_value_that_is_read_back():
    # The first keyword that is drawn by this seed has no text.
    asked = contract(":keyword")

    assert asked.read(asked.prompt(example=True, seed=18).partition("example: ")[2]).ok


def test_a_contract_that_nothing_fits_has_no_example():
    with pytest.raises(NoSample, match="no example of the answer was found"):
        contract(":int & :string").prompt(example=True)


def test_a_contract_refuses_an_unknown_style():
    with pytest.raises(TypesigError, match="there is no style 'xml'"):
        contract(":int").prompt("xml")  # type: ignore[arg-type]


def test_a_long_chain_of_names_is_listed_with_its_names():
    chain = ", ".join(f"D{at} = {{a :D{at + 1}}}" for at in range(MAX_NAMES - 1))
    text = f"(x :D0) -> :any where {chain}, D{MAX_NAMES - 1} = :int"
    tools = [listed("go", text)]
    listing = make_listing(tools, "compact")

    assert typesig.parse(text) == parse_listing(listing.text())["go"].signature


def test_names_within_recursive_types_are_listed_in_their_places():
    tools = [listed("go", "(x :A) -> :any where A = {b :B}, B = {c? [:A], d :C}, C = {e :int}")]

    assert (
        make_listing(tools, "compact")
        .text()
        .endswith("go(x :A) where A={b :B}, B={c? [:A], d {e int}}")
    )


def test_a_value_that_would_not_be_read_is_no_example(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(answer_prompt, "_iter_samples", lambda shown, seed: iter(["no number", 3]))

    assert answer_prompt._write_example(typesig.parse(":int"), 0) == "3"
