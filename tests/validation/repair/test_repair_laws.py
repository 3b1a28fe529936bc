"""Laws of reading text that is nearly JSON."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.generators import LAW, valued
from typesig import Signature, contract
from typesig.contracts.rehearsals.mistakes import MISTAKES
from typesig.validation.plain_data import to_plain
from typesig.validation.policy import MODES

ANY = contract(":any")

ODD = [
    "", "a", "it's", 'say "hi" now', "a, b", "x: y", "{", "}", "[1]", "```", "// no", "# no",
    "http://x/y", "C:\\dir", "\n", "a\nb", "\t", "“q”", "’", "None", "true", "...", "<think>",
    "</think>", "12", "-", "a]", '",', '\\"', "é", "\u2028", "|>", "/* x */", "key = 1", ", ", " ",
]  # fmt: skip

TEXTS = st.one_of(st.sampled_from(ODD), st.text(" ab\",:'{}[]\\\n`“”/#.=1", max_size=12))
KEYS = st.one_of(st.sampled_from(["id", "name", "a b", "x-y", "1", "true"]), TEXTS)
SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(10**20), 10**20),
    st.floats(allow_nan=False, allow_infinity=False),
    TEXTS,
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(KEYS, inner, max_size=3)),
    max_leaves=6,
)
WHOLES = VALUES.filter(lambda value: isinstance(value, dict | list))


def is_json(text: str) -> bool:
    try:
        json.loads(text)
    except ValueError:
        return False
    return True


def same(one: Any, other: Any) -> bool:
    return json.dumps(one) == json.dumps(other)


@LAW
@given(VALUES, st.sampled_from([None, 1]))
def test_json_text_is_read_as_it_is_in_every_mode(value: Any, indent: int | None) -> None:
    text = json.dumps(value, indent=indent)

    for mode in MODES:
        outcome = ANY.read(text, mode)
        assert same(value, outcome.value)
        assert () == outcome.warnings


@pytest.mark.parametrize("mistake", MISTAKES)
@LAW
@given(WHOLES)
def test_a_mistake_gives_the_value_or_a_refusal_never_another_value(
    mistake: str, value: Any
) -> None:
    text = MISTAKES[mistake](value)
    if is_json(text):
        return

    outcome = ANY.read(text, "lenient")

    assert not outcome.ok or same(value, outcome.value)
    assert outcome.ok == bool(outcome.warnings)


@pytest.mark.parametrize("mistake", MISTAKES)
@LAW
@given(WHOLES)
def test_a_mode_reads_nothing_that_a_wider_mode_refuses(mistake: str, value: Any) -> None:
    text = MISTAKES[mistake](value)
    strict, enabled, lenient = (ANY.read(text, mode) for mode in ("strict", "enabled", "lenient"))

    assert strict.ok == is_json(text)
    if enabled.ok:
        assert same(enabled.value, lenient.value)


@LAW
@given(WHOLES, st.sampled_from([None, 1]), st.data())
def test_a_part_of_a_text_is_never_read(
    value: Any, indent: int | None, data: st.DataObject
) -> None:
    text = json.dumps(value, indent=indent)
    part = text[: data.draw(st.integers(0, len(text) - 1))]

    assert not ANY.read(part, "enabled").ok
    assert not ANY.read(part, "lenient").ok


#: The mistakes that stand around a value, or at its last bracket.
AROUND = [
    *("code fence", "fence that is broken", "fence on one line", "fence in a fence", "callback"),
    *("parentheses", "comments around it", "comma at the end", "comma and prose", "special token"),
    *("bracket too many", "brackets too many", "bracket at the start", "bracket too few", "prose"),
]


@pytest.mark.parametrize("mistake", AROUND)
@LAW
@given(valued())
def test_what_is_around_a_value_of_a_type_gives_the_value_or_a_refusal(
    mistake: str, case: tuple[Signature, Any]
) -> None:
    signature, value = case
    asked, sent = contract(signature), to_plain(value)
    text = MISTAKES[mistake](sent)
    whole = asked.read(json.dumps(sent), "lenient")
    # A text of any words may be what was meant.
    if is_json(text) or not whole.ok or not isinstance(sent, dict | list):
        return

    for mode in ("enabled", "lenient"):
        outcome = asked.read(text, mode)
        rules = {warning.rule for warning in outcome.warnings}
        assert not outcome.ok or "plain_text" in rules or same(whole.value, outcome.value)


LISTS = st.lists(st.one_of(st.integers(0, 99), st.booleans()), min_size=1, max_size=4)


@LAW
@given(
    LISTS,
    st.sampled_from(["...", "…", "/* ... */", "// ...\n", "# …\n"]),
    st.sampled_from([", ", " ", ",\n"]),
    st.data(),
)
def test_values_that_an_ellipsis_leaves_out_are_not_read(
    items: list[Any], ellipsis: str, comma: str, data: st.DataObject
) -> None:
    place = data.draw(st.integers(0, len(items)))
    values = [json.dumps(item) for item in items]
    fields = [f'"k{at}": {value}' for at, value in enumerate(values)]
    for each in (values, fields):
        each.insert(place, ellipsis)

    for text in (f"[{comma.join(values)}]", f"{{{comma.join(fields)}}}"):
        assert not ANY.read(text, "enabled").ok
        assert not ANY.read(text, "lenient").ok


@LAW
@given(WHOLES, st.sampled_from(["...", " …", "\n...", ", ..."]))
def test_a_value_with_an_ellipsis_behind_it_is_not_the_whole(value: Any, ellipsis: str) -> None:
    asked = contract("[:any]|:map")

    assert not asked.read(json.dumps(value) + ellipsis, "enabled").ok
    assert not asked.read(json.dumps(value) + ellipsis, "lenient").ok


@LAW
@given(WHOLES, st.sampled_from(["/*", "<!--"]), st.sampled_from(["", " ", "\n"]), st.text("ab "))
def test_a_comment_that_is_not_closed_refuses_the_text(
    value: Any, opened: str, blank: str, more: str
) -> None:
    text = json.dumps(value)
    asked = contract("[:any]|:map")

    for each in (f"{text}{blank}{opened}{more}", f"{opened} {more}{blank}{text}"):
        if "*/" not in each and "-->" not in each:
            assert not asked.read(each, "enabled").ok
            assert not asked.read(each, "lenient").ok


@LAW
@given(
    st.text("ab \n,:", max_size=6),
    st.sampled_from(['"', "'", "`", "“", "‘"]),
    st.integers(2, 3),
    st.sampled_from([(":string", "{}"), ("[:string]", "[{}]"), (":map[:string]", '{{"a": {}}}')]),
)
def test_no_quote_stays_of_a_text_with_several_quotes_around_it(
    text: str, quote: str, count: int, place: tuple[str, str]
) -> None:
    hint, frame = place
    close = {"“": "”", "‘": "’"}.get(quote, quote)
    asked = contract(hint)

    for mode in ("enabled", "lenient"):
        outcome = asked.read(frame.format(quote * count + text + close * count), mode)
        inner = outcome.value if outcome.ok else ""
        inner = inner["a"] if isinstance(inner, dict) else "".join(inner)
        assert not {quote, close} & set(inner)


PIECES = st.sampled_from(
    [*'{}[]",:\'`“”‘’\\/#.<>|=-+()*', "\n", " ", "a", "1", "é", "```", "```json\n", "<think>",
     "</think>", "true", "None", "...", "//", "/*", "*/", "<|call|>", '{"a": 1}', "\ufeff", "\u00a0"]
)  # fmt: skip


@LAW
@given(
    st.lists(PIECES, max_size=30).map("".join),
    st.sampled_from(
        [":any", ":string", ":int", "[:int]", "{a :int?}", ':enum["a" "true"]', ":bool"]
    ),
)
def test_what_is_read_of_any_text_is_told_and_reads_back(text: str, hint: str) -> None:
    asked = contract(hint)
    outcome = asked.read(text, "lenient")
    enabled = asked.read(text)

    assert is_json(text) or outcome.errors or outcome.warnings
    assert not enabled.ok or same(enabled.value, outcome.value)
    if outcome.ok:
        again = asked.read(json.dumps(outcome.value), "lenient")
        assert same(outcome.value, again.value)
        assert () == again.warnings
