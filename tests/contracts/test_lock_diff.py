"""What a diff tells: places, renames, examples, and that nothing is told that breaks nothing."""

from __future__ import annotations

from typing import Any

import pytest

from tests.contracts.pairs import lock_of
from typesig import Injected, Toolset, tool, tools_of
from typesig.contracts import Diff, Finding, Lock, comparison, diff
from typesig.contracts.shape_changes import find_discriminator


def told(old: str, new: str, **parts: Any) -> list[str]:
    """Return the rule and the place of each finding between two signatures."""
    return [f"{each.rule} {each.place}" for each in diff(lock_of(old), lock_of(new, **parts))]


@pytest.mark.parametrize(
    ("old", "new", "found"),
    [
        # Types that are written in another way
        ("(a :int[0..5]|:int[6..9]) -> :nil", "(a :int[0..9]) -> :nil",
         ["input-type-rewritten params.a"]),
        ("(a :T) -> :nil where T = {k [:T]}", "(a :U) -> :nil where U = {k [:U]}",
         ["input-type-rewritten params", "other-text-added "]),
        ("() -> :T where T = {k [:T]}", "() -> :U where U = {k [:U]}",
         ["output-type-rewritten returns", "other-text-added "]),
        ("(a :int[1..]) -> :nil", "(a :int[>0]) -> :nil", ["input-type-rewritten params.a"]),
        # Recursive types, each told once
        ("(a :T) -> :nil where T = {k [:T], n :int}", "(a :T) -> :nil where T = {k [:T], n :float}",
         ["input-type-widened params.a.n"]),
        ("(a :T, b :T) -> :nil where T = {n :int}", "(a :T, b :T) -> :nil where T = {n :float}",
         ["input-type-widened params.a.n"]),
        # Parts of collections
        ("(a [:int, :string]) -> :nil", "(a [:float, :string]) -> :nil",
         ["input-type-widened params.a.0"]),
        ("(a [:int, ** :int]) -> :nil", "(a [:int, ** :float]) -> :nil",
         ["input-type-widened params.a.**"]),
        ("(a [:int, ** :int]) -> :nil", "(a [:int, :int, ** :int]) -> :nil",
         ["input-type-narrowed params.a"]),
        ("(a :map[:int]) -> :nil", "(a :map[:float]) -> :nil",
         ["input-type-widened params.a.value"]),
        ("(a :map[:keyword :int]) -> :nil", "(a :map[:string :int]) -> :nil",
         ["input-type-changed params.a.key"]),
        ("(a #{:int}) -> :nil", "(a #{:float}) -> :nil", ["input-type-widened params.a.[]"]),
        ("(a :int?) -> :nil", "(a :float?) -> :nil", ["input-type-widened params.a"]),
        # Null
        ("(a :any) -> :nil", "(a :int?) -> :nil",
         ["param-became-optional params.a", "input-type-narrowed params.a"]),
        ("() -> :string?", "() -> :enum[nil]?", ["output-type-narrowed returns"]),
        ("(a :enum[nil]?) -> :nil", "(a :string?) -> :nil", ["input-type-widened params.a"]),
        ("() -> {a :string?}", "() -> {a? :int}",
         ["output-null-refused returns.a", "output-type-changed returns.a"]),
        # Unions
        ('(a {k :enum["a"], n :int}|{k :enum["b"]}) -> :nil',
         '(a {k :enum["a"], n :float}|{k :enum["b"], m? :int}) -> :nil',
         ["input-type-widened params.a.|1.n", "input-field-added-optional params.a.|2.m"]),
        ('(a {k :enum["a"], n :float}!|{k :enum["b"]}!) -> :nil',
         '(a {k :enum["a"], n :int}!|{k :enum["b"]}!) -> :nil',
         ["input-type-narrowed params.a.|1.n"]),
        ('(a {k :enum["a"]}!|{k :enum["b"]}!) -> :nil',
         '(a {k :enum["a"]}!|{k :enum["c"]}!) -> :nil',
         ["input-member-removed params.a", "input-member-added params.a", "other-text-added "]),
        ("(a :int|[:string]) -> :nil", "(a :float|[:int]) -> :nil",
         ["input-type-changed params.a.|2.[]", "input-member-added params.a"]),
        ("(a :int|:string|:bool) -> :nil", "(a :float|:string) -> :nil",
         ["input-member-removed params.a", "input-member-added params.a"]),
        ("() -> :float|:string", "() -> :int|:string|:bool",
         ["output-member-removed returns", "output-member-added returns"]),
        ("() -> :float|:string", "() -> :int|:string", ["output-member-removed returns"]),
        ("(a :int|:string) -> :nil", "(a :string) -> :nil", ["input-member-removed params.a"]),
        ("(a :int[..5]|:string) -> :nil", "(a :int[..5]) -> :nil",
         ["input-member-removed params.a"]),
        # Constraints
        ("(a :int[1..]) -> :nil", "(a :int[2..]) -> :nil", ["input-minimum-raised params.a"]),
        ("(a :int[1.., ..9]) -> :nil", "(a :float[1.., ..5]) -> :nil",
         ["input-type-widened params.a", "input-maximum-lowered params.a"]),
        ("(a :int[>1]) -> :nil", "(a :int[3..]) -> :nil", ["input-minimum-raised params.a"]),
        ("(a :any[1..]) -> :nil", "(a :any[2..]) -> :nil", ["input-type-narrowed params.a"]),
        ("(a :int?) -> :nil", "(a :int[..5]?) -> :nil", ["input-maximum-added params.a"]),
        ("(a :string[/a/, /b/]) -> :nil", "(a :string) -> :nil",
         ["input-pattern-removed params.a", "input-pattern-removed params.a"]),
        # Fields
        ("(a :int, b :int) -> :nil", "(c :int, d :int) -> :nil",
         ["param-removed-required params.a", "param-removed-required params.b",
          "param-added-required params.c", "param-added-required params.d"]),
        ("(a {b :int, ** :int}) -> :nil", "(a {b :int, ** :float}) -> :nil",
         ["input-type-widened params.a.**"]),
        ("(a {/x/ :int}) -> :nil", "(a {/x/ :float}) -> :nil",
         ["input-type-widened params.a./x/"]),
        ("(a {** :int}) -> :nil", "(a {x? :string, ** :int}) -> :nil",
         ["input-field-added-optional params.a.x", "input-type-changed params"]),
        # Results
        ("() -> :nil", "() -> :any", ["result-undescribed returns"]),
        ("() -> :any", "() -> :nil", ["result-described returns"]),
        # What the host supplies
        ("(_a :int, b :int) -> :nil", "(b :int, _a :int) -> :nil", ["param-reordered params"]),
        ("(_a :int) -> :nil", "(a :int) -> :nil", ["param-added-required params.a"]),
        # Defaults of named types
        ("(a :T) -> :nil where T = {n :int = 1}", "(a :T) -> :nil where T = {n :int = 2}",
         ["input-field-default-changed where.T.n"]),
        ("() -> :T where T = {n :int = 1}", "() -> :T where T = {n :int = 2}",
         ["output-field-default-changed where.T.n"]),
        ("(a :int = 1) -> :nil", "() -> :nil", ["param-removed-optional params.a"]),
        # Texts that came or went with their place
        ('(a :int, b {c :int "x"}) -> :nil', "(a :int) -> :nil", ["param-removed-required params.b"]),
        ('(a :int "x", b :string) -> :nil', '(c :int "x", b :string) -> :nil',
         ["param-renamed params.a"]),
        ('(a {x :int "x"}, b :string) -> :nil', '(c {x :int "y"}, b :string) -> :nil',
         ["param-renamed params.a", "input-description-changed params.c.x"]),
        ('(a :int "x", b :string "y") -> :nil', '(c :int "x", b :string "y") -> :nil',
         ["param-renamed params.a"]),
        ("(a :T|:int, b :T|:int) -> :nil where T = {n :int}",
         "(a :T|:int, b :T|:int) -> :nil where T = {n :float}",
         ["input-type-widened params.a.|1.n"]),
        ('(a_b :int "x") -> :nil', '(a-b :int "x") -> :nil', ["param-respelt params.a-b"]),
    ],
)  # fmt: skip
def test_each_change_is_told_at_its_place(old: str, new: str, found: list[str]) -> None:
    assert found == told(old, new)


def test_a_parameter_that_becomes_injected_is_hidden() -> None:
    def pay(amount: int, db: int) -> None: ...

    before = Lock.of(tools_of([pay]))

    def given(amount: int, db: Injected[int]) -> None: ...

    given.__name__ = "pay"
    after = Lock.of(tools_of([given]))

    assert ["param-hidden"] == [each.rule for each in diff(before, after)]
    assert ["param-shown-required"] == [each.rule for each in diff(after, before)]


def test_a_firewalled_parameter_that_becomes_visible_is_shown() -> None:
    def of(name: str) -> Lock:
        return Lock.of(Toolset([tool(f"({name} :int) -> :nil", name="f")(lambda **_: None)]))

    assert ["param-hidden"] == [each.rule for each in diff(of("db"), of("_db"))]
    assert ["param-shown-required"] == [each.rule for each in diff(of("_db"), of("db"))]


def test_a_kind_of_a_parameter_that_came_is_not_told() -> None:
    new = lock_of("(q? :int) -> :nil", kinds={"q": "keyword"})

    assert ["param-added-optional"] == [each.rule for each in diff(lock_of("() -> :nil"), new)]


def test_a_tool_with_the_same_contract_is_renamed_whatever_else_came() -> None:
    def locks(*tools: Lock) -> Lock:
        return Lock({name: one for lock in tools for name, one in lock.tools.items()})

    one, other = "(a :int) -> :int", "(b :int) -> :int"
    found = diff(
        locks(lock_of(one, "f"), lock_of(other, "g", description="d")),
        locks(lock_of(one, "x"), lock_of(other, "y", description="e")),
    )
    assert [
        ("tool-renamed", "x", "f", "x"),
        ("tool-renamed", "y", "g", "y"),
        ("tool-description-changed", "y", '"d"', '"e"'),
    ] == [(each.rule, each.tool, each.old, each.new) for each in found]

    same = [lock_of(one, name) for name in "fgxy"]
    rules = [each.rule for each in diff(locks(*same[:2]), locks(*same[2:]))]
    assert ["tool-removed", "tool-removed", "tool-added", "tool-added"] == rules

    texts = [lock_of(one, name, description=text) for name, text in ("fa", "gb", "xb", "ya")]
    pairs = [(each.old, each.new) for each in diff(locks(*texts[:2]), locks(*texts[2:]))]
    assert [("f", "y"), ("g", "x")] == pairs


def test_an_example_is_checked_and_shown() -> None:
    [found] = diff(lock_of("(a :int[..50]) -> :nil"), lock_of("(a :int[..20]) -> :nil"))
    assert found.example is not None
    [value] = found.example

    assert 20 < value <= 50
    assert f"f: params.a: the maximum was lowered from 50 to 20; such as {value}" == str(found)


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (None, "nil"),
        ("a b", '"a b"'),
        ({1}, "set #{1}"),
        (object(), "a value that JSON has no form for"),
    ],
)
def test_an_example_of_any_kind_is_shown(value: object, shown: str) -> None:
    found = Finding("input-null-refused", "breaking", "f", "", example=(value,))

    assert f"f: may no longer be null; such as {shown}" == str(found)


def test_at_most_so_many_examples_are_looked_for() -> None:
    old = ", ".join(f"a{n} :int" for n in range(30))
    new = ", ".join(f"a{n} :bool" for n in range(30))
    found = diff(lock_of(f"({old}) -> :nil"), lock_of(f"({new}) -> :nil"))

    assert [True] * 20 + [False] * 10 == [each.example is not None for each in found]


def test_without_steps_the_effect_is_unknown_and_breaking(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(comparison, "MAX_DIFF_STEPS", 0)
    found = diff(lock_of("(a :int, b :int) -> :nil"), lock_of("(a :float, b :float) -> :nil"))

    assert ["input-type-unknown", "input-type-unknown"] == [each.rule for each in found]
    assert all(
        each.sentence.endswith("(neither a proof nor a value that no longer fits was found)")
        for each in found
    )


def test_what_is_long_is_cut_in_a_sentence() -> None:
    [found] = diff(lock_of("() -> :nil"), lock_of("() -> :nil", description="x" * 1000))

    assert 1002 == len(found.new)
    assert len(found.sentence) < 300


def test_a_diff_is_a_collection_with_a_severity() -> None:
    found = diff(lock_of("(a :int) -> :nil"), lock_of("(a? :int, b :int) -> :nil"))

    assert "breaking" == found.severity
    assert 2 == len(found)
    assert ("param-added-required",) == tuple(each.rule for each in found.at_least("dangerous"))
    assert ("param-became-optional",) == tuple(each.rule for each in found.of("additive"))
    assert "Diff(1 breaking, 1 additive)" == repr(found)
    assert {found} == {diff(lock_of("(a :int) -> :nil"), lock_of("(a? :int, b :int) -> :nil"))}
    assert found != Diff(())
    assert Diff(()).severity is None
    assert "" == str(Diff(()))


def test_markup_in_a_table_stays_text() -> None:
    found = Finding("tool-title-added", "dangerous", "f`g", "", "", '"<b>|*x*\n`y`"')
    rows = Diff((found,)).markdown().splitlines()

    assert 3 == len(rows)
    cells = r'| dangerous | ``f`g`` |  | the title was added: "&lt;b>\|\*x\* \`y\`" |'
    assert rows[2].startswith(cells)
    assert "`` ` ``" in Diff((found._replace(tool="`"),)).markdown()


def test_a_name_that_is_not_seen_is_quoted() -> None:
    found = Finding("tool-added", "additive", "f\u202e", "", "", "()")

    assert 'additive: "f\\u202e": the tool was added: () [tool-added]' == str(Diff((found,)))
    assert '`"f\\u202e"`' in Diff((found,)).markdown()


def test_data_of_a_finding_holds_what_json_can() -> None:
    [found] = diff(lock_of("(a :datetime) -> :nil"), lock_of("(a :string[date]) -> :nil"))

    assert isinstance(Diff((found,)).data()["findings"][0]["example"], str)


def test_members_without_a_common_tag_have_no_discriminator() -> None:
    from typesig import parse

    def of(text: str) -> str:
        return find_discriminator(parse(text).returns.members)  # type: ignore[union-attr]

    assert "" == of('{k :enum["a"]}|{j :enum["b"]}')
    assert "" == of('{k :enum["a"], n :int}|{k :enum["a"]}')
    assert "k" == of('{k :enum["a"]}|{k :enum["b"]}')


@pytest.mark.parametrize(
    ("old", "new"),
    [("(a :int) -> :nil", "(a [:int]) -> :nil"), ('(a :enum["x"]) -> :nil', "(a :int) -> :nil")],
)
def test_types_of_two_kinds_are_compared_as_wholes(old: str, new: str) -> None:
    assert ["input-type-changed params.a"] == told(old, new)


def test_a_finding_without_an_example_has_none_as_data() -> None:
    found = diff(lock_of("() -> :nil"), Lock.of(Toolset([]))).data()

    assert "example" not in str(found)
    assert "tool-removed" in str(found)
