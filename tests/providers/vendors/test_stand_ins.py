"""Projections pass the stand-ins for what providers refuse, which were written apart from them."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest
from hypothesis import given

import typesig
from tests.generators import LAW, lone_signatures, signatures
from tests.vendors import VENDORS, refusals, violations
from tests.vendors.hostile_toolsets import large_toolsets, toolsets
from tests.vendors.options import FORMATS, OPTIONS
from tests.vendors.rules import reference_resolves
from typesig import Toolset, tool

#: Answers whose schemas try the rules at the root.
ANSWERS = (
    *(
        "{}",
        "{}!",
        ":nil",
        ":any",
        ":map",
        ":map[:int]",
        ":int",
        ":int?",
        ":string[email]",
        ":datetime",
    ),
    *("[:int]", "[{}!]", "[:int, :string]", "#{:int}", ":enum[1 2]", ":enum[a nil]", ":keyword"),
    *("{a :int}|{b :int}", "{a :int} & {b :int}", ":one[:int, :string]", ":not[:int]", "{a {}!}"),
    *(
        ":Tree where Tree = {a :Tree?, b [:Tree]}",
        ":J where J = :string|[:J]",
        ":Tree? where Tree = {a :Tree?}",
    ),
    *(
        "{_hidden :int}",
        "{_hidden :int}!",
        '{"a b" :int, "$ref" :string}',
        "{a :int = 9007199254740993}",
    ),
)
PROFILES = [pytest.param(*key, id=" ".join(key)) for key in OPTIONS]
TOOLSETS = toolsets()
LARGE = large_toolsets()

#: What advice the projections do not follow, and in which toolsets.
IGNORED_ADVICE = {
    "O-description": {"descriptions"},
    "OS-first-key": {"unions", "enums"},
    "G-description": {"descriptions"},
    "GP-anyof-type": {
        "definitions in unions",
        "recursion",
        "unions",
        "exactly-ones",
        "maps",
        "enums",
        "lists",
        "hints",
    },
    "GJ-recursion": {"recursion", "definitions in unions"},
}
#: The advice that `check()` tells of.
TOLD_ADVICE = {"OS-first-key", "GP-anyof-type", "GJ-recursion"}
#: The names that `check()` has for the rules that are budgets.
BUDGETS = {
    "O-count": "tools",
    "X-count": "tools",
    "AS-tools": "tools",
    "AS-optionals": "optionals",
    "AS-unions": "unions",
}


@cache
def projected(name: str, vendor: Any, profile: str) -> Any:
    return TOOLSETS[name].project(vendor, **OPTIONS[vendor, profile])


@pytest.mark.once
@pytest.mark.parametrize(("vendor", "profile"), PROFILES)
@pytest.mark.parametrize("name", TOOLSETS)
def test_projections_of_hostile_toolsets_break_no_hard_rule(
    name: str, vendor: str, profile: str
) -> None:
    projection = projected(name, vendor, profile)
    found = violations(vendor, profile, projection.definitions)

    assert [] == [str(each) for each in found if each.rule.kind == "hard"]
    ignored = {each.rule.id for each in found if each.rule.kind == "soft"}
    assert set() == {rule for rule in ignored if name not in IGNORED_ADVICE[rule]}
    against = {int(each.place.split("/")[1]) for each in found if each.rule.id in TOLD_ADVICE}
    # The advice about large definitions is of no vendor.
    advised = {
        each.tool
        for each in projection.check()
        if each.limit == "advice" and "tokens" not in each.message
    }
    assert advised == {[*projection.tools.values()][place].tool.name for place in against}
    over = {BUDGETS[each.rule.id] for each in found if each.rule.kind == "budget"}
    told = {each.limit for each in projection.check()}
    assert over == told & set(BUDGETS.values())


@pytest.mark.parametrize(
    ("vendor", "profile", "left_out"),
    [("openai", "chat_strict", 1), ("anthropic", "tools_strict", 0), ("gemini", "parameters", 0)],
)
@pytest.mark.parametrize("name", LARGE)
def test_projections_of_large_tools_break_no_hard_rule(
    name: str, vendor: Any, profile: str, left_out: int
) -> None:
    projection = LARGE[name].project(vendor, **OPTIONS[vendor, profile])
    found = violations(vendor, profile, projection.definitions)

    assert [] == [str(each) for each in found if each.rule.kind == "hard"]
    assert left_out == len(LARGE[name]) - len(projection.definitions)


@pytest.mark.parametrize(("vendor", "profile"), PROFILES)
@pytest.mark.parametrize("name", TOOLSETS)
def test_references_lead_somewhere_whatever_the_rules_say(
    name: str, vendor: str, profile: str
) -> None:
    module = VENDORS[vendor]
    definitions = projected(name, vendor, profile).definitions
    request = module.read(module.PROFILES[profile], definitions)
    documents = [found for each in request.definitions for found in each.documents()]
    lost = [
        str(node.place)
        for document in documents
        for node in document.nodes
        if reference_resolves(node, document)
    ]

    assert [] == lost


@pytest.mark.parametrize(("vendor", "profile"), PROFILES)
@pytest.mark.parametrize("name", TOOLSETS)
def test_a_tool_without_a_definition_is_told(name: str, vendor: str, profile: str) -> None:
    projection = projected(name, vendor, profile)
    have_one = {each.tool.name for each in projection.tools.values()}
    told = {each.tool for each in projection.check() if each.is_left_out}

    assert len(projection.definitions) == len(projection.tools)
    assert told == {one.name for one in TOOLSETS[name]} - have_one


@pytest.mark.parametrize("name", TOOLSETS)
def test_names_do_not_depend_on_the_other_tools_or_their_order(name: str) -> None:
    if len(TOOLSETS[name]) > 30:
        return
    for vendor, profile in (("openai", "chat"), ("gemini", "json_schema")):
        forwards = projected(name, vendor, profile)
        names = {each.tool.name: key for key, each in forwards.tools.items()}
        backwards = Toolset(reversed([*TOOLSETS[name]])).project(
            vendor,  # type: ignore[arg-type]
            **OPTIONS[vendor, profile],
        )

        assert names == {each.tool.name: key for key, each in backwards.tools.items()}


def _made(signature: Any) -> Toolset:
    def function(**given: Any) -> Any:
        return given

    return Toolset([tool(signature, name="look_up", description="Look up.")(function)])


@LAW
@given(signatures(titled=True))
def test_projections_of_any_signature_break_no_rule(signature: Any) -> None:
    toolset = _made(signature)
    for (vendor, profile), options in OPTIONS.items():
        projection: Any = toolset.project(vendor, **options)  # type: ignore[arg-type]
        found = refusals(vendor, profile, projection.definitions)

        assert [] == [str(each) for each in found if each.rule.kind == "hard"]
        assert projection.check() or [] == [str(each) for each in found]


@LAW
@given(lone_signatures())
def test_response_formats_of_any_type_break_no_rule(signature: Any) -> None:
    made = typesig.contract(signature)
    for (vendor, profile), options in FORMATS.items():
        projection: Any = made.project(vendor, **options)  # type: ignore[arg-type]
        found = refusals(vendor, profile, [projection.definition])

        assert [] == [str(each) for each in found if each.rule.kind == "hard"]


@pytest.mark.parametrize(("vendor", "profile"), FORMATS)
@pytest.mark.parametrize("text", ANSWERS)
def test_response_formats_of_hostile_answers_break_no_rule(
    text: str, vendor: Any, profile: str
) -> None:
    projection = typesig.contract(text).project(vendor, **FORMATS[vendor, profile])

    assert [] == [str(each) for each in refusals(vendor, profile, [projection.definition])]
