"""How signatures, tools, toolsets, contracts and outcomes show themselves to a developer."""

from __future__ import annotations

import io
from html.parser import HTMLParser
from typing import Any, TypedDict

import pytest
from hypothesis import given
from rich.console import Console
from rich.pretty import Pretty

import typesig
from tests.generators import LAW, SECRET, signatures
from typesig import Policy, Signature, ToolError, contract, tool, tools_of
from typesig.contracts import diff
from typesig.errors import SignatureSyntaxError
from typesig.limits import MAX_SHOWN, MAX_SHOWN_REPORT, MAX_SHOWN_TOOLS
from typesig.markup import make_table
from typesig.notations.shorthand import NOTATION
from typesig.tools.display import _SEARCH, _SEARCHED

# repr


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("(id :int) -> {name :string}", "Signature('(id :int) -> {name :string}')"),
        (":int", "Signature('() -> :int')"),
        ("() -> :T where T = {a [:T]}", "Signature('() -> :T where T = {a [:T]}')"),
        ('(a :int "it\'s a") -> :int', "Signature('(a :int \"it\\'s a\") -> :int')"),
        ("(_key :int) -> {_id :int}", "Signature('(_key :int) -> {_id :int}')"),
    ],
)
def test_the_repr_of_a_signature_is_its_shorthand(text: str, expected: str) -> None:
    assert expected == repr(typesig.parse(text))


@LAW
@given(signatures())
def test_the_repr_of_a_signature_evaluates_by_parse(signature: Signature) -> None:
    text = repr(signature)

    assert len(text) <= 2 * MAX_SHOWN + len("Signature('')")
    if not text.endswith("…')") and not text.endswith('…")'):
        assert NOTATION.expressible is not None
        assert NOTATION.expressible(signature) == eval(text, {"Signature": typesig.parse})


def test_the_repr_of_a_long_signature_is_cut() -> None:
    text = repr(typesig.parse(f"({', '.join(f'a{n} :int' for n in range(10_000))}) -> :int"))

    assert text.startswith("Signature('(a0 :int, a1 :int,")
    assert text.endswith("…')")
    assert MAX_SHOWN == len(text) - len("Signature('')")
    with pytest.raises(SignatureSyntaxError):
        eval(text, {"Signature": typesig.parse})


# rich and notebooks


def in_rich(value: object) -> str:
    """Return what rich prints of *value*, on one line if it can."""
    out = io.StringIO()
    Console(file=out, width=100_000, color_system=None).print(Pretty(value))
    return out.getvalue().strip()


def _attribute(name: str, value: str) -> str:
    return f'{name}="{value}"'


class Reader(HTMLParser):
    """Collects the text of a page, and checks that its elements are known, bare and balanced."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        if tag == "input":
            # The search, whose attributes are ours.
            assert f"<input {' '.join(_attribute(*each) for each in attrs)}>" == _SEARCH
            return
        assert tag in (
            "div",
            "p",
            "ul",
            "li",
            "code",
            "b",
            "br",
            "pre",
            "table",
            "tr",
            "th",
            "td",
            "details",
            "summary",
        )
        assert [] == attrs
        if tag != "br":
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


def in_notebook(value: Any) -> str:
    """Return the text that a notebook shows of *value*."""
    reader = Reader()
    reader.feed(value._repr_html_())
    reader.close()
    assert [] == reader.open
    return reader.text


class Row(TypedDict):
    id: int
    _key: str


HOSTILE = "<script>alert('&amp;')</script>"


@tool
def find(query: str, _user: str = "x", ratio: complex = 1) -> list[Row]:
    """Find <b>rows</b> & more."""
    if query == "raise":
        raise ToolError(HOSTILE)
    if query == "wrong":
        return [{"id": query, "_key": query}]  # type: ignore[typeddict-item]
    return [{"id": 1, "_key": "classified"}]


@tool(name="other", description="")
def bare(n: int) -> int:
    return n


RATIO = (
    "ratio: complex: the default is not shown: it does not fit the hint; the function uses it "
    "where the model leaves the argument out"
)
FOUND = "(query :string, ratio? :string[complex]) -> [{id :int}]"


@pytest.mark.parametrize(
    ("value", "rich", "notebook"),
    [
        pytest.param(
            find.signature,
            f"Signature('{FOUND}')",
            FOUND,
            id="signature",
        ),
        pytest.param(
            find,
            f"Tool('find', signature='{FOUND}', description='Find <b>rows</b> & more.', warnings=['{RATIO}'])",
            f"find{FOUND}Find <b>rows</b> & more.Warnings:{RATIO}",
            id="tool",
        ),
        pytest.param(
            bare, "Tool('other', signature='(n :int) -> :int')", "other(n :int) -> :int", id="tool of hints only"
        ),
        pytest.param(
            tools_of([bare, abs]),
            "Toolset(Tool('other', signature='(n :int) -> :int'), "
            "warnings=['abs has no hints, so it is left out; annotate its parameters, or give a signature: @tool(\"(x :any) -> :any\")'])",
            "1 toolother(n :int) -> :intWarnings:abs has no hints, so it is left out; annotate its parameters, or give a signature: @tool(\"(x :any) -> :any\")",
            id="toolset",
        ),
        pytest.param(tools_of([find, bare]).select(), "Toolset()", "0 tools", id="empty toolset"),
        pytest.param(contract(list[Row]), "Contract('[{id :int}]')", "[{id :int}]", id="contract"),
        pytest.param(contract('() -> :int "the <b>"'), "Contract('(:int \"the <b>\")')", '(:int "the <b>")', id="described contract"),
        pytest.param(
            find.call({"query": "a"}),
            'Outcome([{"id": 1, <Firewalled>}])',
            '✓ valid [{"id": 1, <Firewalled>}]',
            id="value",
        ),
        pytest.param(
            bare.call({"n": "3"}),
            "Outcome(3, warnings=['n: coerced string \"3\" to int'])",
            '✓ valid 3Tool validation warnings:\n- n: coerced string "3" to int',
            id="value with a warning",
        ),
        pytest.param(
            find.call({"query": 3}),
            "Outcome(errors=['query: expected string, got int 3'])",
            "✗ refusedTool validation errors:\n{\n  \"query\": 3  // expected string, got int 3\n}\n\n"
            "A call that fits: find(query :string, ratio? :string[complex])",
            id="errors",
        ),
        pytest.param(
            find.call({"query": "raise"}),
            f'Outcome(errors=["{HOSTILE}"])',
            f"✗ refusedTool errors:\n- {HOSTILE}",
            id="what the tool raised",
        ),
        pytest.param(
            find.call({"query": "wrong"}),
            "Outcome(errors=['[0].id: expected int, got string \"wrong\"'])",
            "✗ refusedThe tool ran; what it returned does not fit its signature.\n\n"
            'Tool validation errors:\n- [0].id: expected int, got string "wrong"',
            id="a wrong result",
        ),
        pytest.param(
            typesig.Outcome(object()),
            "Outcome(a value that JSON has no form for)",
            "✓ valid a value that JSON has no form for",
            id="an object",
        ),
        pytest.param(
            tools_of([tool("() -> :int", name="made")(lambda: 1), tool("(made :int) -> :nil", name="take")(lambda made: None)]).chain(),
            "Chain(tools=['made', 'take'], links=['made → take.made: fits'])",
            "resultparameterkindmadetake.madefits",
            id="chain",
        ),
        pytest.param(
            contract("{a :int, b :int, _c :int}").stream().feed('{"a": "x", '),
            "Partial(complete=False, missing=['the end', 'b'], errors=['a: expected int, got string \"x\"'])",
            "… arrivingMissing:the endbErrors:a: expected int, got string \"x\"",
            id="partial",
        ),
        pytest.param(
            contract("{a :int}").stream().feed('{"a": 1}'), "Partial(complete=True)", "✓ complete", id="complete partial",
        ),
    ],
)  # fmt: skip
def test_rich_and_notebooks_show_what_a_model_sees(value: Any, rich: str, notebook: str) -> None:
    assert rich == in_rich(value)
    assert notebook == in_notebook(value)


def test_html_is_escaped_and_without_control_characters() -> None:
    text = "<i>\x1b[31m\x00&"
    named = tool(description=text)(bare.__wrapped__)
    shown = [named, tools_of([named]), typesig.parse(":string").validate_output([text])]
    shown += [typesig.Outcome(text), typesig.Outcome({text: text}), contract([":enum", text])]

    for one in shown:
        page = one._repr_html_()
        assert "&lt;i&gt;" in page
        assert "<i>" not in page
        assert "&amp;" in page
        assert page.replace("\n", "").isprintable()
        in_notebook(one)


def test_a_tool_without_a_signature_is_shown_with_the_reason() -> None:
    def wrong(a: int) -> int:
        return a

    wrong.__qualname__ = "wrong"
    one: Any = tool(wrong)
    one._pending = one._pending._replace(signature="(b :int) -> :int")

    assert "Tool('wrong', signature=' has no signature: " in in_rich(one)
    assert in_notebook(one).startswith("wrong has no signature: ")


def test_what_is_long_is_cut() -> None:
    many = tools_of([tool(name=f"t{n}")(bare.__wrapped__) for n in range(MAX_SHOWN_TOOLS + 3)])
    wide = typesig.parse(f"({', '.join(f'a{n} :int' for n in range(10_000))}) -> :int")
    issues = wide.validate_input({}, mode=Policy(max_issues=10_000))

    assert in_rich(many).count("Tool(") == MAX_SHOWN_TOOLS
    assert in_rich(many).endswith(", more=3)")
    assert in_notebook(many).endswith("3 more")
    assert len(in_rich(wide)) < MAX_SHOWN + 20
    assert len(in_notebook(wide)) == MAX_SHOWN
    assert "'9950 more'" in in_rich(issues)
    assert len(in_notebook(issues)) <= MAX_SHOWN_REPORT
    assert len(in_notebook(typesig.Outcome(["x" * 300] * 1000))) <= MAX_SHOWN + len("✓ valid ")
    assert len(in_notebook(typesig.Outcome({"a": "x" * 10**6}))) <= MAX_SHOWN + len("✓ valid ")
    failed = typesig.Outcome(errors=[typesig.Issue("tool", (), "", "x" * 10**6)])
    assert len(in_notebook(failed)) <= MAX_SHOWN_REPORT
    assert len(in_rich(failed)) < MAX_SHOWN + 30


def test_warnings_about_firewalled_names_are_only_counted() -> None:
    @tool
    def f(a: complex = 1, _secret: complex = 1) -> int:
        return 1

    assert any("_secret" in str(warning) for warning in f.warnings)
    for text in (in_rich(f), in_notebook(f), in_rich(tools_of([f])), in_notebook(tools_of([f]))):
        assert "_secret" not in text
    assert "1 more, not shown" in in_rich(f)


@LAW
@given(signatures())
def test_rich_and_notebooks_show_a_signature_without_firewalled_names(signature: Signature) -> None:
    for text in (in_rich(signature), in_notebook(signature)):
        assert SECRET not in text


def test_a_notebook_offers_a_search_of_many_tools() -> None:
    tools = [tool(name=f"t{n}")(bare.__wrapped__) for n in range(_SEARCHED)]

    assert _SEARCH in tools_of(tools)._repr_html_()
    assert "<input" not in tools_of(tools[1:])._repr_html_()


# what is told of tools and calls


LOSS = typesig.tools_of([find]).project("openai", strict=True).losses[0]
ISSUE = bare.call({"n": HOSTILE}).errors[0]


def test_a_loss_is_shown_with_its_kind_and_its_place() -> None:
    parts = f"path='{'.'.join(LOSS.path)}', what={LOSS.what!r}, why={LOSS.why!r}, became={LOSS.became!r}"

    assert f"Loss({LOSS.kind!r}, {parts})" == in_rich(LOSS)
    assert f"{LOSS.kind} {LOSS}" == in_notebook(LOSS)
    assert LOSS.to_json()["path"] == list(LOSS.path)


def test_an_issue_is_shown_as_its_line() -> None:
    assert f"Issue({ISSUE}, code='type')" == in_rich(ISSUE)
    assert f"type {ISSUE}" == in_notebook(ISSUE)
    assert "<script>" not in ISSUE._repr_html_()
    warning = bare.call({"n": "3"}).warnings[0]
    assert in_rich(warning).endswith("rule='int_from_string')")


def test_the_repr_of_an_issue_leaves_out_the_last_parts_that_say_nothing() -> None:
    for issue in (
        ISSUE,
        bare.call({"n": "3"}).warnings[0],
        typesig.Issue("json"),
        typesig.Issue("tool", hidden=0),
    ):
        assert issue == eval(repr(issue), {"Issue": typesig.Issue})
    assert "Issue('json')" == repr(typesig.Issue("json"))


def test_a_ledger_is_shown_as_its_rows() -> None:
    ledger = typesig.Ledger()
    bare.call({"n": "3"}, ledger=ledger)
    bare.call({"n": "x"}, ledger=ledger)

    assert "<ledger of 2 rows: 1 mended, 1 refused, 0 let through>" == repr(ledger)
    assert in_rich(ledger).startswith("Ledger(LedgerRow(fate='mended', id='int_from_string'")
    assert "fateidtoolpathtimesmendedint_from_stringothern1refusedtypeothern1" == in_notebook(
        ledger
    )
    ledger._beyond = 2
    assert in_rich(ledger).endswith(", beyond=2)")
    assert in_notebook(ledger).endswith("2 beyond the limit")


def test_a_diff_is_shown_as_its_findings() -> None:
    found = diff(tools_of([bare]), tools_of([]))

    assert f"Diff({found})" == in_rich(found)
    assert "severitytoolplacechangerulebreakingother" in in_notebook(found)
    many = diff(tools_of([tool(name=f"t{n}")(bare.__wrapped__) for n in range(60)]), tools_of([]))
    assert "more=10)" in in_rich(many)
    assert in_notebook(many).endswith("10 more")


def test_a_projection_is_shown_with_what_it_loses() -> None:
    wire = tools_of([find, bare]).project("openai", strict=True)
    many = tools_of([tool(name=f"t{n}")(bare.__wrapped__) for n in range(MAX_SHOWN_TOOLS + 1)])

    assert in_rich(wire).startswith(
        "Projection('openai chat, strict', tools=['find', 'other'], losses=["
    )
    assert "definitiontoollossesfindfind" in in_notebook(wire)
    assert "Losses, rewritten: 1" in in_notebook(wire)
    assert repr(many.project("openai")).endswith(f"t{MAX_SHOWN_TOOLS - 1}, …>")
    assert in_notebook(many.project("openai")).endswith("1 more")


def test_a_table_is_cut() -> None:
    page = make_table(("a",), [["x" * 2 * MAX_SHOWN], ["y"]], 1)

    assert "…</td></tr></table><p>1 more</p></div>" in page


def test_rich_shows_the_class_itself_as_other_classes() -> None:
    assert "<class 'typesig.tools.tool.Tool'>" == in_rich(typesig.Tool)
