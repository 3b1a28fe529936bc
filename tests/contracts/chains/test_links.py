"""Which tool feeds which: the links, their reasons, and pipelines."""

from __future__ import annotations

import copy
import json
import pickle
from typing import Any

import pytest

import typesig
from typesig import Toolset
from typesig.contracts.chains import ends, link_finder, type_judge
from typesig.contracts.chains.links import Link
from typesig.errors import TooLarge, TypesigError
from typesig.limits import contracts


def toolset(**signatures: str) -> Toolset:
    """Return tools by name, each with an explicit signature."""
    made = []
    for name, signature in signatures.items():

        def function(**given: Any) -> None:
            """Do it."""

        function.__name__ = name
        made.append(typesig.tool(signature)(function))
    return Toolset(made)


def links(**signatures: str) -> list[str]:
    return [str(link) for link in toolset(**signatures).chain()]


SHOP = toolset(
    search_orders="(query :string) -> [{id :int, customer_id :int, placed :datetime}]",
    get_order="(id :int) -> {id :int, customer {id :int, email :string[email]}}",
    get_customer="(customer_id :int) -> {id :int, address {street :string, city :string}?}",
    send_mail="(email :string[email], text :string) -> :bool",
    ship="(order_id :int, address {street :string, city :string}) -> {parcel_id :string}",
)


def test_a_chain_has_what_fits_and_then_what_nearly_fits() -> None:
    expected = [
        "get_order.customer.email → send_mail.email: fits",
        "get_order.id → ship.order_id: fits",
        "get_order.customer.id → get_customer.customer_id: fits",
        "search_orders.[].customer_id → get_customer.customer_id: fits",
        "search_orders.[].id → get_order.id: fits",
        "search_orders.[].id → ship.order_id: fits",
        "get_customer.address → ship.address: nearly; may be nil, and {street :string, city "
        ":string} refuses nil; leave nil out before the call, or let the parameter accept nil",
    ]

    assert expected == [str(link) for link in SHOP.chain()]


def test_an_id_fits_only_the_thing_that_it_is_of() -> None:
    found = links(
        list_users="() -> [{id :int}]",
        get_user="(id :int) -> :nil",
        get_page="(id :int) -> :nil",
        rename="(user :int) -> :nil",
        fetch="(id :int) -> :nil",
    )

    assert found == [
        "list_users.[].id → get_user.id: fits",
        "list_users.[].id → rename.user: fits",
        "list_users.[].id → fetch.id: fits",
    ]


def test_the_nearest_name_around_an_id_counts() -> None:
    found = links(
        get_order="(n :int) -> {data {id :int}, customer {id :int}}",
        ship="(order_id :int) -> :nil",
        thank="(customer_id :int) -> :nil",
    )

    assert found == [
        "get_order.customer.id → thank.customer_id: fits",
        "get_order.data.id → ship.order_id: fits",
    ]


def test_a_text_does_not_fit_every_text_unless_all_links_are_asked_for() -> None:
    tools = toolset(read="() -> {author :string}", say="(text :string) -> :nil")
    (link,) = tools.chain(all=True)

    assert 0 == len(tools.chain())
    assert ("nearly", "names", 0) == (link.kind, link.code, link.strength)
    assert "read.author → say.text" == f"{link.source_text} → {link.target_text}"


def test_a_special_type_is_linked_whatever_it_is_called() -> None:
    found = links(
        measure="() -> {spot {lat :float, lon :float}}",
        weather="(at {lat :float, lon :float}) -> :nil",
        paint="() -> {shade :enum[red green]}",
        mix="(colors [:enum[red green blue]]) -> :nil",
    )

    assert found == [
        "measure.spot → weather.at: fits",
        "paint.shade → mix.colors: nearly; is one item, and the parameter takes several; put the "
        "value in a list",
    ]


def test_tools_of_two_services_are_apart() -> None:
    verbs = ("list", "get", "delete")
    tools: dict[str, str] = {}
    for service in ("hub", "desk"):
        for verb in verbs:
            tools[f"{service}_{verb}_issue"] = "(issue_id :int) -> {id :int, mail :string[email]}"
    tools["hub_get_mail"] = "(mail :string[email]) -> {desk_issue_id :int}"
    found = {
        (x.source.split("_")[0], x.target.split("_")[0], x.parameter)
        for x in toolset(**tools).chain()
    }

    assert found == {
        ("hub", "hub", "issue_id"),
        ("desk", "desk", "issue_id"),
        ("hub", "hub", "mail"),
        # An address is one in both; and a name may say of which service a thing is.
        ("desk", "hub", "mail"),
        ("hub", "desk", "issue_id"),
    }


def test_what_a_tool_returns_to_be_called_again_is_a_link() -> None:
    found = links(list_pages="(cursor :string?) -> {next_cursor :string?, title :string}")

    assert ["list_pages.next_cursor → list_pages.cursor: fits"] == found


#: The type of a part of a result, that of a parameter, and the kind, code, reason and mend.
NEAR: list[tuple[str, str, str, str, str, str]] = [
    (":int?", ":int", "nearly", "nullable", "may be nil, and :int refuses nil",
     "leave nil out before the call, or let the parameter accept nil"),
    (":int", "[:int]", "nearly", "wrapped", "is one item, and the parameter takes several",
     "put the value in a list"),
    (":int", "#{:int}?", "nearly", "wrapped", "is one item, and the parameter takes several",
     "put the value in a list"),
    (":int", ":int[1..5]", "nearly", "bounds",
     "some values are beyond the bounds of :int[1..5], such as int 0",
     "declare the result as :int[1..5]"),
    ("{a :int}", "{a :int, b? :int}", "nearly", "open",
     "may have further keys, which {a :int, b? :int} declares or refuses",
     "declare these keys in the result"),
    (":enum[a b]", ":enum[b c]", "nearly", "values",
     'only some values are of :enum["b" "c"]: list ["b"]', 'declare the result as :enum["b" "c"]'),
    (":datetime", ":string", "nearly", "coerced", "is :datetime, which a call reads as :string",
     "declare the result as :string"),
    ("{a :int}", "{a :int, b :int}", "nearly", "fields", "lacks b", "add b to the result"),
    (":string", ":int", "differs", "type", ':string is not :int, such as string ""',
     "call them differently, or give both one type"),
]  # fmt: skip


@pytest.mark.parametrize(("source", "target", "kind", "code", "reason", "mend"), NEAR)
def test_what_nearly_fits_has_a_reason_and_what_would_mend_it(
    source: str, target: str, kind: str, code: str, reason: str, mend: str
) -> None:
    tools = toolset(make=f"() -> {{thing {source}}}", use=f"(thing {target}) -> :nil")
    (link,) = [each for each in tools.chain() if each.path == ("thing",)]

    assert (kind, code, reason, mend) == (link.kind, link.code, link.reason, link.mend)


def test_an_optional_field_fits_an_optional_parameter() -> None:
    found = links(
        make="() -> {thing? :int}", use="(thing? :int) -> :nil", need="(thing :int) -> :nil"
    )

    assert found == [
        "make.thing → use.thing: fits",
        "make.thing → need.thing: nearly; may be absent; look whether it is there before the call, "
        "or make the parameter optional",
    ]


@pytest.mark.parametrize(
    ("source", "target"),
    [("[:int]", "{b :int}"), ("{a :int}", ":int"), ("{a :int}", "{b :int}"), (":int", "{b :int}")],
)
def test_shapes_that_have_nothing_in_common_are_no_link(source: str, target: str) -> None:
    tools = toolset(make=f"() -> {{thing {source}}}", use=f"(thing {target}) -> :nil")

    assert () == tools.chain().links


def test_what_is_not_proved_is_unknown_and_no_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(type_judge, "MAX_CHAIN_STEPS", 0)
    tools = toolset(make="() -> {thing :int}", use="(thing :float) -> :nil")
    chain = tools.chain()

    assert ["unknown"] == [link.kind for link in chain]
    assert ("some types were not compared, since others took too many steps",) == chain.notes
    assert str(chain).startswith(
        "make.thing → use.thing: unknown; neither a proof nor a value that is refused was found; "
    )
    checked = tools.check_chain("make", "use")
    assert "it is not known whether a part of the result of make fits" == checked.steps[1].reason


@pytest.mark.parametrize(
    ("written", "in_result", "in_parameter"),
    [
        (":int", [""], [""]),
        ("#{:int}?", ["", "[]"], ["", "[]"]),
        ("[:int, :string]", ["", "0", "1"], ["", "0", "1"]),
        ("[:int, ** :string]", ["", "0", "**"], ["", "0", "**"]),
        (":map[:int :string]", ["", "key", "value"], ["", "key", "value"]),
        (":string|[:int]", ["", "|1", "|2", "|2.[]"], ["", "|1", "|2", "|2.[]"]),
        (":one[:int, :string]", ["", "|1", "|2"], ["", "|1", "|2"]),
        ("[:int][1..]", ["", "[]"], ["", "[]"]),
        ("{a {b :int}?, _c :int}", ["", "a", "a.b"], ["", "a", "a.b"]),
        ("{a :int, ** :string}", ["", "a", "**"], ["", "a", "**"]),
        # Here a value must fit more than one type.
        ("{a :int, /^x/ :int}", ["", "a", "/^x/"], [""]),
        ("{a :int} & {b :int}", ["", "a", "b"], [""]),
    ],
)
def test_the_parts_of_a_type_have_paths(
    written: str, in_result: list[str], in_parameter: list[str]
) -> None:
    (tool,) = toolset(make=f"(x {written}, _y :int) -> {written}")
    found = ends.find_ends(tool, frozenset())

    assert in_result == [".".join(end.path) for end in found.sources]
    assert in_parameter == [".".join(end.path[1:]) for end in found.sinks]
    assert not found.is_cut


def test_a_recursive_type_has_each_part_once() -> None:
    (tool,) = toolset(make="() -> :T where T = {n :int, more [:T]}")
    found = ends.find_ends(tool, frozenset())

    assert ["", "n", "more", "more.[]"] == [".".join(end.path) for end in found.sources]


def test_types_with_names_are_compared_by_their_definitions() -> None:
    found = links(
        make="() -> {tree :T} where T = {n :int, more [:T]}",
        use="(tree :U) -> :nil where U = {n :int, more [:U]}",
        other="(tree :T) -> :nil where T = {n :string, more [:T]}",
    )

    assert "make.tree → use.tree: fits" == found[0]
    assert not any("other.tree: fits" in each for each in found)


def test_what_a_model_does_not_see_is_no_end() -> None:
    tools = toolset(
        make="() -> {item {id :int, name :string, _owner :int}, _secret_key :string}",
        use="(item {id :int, name :string, _owner :int}) -> :nil",
        hold="(_secret_key :string) -> :nil",
    )

    assert ["fields"] == [link.code for link in tools.chain() if link.path == ("item",)]
    assert not [link for link in tools.chain() if "secret" in str(link)]


@pytest.mark.parametrize(
    ("limit", "value", "note"),
    [
        ("MAX_CHAIN_PAIRS", 1, "only 1 pairs of parts and parameters were looked at"),
        ("MAX_LINKS", 1, "6 weaker links were left out"),
        ("MAX_CHAIN_TYPES", 0, "only 0 pairs of types were compared by their parts"),
    ],
)
def test_a_chain_says_what_it_left_out(
    limit: str, value: int, note: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(link_finder, limit, value)
    chain = SHOP.chain()

    assert (note,) == chain.notes
    assert note == str(chain).splitlines()[-1]


@pytest.mark.parametrize(("limit", "value"), [("MAX_CHAIN_PARTS", 2), ("MAX_CHAIN_DEPTH", 1)])
def test_a_chain_says_that_parts_were_not_looked_at(
    limit: str, value: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ends, limit, value)
    monkeypatch.setattr(link_finder, limit, value)
    (note,) = SHOP.chain().notes

    assert note.startswith("only ")
    assert note.endswith(" were looked at of 4 tools")


def test_the_text_of_a_chain_counts_what_it_does_not_show(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("typesig.contracts.chains.links.MAX_SHOWN_LINKS", 1)
    first, more = str(SHOP.chain()).splitlines()

    assert ("get_order.customer.email → send_mail.email: fits", "… and 6 more") == (first, more)


def test_a_chain_is_data() -> None:
    chain = SHOP.chain()
    checked = SHOP.check_chain("search_orders", "get_order")

    assert "<chain of 5 tools: 6 fits, 1 nearly>" == repr(chain)
    assert ("<chain of 0 tools: no links>", "no tool feeds another") == (
        repr(Toolset().chain()), str(Toolset().chain())
    )  # fmt: skip
    assert (
        7 == len(chain) == len(list(chain)) == len(json.loads(json.dumps(chain.to_dict()))["links"])
    )
    for made in (chain, chain.links[0], checked, checked.steps[1]):
        assert made == pickle.loads(pickle.dumps(made)) == copy.deepcopy(made)
        assert json.loads(json.dumps(made.to_dict())) == made.to_dict()
    assert ["ship"] == [*{link.target for link in chain.around("ship")}]


def test_a_name_with_separators_is_quoted() -> None:
    assert 'a."b c".[] → d.e: fits' == str(Link("a", ("b c", "[]"), "d", "e"))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (":any", 0), (":string?", 0), (":map", 0), (":enum[1 2]", 1), (":enum[a]", 1),
        (":datetime", 1), ("[:enum[a b]]", 2), ("{a :int}", 1), (":T where T = {a :int, b :T?}", 2),
        ("{a :int, b :int}|{c :int, d :int}", 2), (":int|:string", 0), ("#{:T} where T = :int", 0),
        (":T where T = [:T]", 0), (":A where A = [:B?], B = [:A]", 0),
    ],
)  # fmt: skip
def test_types_tell_more_or_less(text: str, expected: int) -> None:
    assert expected == type_judge.measure_specificity(typesig.parse(text))


def test_a_list_of_itself_has_a_chain() -> None:
    where = "where T = [:T]"
    tools = toolset(get_nest=f"() -> :T {where}", put_nest=f"(nest :T) -> :nil {where}")

    assert {"fits"} == {link.kind for link in tools.chain(all=True)}


def test_what_returns_nothing_feeds_nothing() -> None:
    tools = toolset(delete_user="() -> :nil", show="(user :string?) -> :nil")

    assert () == tools.chain(all=True).links
    assert not tools.check_chain("delete_user", "show")


def test_one_tool_with_many_parts_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ends, "MAX_CHAIN_PARTS", 1)
    chain = toolset(make="() -> {a :int}").chain()

    assert ("only 200 parts, 6 levels deep, were looked at of 1 tool",) == chain.notes


@pytest.mark.parametrize("written", [":string & :int", ":map[:nil :int]"])
def test_values_that_no_model_reads_are_no_argument(written: str) -> None:
    assert not type_judge._is_read(typesig.parse(written), typesig.parse(":bool"))


def test_descriptions_tell_what_an_id_is_of() -> None:
    @typesig.tool("(query :string) -> [{id :int}]")
    def search(**given: Any) -> None:
        """Search for items."""

    tools = Toolset([search, *toolset(buy="(item_id :int) -> :nil", ask="(page_id :int) -> :nil")])

    assert ["search.[].id → buy.item_id: fits"] == [str(link) for link in tools.chain()]


def test_a_long_type_is_cut_in_a_link(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(type_judge, "MAX_EXPECTED", 8)

    assert "[:strin…" == type_judge.write_result_type(typesig.parse("[:string]"))


def test_values_without_a_form_in_json_are_not_read() -> None:
    found = toolset(make="() -> {thing :any}", use="(thing :int) -> :nil").chain()

    assert {"differs", "unknown"} >= {link.kind for link in found}


# Pipelines


def test_a_pipeline_holds_if_each_tool_takes_something_of_the_result_before_it() -> None:
    checked = SHOP.check_chain("search_orders", "get_order", "send_mail")

    assert checked
    assert str(checked) == (
        "the pipeline holds\n"
        "search_orders\n"
        "  needs query\n"
        "get_order\n"
        "  search_orders.[].id → get_order.id: fits\n"
        "send_mail\n"
        "  get_order.customer.email → send_mail.email: fits\n"
        "  needs text"
    )


def test_an_earlier_result_may_feed_another_parameter() -> None:
    tools = toolset(
        find="() -> {order_id :int}", look="(order_id :int) -> {mail :string[email]}",
        tell="(order_id :int, mail :string[email]) -> :nil",
    )  # fmt: skip
    last = tools.check_chain("find", "look", "tell").steps[-1]

    assert ["find.order_id", "look.mail"] == [link.source_text for link in last.fed]
    assert () == last.needs


@pytest.mark.parametrize(
    ("result", "params", "reason"),
    [
        ("{a :int}", "", "takes no arguments, so nothing of the result of one"),
        ("{a :int?}", "a :int", "a part of the result of one nearly fits"),
        ("{a :string}", "b :int", "no part of the result of one fits"),
        ("{total :int}", "page_number :int", "a part of the result of one nearly fits"),
    ],
)
def test_a_pipeline_breaks_with_a_reason(result: str, params: str, reason: str) -> None:
    tools = toolset(one=f"() -> {result}", two=f"({params}) -> :nil")
    checked = tools.check_chain("one", "two")

    assert not checked.holds
    assert reason == checked.steps[1].reason
    assert str(checked).startswith(f"the pipeline breaks at two\none\ntwo: {reason}")
    assert {"holds": False} == {k: v for k, v in checked.to_dict().items() if k == "holds"}


def test_what_nearly_feeds_a_needed_parameter_is_told_in_a_pipeline_that_holds() -> None:
    tools = toolset(
        one="() -> {user_id :int, mail :string?}", two="(user_id :int, mail :string) -> :nil"
    )
    checked = tools.check_chain("one", "two")

    assert checked.holds
    assert ["one.mail"] == [link.source_text for link in checked.steps[1].near]


@pytest.mark.parametrize(
    ("names", "message"),
    [
        (("ship",), "a pipeline has two tools or more; write check_chain('find', 'fetch')"),
        (("ship", "get_ordr"), 'there is no tool "get_ordr"; did you mean get_order?'),
    ],
)
def test_wrong_pipelines_are_told(names: tuple[str, ...], message: str) -> None:
    with pytest.raises(TypesigError) as raised:
        SHOP.check_chain(*names)

    assert message == str(raised.value)


def test_a_pipeline_has_a_bound() -> None:
    with pytest.raises(TooLarge, match="a pipeline has up to 100 tools, this one has 101"):
        SHOP.check_chain(*["ship"] * (contracts.MAX_PIPELINE + 1))
