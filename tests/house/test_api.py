"""The public names: the list, their documentation, and what is true of all of them."""

from __future__ import annotations

import inspect
import pickle
import re
import subprocess
import sys
import tomllib
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from pathlib import Path

import pytest

import typesig
from tests import api_page, stub
from typesig import errors
from typesig.errors import SignatureSyntaxError, Unsupported

ROOT = Path(__file__).resolve().parents[2]

PUBLIC = [
    "Answer",
    "Contract",
    "Dialect",
    "Injected",
    "Issue",
    "Ledger",
    "Media",
    "Outcome",
    "Partial",
    "Policy",
    "Projection",
    "Signature",
    "Stream",
    "Tool",
    "ToolError",
    "Toolset",
    "TypesigError",
    "ValidationError",
    "Visible",
    "coerce",
    "contract",
    "extract",
    "from_json_schema",
    "infer",
    "parse",
    "render",
    "tool",
    "tools_of",
]

#: The public names of packages of `typesig`; those of `mcp` and `openapi` are in their tests.
ROOMS = {
    "algebra": ["Keyword", "Loss"],
    "bridges": ["langchain", "openai_agents", "pydantic_ai", "smolagents"],
    "contracts": [
        "ContractBroken",
        "Diff",
        "Finding",
        "HIDDEN",
        "Hidden",
        "Lock",
        "RULES",
        "diff",
        "hidden_in",
    ],
    "extraction": ["Extraction", "HintWarning"],
    "governance": [
        "Ask",
        "Call",
        "Governance",
        "Paused",
        "PendingCalls",
        "Refuse",
        "Spans",
    ],
    "listings": ["Template", "parse_listing", "placeholders", "render_data"],
    "notations": ["NOTATIONS", "convert", "parse", "readable", "render"],
    "validation": ["normalize_keys"],
}
ERRORS = ["ExtractionError", "SignatureSyntaxError", "TooDeep", "TooLarge", "Unsupported"]
#: Each public function and class, by its full name.
EVERY = {
    **{name: getattr(typesig, name) for name in PUBLIC},
    **{f"errors.{name}": getattr(errors, name) for name in ERRORS},
    **{
        f"{room}.{name}": getattr(import_module(f"typesig.{room}"), name)
        for room, names in ROOMS.items()
        for name in names
        if room != "bridges" and name not in ("HIDDEN", "NOTATIONS", "RULES", "readable")
    },
}


def test_these_are_the_public_names() -> None:
    assert PUBLIC == typesig.__all__
    assert [
        *PUBLIC,
        "bridges",
        "contracts",
        "mcp",
        "openapi",
        "relations",
        "__version__",
    ] == typesig.__dir__()


@pytest.mark.parametrize("room", ROOMS)
def test_these_are_the_public_names_of_a_room(room: str) -> None:
    module = import_module(f"typesig.{room}")

    assert ROOMS[room] == module.__all__ == dir(module)
    with pytest.raises(AttributeError, match=f"module 'typesig.{room}' has no attribute 'nope'"):
        module.nope  # noqa: B018


@pytest.mark.needs_process
def test_the_rooms_with_names_of_their_own_need_no_import() -> None:
    code = "import typesig; typesig.bridges.langchain.tools, typesig.mcp.server; "
    code += "typesig.openapi.tools_from, typesig.relations.samples, typesig.contracts.diff"

    subprocess.run([sys.executable, "-c", code], check=True, cwd=ROOT)


def test_the_stub_has_the_names_that_are_loaded() -> None:
    # python -m tests.stub
    assert stub.text() == stub.STUB.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", sorted(EVERY.keys() - {"Injected", "Visible"}))
def test_a_public_name_exists_and_is_documented(name: str) -> None:
    assert inspect.getdoc(EVERY[name])


#: Markers, which are no classes and have no docstring: the page of the API has their example.
BARE = {"Injected", "Visible"}


@pytest.mark.parametrize("name", sorted(EVERY.keys() - BARE))
def test_a_public_name_has_an_example_that_runs(name: str) -> None:
    assert ">>> " in str(EVERY[name].__doc__)


@pytest.mark.parametrize("name", sorted(EVERY.keys() - {"Injected", "Visible"}))
def test_the_methods_of_a_public_class_are_documented(name: str) -> None:
    owner = EVERY[name]
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


#: Names of rooms that are those of `typesig`.
ELSEWHERE = {"notations.parse", "notations.render"}


def test_the_public_names_are_in_the_reference() -> None:
    rooms = ["mcp", "openapi", "programs", "relations", *ROOMS]
    names = {
        f"{room}.{name}" for room in rooms for name in import_module(f"typesig.{room}").__all__
    }
    of_errors = {f"errors.{name}" for name in ERRORS}
    listed = api_page.names(api_page.PAGE.read_text(encoding="utf-8"))

    assert sorted({*PUBLIC, *of_errors, *names} - ELSEWHERE) == sorted(listed)


def test_the_table_of_a_name_says_what_its_docstring_says() -> None:
    # python -m tests.api_page
    text = api_page.PAGE.read_text(encoding="utf-8")

    assert api_page.page(text) == text
    assert [] == [name for name in api_page.names(text) if not api_page.told(name)]


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'nope'"):
        typesig.nope  # type: ignore[attr-defined]  # noqa: B018


def test_errors_are_subclasses_of_typesig_error() -> None:
    assert all(issubclass(getattr(errors, name), typesig.TypesigError) for name in ERRORS)
    assert issubclass(typesig.ValidationError, typesig.TypesigError)
    assert not issubclass(typesig.ToolError, typesig.TypesigError)


def test_errors_pickle() -> None:
    with pytest.raises(SignatureSyntaxError) as syntax:
        typesig.parse("(a :itn)")
    with pytest.raises(typesig.ValidationError) as invalid:
        _ = typesig.parse(":int").validate_output("x").value
    for error in (syntax.value, invalid.value, Unsupported("no", ("a", "b"), "Set")):
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


#: Packages that an extra lists though nothing imports them: what uses them.
RUN = {
    "build": "a command",
    "codespell": "a command",
    "coverage": "a command, and pytest-cov",
    "griffelib": "the hook of mkdocs.yml",
    "mkdocs-material": "the theme that mkdocs.yml names",
    "mypy": "a command",
    "pyright": "a command",
    "pytest-cov": "a plugin of pytest",
    "pyspark": "an example that loads it by name",
    "pytest-xdist": "a plugin of pytest",
    "ray": "an example that loads it by name",
    "ruff": "a command",
    "towncrier": "a command",
    "tzdata": "zoneinfo reads it",
    "uv": "a command",
    "zizmor": "a command",
}
IMPORTED = {
    "pydantic-monty": "pydantic_monty",
    "annotated-types": "annotated_types",
    "google-genai": "google",
    "google-re2": "re2",
    "langchain-core": "langchain_core",
    "openai-agents": "agents",
    "opentelemetry-api": "opentelemetry",
    "opentelemetry-sdk": "opentelemetry",
    "pillow": "PIL",
    "pydantic-ai-slim": "pydantic_ai",
    "pyyaml": "yaml",
}


def test_each_package_of_an_extra_is_used() -> None:
    read = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    extras = [
        *read["project"]["optional-dependencies"].values(),
        *read["dependency-groups"].values(),
    ]
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


@pytest.mark.parametrize(
    "name", [name for name in PUBLIC if isinstance(getattr(typesig, name), type)]
)
def test_a_public_class_shows_no_part_that_only_walks_over_types_read(name: str) -> None:
    assert not {"depth", "flags"} & {*dir(getattr(typesig, name))}
