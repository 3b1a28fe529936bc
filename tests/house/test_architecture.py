"""The shape of the house: which room may know which, what is loaded when, how long a piece is."""

from __future__ import annotations

import ast
import json
import os
import re
import subprocess
import sys
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import lark
import pytest

import typesig
from tests import parse_tables as tables
from typesig.notations.texts.table_reader import FILE_NAME, read_file

PACKAGE = Path(typesig.__file__).parent
ROOT = Path(__file__).resolve().parents[2]

#: The rooms in their order: a module imports from its own room and from those above it.  Modules
#: that stand in a package with rooms of its own are a room, too, which comes behind them or before.
ROOMS = [
    "limits",
    "errors",
    "sentinels",
    "markup",
    "lazy_imports",
    "graphs",
    "codegen",
    "json_backends",
    "patterns",
    "algebra.rows",
    "algebra",
    "notations.texts",
    "notations.edn",
    "notations.shorthand",
    "notations.compact",
    "notations.malli",
    "notations.gram",
    "notations.json_schema.dialects",
    "notations.json_schema",
    "notations.python",
    "notations.typescript",
    "notations",
    "validation.plain_data",
    "validation.json_text",
    "validation.issues",
    "validation.keys",
    "validation.coercions",
    "validation.policy",
    "validation.check_state",
    "validation.tables",
    "validation.check",
    "validation.outcome",
    "validation.generated",
    "validation.plan",
    "validation",
    "validation.repair",
    "validation.stream",
    "relations.step_budget",
    "relations.normal_form",
    "relations.bounds",
    "relations.conformance",
    "relations.sampling",
    "relations.proofs",
    "relations",
    "extraction.callables",
    "extraction.docstrings",
    "extraction.python_types",
    "extraction.hints",
    "extraction.libraries",
    "extraction.onepass",
    "extraction",
    "calls",
    "calls.generated",
    "governance",
    "listings",
    "providers.registry",
    "providers.dialects",
    "providers.dialect_parsing",
    "providers.rewriting",
    "providers.vendors",
    "providers.dialogues",
    "providers.engines",
    "providers.grammars",
    "providers.engines.registry",
    "providers.projection",
    "providers",
    "contracts",
    "tools.streams",
    "tools",
    "tools.answers",
    "tools.foreign",
    "bridges",
    "openapi",
    "mcp.transport",
    "mcp.serving",
    "mcp.client",
    "mcp",
    "contracts.chains",
    "contracts.rehearsals",
    "programs.checks",
    "programs",
    "cli.inputs",
    "cli.evaluation",
    "cli",
]

#: The methods of signatures that reach up; each imports its room when it is called.
DOORS = "algebra.signature_methods"

#: How many modules a room has at most.
MOST_MODULES = 15


@cache
def modules() -> list[Path]:
    return sorted(PACKAGE.rglob("*.py"))


def name_of(path: Path) -> str:
    return path.relative_to(PACKAGE).as_posix()


@cache
def room_of(module: str) -> str:
    """Return the room of *module*, a dotted name within the package."""
    while module not in ROOMS:
        module, _, _ = module.rpartition(".")
    return module


@cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def dotted(path: Path) -> str:
    """Return the name of the module at *path* within the package."""
    return name_of(path).removesuffix(".py").removesuffix("/__init__").replace("/", ".")


@cache
def names_of_modules() -> frozenset[str]:
    return frozenset([dotted(path) for path in modules()])


@cache
def imports_of(path: Path) -> frozenset[str]:
    """Return the modules of typesig that *path* imports, in functions and for type checkers too."""
    known = names_of_modules()
    found = set()
    for node in ast.walk(tree_of(path)):
        if not isinstance(node, ast.ImportFrom) or not (node.module or "").startswith("typesig."):
            continue
        module = (node.module or "").removeprefix("typesig.")
        for alias in node.names:
            whole = f"{module}.{alias.name}"
            found.add(whole if whole in known else module)
    return frozenset(found)


@cache
def inner_modules() -> tuple[Path, ...]:
    """Return the modules that have a room: all but the front, which only names others."""
    return tuple([p for p in modules() if "/" in name_of(p) or dotted(p) in ROOMS])


@pytest.mark.once  # no version of Python changes it
@pytest.mark.parametrize("path", inner_modules(), ids=name_of)
def test_a_module_imports_its_own_room_and_those_above(path: Path) -> None:
    own = ROOMS.index(room_of(dotted(path)))
    below = {each for each in imports_of(path) if ROOMS.index(room_of(each)) > own}

    assert set() == (below if dotted(path) != DOORS else set())


@pytest.mark.once
@pytest.mark.parametrize("room", ROOMS)
def test_no_modules_of_a_room_import_each_other_in_a_circle(room: str) -> None:
    own = {dotted(path): path for path in inner_modules() if room_of(dotted(path)) == room}
    # The front of a package may load what is in it when that is asked for.
    graph = {
        name: {each for each in imports_of(path) if each in own} - {room}
        for name, path in own.items()
        if name != room
    }

    TopologicalSorter(graph).prepare()


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_exists_and_has_few_modules(room: str) -> None:
    own = [path for path in inner_modules() if room_of(dotted(path)) == room]

    assert 1 <= len(own) <= MOST_MODULES


@pytest.mark.once
def test_other_rooms_take_what_they_need_of_patterns_from_its_front() -> None:
    behind = {
        (name_of(path), module)
        for path in modules()
        if not name_of(path).startswith("patterns/")
        for module in imports_of(path)
        if module.startswith("patterns.")
    }

    assert set() == behind


@pytest.mark.once
def test_no_module_imports_a_private_name_of_another() -> None:
    private = {
        (name_of(path), alias.name)
        for path in modules()
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("typesig")
        for alias in node.names
        if alias.name.startswith("_")
    }

    assert set() == private


def test_notations_never_import_each_other() -> None:
    notations = {p.name for p in (PACKAGE / "notations").iterdir() if p.is_dir()}
    notations -= {"__pycache__", "texts"}
    for notation in notations:
        for path in (PACKAGE / "notations" / notation).rglob("*.py"):
            known = {m.split(".")[1] for m in imports_of(path) if m.startswith("notations.")}

            # EDN is a text format as JSON is, and no notation of types: any of them may read it.
            assert set() == (known & notations) - {notation, "edn"}


def test_the_text_format_edn_knows_no_types() -> None:
    known = {m for path in (PACKAGE / "notations/edn").glob("*.py") for m in imports_of(path)}
    others = {module for module in known if not module.startswith("notations.edn")}
    allowed = {"errors", "limits", "algebra.rows.frozen", "algebra.rows.values"}
    texts = {"notations.texts.quoting", "notations.texts.table_reader"}

    assert set() == others - allowed - texts


@pytest.mark.once  # no version of Python changes it
@pytest.mark.parametrize("path", modules(), ids=name_of)
def test_a_module_and_its_functions_are_short(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    tree = tree_of(path)
    long = [
        f"{node.name}: {node.end_lineno - node.lineno + 1}"
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and node.end_lineno is not None
        and node.end_lineno - node.lineno + 1 > 50
    ]

    # Long names of modules make long lists of imports, which nobody has to read.
    imports = [node for node in tree.body if isinstance(node, ast.Import | ast.ImportFrom)]
    listed = sum((node.end_lineno or 0) - node.lineno + 1 for node in imports)
    assert len(text.splitlines()) - listed <= 450
    assert [] == long


def fresh(code: str, hash_seed: str = "random") -> str:
    """Return what *code* prints in a process of its own."""
    ran = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        cwd=PACKAGE.parent,
        env={**os.environ, "PYTHONHASHSEED": hash_seed},
    )
    return ran.stdout.strip()


#: Some Pythons load more than others before they run the code.
BEFORE = "import sys; before = set(sys.modules)\n"
LOADED = "\nprint(' '.join(sorted(({names!r} & sys.modules.keys()) - before)))"
HEAVY = [
    "lark",
    "docstring_parser",
    "inspect",
    "typing",
    "json",
    "dataclasses",
    "asyncio",
    "difflib",
]

#: What takes long to import, and is needed for calls from other threads or for text hints at most.
LATER = ["inspect", "ast", "dataclasses", "asyncio", "threading", "tokenize", "linecache"]
#: What a start does not need, either.
SLOW = [*LATER, "datetime", "contextvars", "decimal", "weakref", "typing_extensions"]


@pytest.mark.needs_process
def test_importing_the_package_loads_nothing_else() -> None:
    code = "import sys; before = set(sys.modules); import typesig; "
    code += "print(sorted(set(sys.modules) - before))"

    assert "['__future__', 'typesig']" == fresh(code)


@pytest.mark.needs_process
@pytest.mark.parametrize(
    ("code", "absent"),
    [
        pytest.param("import typesig", HEAVY, id="the package"),
        pytest.param(
            "from typesig import tool\n@tool\ndef f(a: int) -> int:\n 'Do.'\n return a\n",
            [
                "lark",
                "docstring_parser",
                "asyncio",
                "dataclasses",
                "pydantic",
                "attr",
                "cattrs",
                "msgspec",
            ],
            id="a tool without sections in its docstring",
        ),
        pytest.param(
            "from typesig import tool\n@tool\ndef f(a: int) -> int:\n"
            " 'Do.\\n\\nArgs:\\n    a: words'\n return a\n",
            ["lark", "docstring_parser", "json", "typesig.validation", "typesig.notations", *SLOW],
            id="a documented tool that is not asked for anything",
        ),
        pytest.param(
            "from typing import TypedDict\nfrom typesig import tool\nclass A(TypedDict):\n n: int\n"
            "@tool\ndef f(a: int, b: str | None = 'x') -> list[A]:\n"
            " 'Do.\\n\\nArgs:\\n    a: words'\n return [A(n=a)]\nf.prompt(), f.is_async",
            ["lark", "docstring_parser", "json", "typesig.validation", "typesig.patterns", *SLOW],
            id="the entry of a tool",
        ),
        pytest.param(
            "from typesig import tools_of\ndef f(a: int) -> int:\n 'Do.'\n return a\n"
            "tools_of([f]).prompt()\nf = tools_of([f])['f'].signature.input_schema()",
            [
                "lark",
                "docstring_parser",
                "pydantic",
                "attr",
                "cattrs",
                "msgspec",
                "typesig.validation",
                "typesig.patterns",
                "urllib.parse",
                "ipaddress",
                *SLOW,
            ],
            id="a listing and a schema",
        ),
        pytest.param(
            "import typesig\nfrom typesig.algebra.nodes import INT\ntypesig.render(INT)",
            ["lark", "docstring_parser", "inspect"],
            id="rendering",
        ),
        pytest.param(
            "from typesig.notations import edn\nedn.write([1, 'a'])",
            ["lark", "docstring_parser", "inspect", "decimal"],
            id="writing EDN",
        ),
        pytest.param(
            "import typesig\ntypesig.parse(':int').validate_output('x').report()",
            [
                "lark",
                "docstring_parser",
                "typesig.extraction",
                "typesig.tools",
                "typesig.patterns",
                *LATER,
            ],
            id="parsing and checking",
        ),
        pytest.param(
            "from typesig import tool\n@tool\ndef f(a: int) -> int:\n 'Do.'\n return a\n"
            "f.call({'a': 1})",
            ["lark", "docstring_parser", "typesig.patterns", "inspect", "ast", "threading"],
            id="a call",
        ),
    ],
)
def test_what_is_not_used_is_not_loaded(code: str, absent: list[str]) -> None:
    assert "" == fresh(BEFORE + code + LOADED.format(names=set(absent)))


def test_this_process_makes_the_bytes_of_the_shipped_parse_tables() -> None:
    pytest.importorskip("interegular")

    assert read_file("gram", FILE_NAME).decode() == tables.make_tables("gram")


@pytest.mark.once
@pytest.mark.needs_process
@pytest.mark.parametrize("hash_seed", ["0", "1"])
def test_every_process_makes_the_very_bytes_of_the_shipped_parse_tables(hash_seed: str) -> None:
    # After a change of a grammar: python -m tests.parse_tables
    pytest.importorskip("interegular")
    shipped = {package: read_file(package, FILE_NAME).decode() for package in tables.PACKAGES}
    code = "import json; from tests import parse_tables as tables\n"
    code += "print(json.dumps({name: tables.make_tables(name) for name in tables.PACKAGES}))"

    assert shipped == json.loads(fresh(code, hash_seed))


def test_every_grammar_has_its_tables() -> None:
    assert set(tables.PACKAGES) == {path.stem for path in PACKAGE.rglob("*.lark")}


@pytest.mark.parametrize("package", tables.PACKAGES)
def test_a_grammar_has_no_conflict_and_no_colliding_terminals(package: str) -> None:
    pytest.importorskip("interegular")

    assert isinstance(tables.build_parser(package, strict=True), lark.Lark)


def test_the_page_for_contributors_has_the_tests_of_each_package() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    rows = [line.split("|") for line in text.splitlines() if line.startswith("| `")]
    # Limits have no tests of their own; each is tested where it counts.
    packages = {path.parent.name for path in PACKAGE.glob("*/__init__.py")} - {"limits"}
    named = [
        word for row in rows for word in re.findall(r"`(tests/\w+(?:\.py)?)`", "|".join(row[2:]))
    ]

    assert packages == {row[1].strip(" `") for row in rows}
    assert [] == [name for name in named if not (ROOT / name).exists()]
    assert all(f"`tests/{row[1].strip(' `')}`" == row[2].strip() for row in rows)
