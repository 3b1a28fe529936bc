"""The shape of the house: which room may know which, what is loaded when, how long a piece is."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import lark
import pytest

import typesig
from typesig.notations import tables
from typesig.notations.table_reader import FILE_NAME, read_file

PACKAGE = Path(typesig.__file__).parent
ROOMS = [
    "limits",
    "network_limits",
    "errors",
    "graphs",
    "patterns",
    "algebra",
    "notations",
    "validation",
    "relations",
    "extraction",
    "tools",
    "providers",
    "bridges",
    "mcp",
    "openapi",
    "cli",
]

#: The methods of signatures, tools and contracts are doors into rooms below; each opens when it is
#: called.
DOORS = {
    "algebra/signature.py",
    "tools/contract.py",
    "tools/tool.py",
    "tools/toolset.py",
}


@cache
def modules() -> list[Path]:
    return sorted(PACKAGE.rglob("*.py"))


def name_of(path: Path) -> str:
    return path.relative_to(PACKAGE).as_posix()


@cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def imports_of(path: Path) -> tuple[tuple[str, bool], ...]:
    """Return each module of typesig that *path* imports, and whether it does so in a function."""
    return tuple(_imports_of(tree_of(path)))


def _imports_of(tree: ast.Module) -> Iterator[tuple[str, bool]]:
    typed = {
        id(inner)
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and getattr(node.test, "id", "") == "TYPE_CHECKING"
        for inner in ast.walk(node)
    }
    inside = {
        id(inner)
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        for inner in ast.walk(node)
    }
    for node in ast.walk(tree):
        if id(node) in typed:
            continue
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("typesig."):
            yield node.module or "", id(node) in inside


@pytest.mark.parametrize("path", modules(), ids=name_of)
def test_a_room_imports_only_rooms_above_it(path: Path) -> None:
    room = name_of(path).removesuffix(".py").split("/")[0]
    if room not in ROOMS:
        return
    below = {
        module
        for module, inside in imports_of(path)
        if ROOMS.index(module.split(".")[1]) > ROOMS.index(room)
        and not (inside and name_of(path) in DOORS)
    }

    assert set() == below


@pytest.mark.parametrize("room", ["patterns", "algebra", "relations"])
def test_no_modules_of_a_room_import_each_other_in_a_circle(room: str) -> None:
    """Imports in functions and under TYPE_CHECKING count, too."""
    graph = {
        f"typesig.{room}.{path.stem}": {
            node.module
            for node in ast.walk(tree_of(path))
            if isinstance(node, ast.ImportFrom) and node.module
        }
        for path in (PACKAGE / room).glob("*.py")
        if path.stem != "__init__"
    }

    TopologicalSorter(graph).prepare()


def test_other_rooms_take_what_they_need_of_patterns_from_its_front() -> None:
    behind = {
        (name_of(path), module)
        for path in modules()
        if not name_of(path).startswith("patterns/")
        for module, _ in imports_of(path)
        if module.startswith("typesig.patterns.")
    }

    assert set() == behind


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
    notations = {p.name for p in (PACKAGE / "notations").iterdir() if p.is_dir()} - {"__pycache__"}
    for notation in notations:
        for path in (PACKAGE / "notations" / notation).glob("*.py"):
            known = {
                m.split(".")[2] for m, _ in imports_of(path) if m.startswith("typesig.notations.")
            }

            # EDN is a text format as JSON is, and no notation of types: any of them may read it.
            assert set() == (known & notations) - {notation, "edn"}


def test_the_text_format_edn_knows_no_types() -> None:
    known = {m for path in (PACKAGE / "notations/edn").glob("*.py") for m, _ in imports_of(path)}

    assert set() == {
        module
        for module in known
        if not module.startswith("typesig.notations.edn")
        and module.removeprefix("typesig.")
        not in {"errors", "limits", "algebra.frozen", "algebra.values", "notations.table_reader"}
    }


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

    assert len(text.splitlines()) <= 450
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


@pytest.mark.needs_process
@pytest.mark.parametrize("hash_seed", ["0", "1"])
def test_every_process_makes_the_very_bytes_of_the_shipped_parse_tables(hash_seed: str) -> None:
    # After a change of a grammar: python -m typesig.notations.tables
    pytest.importorskip("interegular")
    shipped = {package: read_file(package, FILE_NAME).decode() for package in tables.PACKAGES}
    code = "import json; from typesig.notations import tables\n"
    code += "print(json.dumps({name: tables.make_tables(name) for name in tables.PACKAGES}))"

    assert shipped == json.loads(fresh(code, hash_seed))


def test_every_grammar_has_its_tables() -> None:
    assert set(tables.PACKAGES) == {path.stem for path in PACKAGE.rglob("*.lark")}


@pytest.mark.parametrize("package", tables.PACKAGES)
def test_a_grammar_has_no_conflict_and_no_colliding_terminals(package: str) -> None:
    pytest.importorskip("interegular")

    assert isinstance(tables.build_parser(package, strict=True), lark.Lark)
