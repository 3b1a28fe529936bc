"""What is read as a document of OpenAPI: texts, files, and YAML with its traps."""

from __future__ import annotations

import json
import sys
from datetime import date
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest

from typesig import TypesigError
from typesig.errors import TooDeep, TooLarge
from typesig.openapi import tools_from
from typesig.openapi.documents import read_document
from typesig.openapi.yaml_text import read_yaml

yaml = pytest.importorskip("yaml")


def refused(given: Any) -> str:
    with pytest.raises(TypesigError) as raised:
        tools_from(given)
    return str(raised.value)


# what is given for a document


@pytest.mark.parametrize(
    ("given", "error"),
    [
        (
            "openapi.json",
            "'openapi.json' is not an OpenAPI document; give a file as pathlib.Path('openapi.json')",
        ),
        (
            "my api/openapi.yaml\n",
            "'my api/openapi.yaml' is not an OpenAPI document; "
            "give a file as pathlib.Path('my api/openapi.yaml')",
        ),
        (
            "https://api.test/openapi.json",
            "'https://api.test/openapi.json' is not an OpenAPI document; "
            "nothing is fetched, so give the text that is there",
        ),
    ],
)
def test_a_name_or_an_address_is_no_document(given: str, error: str) -> None:
    assert error == refused(given)


@pytest.mark.parametrize(
    ("given", "kind"),
    [("", "null"), ("- a\n- b", "list"), (b"{}", "bytes"), (None, "null"), ([], "list")],
)
def test_what_is_no_object_is_named(given: Any, kind: str) -> None:
    assert (
        f"a document of OpenAPI is an object, not {kind}; give it as a dict, as JSON or YAML text, or "
        "as a pathlib.Path"
    ) == refused(given)


def test_a_file_in_another_encoding_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_bytes(b'{"openapi": "\xfc"}')

    assert f"{path} is not UTF-8 text; save it as UTF-8" == refused(path)


def test_a_file_is_read_as_far_as_a_document_can_be_long(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "x.json"
    path.write_text("{}" + " " * 100, encoding="utf-8")
    monkeypatch.setattr("typesig.openapi.documents.MAX_DOCUMENT", 50)

    assert "the document has more than 50 characters" == refused(path)


# YAML


@pytest.mark.parametrize(
    ("text", "data"),
    [
        ("[yes, no, on, 2026-01-31, 12:30, 1_0, 1e3x, tRUE, .INf]", None),
        ("[0x1F, 0xff, 0o17, 012, -0, +1]", [31, 255, 15, 12, 0, 1]),
        ("[0X1F, 0O17, 0b1, -0x1, 0x, 0xg, 0o8, 1_000, ., +, 1e, 190:20:30]", None),
        ("[1e3, 1E-2, +.5, 0., -1.5e+2]", [1000.0, 0.01, 0.5, 0.0, -150.0]),
        ("['0x1F', \".inf\", !!str 0o17, !!int 0x10]", ["0x1F", ".inf", "0o17", 16]),
        ("[~, null, Null, NULL, '']", [None, None, None, None, ""]),
        ("[true, True, FALSE, 'true', nope]", [True, True, False, "true", "nope"]),
        ("[0, -7, +7, 010, 1.5, .5, 1., 1e3, '1']", [0, -7, 7, 10, 1.5, 0.5, 1.0, 1000.0, "1"]),
        ("[! 1, !!str 1, !!int 1, !!float 1, !!null ~, !!bool true]", ["1", "1", 1, 1.0, None, True]),
        ("!!map {a: !!seq [1]}", {"a": [1]}),
        ("{200: a, 1.5: b, ~: c, no: d, ? '': e}", {"200": "a", "1.5": "b", "~": "c", "no": "d", "": "e"}),
        ("[&a {x: 1}, *a, &b 3, *b]", [{"x": 1}, {"x": 1}, 3, 3]),
        ("{&k key: 1, other: *k}", {"key": 1, "other": "key"}),
        ("[&k key, {*k : 1}]", ["key", {"key": 1}]),
        ("[&a {x: 1, y: 1}, {<<: *a, y: 2}]", [{"x": 1, "y": 1}, {"x": 1, "y": 2}]),
        (
            "[&a {x: 1}, &b {x: 2, z: 2}, {y: 3, <<: [*a, *b]}]",
            [{"x": 1}, {"x": 2, "z": 2}, {"x": 1, "z": 2, "y": 3}],
        ),
        ('{"<<": 3}', {"<<": 3}),
        ("a: |\n  one\n  two\n", {"a": "one\ntwo\n"}),
        ("a:", {"a": None}),
        ("# nothing", None),
    ],
)  # fmt: skip
def test_yaml_is_read_as_data_of_json(text: str, data: Any) -> None:
    words = text.strip("[]").split(", ")

    assert (words if data is None and text[0] == "[" else data) == read_yaml(text)


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("a: [", "the document is not YAML: did not find expected node content"),
        ("a: 1\na: 2", "the key 'a' occurs twice, at line 2 column 1"),
        ("? [a]\n: 1", "a key is a text, not a list or a map, at line 1 column 3"),
        ("[&a [1], {*a : 1}]", "a key is a text, which the alias 'a' is not, at line 1 column 11"),
        ("a: &x [*x]", "what the alias 'x' stands for is not complete, at line 1 column 8"),
        ("a: *x", "there is no anchor 'x', at line 1 column 4"),
        ("--- 1\n--- 2", "the text has several documents of YAML, at line 2 column 1"),
        ("<<: 3", "<< merges a map, or a list of maps, at line 1 column 5"),
        ("<<: [3]", "<< merges a map, or a list of maps, at line 1 column 7"),
        ("a: !!int x", "the tag 'tag:yaml.org,2002:int' is not read here, at line 1 column 4"),
        ("a: !!timestamp 2026-01-31", "the tag 'tag:yaml.org,2002:timestamp' is not read here, "
         "at line 1 column 4"),
        ("a: !!set {x}", "the tag 'tag:yaml.org,2002:set' is not read, at line 1 column 4"),
        ("!!python/object/apply:os.system [x]", "the tag 'tag:yaml.org,2002:python/object/apply:os.system'"
         " is not read, at line 1 column 1"),
        (f"a: {'1' * 5000}", "the document is not readable: a number of 5000 digits, at most 400, "
         "at line 1 column 4"),
        ("a: 1e999", "the document is not readable: the number 1e999 is too large, at line 1 column 4"),
        *(
            (f"a: {word}", f"the document is not readable: JSON has no form for {word}, at line 1 column 4")
            for word in (".inf", ".Inf", "+.INF", "-.inf", ".nan", ".NaN")
        ),
        (f"a: 0x{'f' * 500}", "the document is not readable: a number of 502 digits, at most 400, "
         "at line 1 column 4"),
        (f"a: 0x{'f' * 398}", "the document is not readable: a number of 480 digits, at most 400, "
         "at line 1 column 4"),
        ("a: 1\nb: x\udc00", "the document is not YAML: U+DC00 is half of a character, at line 2 column 5"),
        ("'\ud800'", "the document is not YAML: U+D800 is half of a character, at line 1 column 2"),
        ('"\\ud800"', "the document is not YAML: found invalid Unicode character escape code"),
        ("a: \0", "the document is not YAML: unacceptable character #x0000"),
    ],
)  # fmt: skip
def test_yaml_that_json_has_no_form_for_is_refused_with_its_place(text: str, error: str) -> None:
    with pytest.raises(TypesigError) as raised:
        read_yaml(text)

    # The words for mistakes of syntax are those of the library, with or without its part in C.
    assert str(raised.value).startswith(
        error[:27] if "not YAML: U+" not in error and "not YAML" in error else error
    )


@pytest.mark.parametrize("text", ["- " * 300_000, "[" * 300_000, "{a: " * 300_000])
def test_yaml_that_nests_without_end_does_not_end_the_process(text: str) -> None:
    with pytest.raises(TooDeep, match=r"^the document nests deeper than 128$"):
        read_yaml(text)


def test_maps_that_merge_each_other_do_not_grow() -> None:
    lines = [
        "a0: &a0 {x: 1}",
        *(f"a{n}: &a{n} {{<<: [*a{n - 1}, *a{n - 1}]}}" for n in range(1, 60)),
    ]

    assert {"x": 1} == read_yaml("\n".join(lines))["a59"]


def test_what_is_merged_has_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("typesig.openapi.yaml_text.MAX_DOCUMENT_VALUES", 3)
    with pytest.raises(TooLarge, match=r"^the document merges more than 3 values$"):
        read_yaml("[&a {x: 1, y: 2}, {<<: [*a, *a]}]")


def test_yaml_is_read_without_its_part_in_c(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(yaml, "CSafeLoader", raising=False)

    assert {"a": [1, "no"]} == read_yaml("a: [1, no]")


def test_without_a_reader_of_yaml_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "yaml", None)
    error = refused("a: 3")

    assert "a document in YAML needs yaml, of its extra: pip install 'typesig[openapi]'" == error


@pytest.mark.parametrize(
    "part",
    [
        MappingProxyType({"a": 1}),
        (1, [2]),
        {"a": [{1: MappingProxyType({"b": (1,)})}]},
        [date(2026, 1, 31), 3],
        type("Own", (list,), {})([1]),
        type("Own", (dict,), {})(a=1),
    ],
)
def test_data_of_other_kinds_is_read_as_json_has_it(part: Any) -> None:
    shared = {"x-shared": part}
    made = read_document({"openapi": "3.0.0", "a": shared, "b": [shared, shared]})
    found = made.root["a"]["x-shared"]

    assert json.loads(json.dumps(found)) == found
    assert made.root["b"] == [made.root["a"]] * 2


def test_values_that_json_has_no_form_for_stay() -> None:
    value = object()

    assert value is read_document({"openapi": "3.0.0", "x": [value]}).root["x"][0]


def test_data_of_json_is_taken_as_it_is() -> None:
    given = {"openapi": "3.0.0", "paths": {"/x": [1, {"a": None}]}}

    assert given["paths"] is read_document(given).root["paths"]
