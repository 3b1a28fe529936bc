"""Names that stand inside themselves, written in any way, have one definition; reading them ends."""

from __future__ import annotations

import itertools
import re
import sys
import types
import typing
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from tests.growth import assert_growth, steps
from typesig import extract, tool
from typesig.algebra.nodes import INT
from typesig.algebra.signature import make_type_signature
from typesig.limits import MAX_HINT_DEPTH, MAX_HINTS
from typesig.notations.shorthand.writer import write_type

HEAD = """from __future__ import annotations
import dataclasses
import typing
from typing import *
from annotated_types import Ge, MinLen
from typing_extensions import TypeAliasType
T = TypeVar("T")
"""
#: Each module has a file of its own, since a file is read once.
_NUMBERS = itertools.count()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("aliases")


@contextmanager
def modules(folder: Path, **texts: str) -> Iterator[dict[str, Any]]:
    """Yield modules with the source *texts*, where `module_b` is the name of the one called b."""
    number = next(_NUMBERS)
    made: dict[str, Any] = {}
    for key, text in texts.items():
        for other in texts:
            text = text.replace(f"module_{other}", f"aliases_{number}_{other}")
        file = folder / f"aliases_{number}_{key}.py"
        file.write_text(HEAD + text, encoding="utf-8")
        module = made[key] = types.ModuleType(file.stem)
        module.__file__ = str(file)
        sys.modules[file.stem] = module
    try:
        for module in made.values():
            path = str(module.__file__)
            exec(compile(Path(path).read_text(encoding="utf-8"), path, "exec"), vars(module))
        yield made
    finally:
        for module in made.values():
            del sys.modules[module.__name__]


def told(function: Any, **options: Any) -> tuple[str, list[str]]:
    found = extract(function, **options)
    return str(found.signature), [str(warning) for warning in found.warnings]


CLOSED = "it refers to itself, so it became :any; write recursive=True to keep it by name"

#: The block for type checkers, and the signature with recursive=True and without.
SPELLINGS = {
    "names": (
        "Json = str | list[Json] | dict[str, Json]",
        "(x :Json) -> :int where Json = :string|[:Json]|:map[:Json]",
        "(x :string|[:any]|:map) -> :int",
    ),
    "quoted names": (
        'Json = Union[str, list["Json"], dict[str, "Json"]]',
        "(x :Json) -> :int where Json = :string|[:Json]|:map[:Json]",
        "(x :string|[:any]|:map) -> :int",
    ),
    "one text": (
        'Json: TypeAlias = "str | list[Json]"',
        "(x :Json) -> :int where Json = :string|[:Json]",
        "(x :string|[:any]) -> :int",
    ),
    "an alias of None": (
        "Json: typing.TypeAlias = Optional[List[Json]]",
        "(x? :Json) -> :int where Json = [:Json]?",
        "(x [:any]?) -> :int",
    ),
    "two names": (
        "Json = str | list[Items]\n    Items = dict[str, Json]",
        "(x :Json) -> :int where Json = :string|[:map[:Json]]",
        "(x :string|[:map]) -> :int",
    ),
    "another name": (
        "Json = Value\n    Value = str | list[Json]",
        "(x :Json) -> :int where Json = :string|[:Json]",
        "(x :string|[:any]) -> :int",
    ),
    "a record": (
        "Json = str | list['Row']",
        "(x :string|[:Row]) -> :int where Row = {kids [:string|[:Row]]}",
        "(x :string|[{kids [:string|[:any]]}]) -> :int",
    ),
}
ROW = "@dataclasses.dataclass\nclass Row:\n    kids: list[Json]\n"


@pytest.mark.parametrize(("block", "kept", "closed"), SPELLINGS.values(), ids=SPELLINGS)
def test_an_alias_for_type_checkers_within_itself_has_one_definition(
    folder: Path, block: str, kept: str, closed: str
) -> None:
    text = f"{ROW}if TYPE_CHECKING:\n    {block}\ndef post(x: 'Json') -> int: ..."
    with modules(folder, a=text) as made:
        one = told(made["a"].post, recursive=True)
        shown, warnings = told(made["a"].post)

    assert (kept, []) == one
    assert closed == shown
    assert warnings
    assert all(warning.endswith(CLOSED) for warning in warnings)


def test_values_of_an_alias_for_type_checkers_are_read_as_deep_as_they_are(folder: Path) -> None:
    text = (
        "if TYPE_CHECKING:\n    Json = int | list[Json]\ndef post(x: Json) -> Json:\n    return x"
    )
    with modules(folder, a=text) as made:
        post = tool(recursive=True)(made["a"].post)

        assert [1, [2, [3]]] == post.call({"x": [1, [2, [3]]]}).value
        assert "x[1][1][0]" in post.call({"x": [1, [2, ["a"]]]}).report()


#: What a module defines, and the signature of `f(x: X)` with recursive=True and without.
DEFINED = {
    "a union": ('X = Union[int, List["X"]]', ":X", ":int|[:X]", ":int|[:any]"),
    "a text": ('X = "list[X]"', ":list_X", "[:list_X]", "[:any]"),
    "a text in a union": ('X = Union[int, "list[X]"]', ":int|:list_X", "[:int|:list_X]", None),
    "a reference": ('X = ForwardRef("list[X]")', ":list_X", "[:list_X]", "[:any]"),
    "a new type": ('X = NewType("X", "list[X]")', ":X", "[:X]", "[:any]"),
    "a new type of two": (
        'X = NewType("X", "dict[str, X] | list[X]")',
        ":X",
        ":map[:X]|[:X]",
        None,
    ),
    "a bound": ('X = TypeVar("X", bound="list[X]")', ":X", "[:X]", "[:any]"),
    "constraints": ('X = TypeVar("X", "list[X]", int)', ":X", "[:X]|:int", "[:any]|:int"),
    "an alias": ('X = TypeAliasType("X", "list[X]")', ":X", "[:X]", "[:any]"),
}


@pytest.mark.parametrize(("text", "name", "inside", "closed"), DEFINED.values(), ids=DEFINED)
@pytest.mark.parametrize("hint", ["X", "Annotated[X, 'a text']"])
def test_what_a_module_defines_within_itself_has_one_definition(
    folder: Path, text: str, name: str, inside: str, closed: str | None, hint: str
) -> None:
    with modules(folder, a=f"{text}\ndef f(x: {hint}) -> int: ...") as made:
        kept = extract(made["a"].f, recursive=True)
        shown, warnings = told(made["a"].f)

    assert () == kept.warnings
    assert kept.signature is not None
    (definition,) = kept.signature.names.values()
    assert inside == write_type(definition)
    assert name in str(kept.signature)
    assert "where" not in shown
    assert hint != "X" or closed is None or f"(x {closed}" in shown
    assert warnings
    assert all(warning.endswith(CLOSED) for warning in warnings)


ENDLESS = {
    "a name": "X = 'X'",
    "two names": "X = 'Y'\nY = 'X'",
    "a reference": "X = ForwardRef('X')",
    "a union": "X = Union[int, 'X']",
    "unions of each other": "X = Union[int, 'Y', 'X']\nY = Union[str, 'X', 'Y']",
    "a new type": "X = NewType('X', 'X')",
    "a bound": "X = TypeVar('X', bound='X')",
    "a bound that is a union": "X = TypeVar('X', bound=Union[int, 'X'])",
    "an alias": "X = TypeAliasType('X', 'X')",
    "an alias of a union": "X = TypeAliasType('X', 'int | X')",
    "a name for type checkers": "if TYPE_CHECKING:\n    X = int | X",
    "annotations": "X = Annotated['X', Ge(1)]",
    "annotations of a union": "X = Annotated[Union[int, 'X'], Ge(1)]",
    "many new types": "X = int\nfor n in range(300):\n    X = NewType('X', X)",
    "many renamed aliases": "X = int\nfor n in range(300):\n    X = TypeAliasType('X', X)",
}
HINTS = [
    "X",
    "list[X]",
    "X | None",
    "Annotated[X, Ge(1)]",
    "Annotated[list[X], MinLen(1)]",
    "Final[X]",
]


@pytest.mark.parametrize("text", ENDLESS.values(), ids=ENDLESS)
@pytest.mark.parametrize("hint", HINTS)
@pytest.mark.parametrize("recursive", [False, True])
def test_what_leads_only_to_itself_is_any_with_a_warning(
    folder: Path, text: str, hint: str, recursive: bool
) -> None:
    with modules(folder, a=f"{text}\ndef f(x: {hint}) -> {hint}: ...") as made:
        found = extract(made["a"].f, recursive=recursive)
        work = steps(lambda: extract(made["a"].f, recursive=recursive), 200_000)

    assert found.signature is not None
    assert {"x"} == {param.name for param in found.signature.params}
    assert ":any" in str(found.signature)
    reasons = ("it refers to itself", "it is defined only by itself", "it nests too deep")
    assert any(warning.reason.startswith(reasons) for warning in found.warnings)
    assert not any("RecursionError" in warning.reason for warning in found.warnings)
    assert work < 200_000


GENERIC = "if TYPE_CHECKING:\n    Tree = Union[T, list[Tree[T]]]\n    Nest = Union[T, list[Nest[list[T]]]]\n"


def test_a_generic_alias_within_itself_has_a_definition_for_each_argument(folder: Path) -> None:
    text = GENERIC + "def f(x: Tree[int], y: Tree[str], z: list[Tree[int]]) -> None: ..."
    with modules(folder, a=text) as made:
        kept = told(made["a"].f, recursive=True)
        shown, warnings = told(made["a"].f)

    names = "Tree = :int|[:Tree], Tree2 = :string|[:Tree2]"
    assert (f"(x :Tree, y :Tree2, z [:Tree]) -> :nil where {names}", []) == kept
    assert "(x :int|[:any], y :string|[:any], z [:int|[:any]]) -> :nil" == shown
    assert 3 == len(warnings)


def test_a_generic_class_within_itself_has_a_definition_for_each_argument(folder: Path) -> None:
    text = (
        "class Node(TypedDict, Generic[T]):\n    value: T\n    kids: list[Node[T]]\n"
        "def f(x: Node[int], y: Node[str]) -> None: ..."
    )
    with modules(folder, a=text) as made:
        kept = told(made["a"].f, recursive=True)

    names = "Node = {value :int, kids [:Node]}, Node2 = {value :string, kids [:Node2]}"
    assert (f"(x :Node, y :Node2) -> :nil where {names}", []) == kept


def test_self_in_a_generic_class_is_the_class_with_its_arguments(folder: Path) -> None:
    text = (
        "@dataclasses.dataclass\nclass Node(Generic[T]):\n    value: T\n    kids: list[Self]\n"
        "def f(x: Node[int]) -> None: ..."
    )
    with modules(folder, a=text) as made:
        kept = told(made["a"].f, recursive=True)

    assert ("(x :Node) -> :nil where Node = {value :int, kids [:Node]}", []) == kept


def test_a_generic_alias_whose_arguments_grow_ends_with_a_warning(folder: Path) -> None:
    with modules(folder, a=GENERIC + "def f(x: Nest[int]) -> None: ...") as made:
        kept, kept_warnings = told(made["a"].f, recursive=True)
        shown, _ = told(made["a"].f)

    assert "(x :int|[[:int]|[[[:int]]|[:any]]]) -> :nil" == kept
    assert [
        "x: Nest[list[~T]]: it refers to itself with other arguments each time, so it became :any; "
        "give an explicit signature"
    ] == kept_warnings
    assert "(x :int|[:any]) -> :nil" == shown


def test_a_generic_class_whose_arguments_grow_ends_at_the_depth_of_records(folder: Path) -> None:
    text = (
        "class Nest(TypedDict, Generic[T]):\n    value: T\n    kids: list[Nest[list[T]]]\n"
        "def f(x: Nest[int]) -> None: ..."
    )
    with modules(folder, a=text) as made:
        shown, warnings = told(made["a"].f, recursive=True)

    assert (
        "(x {value :int, kids [{value [:int], kids [{value [[:int]], kids [:any]}]}]}) -> :nil"
    ) == shown
    assert ["it is more than 3 records deep"] == [w.split(": ")[2].split(",")[0] for w in warnings]


def test_a_variable_within_its_own_value_is_the_one_around(folder: Path) -> None:
    text = (
        "class Base(TypedDict, Generic[T]):\n    value: T\n"
        "U = TypeVar('U')\nclass Below(Base[list[U]], Generic[U]):\n    own: U\n"
        "def f(x: Below[int], y: Below) -> None: ..."
    )
    with modules(folder, a=text) as made:
        shown, _ = told(made["a"].f)

    assert "(x {value [:int], own :int}, y {value [:any], own :any}) -> :nil" == shown


def test_an_alias_is_followed_through_modules(folder: Path) -> None:
    texts = {
        "a": "import module_b\nif TYPE_CHECKING:\n    from module_b import B as Mine\n"
        "    A = str | list[Mine]\ndef f(x: A, y: Mine) -> None: ...",
        "b": "import module_c as c\nif TYPE_CHECKING:\n    B = dict[str, c.C]",
        "c": "import module_a as a\nif TYPE_CHECKING:\n    C = int | a.A",
    }
    with modules(folder, **texts) as made:
        shown, warnings = told(made["a"].f, recursive=True)

    assert [] == warnings
    assert ("(x :A, y :map[:int|:A]) -> :nil where A = :string|[:map[:int|:A]]") == shown


def stepped(step: str, n: int) -> str:
    return re.sub(r"\bA\b", f"A{n - 1}", step)


def doubling(levels: int, step: str) -> str:
    lines = "".join(f"    A{n} = {stepped(step, n)}\n" for n in range(1, levels))
    return f"if TYPE_CHECKING:\n    A0 = int\n{lines}def f(x: A{levels - 1}, y: int) -> int: ..."


@pytest.mark.parametrize(
    "step", ["tuple[A, A]", "tuple[A, list[A]] | None", "Annotated[tuple[A, A], 'text']"]
)
def test_aliases_that_double_at_each_step_end_at_the_limit_of_hints(
    folder: Path, step: str
) -> None:
    with modules(folder, a=doubling(40, step)) as made:
        found = extract(made["a"].f)

    assert found.signature is not None
    assert INT == found.signature.params[1].type
    assert found.warnings
    assert {"x"} == {warning.place for warning in found.warnings}
    allowed = (f"there are more than {MAX_HINTS} hints", f"it has more than {MAX_HINTS} parts")
    assert [] == [w.reason for w in found.warnings if not w.reason.startswith(allowed)]
    remedies = {"write a smaller type, or an explicit signature"}
    assert remedies == {warning.remedy for warning in found.warnings}


def test_unions_of_unions_are_read_once_for_a_bound(folder: Path) -> None:
    lines = "".join(
        f"U{n} = TypeAliasType('U{n}', Union[U{n - 1}, V{n - 1}])\n"
        f"V{n} = TypeAliasType('V{n}', Union[V{n - 1}, U{n - 1}])\n"
        for n in range(1, 20)
    )
    text = (
        "U0 = TypeAliasType('U0', Union[int, None])\nV0 = TypeAliasType('V0', Union[str, int])\n"
        + lines
        + "def f(x: Annotated[U19, Ge(1)]) -> int: ..."
    )
    with modules(folder, a=text) as made:
        shown, warnings = told(made["a"].f)

    assert ("(x (:int[1..]|:string)?) -> :int", []) == (shown, warnings)


def test_a_chain_of_names_is_resolved_beyond_the_depth_of_one_resolution(folder: Path) -> None:
    lines = "".join(f"    A{n} = A{n - 1}\n" for n in range(1, 3 * MAX_HINT_DEPTH))
    text = (
        f"if TYPE_CHECKING:\n    A0 = int\n{lines}def f(x: A{3 * MAX_HINT_DEPTH - 1}) -> int: ..."
    )
    with modules(folder, a=text) as made:
        found = told(made["a"].f)

    assert ("(x :int) -> :int", []) == found


def test_a_name_that_is_not_defined_in_a_late_alias_is_named(folder: Path) -> None:
    lines = "".join(f"    A{n} = A{n - 1}\n" for n in range(1, 60))
    text = f"if TYPE_CHECKING:\n    A0 = Nowhere\n{lines}def f(x: A59) -> int: ..."
    with modules(folder, a=text) as made:
        shown, warnings = told(made["a"].f)

    assert "(x :any) -> :int" == shown
    assert 1 == len(warnings)
    assert "is not defined" in warnings[0]


@pytest.mark.skipif(sys.version_info < (3, 12), reason="type statements are of Python 3.12")
@pytest.mark.parametrize("block", ["", "if TYPE_CHECKING:\n    "])
def test_type_statements_within_themselves_have_one_definition(folder: Path, block: str) -> None:
    for statement, hint, kept, closed in (
        ("type J = str | list[J]", "J", ":J", ":string|[:any]"),
        ("type W[V] = V | list[W[V]]", "W[int]", ":W", ":int|[:any]"),
        ("type P[A, B] = dict[B, A]", "P[int, str]", ":map[:int]", ":map[:int]"),
    ):
        with modules(folder, a=f"{block}{statement}\ndef f(x: {hint}) -> int: ...") as made:
            shown, warnings = told(made["a"].f, recursive=True)
            short, _ = told(made["a"].f)

        assert [] == warnings
        assert f"(x {kept})" in shown
        assert f"(x {closed}) -> :int" == short


# laws


#: An expression: a name, a class, or a form with expressions within it.
Tree = tuple[typing.Any, ...]
FORMS = {
    "list": "list[{}]",
    "quoted": "list['{}']",
    "map": "dict[str, {}]",
    "pair": "tuple[{}, {}]",
    "either": "{} | {}",
    "union": "Union[{}, '{}']",
    "optional": "Optional[{}]",
}


def trees(names: int) -> st.SearchStrategy[Tree]:
    leaves = st.one_of(
        st.sampled_from([("class", "int"), ("class", "str")]),
        st.integers(0, names - 1).map(lambda n: ("name", n)),
    )

    def forms(inner: st.SearchStrategy[Tree]) -> st.SearchStrategy[Tree]:
        return st.sampled_from(list(FORMS)).flatmap(
            lambda form: st.tuples(st.just(form), *[inner] * FORMS[form].count("{}"))
        )

    return st.recursive(leaves, forms, max_leaves=4)


def written(tree: Tree) -> str:
    form, *parts = tree
    if form == "class":
        return str(parts[0])
    if form == "name":
        return f"A{parts[0]}"
    # Quotes stand around the outermost.
    return FORMS[form].format(*[written(part).replace("'", "") for part in parts])


def systems() -> st.SearchStrategy[list[Tree]]:
    return st.integers(1, 5).flatmap(lambda n: st.lists(trees(n), min_size=n, max_size=n))


VALUES = st.recursive(
    st.one_of(st.none(), st.integers(0, 9), st.sampled_from("ab")),
    lambda inner: st.one_of(
        st.lists(inner, max_size=2), st.dictionaries(st.sampled_from("ab"), inner, max_size=1)
    ),
    max_leaves=5,
)


def fits(system: list[Tree], tree: Tree, value: Any, within: tuple[int, ...] = ()) -> bool:
    """Return whether *value* is of *tree*: what a name needs to know of itself is false."""
    form, *parts = tree
    if form == "name":
        name = parts[0]
        return name not in within and fits(system, system[name], value, (*within, name))
    if form in ("either", "union"):
        return any(fits(system, part, value, within) for part in parts)
    if form == "optional":
        return value is None or fits(system, parts[0], value, within)
    if form == "class":
        return type(value).__name__ == parts[0]
    if form == "map":
        return isinstance(value, dict) and all(fits(system, parts[0], v) for v in value.values())
    if form == "pair":
        is_pair = isinstance(value, list) and len(value) == 2
        return is_pair and all(map(lambda part, v: fits(system, part, v), parts, value))
    return isinstance(value, list) and all(fits(system, parts[0], v) for v in value)


def placed(system: list[Tree], homes: list[int]) -> dict[str, str]:
    """Return the texts of three modules; *homes* has the module of each name."""
    texts = {}
    for place, key in enumerate("abc"):
        names = [n for n in range(len(system)) if homes[n] == place]
        others = [n for n in range(len(system)) if homes[n] != place]
        lines = [f"from module_{'abc'[homes[n]]} import A{n}" for n in others]
        lines += [f"A{n} = {written(system[n])}" for n in names]
        texts[key] = "if TYPE_CHECKING:\n" + "".join(f"    {line}\n" for line in lines)
    texts["a"] += "def f(x: A0, y: list[A0]) -> A0: ...\n"
    return texts


LAW = settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


@LAW
@given(systems(), st.lists(st.integers(0, 2), min_size=5, max_size=5), VALUES)
def test_a_system_of_aliases_kept_by_name_takes_the_values_that_it_describes(
    folder: Path, system: list[Tree], homes: list[int], value: Any
) -> None:
    with modules(folder, **placed(system, homes)) as made:
        found = extract(made["a"].f, recursive=True)

    assume(not found.warnings)
    assert found.signature is not None
    param = found.signature.params[0].type

    assert fits(system, ("name", 0), value) == make_type_signature(
        param, found.signature.names
    ).accepts(value)


def is_cyclic(system: list[Tree]) -> bool:
    """Return whether a name that the first one leads to leads to itself."""

    def names(tree: Tree) -> set[int]:
        if tree[0] == "name":
            return {tree[1]}
        return set() if tree[0] == "class" else set().union(*map(names, tree[1:]))

    leads = [names(tree) for tree in system]
    reached = [set(each) for each in leads]
    for _ in system:
        reached = [each.union(*(reached[n] for n in each)) for each in reached]
    return any(n in reached[n] for n in {0, *reached[0]})


@LAW
@given(systems(), st.lists(st.integers(0, 2), min_size=5, max_size=5), st.booleans())
def test_extraction_of_a_system_of_aliases_ends_and_says_where_it_closes(
    folder: Path, system: list[Tree], homes: list[int], recursive: bool
) -> None:
    with modules(folder, **placed(system, homes)) as made:
        found = extract(made["a"].f, recursive=recursive)
        work = steps(lambda: extract(made["a"].f, recursive=recursive), 400_000)

    assert found.signature is not None
    # Of a union of a parameter, the branch is left out.
    reasons = {
        warning.reason.replace("it is left out of the union", "it became :any")
        for warning in found.warnings
    }
    closed = {"it refers to itself, so it became :any"}
    alone = {
        "it is defined only by itself, so it became :any",
        "the name A0 is not defined in the scope of the hint, so it became :any",
    }
    if recursive:
        assert not reasons & closed
    else:
        assert () == tuple(found.signature.names)
    if not is_cyclic(system):
        assert set() == reasons
    elif not recursive:
        assert reasons
    assert not [r for r in reasons - closed - alone if "is not defined in the scope" not in r]
    assert work < 400_000


@LAW
@given(systems())
def test_a_system_of_aliases_without_cycles_is_read_as_its_values_are(
    folder: Path, system: list[Tree]
) -> None:
    assume(not is_cyclic(system))
    lines = "".join(f"    A{n} = {written(tree)}\n" for n, tree in enumerate(system))
    space = dict(vars(typing))

    def built(n: int) -> Any:
        names = {f"A{each}": None for each in range(len(system))}
        for other in range(len(system)):
            if f"A{other}" in written(system[n]):
                names[f"A{other}"] = built(other)
        return eval(written(system[n]).replace("'", ""), space, names)

    def direct(x): ...

    direct.__annotations__ = {"x": built(0), "return": None}
    text = f"if TYPE_CHECKING:\n{lines}def direct(x: A0) -> None: ..."
    with modules(folder, a=text) as made:
        found = told(made["a"].direct)

    assert told(direct) == found


@pytest.mark.once
@pytest.mark.parametrize(
    "step", ["list[A]", "str | list[A]", "'dict[str, A]'", "A", "Union[int, 'A', None]"]
)
@pytest.mark.parametrize("start", ["int", "A19"])
def test_the_work_of_resolving_aliases_is_in_proportion_to_their_number(
    folder: Path, step: str, start: str
) -> None:
    def made(size: int) -> Any:
        lines = "".join(f"    A{n} = {stepped(step, n)}\n" for n in range(1, size))
        text = f"if TYPE_CHECKING:\n    A0 = {start}\n{lines}def f(x: A{size - 1}) -> int: ..."
        with modules(folder, a=text) as them:
            return them["a"]

    def run(module: Any) -> None:
        sys.modules[module.__name__] = module
        try:
            extract(module.f)
        finally:
            del sys.modules[module.__name__]

    # Hints that a smaller module has, too, are not parsed again, so one size may take few steps.
    assert_growth(made, run, (20, 40, 80, 160), spare=60_000)


OWN_ARGUMENTS = """
L = TypeAliasType("L", list[T], type_params=(T,))
M = TypeAliasType("M", T | None, type_params=(T,))
K = TypeAliasType("K", dict[str, L[T]], type_params=(T,))
P = TypeAliasType("P", L[T], type_params=(T,))
"""


@pytest.mark.parametrize("recursive", [False, True])
@pytest.mark.parametrize(
    ("hint", "expected"),
    [
        ("L[L[int]]", "[[:int]]"),
        ("L[L[L[int]]]", "[[[:int]]]"),
        ("M[list[M[str]]]", "[:string?]?"),
        ("L[M[L[int]]]", "[[:int]?]"),
        ("K[L[int]]", ":map[[[:int]]]"),
        ("K[K[int]]", ":map[[:map[[:int]]]]"),
        ("P[P[int]]", "[[:int]]"),
        ("P[L[int]] | None", "[[:int]]?"),
        ("dict[str, L[L[int]]]", ":map[[[:int]]]"),
    ],
)
def test_an_alias_in_its_own_argument_does_not_refer_to_itself(
    folder: Path, hint: str, expected: str, recursive: bool
) -> None:
    text = f"{OWN_ARGUMENTS}\ndef f(x: {hint}) -> None: ...\n"
    with modules(folder, a=text) as made:
        found = extract(made["a"].f, recursive=recursive)

    assert (f"(x {expected}) -> :nil", ()) == (str(found.signature), found.warnings)
