"""Names that a module imports or defines only for type checkers can be used in hints."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from importlib import import_module, invalidate_caches
from pathlib import Path
from typing import Any

import pytest

import typesig

Told = Callable[..., str]


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Return a function that writes files of a package and imports one of them."""
    monkeypatch.syspath_prepend(str(tmp_path))
    before = set(sys.modules)

    def make(name: str, text: str, **others: str) -> Any:
        for path, content in {name: text, **others}.items():
            file = tmp_path.joinpath(*path.split(".")).with_suffix(".py")
            file.parent.mkdir(parents=True, exist_ok=True)
            for folder in file.parents:
                if folder != tmp_path and tmp_path in folder.parents:
                    (folder / "__init__.py").touch()
            file.write_text(content, encoding="utf-8")
        invalidate_caches()
        return import_module(name)

    yield make
    for name in set(sys.modules) - before:
        if str(getattr(sys.modules[name], "__file__", "")).startswith(str(tmp_path) + os.sep):
            del sys.modules[name]


HEAD = "from __future__ import annotations\nimport typing\nfrom typing import TYPE_CHECKING\n"


def signature_and_warnings(target: Any) -> tuple[str, list[str]]:
    found = typesig.extract(target)
    return str(found.signature), [str(warning) for warning in found.warnings]


@pytest.mark.parametrize(
    ("block", "hint", "expected"),
    [
        ("from decimal import Decimal", "Decimal", ":string[decimal]"),
        ("from uuid import UUID as Id", "list[Id]", "[:string[uuid]]"),
        ("import datetime", "datetime.date", ":string[date]"),
        ("import datetime as dt", "dt.datetime", ":datetime"),
        ("import collections.abc", "collections.abc.Sequence[int]", "[:int]"),
        ("import collections.abc as abc", "abc.Sequence[int]", "[:int]"),
        ("from collections import abc", "abc.Mapping[str, int]", ":map[:int]"),
        ("Rows = list[int]", "Rows", "[:int]"),
        ("Rows: typing.TypeAlias = dict[str, bool]", "Rows", ":map[:bool]"),
        ("Row = list[int]\n    Rows = list[Row]", "Rows", "[[:int]]"),
        ("A = B = int", "dict[str, B]", ":map[:int]"),
        (
            "import sys\n    if sys.version_info >= (3, 11):\n        from uuid import UUID as Id\n"
            "    else:\n        Id = str",
            "Id",
            ":string[uuid]",
        ),
        (
            "import sys\n    if sys.version_info < (3, 0):\n        pass\n    else:\n"
            "        Old = int",
            "Old",
            ":int",
        ),
    ],
)
def test_a_name_is_resolved_by_the_block_for_type_checkers(
    module: Any, block: str, hint: str, expected: str
) -> None:
    text = f"{HEAD}if TYPE_CHECKING:\n    {block}\ndef f(value: {hint}) -> bool: ...\n"
    f = module("checked_names", text).f

    assert (f"(value {expected}) -> :bool", []) == signature_and_warnings(f)


def test_the_block_may_test_an_attribute_of_typing(module: Any) -> None:
    text = f"{HEAD}if typing.TYPE_CHECKING:\n    Id = int\ndef f(id: Id) -> Id: ...\n"

    assert ("(id :int) -> :int", []) == signature_and_warnings(module("checked_typing", text).f)


def test_the_function_gets_objects_of_a_class_imported_for_type_checkers(module: Any) -> None:
    text = (
        f"{HEAD}if TYPE_CHECKING:\n    from decimal import Decimal\n"
        "def f(price: Decimal) -> str:\n    return type(price).__name__\n"
    )
    outcome = typesig.tool(module("checked_objects", text).f).call({"price": "1.50"})

    assert "Decimal" == outcome.value


def test_relative_imports_are_followed_to_modules_that_are_loaded(module: Any) -> None:
    row = "from typing import TypedDict\nclass Row(TypedDict):\n    id: int\n"
    near = f"{HEAD}if TYPE_CHECKING:\n    from .rows import Row\ndef f(row: Row) -> int: ...\n"
    far = f"{HEAD}if TYPE_CHECKING:\n    from ..rows import Row\ndef f(row: Row) -> int: ...\n"
    whole = f"{HEAD}if TYPE_CHECKING:\n    from . import rows\ndef f(row: rows.Row) -> int: ...\n"
    files = {"shop.rows": row, "shop.sub.far": far, "shop.whole": whole}
    near_f = module("shop.near", near, **files).f
    import_module("shop.rows")

    expected = "(row {id :int}) -> :int", []
    assert expected == signature_and_warnings(near_f)
    assert expected == signature_and_warnings(import_module("shop.sub.far").f)
    assert expected == signature_and_warnings(import_module("shop.whole").f)


def test_a_package_imports_relative_to_itself(module: Any) -> None:
    row = "from typing import TypedDict\nclass Row(TypedDict):\n    id: int\n"
    package = f"{HEAD}if TYPE_CHECKING:\n    from .rows import Row\ndef f(row: Row) -> int: ...\n"
    module("store.rows", row, **{"store.__init__": package})

    assert ("(row {id :int}) -> :int", []) == signature_and_warnings(import_module("store").f)


def test_a_module_for_type_checkers_is_never_imported_for_a_hint(module: Any) -> None:
    # An import only for type checkers may be circular, or have side effects.
    loud = "raise SystemExit('imported')\n"
    text = f"{HEAD}if TYPE_CHECKING:\n    from loud import Row\ndef f(row: Row) -> int: ...\n"
    signature, warnings = signature_and_warnings(module("checked_quiet", text, loud=loud).f)

    assert "(row :any) -> :int" == signature
    assert 1 == len(warnings)
    assert "row: Row: the name Row is not defined in the scope of the hint" in warnings[0]
    assert "loud" not in sys.modules


@pytest.mark.parametrize(
    "block",
    [
        "from decimal import Decimel as Row",
        "from json.no_such import Row",
        "import json.no_such as Row",
        "Row = NoSuchName",
        "Row = Row",
        "Row: int",
        "def Row(): ...",
        "Row.x = 1",
        "Row[0]: int = 1",
        "from no_such_package import Row",
        "from .....beyond import Row",
    ],
)
def test_a_parameter_whose_name_cannot_be_found_becomes_any_with_a_warning(
    module: Any, block: str
) -> None:
    text = f"{HEAD}if TYPE_CHECKING:\n    {block}\ndef f(row: Row, id: int) -> int: ...\n"
    signature, warnings = signature_and_warnings(module("checked_nothing", text).f)

    assert "(row :any, id :int) -> :int" == signature
    assert 1 == len(warnings)
    assert "the name Row is not defined" in warnings[0]


def test_a_submodule_that_is_not_an_attribute_of_its_package_is_found(module: Any) -> None:
    text = (
        f"{HEAD}if TYPE_CHECKING:\n    from collections import abc as parts\n"
        "    from concurrent import futures\n"
        "def f(rows: parts.Sequence[int]) -> futures.Future: ...\n"
    )
    signature, _ = signature_and_warnings(module("checked_submodule", text).f)

    assert "(rows [:int]) -> :any" == signature


@pytest.mark.parametrize("text", ["TYPE_CHECKING = (", "TYPE_CHECKING\0"])
def test_a_source_that_cannot_be_read_has_no_names(module: Any, tmp_path: Path, text: str) -> None:
    f = module("checked_changed", f"{HEAD}def f(row: Row) -> int: ...\n").f
    (tmp_path / "checked_changed.py").write_text(text)

    assert "(row :any) -> :int" == signature_and_warnings(f)[0]


def test_a_source_that_was_deleted_has_no_names(module: Any, tmp_path: Path) -> None:
    text = f"{HEAD}if TYPE_CHECKING:\n    Row = int\ndef f(row: Row) -> int: ...\n"
    f = module("checked_gone", text).f
    (tmp_path / "checked_gone.py").unlink()

    assert "(row :any) -> :int" == signature_and_warnings(f)[0]


def test_a_source_without_such_a_block_has_no_names(module: Any) -> None:
    f = module("checked_plain", "def f(row: 'Row') -> int: ...\n").f

    assert "(row :any) -> :int" == signature_and_warnings(f)[0]


def test_a_module_without_a_source_has_no_names() -> None:
    import types

    made = types.ModuleType("checked_made")
    exec("def f(row: 'Row') -> int: ...", vars(made))
    sys.modules["checked_made"] = made
    try:
        signature, _ = signature_and_warnings(made.f)
    finally:
        del sys.modules["checked_made"]

    assert "(row :any) -> :int" == signature


OWN_BLOCK = HEAD + (
    "if TYPE_CHECKING:\n"
    "    from uuid import UUID\n"
    "    UriType = typing.Union[str, Local]\n"
    "    from pkg_names._deep import Deep\n"
    "class Local(typing.TypedDict):\n    path: str\n"
)
DEEP_BLOCK = HEAD + "if TYPE_CHECKING:\n    Deep = list[Inner]\nInner = int\n"


@pytest.mark.parametrize(
    ("line", "hint", "expected"),
    [
        ("import pkg_names._t as _t", '"_t.UriType"', ":string|{path :string}"),
        ("import pkg_names._t as _t", "list[_t.UUID]", "[:string[uuid]]"),
        ("import pkg_names._t as _t", "_t.Deep", "[:int]"),
        ("from pkg_names import _t", "_t.UriType", ":string|{path :string}"),
        (
            "import pkg_names._t\nif TYPE_CHECKING:\n    from pkg_names._t import UriType",
            "UriType",
            ":string|{path :string}",
        ),
        (
            "import pkg_names._t\nif TYPE_CHECKING:\n    from pkg_names._t import UriType as U",
            "dict[str, U]",
            ":map[:string|{path :string}]",
        ),
        (
            "import pkg_names._t\nif TYPE_CHECKING:\n    from pkg_names._t import Deep",
            "Deep",
            "[:int]",
        ),
    ],
)
def test_a_name_that_another_module_has_for_checkers_is_found(
    module: Any, line: str, hint: str, expected: str
) -> None:
    others = {"pkg_names._t": OWN_BLOCK, "pkg_names._deep": DEEP_BLOCK}
    made = module(
        "pkg_names.use",
        f"{HEAD}import pkg_names._deep\n{line}\ndef f(x: {hint}) -> None: ...\n",
        **others,
    )

    assert signature_and_warnings(made.f) == (f"(x {expected}) -> :nil", [])


def test_names_that_two_modules_have_of_each_other_end_in_a_warning(module: Any) -> None:
    here = (
        HEAD
        + "if TYPE_CHECKING:\n    from pkg_loop.b import A\n    B = b.B\nimport pkg_loop.b as b\n"
    )
    there = (
        HEAD
        + "if TYPE_CHECKING:\n    from pkg_loop.a import A\n    B = pkg_loop.a.B\nimport pkg_loop\n"
    )
    made = module(
        "pkg_loop.a",
        here + "def f(x: A) -> None: ...\ndef g(x: B) -> None: ...\n",
        **{"pkg_loop.b": there},
    )

    for function in (made.f, made.g):
        signature, (warning,) = signature_and_warnings(function)
        assert signature == "(x :any) -> :nil"
        assert "is not defined in the scope of the hint" in warning


def test_an_attribute_that_a_module_lacks_is_named(module: Any) -> None:
    made = module("pkg_lack", HEAD + "import json\ndef f(x: json.Nothing) -> None: ...\n")

    assert signature_and_warnings(made.f) == (
        "(x :any) -> :nil",
        [
            "x: json.Nothing: there is no Nothing in json, so it became :any; "
            "import it where the function is defined, or give an explicit signature"
        ],
    )


@pytest.mark.parametrize("future", [True, False])
@pytest.mark.parametrize(
    "hint", ['Unpack["Options"]', '"Unpack[Options]"', "\"Unpack['Options']\"", 'Unpack["Opts.A"]']
)
def test_an_unpacked_typed_dict_in_text_has_its_fields(
    module: Any, future: bool, hint: str
) -> None:
    head = HEAD if future else HEAD.partition("\n")[2]
    text = f"""{head}from typing import Unpack
if TYPE_CHECKING:
    from shop.options import Options
    import shop.options as Opts
def f(url: str, **kw: {hint}) -> str: return repr(kw)
"""
    options = "from typing import TypedDict\nclass Options(TypedDict, total=False):\n"
    options += "    timeout: float\nA = Options\n"

    made = module("shop.named", text, **{"shop.options": options})

    assert ("(url :string, timeout? :float) -> :string", []) == signature_and_warnings(made.f)
    assert "{'timeout': 2.0}" == typesig.tool(made.f).call({"url": "u", "timeout": "2"}).result


def test_an_unpacked_name_that_is_nowhere_is_warned_of(module: Any) -> None:
    made = module(
        "named", HEAD + "from typing import Unpack\ndef f(**kw: Unpack['No']) -> str: ..."
    )
    _, warnings = signature_and_warnings(made.f)

    assert 1 == len(warnings)


def test_a_module_of_the_same_package_that_cannot_be_imported_has_no_names(module: Any) -> None:
    text = f"{HEAD}if TYPE_CHECKING:\n    from .loud import Row\ndef f(row: Row) -> int: ...\n"
    loud = "raise RuntimeError('no')\n"
    signature, warnings = signature_and_warnings(module("shop.f", text, **{"shop.loud": loud}).f)

    assert "(row :any) -> :int" == signature
    assert 1 == len(warnings)


def test_a_package_that_is_being_imported_imports_nothing_for_a_hint(module: Any) -> None:
    text = f"""{HEAD}import typesig
if TYPE_CHECKING:
    from .rows import Row
def f(row: Row) -> int: ...
early = str(typesig.extract(f).signature)
"""
    rows = "from typing import TypedDict\nclass Row(TypedDict):\n    id: int\n"
    made = module("shop.f", text, **{"shop.rows": rows})

    assert "(row :any) -> :int" == made.early
    assert ("(row {id :int}) -> :int", []) == signature_and_warnings(made.f)


def test_text_within_a_qualifier_has_the_names_of_the_module_that_wrote_it(module: Any) -> None:
    base = (
        "from typing import Mapping\nfrom typing_extensions import NotRequired, TypedDict\n"
        "class Options(TypedDict):\n"
        '    headers: NotRequired["Mapping[str, str] | None"]\n'
        '    deep: "NotRequired[Mapping[str, int]]"\n'
    )
    text = (
        "from typing_extensions import NotRequired, TypedDict, Unpack\n"
        "from qualified.base import Options\n"
        "class More(Options):\n"
        '    n: NotRequired["int"]\n'
        "def f(**options: Unpack[More]) -> bool: ...\n"
        "def g(options: More) -> bool: ...\n"
    )
    found = module("qualified.more", text, **{"qualified.base": base})

    fields = "headers :map[:string]?, deep? :map[:int], n? :int"
    assert (f"({fields}) -> :bool", []) == signature_and_warnings(found.f)
    assert (f"(options {{{fields}}}) -> :bool", []) == signature_and_warnings(found.g)
