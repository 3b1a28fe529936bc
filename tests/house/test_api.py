"""The public names: the list, their documentation, and what is true of all of them."""

from __future__ import annotations

import inspect
import pickle
import re
import tomllib
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from pathlib import Path

import pytest

import typesig

PUBLIC = [
    "Answer",
    "Contract",
    "Extraction",
    "ExtractionError",
    "HintWarning",
    "Injected",
    "Issue",
    "Keyword",
    "Ledger",
    "Loss",
    "Outcome",
    "Partial",
    "Policy",
    "Signature",
    "SignatureSyntaxError",
    "Stream",
    "Template",
    "TooDeep",
    "TooLarge",
    "Tool",
    "ToolError",
    "Toolset",
    "TypesigError",
    "Unsupported",
    "ValidationError",
    "Visible",
    "coerce",
    "contract",
    "convert",
    "extract",
    "from_json_schema",
    "infer",
    "normalize_keys",
    "parse",
    "parse_listing",
    "placeholders",
    "render",
    "render_data",
    "tool",
    "tools_of",
]


def test_these_are_the_public_names() -> None:
    assert PUBLIC == typesig.__all__
    assert set(PUBLIC) <= set(dir(typesig))


@pytest.mark.parametrize("name", sorted(set(PUBLIC) - {"Injected", "Visible"}))
def test_a_public_name_exists_and_is_documented(name: str) -> None:
    assert inspect.getdoc(getattr(typesig, name))


#: Markers without a docstring of their own, and errors that say only what kind they are.
BARE = {"Injected", "TooDeep", "TooLarge", "TypesigError", "Visible"}


@pytest.mark.parametrize("name", sorted(set(PUBLIC) - BARE))
def test_a_public_name_has_an_example_that_runs(name: str) -> None:
    assert ">>> " in str(getattr(typesig, name).__doc__)


@pytest.mark.parametrize("name", sorted(set(PUBLIC) - {"Injected", "Visible"}))
def test_the_methods_of_a_public_class_are_documented(name: str) -> None:
    owner = getattr(typesig, name)
    if not inspect.isclass(owner):
        return
    bare = [
        member
        for member, value in vars(owner).items()
        if not member.startswith("_")
        and (inspect.isfunction(value) or isinstance(value, property))
        and not inspect.getdoc(value)
    ]

    assert [] == bare


@pytest.mark.parametrize("room", ["mcp", "openapi"])
def test_the_public_names_of_a_room_are_in_the_reference(room: str) -> None:
    text = (Path(__file__).resolve().parents[2] / "docs/reference/api.md").read_text(
        encoding="utf-8"
    )
    names = import_module(f"typesig.{room}").__all__
    # What `server` returns is described there.
    missing = [name for name in names if name != "Server" and f"### {room}.{name}\n" not in text]

    assert [] == missing


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'nope'"):
        typesig.nope  # type: ignore[attr-defined]  # noqa: B018


def test_errors_are_subclasses_of_typesig_error() -> None:
    errors = [getattr(typesig, name) for name in PUBLIC if name.endswith("Error")]
    errors += [typesig.Unsupported, typesig.TooDeep, typesig.TooLarge]

    assert all(
        issubclass(error, typesig.TypesigError)
        for error in errors
        if error is not typesig.ToolError
    )
    assert not issubclass(typesig.ToolError, typesig.TypesigError)


def test_errors_pickle() -> None:
    with pytest.raises(typesig.SignatureSyntaxError) as syntax:
        typesig.parse("(a :itn)")
    with pytest.raises(typesig.ValidationError) as invalid:
        _ = typesig.parse(":int").validate_output("x").value
    for error in (syntax.value, invalid.value, typesig.Unsupported("no", ("a", "b"), "Set")):
        assert str(error) == str(pickle.loads(pickle.dumps(error)))


@pytest.mark.needs_process
def test_many_threads_may_parse_and_check_at_once() -> None:
    def work(number: int) -> object:
        signature = typesig.parse(f"(a{number % 7} :int[{number}..]) -> [:T] where T = {{x :int}}")
        return signature.validate_output([{"x": number}]).value

    with ThreadPoolExecutor(8) as pool:
        results = list(pool.map(work, range(400)))

    assert [[{"x": number}] for number in range(400)] == results


def test_input_is_coerced_with_a_warning_and_output_is_checked_without_coercion() -> None:
    sig = typesig.parse("(id :int) -> {name :string, email :string?}")
    out = sig.validate_input({"id": "42"})

    assert {"id": 42} == out.value
    assert 1 == len(out.warnings)
    assert ["name: expected string, got int 3"] == [
        str(error) for error in sig.validate_output({"name": 3}).errors
    ]


ROOT = Path(__file__).resolve().parents[2]

#: Packages that an extra lists though nothing imports them: what uses them.
RUN = {
    "build": "a command",
    "coverage": "a command, and pytest-cov",
    "mypy": "a command",
    "pyright": "a command",
    "pytest-cov": "a plugin of pytest",
    "pyspark": "an example that loads it by name",
    "pytest-xdist": "a plugin of pytest",
    "ray": "an example that loads it by name",
    "ruff": "a command",
    "tzdata": "zoneinfo reads it",
}
IMPORTED = {
    "annotated-types": "annotated_types",
    "google-genai": "google",
    "google-re2": "re2",
    "langchain-core": "langchain_core",
    "openai-agents": "agents",
    "pydantic-ai-slim": "pydantic_ai",
    "pyyaml": "yaml",
}


def test_each_package_of_an_extra_is_used() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"].values()
    names = {re.split(r"[^\w-]", line)[0] for extra in extras for line in extra} - {"typesig"}
    folders = [
        Path(typesig.__file__).parent,
        *(ROOT / f for f in ("tests", "examples", "benchmarks")),
    ]
    texts = [p.read_text(encoding="utf-8") for folder in folders for p in folder.rglob("*.py")]
    imported = set(
        re.findall(
            r'(?:^|[\s(.])(?:import |from |importorskip\(")(\w+)', "\n".join(texts), re.MULTILINE
        )
    )

    assert [] == sorted(
        name for name in names - RUN.keys() if IMPORTED.get(name, name) not in imported
    )
    assert RUN.keys() <= names
