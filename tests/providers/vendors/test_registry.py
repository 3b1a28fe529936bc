"""Each vendor is walked through all that its row is for, so that no part of it can be forgotten."""

from __future__ import annotations

import json
from itertools import product
from typing import Any, get_args

import pytest

import typesig
from tests import vendors as standins
from tests.providers_page import PAGE, options_of
from tests.vendors.options import OPTIONS
from typesig.contracts.rehearsals.rehearsal import call_of
from typesig.providers.registry.provider import LIMIT_NAMES, PROVIDER_NAMES, LimitName, ProviderName
from typesig.providers.registry.vendor import Profile
from typesig.providers.vendors.registry import VENDORS

TEXTS = [f"text {number}" for number in range(300)]
SIGNATURE = f"(n :int, kind :enum{json.dumps(TEXTS)}?, more :int|:string = 1) -> {{twice :int}}"


@typesig.tool(SIGNATURE)
def double(n: int, **more: Any) -> dict[str, int]:
    """Double a number."""
    return {"twice": 2 * n}


EACH = [
    pytest.param(vendor.name, profile, id=profile.title)
    for vendor in VENDORS.values()
    for profile in vendor.profiles
]
profiles = pytest.mark.parametrize(("name", "profile"), EACH)


def projected(name: ProviderName, profile: Profile) -> Any:
    return double.project(name, **options_of(VENDORS[name], profile))


def test_the_rows_are_those_of_the_names() -> None:
    assert list(PROVIDER_NAMES) == list(VENDORS)
    assert list(PROVIDER_NAMES) == [vendor.name for vendor in VENDORS.values()]
    assert set(PROVIDER_NAMES) == set(get_args(ProviderName))


@pytest.mark.parametrize("name", PROVIDER_NAMES)
def test_a_vendor_has_one_profile_for_each_form_and_strictness(name: ProviderName) -> None:
    vendor = VENDORS[name]
    chosen = [(profile.api, profile.strict) for profile in vendor.profiles]
    strictnesses = [False, True] if vendor.has_strict else [False]

    assert {name} == {profile.provider for profile in vendor.profiles}
    assert sorted(product(vendor.apis, strictnesses)) == sorted(chosen)


@profiles
def test_a_vendor_has_definitions(name: ProviderName, profile: Profile) -> None:
    made = projected(name, profile)

    assert profile == made.profile._replace(limits={})
    assert json.loads(json.dumps(made.definitions)) == list(made.definitions)
    assert '"double"' in json.dumps(made.definitions)
    assert () == tuple(each for each in made.check() if each.limit != "advice")


@profiles
def test_a_call_of_a_vendor_is_answered(name: ProviderName, profile: Profile) -> None:
    made = projected(name, profile)
    [sent_name] = made.tools
    sent = made.tools[sent_name].encode_arguments({"n": 2})
    done = made.handle(call_of(name, profile.api, sent_name, sent))
    refused = made.handle(call_of(name, profile.api, sent_name, {**sent, "n": "many"}))

    assert "twice" in json.dumps(done)
    assert "4" in json.dumps(done)
    assert "many" in json.dumps(refused)


@profiles
def test_an_answer_comes_back_from_a_vendor(name: ProviderName, profile: Profile) -> None:
    asked = typesig.contract("[{id :int, note :string?}]")
    made = asked.project(name, **options_of(VENDORS[name], profile))
    answer = [{"id": 1, "note": "a"}, {"id": 2}]

    assert json.loads(json.dumps(made.definition)) == made.definition
    assert answer == made.read(json.dumps(made.encode(answer))).result
    assert () == made.check()


@pytest.mark.parametrize("name", PROVIDER_NAMES)
def test_a_vendor_tells_whether_answers_are_strict(name: ProviderName) -> None:
    vendor = VENDORS[name]

    assert vendor.strict_answers is typesig.contract(int).project(name).profile.strict
    assert vendor.has_strict or not vendor.strict_answers


@profiles
@pytest.mark.parametrize("limit", LIMIT_NAMES)
def test_every_limit_is_counted_for_a_vendor(
    name: ProviderName, profile: Profile, limit: LimitName
) -> None:
    options = options_of(VENDORS[name], profile)
    counts = {"tokens": 1, **projected(name, profile).tools["double"].counts}
    findings = double.project(name, **options, limits={limit: 0}).check(len)
    found = [each for each in findings if each.limit == limit]

    assert (counts[limit] > 0) is bool(found)
    assert (bool(found) and limit in VENDORS[name].refusing) is any(f.is_left_out for f in found)


@pytest.mark.parametrize("name", PROVIDER_NAMES)
def test_a_vendor_is_on_the_page(name: ProviderName) -> None:
    text = PAGE.read_text(encoding="utf-8")

    assert f"| `{name}` | {VENDORS[name].title} |" in text


def test_the_stand_ins_are_those_of_the_names() -> None:
    assert set(PROVIDER_NAMES) == set(standins.VENDORS)


@pytest.mark.parametrize("name", PROVIDER_NAMES)
def test_each_profile_of_a_vendor_has_a_stand_in_that_judges_its_definitions(
    name: ProviderName,
) -> None:
    judged = {
        (options.get("api", VENDORS[name].apis[0]), options.get("strict", False))
        for (vendor, _), options in OPTIONS.items()
        if vendor == name
    }

    assert {(profile.api, profile.strict) for profile in VENDORS[name].profiles} == judged
