"""A value of a class whose own methods raise, lie, never end or call themselves is data, too."""

from __future__ import annotations

import collections
import datetime
import itertools
from types import MappingProxyType
from typing import Any
from zoneinfo import ZoneInfo

import pytest

import typesig
from tests.generators import EXAMPLES
from tests.growth import steps
from tests.hostile import MAKERS, Mapped, boom, endless, hostile, lying, objects, subclasses
from tests.hostile_entries import ENTRIES
from typesig import TypesigError, from_json_schema, parse
from typesig.algebra.rows import builtin
from typesig.algebra.rows.builtin import as_builtin, as_data, read_mapping
from typesig.algebra.rows.values import dict_with_plain_keys, make_hashable, to_builtin
from typesig.errors import format_value
from typesig.extraction import encoder
from typesig.extraction.python_types.decoders import HostError
from typesig.listings import Template, render_data

#: No entry takes more for one of the values here, which are small.
MOST_STEPS = 3_000_000

#: The values that every entry is called with; the others are read by `as_builtin` alone.
CHOSEN = [
    "__iter__ is nonsense",
    "items has no end",
    "__len__ raises",
    "__hash__ raises",
    "__eq__ is nonsense",
    "__class__ raises",
    "__class__ is dict",
    "__getattribute__ raises",
    "__int__ raises",
    "of which all",
]

SUBCLASSES = subclasses()
VALUES = {
    what: value
    for what, value in {**SUBCLASSES, **objects()}.items()
    if " whose " not in what or any(chosen in what for chosen in CHOSEN)
}


@pytest.fixture(autouse=True)
def _few_items(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(encoder, "MAX_ITEMS", 50)
    monkeypatch.setattr("typesig.calls.running.MAX_ITEMS", 50)
    monkeypatch.setattr(builtin, "MAX_VALUES", 500)
    monkeypatch.setattr("typesig.providers.projection.messages.MAX_EVENTS", 50)


#: Each entry is called with one of so many values, and each value given to as many entries fewer;
#: where many examples of the laws are tried, all entries are called with all of them.
STRIDE = max(1, 32 // EXAMPLES)


@pytest.mark.once
@pytest.mark.parametrize("name", ENTRIES)
def test_every_entry_reads_or_refuses_a_hostile_value(name):
    use, first = ENTRIES[name], list(ENTRIES).index(name) % STRIDE
    # A generator has no more items than one entry may take, so each entry gets its own.
    values = {**VALUES, "generator without end": endless()}
    for what, value in list(values.items())[first::STRIDE]:
        try:
            use(value)
        except TypesigError:
            continue
        except BaseException as error:
            raise AssertionError(f"{name} of a {what}: {error!r}") from error


@pytest.mark.once
@pytest.mark.parametrize("name", ENTRIES)
def test_every_entry_ends_with_a_value_that_never_does(name):
    for what in ("answers everything", "iterator without end", "dict whose items has no end"):
        value = {**SUBCLASSES, **objects()}[what]

        def run(value: Any = value) -> None:
            try:
                ENTRIES[name](value)
            except TypesigError:
                pass

        steps(run, MOST_STEPS)


@pytest.mark.parametrize("base", MAKERS)
def test_all_that_a_subclass_may_change_is_read_by_the_methods_of_the_built_in(base):
    known = base not in (bytes, object) and base.__module__ != "decimal" and base != datetime.date
    for what, value in SUBCLASSES.items():
        if not what.startswith(f"{base.__name__} whose ") or type(value).__mro__[1] is not base:
            continue
        made = as_builtin(value)
        is_kept = made is value
        changed = vars(type(value)).keys() & {"__reduce__", "__reduce_ex__", "__sizeof__"}
        plain = dict if base is collections.OrderedDict else base

        assert is_kept or type(made) is plain, what
        assert not known or not is_kept or changed or base in _COLLECTIONS or "__del__" in what


_COLLECTIONS = (list, tuple, dict, collections.OrderedDict, set, frozenset, str, int, float)


def test_a_part_that_is_changed_is_copied_and_no_other():
    loud = hostile(str, "__len__", boom)
    same, tame = [1, {"a": "b"}], collections.OrderedDict(a=1)
    made = as_builtin([same, loud, tame, {loud: 1}, {2, loud}, (loud,)])

    assert [[1, {"a": "b"}], "a", {"a": 1}, {"a": 1}, {2, "a"}, ("a",)] == made
    assert (True, True) == (made[0] is same, made[2] is tame)
    assert as_builtin(same) is same


def test_lists_that_share_lists_are_read_once(monkeypatch):
    monkeypatch.setattr(builtin, "MAX_UNWATCHED", 100)
    shared: Any = [hostile(str, "__len__", boom)]
    for _ in range(40):
        shared = [shared, shared]
    made: Any = None

    def read() -> None:
        nonlocal made
        made = as_builtin(shared)

    steps(read, MOST_STEPS)
    while type(made) is list:
        made = made[0]

    assert str is type(made)


def test_a_key_that_cannot_be_hashed_is_an_error():
    class Key:
        silent = True

        def __hash__(self) -> int:
            return 1 if self.silent else boom()

    key = Key()
    data = type("Hostile", (dict,), {"items": boom})({key: 1})
    key.silent = False

    with pytest.raises(TypesigError) as caught:
        as_builtin(data)

    assert str(caught.value) == "a key of Key cannot be read: its hash raises ZeroDivisionError"


def test_two_keys_that_become_one_are_an_error():
    class Other(str):
        def __hash__(self) -> int:
            return id(self)

        def __eq__(self, other: object) -> bool:
            return self is other

    with pytest.raises(TypesigError) as caught:
        as_builtin({Other("a"): 1, Other("a"): 2})

    assert str(caught.value) == "two keys of a map are 'a'"
    assert dict_with_plain_keys([("a", 1)]) == {"a": 1}


def test_the_order_of_an_ordered_dict_whose_keys_cannot_be_hashed_is_that_of_a_dict():
    class Key(str):
        silent = True

        def __hash__(self) -> int:
            return str.__hash__(self) if Key.silent else boom()

    value = collections.OrderedDict({Key("a"): 1, Key("b"): 2})
    Key.silent = False

    assert {"a": 1, "b": 2} == to_builtin(value)


class Raising(datetime.tzinfo):
    utcoffset = dst = tzname = boom  # type: ignore[assignment]


@pytest.mark.parametrize("cls", [datetime.datetime, type("Day", (datetime.datetime,), {})])
def test_a_datetime_of_a_zone_that_cannot_be_read_has_no_zone(cls):
    value = cls(2027, 1, 31, tzinfo=Raising())
    (error,) = parse("() -> :datetime").validate_output(value).errors

    assert datetime.datetime(2027, 1, 31) == as_builtin(value)
    assert "add an offset" in str(error)


def test_another_class_named_datetime_is_what_it_is():
    made = type("datetime", (), {"__module__": "datetime"})()

    assert to_builtin(made) is made


def test_an_integer_whose_digits_cannot_be_read_is_shown_in_a_message():
    assert "a value of Hostile" == format_value(hostile(int, "bit_length", boom))


@pytest.mark.parametrize(
    ("given", "text"),
    [
        (
            type("Mine", (Mapped,), {"items": boom})(),
            "the items of Mine cannot be read: it raises ZeroDivisionError",
        ),
        (
            type("Mine", (Mapped,), {"items": lambda self: endless()})(),
            "Mine has more than 500 items",
        ),
    ],
)
def test_a_mapping_that_cannot_be_read_is_an_error(given, text):
    with pytest.raises(TypesigError) as caught:
        Template("{{a}}", "(a :any) -> :any").render(given)

    assert text == str(caught.value)


def test_a_mapping_is_read():
    assert {"a": 1} == read_mapping(MappingProxyType({"a": 1}))
    assert "1" == Template("{{a}}", "(a :int) -> :any").render(MappingProxyType({"a": 1}))


def test_data_in_which_another_object_stands_is_refused_by_the_name_of_its_class():
    shy = type("Shy", (), {"__class__": property(boom), "__repr__": boom})()

    assert "[<Shy object>, 1]" == repr(as_data([shy, 1]))
    assert int is as_data(int)
    with pytest.raises(TypesigError, match="the root: type: there is no type <Shy object>"):
        from_json_schema({"type": [shy]})


def test_a_dictionary_whose_items_have_no_end_is_refused():
    value = hostile(dict, "items", lambda _self: itertools.count())

    with pytest.raises(TypesigError, match="a dict is not a signature"):
        parse(value)
    assert "() -> {a :any}" == str(
        parse([":map", type("L", (list,), {"__iter__": endless})([":a", ":any"])])
    )


def test_the_text_of_a_subclass_of_str_is_read():
    text = type("Hostile", (str,), dict.fromkeys(("__len__", "strip", "__eq__", "split"), boom))

    assert "(a :int) -> :bool" == str(parse(text("(a :int) -> :bool")))
    assert {"a": 1} == typesig.contract("{a :int}").read(text('{"a": 1}')).value


@pytest.mark.parametrize(
    ("text", "base", "method", "plain"),
    [
        (":int", int, "__int__", 1),
        (":float", float, "__sub__", 1.5),
        (":string", str, "__len__", "a"),
        (":datetime", datetime.datetime, "isoformat", "2027-01-31T00:00:00Z"),
        (":any", dict, "keys", {"a": 1}),
    ],
)
def test_what_conforms_is_returned_as_it_is_and_its_plain_form_is_of_built_ins(
    text, base, method, plain
):
    value = hostile(base, method, boom)
    for _ in range(4):
        out = parse(text).validate_output(value)

        assert (True, plain) == (out.result is value, out.value)


def test_an_object_that_does_not_tell_its_class_is_an_object():
    for value in lying(object).values():
        (error,) = parse(":string").validate_output(value).errors

        assert "expected string, got a value that JSON has no form for" == str(error)
        assert not typesig.coerce(value, "[:int]").ok


def test_a_result_that_cannot_be_read_is_an_error_that_tells_why():
    class Mine(collections.UserDict):  # type: ignore[type-arg]
        items = boom  # type: ignore[assignment]

    @typesig.tool
    def get() -> Any:
        return Mine(a=1)

    assert ["a part of it cannot be read: it raises ZeroDivisionError: boom"] == [
        str(error) for error in get.call().errors
    ]
    with pytest.raises(HostError):
        encoder.encode(Mine())


def test_an_answer_of_a_provider_that_cannot_be_read_is_an_error_that_tells_why():
    @typesig.tool
    def get() -> int:
        return 1

    message = type("Message", (), {"__getattr__": boom})()

    with pytest.raises(TypesigError) as caught:
        typesig.tools_of([get]).project("openai").handle(message)

    assert str(caught.value) == (
        "the answer, Message, cannot be read: it raises ZeroDivisionError: boom"
    )


def test_a_document_with_a_key_that_is_no_name_is_an_error():
    with pytest.raises(TypesigError) as caught:
        typesig.openapi.tools_from({"openapi": "3.0.0", "paths": {(1, 2): {}}})

    assert str(caught.value) == "a key of tuple is not a name; write it as text"


def test_a_mapping_inside_itself_is_too_deep_for_a_document():
    value = type("Mine", (Mapped,), {"items": lambda self: [("a", self)]})()

    with pytest.raises(TypesigError, match="nests too deep"):
        typesig.openapi.tools_from({"openapi": "3.0.0", "paths": value})


def test_data_is_shown_in_a_message_by_the_name_of_its_class_if_it_cannot_be_written():
    value = type("Mine", (), {"__repr__": boom, "__str__": boom})()
    out = parse(":any").validate_output(value)

    assert "Mine" in repr(out)
    assert '"a value of Mine"' == render_data(value)


@pytest.mark.parametrize("error", [KeyboardInterrupt, SystemExit])
def test_what_is_no_error_of_the_value_passes(error):
    def interrupt(*_args: Any) -> Any:
        raise error

    value = type("Interrupting", (Mapped,), {"items": interrupt})()

    with pytest.raises(error):
        read_mapping(value)


def test_a_datetime_in_a_zone_of_the_standard_library_stays_what_it_is() -> None:
    moment = datetime.datetime(2026, 1, 1, tzinfo=ZoneInfo("Europe/Berlin"))

    assert to_builtin(moment) is moment


def test_the_methods_of_a_datetime_are_not_taken_for_those_of_a_built_in() -> None:
    class Moment(datetime.datetime):
        pass

    assert builtin._is_tame(Moment) is False
    assert as_builtin([Moment(2026, 1, 1)]) == [datetime.datetime(2026, 1, 1)]


def test_a_key_that_no_built_in_has_a_hash_for_is_read_as_one_that_has() -> None:
    class Listed(list):  # type: ignore[type-arg]
        def __hash__(self) -> int:  # type: ignore[override]
            return 1

    [key] = to_builtin(type("Mine", (dict,), {})({Listed([1]): 2}))

    assert hash(key) == hash(make_hashable([1]))


def test_a_mapping_that_calls_itself_without_end_is_told_by_what_reads_it() -> None:
    value = type("Mine", (Mapped,), {"items": lambda self: self.items()})()

    with pytest.raises(RecursionError):
        read_mapping(value)
