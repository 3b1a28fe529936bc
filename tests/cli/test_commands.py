"""The command line: its output, its errors and its exit status."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import click
import pytest
from click.testing import CliRunner, Result

from typesig import tools_of
from typesig.cli.command_convert import convert
from typesig.cli.commands import COMMANDS, typesig
from typesig.notations import NOTATIONS

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(autouse=True)
def _at_the_root(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)


def run(*arguments: str, stdin: str | bytes | None = None) -> Result:
    return CliRunner().invoke(typesig, arguments, input=stdin)


def test_list_prints_the_listing_of_a_module() -> None:
    result = run("list", "examples.shop")

    assert 0 == result.exit_code
    assert result.stdout.startswith('## Tools you can call\n\nsearch(query :string "words')
    assert "" == result.stderr


@pytest.mark.parametrize("style", ["signature", "compact", "call", "typescript", "python"])
def test_list_prints_a_style_and_what_it_does_not_say(style: str) -> None:
    result = run("list", "examples.shop", "--style", style, "--types", "shared", "--legend", "-v")
    made = tools_of("examples.shop").listing(style, types="shared", legend=True)  # type: ignore[arg-type]

    assert 0 == result.exit_code
    assert f"{made}\n" == result.stdout
    assert "".join(f"lost: {loss} ({loss.kind})\n" for loss in made.losses) == result.stderr
    assert made.losses


def test_list_prints_a_tier() -> None:
    assert (
        "## Tools you can call\n\nsearch\nplace_order\norders\ncancel\n"
        == run("list", "examples.shop", "--tier", "names").stdout
    )


def test_list_takes_the_path_of_a_file() -> None:
    assert run("list", "examples.explicit").stdout == run("list", "examples/explicit.py").stdout


def test_list_shows_public_functions_where_none_is_decorated(tmp_path: Path) -> None:
    file = tmp_path / "plain_functions.py"
    file.write_text("def f(a: int) -> int: return a\ndef g(a): return a\ndef _h(a: int): ...\n")
    result = run("list", str(file))

    assert 0 == result.exit_code
    assert "## Tools you can call\n\nf(a :int) -> :int\n" == result.stdout
    assert f"{file} decorates no tools; these are its public functions" in result.stderr
    assert "g has no hints, so it is left out" in result.stderr


def test_a_toolset_in_a_module_is_a_target_and_so_are_its_tools(tmp_path: Path) -> None:
    file = tmp_path / "held_tools.py"
    file.write_text(
        "from typesig import Toolset, tool\n"
        "class Held:\n"
        "    tools = Toolset([tool(\"(n :int) -> :int\", name='twice')(lambda n: 2 * n)])\n"
        "tools = Held.tools\n"
    )
    listed = run("list", f"{file}:tools")

    assert "twice(n :int) -> :int" in listed.stdout
    assert listed.stdout == run("list", f"{file}:Held.tools").stdout
    assert "4\n" == run("call", f"{file}:tools.twice", '{"n": 2}').stdout
    assert "1 fit, 0 do not" in run("check", f"{file}:tools.twice", stdin='{"n": 2}').stdout
    for arguments, told in (
        (["list", f"{file}"], f"{file} decorates no tools, but has a toolset; write {file}:tools"),
        (["list", f"{file}:Held"], f"but has a toolset; write {file}:Held.tools"),
        (["call", f"{file}:tools"], "is a toolset; name one of its tools, as in "),
        (["call", f"{file}:tools"], f"{file}:tools.twice"),
        (["call", f"{file}:tools.twise"], "there is no twise in"),
        (["call", f"{file}:tools.twise"], "did you mean twice?"),
    ):
        result = run(*arguments)
        assert 2 == result.exit_code
        assert told in result.stderr


SHOP = """
from typesig import tool
class Shop:
    @classmethod
    def open(cls, name: str) -> str: return name
    @staticmethod
    def price(item: str) -> int: return 1
    def buy(self, item: str) -> str: return item
    def _hidden(self, item: str) -> str: return item
class Decorated:
    @tool
    @staticmethod
    def price(item: str) -> int: return 1
    @tool
    def buy(self, item: str) -> str: return item
shop = Shop()
"""


@pytest.mark.parametrize(
    ("name", "listed", "told"),
    [
        (
            "Shop",
            "open(name :string) -> :string\n\nprice(item :string) -> :int\n",
            "Shop.buy: it is a method and has no instance here; pass an instance to tools_of\n",
        ),
        (
            "Decorated",
            "price(item :string) -> :int\n",
            "Decorated.buy: it is a method and has no instance here; "
            "pass an instance to tools_of\n",
        ),
        (
            "shop",
            "open(name :string) -> :string\n\nprice(item :string) -> :int\n\n"
            "buy(item :string) -> :string\n",
            "",
        ),
    ],
)
def test_list_takes_a_class_or_an_instance_of_a_module(
    tmp_path: Path, name: str, listed: str, told: str
) -> None:
    file = tmp_path / "shop_of_list.py"
    file.write_text(SHOP)
    result = run("list", f"{file}:{name}")

    assert 0 == result.exit_code
    assert result.stdout == f"## Tools you can call\n\n{listed}"
    assert "_hidden" not in result.stderr
    assert result.stderr.replace("\n  ", " ").endswith(told)


def test_list_names_what_a_module_lacks(tmp_path: Path) -> None:
    file = tmp_path / "shop_of_list.py"
    file.write_text(SHOP)
    result = run("list", f"{file}:Shap")

    assert 2 == result.exit_code
    assert f"there is no Shap in {file}; did you mean Shop?" in result.stderr


def test_a_name_that_a_lazy_module_cannot_make_is_one_message(tmp_path: Path) -> None:
    file = tmp_path / "lazy_shop.py"
    file.write_text("def __getattr__(name):\n    raise RuntimeError(f'{name} is gone')\n")
    result = run("show", f"{file}:pay")

    assert 2 == result.exit_code
    said = f"typesig: pay in {file} cannot be read: RuntimeError: pay is gone"
    assert said in result.stderr.replace("\n  ", " ")
    assert "Traceback" not in result.output


@pytest.mark.parametrize("by_name", [True, False])
def test_a_module_that_ends_the_program_is_one_message(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, by_name: bool
) -> None:
    file = tmp_path / "ending_shop.py"
    file.write_text("raise SystemExit(0)\n")
    monkeypatch.syspath_prepend(tmp_path)
    result = run("list", "ending_shop" if by_name else str(file))

    assert 2 == result.exit_code
    assert "cannot be imported: SystemExit: 0" in result.stderr


def test_list_fails_if_there_is_nothing_to_list(tmp_path: Path) -> None:
    file = tmp_path / "nothing_here.py"
    file.write_text("x = 1\n")
    result = run("list", str(file))

    assert 1 == result.exit_code
    assert "has no public functions with hints" in result.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["list", "no_such_module"], "there is no module no_such_module"),
        (["list", "no_such_file.py"], "there is no file no_such_file.py"),
        (["show", "json"], "name a callable as module:name, not 'json'"),
        (["show", "json:dmps"], "there is no dmps in json; did you mean dumps?"),
        (["check", ":int", "/no/such/file"], "/no/such/file cannot be read: no such file"),
        (["check", ":itn", "-"], 'there is no type ":itn"; did you mean :int?'),
        (["convert", "{:a :itn}"], 'there is no type ":itn"; did you mean :int?'),
    ],
)
def test_wrong_usage_is_one_message_on_standard_error(arguments: list[str], message: str) -> None:
    result = run(*arguments)

    assert 2 == result.exit_code
    assert message in result.stderr
    assert "Traceback" not in result.output
    assert "" == result.stdout


def test_a_module_that_cannot_be_imported_is_an_error_without_a_traceback(tmp_path: Path) -> None:
    for name, text, message in [
        ("raises_at_import.py", "1/0\n", "ZeroDivisionError: division by zero"),
        ("does_not_parse.py", "def (\n", "SyntaxError"),
        ("needs_another.py", "import no_such_thing_at_all\n", "no_such_thing_at_all"),
    ]:
        (tmp_path / name).write_text(text)
        result = run("list", str(tmp_path / name))

        assert 2 == result.exit_code
        assert message in result.stderr
        assert "Traceback" not in result.output


def test_show_prints_each_hint_and_its_type() -> None:
    result = run("show", "examples.shop:search")

    assert 0 == result.exit_code
    assert "store: Injected[Store]  →  given by the host, hidden from the model" in result.stdout
    assert "limit: Annotated[int, Ge(1), Le(50)]  →  limit :int[1..50] = 10" in result.stdout


def test_show_prints_warnings(tmp_path: Path) -> None:
    file = tmp_path / "warned_of.py"
    file.write_text("def f(a: 'Nope', *rest: int, **more: int): ...\n")
    result = run("show", f"{file}:f")

    assert 0 == result.exit_code
    assert "- a: Nope: the name Nope is not defined in the scope of the hint" in result.stdout
    assert "more: int  →  other named arguments" in result.stdout


def test_show_prints_details_of_the_docstring_that_the_listing_leaves_out(tmp_path: Path) -> None:
    file = tmp_path / "with_details.py"
    file.write_text('def f(a: int) -> int:\n    """Do.\n\n    Mind it.\n\n    Or not.\n    """\n')
    result = run("show", f"{file}:f")

    assert (
        "  Do.\n\n  also in the docstring, but not in the listing:\n    Mind it.\n    Or not.\n\na: int"
        in result.stdout
    )


def test_show_prints_the_same_as_json(tmp_path: Path) -> None:
    file = tmp_path / "shown_as_data.py"
    file.write_text(
        "def f(a: int, b: 'Nope', c):\n"
        '    """Do.\n\n    Args:\n        a: how many\n        c (str): which\n    """\n'
    )
    found = json.loads(run("show", "--json", f"{file}:f").stdout)

    assert ("f", "Do.") == (found["name"], found["description"])
    taken = {each.pop("name"): each for each in found["params"]}
    about = {"hint": "int", "type": ":int", "description": "how many", "hidden": False}
    assert (about, None) == (taken["a"], taken["c"]["hint"])
    assert any("the name Nope is not defined" in warning for warning in found["warnings"])
    assert f"f{found['signature']}" == run("show", f"{file}:f").stdout.splitlines()[0]
    hidden = json.loads(run("show", "--json", "examples.shop:search").stdout)["params"][1]
    assert {"name": "store", "hidden": True, "type": None} == {
        name: hidden[name] for name in ("name", "hidden", "type")
    }


def test_show_of_a_function_without_hints_fails(tmp_path: Path) -> None:
    file = tmp_path / "unhinted_here.py"
    file.write_text("def f(a): ...\n")
    result = run("show", f"{file}:f")

    assert 1 == result.exit_code
    assert "f has no hints; give it an explicit signature" in result.stderr


@pytest.mark.parametrize(
    ("signature", "text", "status", "out", "err"),
    [
        ("(id :int) -> :any", '{"id": 1}', 0, "1 value: 1 fit, 0 do not\n", ""),
        (
            "(id :int) -> :any", '{"id": "1"}', 0,
            "1 value: 1 fit, 0 do not, 1 with warnings\n",
            'standard input: warning: id: coerced string "1" to int [coerced]\n',
        ),
        (
            "{id :int}", '{"id": "1"}', 1, "1 value: 0 fit, 1 do not\n",
            'standard input: id: expected int, got string "1" [type]\n',
        ),
        (
            ":int", "1\n\n2\n\"x\"\n", 1, "3 values: 2 fit, 1 do not\n",
            'standard input:4: expected int, got string "x" [type]\n',
        ),
        (
            "[:int]", "[1,\n 2,\n 3]\n", 0, "1 value: 1 fit, 0 do not\n", "",
        ),
        (
            ":int", "", 1, "no values: the input is empty\n",
            "standard input: there is nothing in it; give it JSON, or JSONL [json]\n",
        ),
        (
            ":any", '{"a": 1, "a": 2}', 1, "1 value: 0 fit, 1 do not\n",
            'standard input: not valid JSON: the key "a" occurs twice [json]\n',
        ),
        (
            ":any", "[NaN]", 1, "1 value: 0 fit, 1 do not\n",
            "standard input: not valid JSON: NaN is not a JSON number [json]\n",
        ),
        (
            ":int", "1\n{bad\n", 1, "2 values: 1 fit, 1 do not\n",
            "standard input:2: not valid JSON: Expecting property name enclosed in double quotes "
            "at line 1 column 2 [json]\n",
        ),
    ],
)  # fmt: skip
def test_check_counts_the_values_that_fit(
    signature: str, text: str, status: int, out: str, err: str
) -> None:
    result = run("check", signature, "-", stdin=text)

    assert (status, err + out, "") == (result.exit_code, result.stdout, result.stderr)


def test_check_can_check_against_the_result() -> None:
    assert 0 == run("check", "(id :int) -> :bool", "--output", stdin="true").exit_code
    assert 1 == run("check", "(id :int) -> :bool", "--output", stdin='"true"').exit_code


def test_check_takes_a_mode_and_can_be_quiet() -> None:
    strict = run("check", "(id :int) -> :any", "--mode", "strict", stdin='{"id": "1"}')
    quiet = run("check", "(id :int) -> :any", "-q", stdin='{"id": "1"}')

    assert 1 == strict.exit_code
    assert (0, "") == (quiet.exit_code, quiet.output)


def test_from_offers_the_notations_that_can_be_read_and_to_offers_all() -> None:
    options = {option.name: option for option in convert.params}

    assert {name for name, n in NOTATIONS.items() if n.parse} == set(choices(options["source"]))
    assert set(NOTATIONS) == set(choices(options["notation"]))


def test_the_help_lists_each_command_and_another_is_refused_by_its_name() -> None:
    listed = run("--help").output.partition("Commands:")[2]

    assert list(COMMANDS) == [line.split()[0] for line in listed.splitlines() if line.strip()]
    assert [] == [row for row in COMMANDS.values() if len(row.summary) > 80 - 14]
    made = [typesig.get_command(click.Context(typesig), name) for name in COMMANDS]
    assert list(COMMANDS) == [each and each.name for each in made]
    assert typesig.get_command(click.Context(typesig), "lst") is None
    assert 'there is no command "lst"; did you mean list?' in run("lst").stderr
    assert 'there is no command "frobnicate"; -h lists them' in run("frobnicate").stderr


def choices(option: click.Parameter) -> tuple[str, ...]:
    assert isinstance(option.type, click.Choice)
    return tuple(option.type.choices)


def test_convert_prints_canonical_text() -> None:
    result = run("convert", "{:id :int :email :string?}")

    assert (0, "() -> {id :int, email :string?}\n") == (result.exit_code, result.output)


@pytest.mark.needs_process
def test_the_module_runs_as_a_command_and_is_plain_when_piped() -> None:
    ran = subprocess.run(
        [sys.executable, "-m", "typesig", "show", "examples.shop:cancel"],
        capture_output=True,
        cwd=ROOT,
        check=True,
    )

    assert b"\x1b" not in ran.stdout
    assert ran.stdout.startswith(b"cancel(order :int) -> {id :int, ")


@pytest.mark.needs_process
def test_a_reader_that_stops_early_causes_no_error() -> None:
    ran = subprocess.run(
        f"{sys.executable} -m typesig list examples.shop | head -1",
        shell=True,
        capture_output=True,
        cwd=ROOT,
        check=True,
    )

    assert (b"## Tools you can call\n", b"") == (ran.stdout, ran.stderr)


def test_an_output_that_cannot_be_written_is_one_message(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("typesig.cli.inputs.options.print_text", full)
    result = run("convert", ":int")

    assert 2 == result.exit_code
    assert "the output cannot be written: no space left on device" in result.stderr


def test_a_broken_pipe_ends_quietly(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> None:
        raise BrokenPipeError(32, "Broken pipe")

    monkeypatch.setattr("typesig.cli.inputs.options.print_text", broken)
    result = run("convert", ":int")

    assert "Traceback" not in result.output
    assert "Broken pipe" not in result.output


def test_check_prints_a_limited_number_of_lines_and_counts_the_rest() -> None:
    rows = '"x"\n' * 1_200
    some = run("check", ":int", "-", stdin=rows)
    all_ = run("check", ":int", "-", "--all", stdin=rows)

    assert 1_002 == len(some.stdout.splitlines())
    assert "… and more; --all shows all 1200 lines" == some.stdout.splitlines()[-2]
    assert 1_201 == len(all_.stdout.splitlines())


def test_convert_reads_a_json_schema_from_text_file_and_standard_input(tmp_path: Path) -> None:
    text = '{"type": "array", "items": {"type": "integer"}}'
    file = tmp_path / "list.json"
    file.write_text(text)

    for given, stdin in ((text, None), (str(file), None), ("-", text)):
        result = run("convert", "--from", "json_schema", given, stdin=stdin)

        assert (0, "() -> [:int]\n", "") == (result.exit_code, result.stdout, result.stderr)


def test_convert_reads_the_two_schemas_of_a_tool() -> None:
    pair = '{"input": {"type": "object", "properties": {"a": {}}}, "output": {"type": "null"}}'
    result = run("convert", "--from", "json_schema", pair)

    assert "(a? :any) -> :nil\n" == result.stdout


def test_convert_writes_a_json_schema() -> None:
    result = run("convert", "--to", "json_schema", "() -> :bool")

    assert 0 == result.exit_code
    assert '"output": {\n    "type": "boolean"\n  }' in result.stdout


@pytest.mark.parametrize(
    ("options", "given", "out", "err"),
    [
        (["--from", "gram"], "(a: Text, Int) --> IO Text", "(a :string, arg2 :int) -> :string\n", ""),
        (["--from", "gram"], "(a::Integer {default:1})==>(::Any)", "(a :int = 1) -> :any\n", ""),
        (["--to", "gram"], "(a :int?) -> {b :map}", "(a: Maybe Int) --> {b: Object}\n", ""),
        (["--to", "gram_path"], "(a :int = 3) -> :bool", "(a::Integer {default:3})==>(::Boolean)\n", ""),
        (["--from", "gram", "--to", "gram"], "()-->IO Bool", "() --> IO Bool\n", ""),
        (
            ["--to", "gram"], "() -> :int[1..5]", "() --> Int\n",
            "lost: returns: a refinement: gram has no constraints; use the type without them; became Int\n",
        ),
    ],
)  # fmt: skip
def test_convert_reads_and_writes_gram(options: list[str], given: str, out: str, err: str) -> None:
    result = run("convert", *options, given)

    assert (0, out, err) == (result.exit_code, result.stdout, result.stderr)


@pytest.mark.parametrize(
    ("options", "given", "out", "err"),
    [
        (["--to", "compact"], "(q :string, n :int = 10) -> :any", "(q, n int=10)\n", ""),
        (["--from", "compact"], "=(max_rows int?)", '("max_rows" :int?) -> :any\n', ""),
        (
            ["--from", "compact", "--to", "compact"],
            "(a,;words\n_b) -> int",
            "(\n a ; words\n) -> int\n",
            "lost: firewalled names: the compact notation is for models, which are not shown them; became nothing\n",
        ),
    ],
)  # fmt: skip
def test_convert_reads_and_writes_the_compact_notation(
    options: list[str], given: str, out: str, err: str
) -> None:
    result = run("convert", *options, given)

    assert (0, out, err) == (result.exit_code, result.stdout, result.stderr)


def test_what_is_converted_and_inferred_is_printed_as_json() -> None:
    converted = run("convert", "--json", "--to", "gram", "(a :int = 3) -> :bool")
    found = json.loads(converted.stdout)

    assert "" == converted.stderr
    assert "(a: Maybe Int) --> Bool" == found["result"]
    assert [("widened", ["params", "a"])] == [(e["kind"], e["path"]) for e in found["losses"]]
    inferred = run("infer", "--json", stdin="1\n2\n").stdout
    assert {"result": ":int", "losses": []} == json.loads(inferred)


def test_an_error_in_gram_shows_its_place() -> None:
    result = run("convert", "--from", "gram", "(name: Str) --> IO Text")

    assert 2 == result.exit_code
    assert '        ^^^\n  there is no type "Str"; write Text' in result.stderr


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("malli", '[":=>", [":catn", [":q", ":string"]], [":vector", ":int"]]'),
        ("malli", "[:=> [:catn [:q :string]] [:vector :int]]"),
        ("edn", "[:=> [:catn [:q :string]] [:vector :int]]"),
    ],
)
def test_convert_reads_malli_as_json_and_as_edn(source: str, text: str) -> None:
    result = run("convert", "--from", source, text)

    assert (0, "(q :string) -> [:int]\n", "") == (result.exit_code, result.stdout, result.stderr)


def test_convert_writes_malli_with_names_or_reports_their_loss() -> None:
    plain = run("convert", "--to", "edn", "(q :string) -> :int")
    named = run("convert", "--to", "edn", "--named", "(q :string) -> :int")

    assert "[:=> [:cat :string] :int]\n" == plain.stdout
    assert "lost: params.q: the name 'q'" in plain.stderr
    assert ("[:=> [:catn [:q :string]] :int]\n", "") == (named.stdout, named.stderr)
    assert (
        '[\n  ":=>",\n  [\n    ":cat"\n  ],\n  ":int"\n]\n'
        == run("convert", "--to", "malli", ":int").stdout
    )


def test_convert_widens_malli_only_with_lossy() -> None:
    refused = run("convert", "--from", "edn", "[:vector [:fn f]]")
    widened = run("convert", "--from", "edn", "--lossy", "[:vector [:fn f]]")

    assert (2, "") == (refused.exit_code, refused.stdout)
    assert "typesig: items: :fn: it runs code" in refused.stderr
    assert (0, "() -> [:any]\n") == (widened.exit_code, widened.stdout)
    assert widened.stderr.startswith("lost: items: :fn: it runs code")


def test_a_notation_without_the_option_named_refuses_it() -> None:
    result = run("convert", "--named", "(q :string) -> :int")

    assert 2 == result.exit_code
    assert "the notation shorthand has no option 'named'" in result.stderr


def test_check_takes_a_signature_in_another_notation() -> None:
    result = run("check", "--from", "edn", "[:map [:id :int]]", stdin='{"id": "x"}')

    assert 1 == result.exit_code
    assert 'standard input: id: expected int, got string "x"' in result.stdout


def test_references_lead_to_the_resources_that_are_given(tmp_path: Path) -> None:
    file = tmp_path / "id.json"
    file.write_text('{"type": "integer"}')
    schema = '{"type": "object", "properties": {"id": {"$ref": "https://a.example/?v=1"}}}'
    given = ["--from", "json_schema", "--resource", f"https://a.example/?v=1={file}", schema]
    converted = run("convert", *given)
    checked = run("check", *given, stdin='{"id": "x"}')
    wrong = run("convert", "--from", "json_schema", "--resource", "id.json", schema)

    name = '"?v=1"'
    assert f"() -> {{id? :{name}}} where {name} = :int\n" == converted.stdout
    assert 'standard input: id: expected int, got string "x"' in checked.stdout
    assert (2, "") == (wrong.exit_code, wrong.stdout)
    assert 'typesig: --resource is URI=FILE, not string "id.json"' in wrong.stderr


def test_convert_widens_a_json_schema_only_with_lossy() -> None:
    text = '{"type": "array", "items": {"type": "text"}}'
    refused = run("convert", "--from", "json_schema", text)
    widened = run("convert", "--from", "json_schema", "--lossy", text)

    assert (2, "") == (refused.exit_code, refused.stdout)
    assert "typesig: /items: type: there is no type 'text'; the types are" in refused.stderr
    assert (0, "() -> [:any]\n") == (widened.exit_code, widened.stdout)
    assert widened.stderr.startswith("lost: items.type: the keyword type: there is no type 'text'")


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("no-such.json", "no-such.json cannot be read: no such file or directory"),
        ('{"type": ', "this is not JSON: not valid JSON"),
    ],
)
def test_a_json_schema_that_cannot_be_read_is_one_message(given: str, message: str) -> None:
    result = run("convert", "--from", "json_schema", given)

    assert 2 == result.exit_code
    assert message in result.stderr


ISSUE = (
    "{number :int, title :string, state :string, user {login :string, id :int, site_admin :bool}, "
    "labels [{name :string, color :string}], assignee {login :string, id :int, site_admin :bool}|"
    ":nil, comments :int, created_at :string, closed_at :string|:nil, pull_request? {url :string, "
    "merged_at :nil}}"
)


@pytest.mark.parametrize(
    ("arguments", "text", "status", "out", "err"),
    [
        ([], '{"id": 1}', 0, "{id :int}\n", ""),
        (["-"], '{"id": 1}\n{"id": 2.5, "name": null}\n', 0, "{id :float, name? :nil}\n", ""),
        (["examples/data/issues.json", "--each"], None, 0, ISSUE + "\n", ""),
        (["examples/data/issues.json"], None, 0, f"[{ISSUE}]\n", ""),
        (["--each"], "[1]\n[\"x\"]\n", 0, ":int|:string\n", ""),
        (["--enums", "1"], '"a"\n"a"\n', 0, ':enum["a"]\n', ""),
        (["--maps", "1"], '{"a": 1, "b": 2}', 0, ":map[:int]\n", ""),
        (["--tuples"], "[1, 2]\n[3, 4]\n", 0, "[:int, :int]\n", ""),
        (["--formats"], '"2027-01-31"', 0, ":string[date]\n", ""),
        (["--closed"], '{"a": 1}', 0, "{a :int}!\n", ""),
        (["--to", "json_schema"], "1", 0, '{\n  "type": "integer"\n}\n', ""),
        (
            [], '1\n{bad\n"x"\n[NaN]\n', 1, ":int|:string\n",
            "standard input:2: not valid JSON: Expecting property name enclosed in double quotes at "
            "line 1 column 2\nstandard input:4: not valid JSON: NaN is not a JSON number\n",
        ),
        (
            ["--each"], '[1]\n{"a": 1}\n', 1, ":int\n",
            'standard input:2: expected list, got map {"a": 1}\n',
        ),
        (["--each"], "[]", 1, "", "there is no sample; the lists are empty\n"),
        (
            [], "", 1, "",
            "standard input: there is nothing in it; give it JSON, or JSONL\n",
        ),
        (
            [], "[" * 200, 1, "",
            "standard input: nested too deep: at most 128 levels\n",
        ),
        (
            ["no-such.json"], None, 2, "",
            "typesig: no-such.json cannot be read: no such file or directory\n",
        ),
    ],
)  # fmt: skip
def test_infer_prints_the_type_of_samples(
    arguments: list[str], text: str | None, status: int, out: str, err: str
) -> None:
    result = run("infer", *arguments, stdin=text)

    assert (status, out, err) == (result.exit_code, result.stdout, result.stderr)


def test_infer_refuses_thresholds_below_one() -> None:
    result = run("infer", "--maps", "0", stdin="1")

    assert 2 == result.exit_code
    assert "typesig: --maps: 0 is not in the range x>=1\n" in result.stderr


@pytest.mark.once
def test_infer_stops_if_samples_have_too_many_names(tmp_path: Path) -> None:
    file = tmp_path / "wide.jsonl"
    file.write_text("".join(f'{{"k{number}": 1}}\n' for number in range(100_001)))
    wide, mapped = run("infer", str(file)), run("infer", "--maps", "20", str(file))

    assert (2, "") == (wide.exit_code, wide.stdout)
    assert wide.stderr.startswith(
        f"typesig: {file}:100001: samples[100000].k100000: there are more"
    )
    assert (0, ":map[:int]\n") == (mapped.exit_code, mapped.stdout)


def test_infer_prints_a_limited_number_of_lines_and_counts_the_rest() -> None:
    result = run("infer", stdin="1\n" + "{bad\n" * 1_200)

    assert (1, ":int\n") == (result.exit_code, result.stdout)
    assert 1_001 == len(result.stderr.splitlines())
    assert "… and 200 more" == result.stderr.splitlines()[-1]
