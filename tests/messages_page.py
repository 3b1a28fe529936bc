"""The tables of `docs/reference/messages.md`: what each code of a message means, and what to do.

    python -m tests.messages_page

writes them anew, each between its mark and `<!-- end -->`: the texts of this module, each with a
message as it is printed, made by the rows of `tests.validation.test_messages` and by the programs and
calls below.  A test compares, and another one asks for the meaning of every code.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import typesig
from tests.validation.test_messages import CODES, WARNINGS
from typesig import relations
from typesig.programs.checks.flaws import Flaw

PAGE = Path(__file__).resolve().parents[1] / "docs" / "reference" / "messages.md"

_MARKED = re.compile(r"(<!-- (\w+) -->\n).*?(<!-- end -->)", re.DOTALL)


class Meaning(NamedTuple):
    """What a code means, and what a developer does about it."""

    means: str
    do: str


#: Of issues, by code.
ISSUES: dict[str, Meaning] = {
    "type": Meaning("the value has another type", "send the report back to the model; a mode may coerce it"),
    "missing": Meaning("a required field or parameter is not there", "give it a default if it may be left out"),
    "enum": Meaning("the value is none of those listed", "send the report back; add the value if it is right"),
    "refined": Meaning("the type is right, a bound, length, pattern or format is not", "send the report back"),
    "key": Meaning("a key of a map has another type", "send the report back"),
    "extra": Meaning("a closed record has no such key", "open the record, or see a policy's `extras`"),
    "twice": Meaning("two spellings of one name are there", "send one of them"),
    "keys": Meaning("two texts are the same key once they are read", "send one of them"),
    "repeated": Meaning("a list of pairs, which stands for a map, has a key twice", "send one of them"),
    "duplicate": Meaning("items that must differ are equal", "send each once"),
    "length": Meaning("a tuple has another number of items", "send the report back"),
    "several": Meaning("more than one branch of `:one` fits", "make the branches disjoint, or write a union"),
    "depth": Meaning("the value nests deeper than [a limit](limits.md)", "send flatter data"),
    "filled": Meaning("defaults would fill in more values than a limit", "make the default smaller"),
    "size": Meaning("the value has more parts than a limit, or has itself inside", "send less"),
    "json": Meaning("the text is not JSON, and no repair of the mode reads it", "send the report back"),
    "tool": Meaning("the tool raised `ToolError`", "the text is the tool's own"),
    "passing": Meaning("the tool raised `ToolError` with *retry*, and was not run again", "give a `Governance` with `retries`"),
    "late": Meaning("a time limit was over before the call could run", "raise `seconds` or `turn`"),
    "refused": Meaning("a hook, a person or a limit of a `Governance` refused the call", "the text says which"),
    "retried": Meaning("a call was run more than once", "nothing; a `Ledger` counts them"),
    "refusal": Meaning("the model refused to answer what `ask` asked for", "nothing more is asked; ask for something else"),
    "filtered": Meaning("a filter of the vendor stopped the answer, or blocked the prompt", "nothing more is asked; change the prompt"),
    "truncated": Meaning("the answer reached its limit of tokens", "raise the limit, or give `ask` [`more_tokens`](../how-to/repair.md)"),
    "call": Meaning("the call cannot be read, or names no tool", "send the report back"),
    "program": Meaning("the program of a model is wrong; its `kind` is [one of these](#programs)", "send the report back"),
    "host": Meaning("the value fits, and cannot become the Python object of the hint", "narrow the hint or the type"),
    "cannot": Meaning("a bare `coerce` cannot read the value as the type", "give a value that can be read"),
    "cannot_be": Meaning("a bare `coerce` cannot read the value as one of those listed", "give one of them"),
    "coerced": Meaning("a value was changed to the type; `rule` is the [coercion](../how-to/modes.md)", "nothing, or switch it off"),
    "mended": Meaning("text around or in the JSON was mended; `rule` is the repair", "nothing, or switch it off"),
    "parsed": Meaning("a text that has JSON was read where a list or a map is declared", "nothing"),
    "renamed": Meaning("a key in another spelling was taken for the declared one", "nothing"),
    "unwrapped": Meaning("the arguments were within another object, or in its text", "nothing"),
    "empty": Meaning("nothing, or an empty text, was taken for no arguments", "nothing"),
    "absent": Meaning("null was taken for an optional value that is not there", "write `T?` if null means something"),
    "dropped": Meaning("an argument without a parameter was left out", "look at the name"),
    "kept": Meaning("an undeclared key that looks like a declared one was kept", "look at the name"),
    "called": Meaning("a model wrote the name of a tool in another spelling", "nothing"),
    "unchecked": Meaning("the hint of a parameter has no JSON form, so its value is not checked", "write the hint that the message names"),
    "naive": Meaning("a datetime of a result has no offset", "return aware datetimes"),
    "left_out": Meaning("a model does not see an undeclared key of a record that it is shown closed", "declare it"),
    "not_json": Meaning("a number of a result has no JSON form", "return None instead"),
}  # fmt: skip

#: Of the flaws of programs, by kind: the meaning, and a program that has it, if one line shows it.
FLAWS: dict[str, tuple[str, str]] = {
    "syntax": ("it is not Python", "find('a'"),
    "size": ("it is longer than [a limit](limits.md#programs)", ""),
    "depth": ("it nests deeper than a limit", ""),
    "refused_syntax": ("the sandbox does not run this syntax", "del x"),
    "unknown_module": ("the sandbox has no such module", "import requests"),
    "unknown_tool": ("no tool has this name", "fnd('a')"),
    "unknown_name": ("nothing has this name", "print(orders)"),
    "unknown_argument": ("the tool has no such parameter", "find('a', limit=2)"),
    "missing_argument": ("a required parameter is not given", "find()"),
    "repeated_argument": ("a parameter is given twice", "find('a', text='b')"),
    "extra_argument": ("there are more arguments than parameters", "cancel(1, 2)"),
    "wrong_argument": ("an argument never fits", "cancel('all')"),
    "unknown_key": ("the record has no such key", "find('a')[0]['total']"),
    "maybe_missing": ("the key is optional", "find('a')[0]['note']"),
    "maybe_nil": ("the value may be None", "find('a')[0]['by'].upper()"),
    "unknown_attribute": ("a record is read with `[…]`", "find('a')[0].id"),
    "not_iterable": ("the value cannot be iterated over", "list(cancel(1))"),
    "not_indexable": ("the value has no items", "cancel(1)['id']"),
    "not_callable": ("the value is no function", "x = cancel(1); x(2)"),
    "wrong_unpacking": ("the number of items is another", "a, b = (1, 2, 3)"),
    "wrong_operands": ("the operator does not take these values", "'a' + find('a')[0]['id']"),
    "missing_await": ("calls are awaited here", ""),
    "needless_await": ("calls are not awaited here", "await find('a')"),
    "not_run_there": ("a tool cannot be handed to this function", "list(map(cancel, [1]))"),
    "unchecked": ("a part was not checked; the run tells", ""),
    "raised": ("the program raised an exception when it ran", ""),
    "limit": ("the run came to a limit of its `Bounds`", ""),
}


def area(x):  # type: ignore[no-untyped-def]
    return x


#: Of the exceptions, by code: what raises it, and what to do.
ERRORS: dict[str, tuple[str, str, Callable[[], object] | None]] = {
    "misuse": (
        "`TypesigError`: an argument, an option or a combination that is wrong; the message says what to write",
        "TypesigError", lambda: typesig.parse(":int").validate(1, mode="loose"),  # type: ignore[arg-type]
    ),
    "invalid_syntax": ("`SignatureSyntaxError`: the text is not a signature", "SignatureSyntaxError", lambda: typesig.parse("(id :int")),
    "unknown_type": ("`SignatureSyntaxError` in gram: there is no such type", "SignatureSyntaxError", lambda: typesig.parse("(a: Itn) --> Int", "gram")),
    "malformed_parameters": ("`SignatureSyntaxError` in gram: the parameters are not well formed", "SignatureSyntaxError", lambda: typesig.parse("(a: Int b: Int) --> Int", "gram")),
    "invalid_record": ("`SignatureSyntaxError` in gram: a record is not well formed", "SignatureSyntaxError", lambda: typesig.parse("(a: {x}) --> Int", "gram")),
    "missing_return_type": ("`SignatureSyntaxError` in gram: there is no result", "SignatureSyntaxError", lambda: typesig.parse("(a: Int)", "gram")),
    "no_signature": ("`ExtractionError`: the callable cannot be described, or not *strictly*; annotate it", "ExtractionError", lambda: typesig.tool(area)),
    "unsupported": ("`Unsupported`: a notation or a schema has no form for it; `lossy=True` widens it", "Unsupported", lambda: typesig.render(":int[1..5]", "gram")),
    "too_deep": ("`TooDeep`: it nests deeper than [a limit](limits.md)", "TooDeep", lambda: typesig.parse("[" * 200 + ":int" + "]" * 200)),
    "too_large": ("`TooLarge`: it is longer, or has more parts, than a limit", "TooLarge", lambda: typesig.parse(":int" + " " * 250_000)),
    "invalid_value": ("`ValidationError`: `value` was read of an outcome that has errors; ask `ok` first", "ValidationError", lambda: typesig.parse(":int").validate("x").value),
    "contract_broken": ("`contracts.ContractBroken`: a tool of others is no longer what its lock says; see [pin tools](../how-to/pin-tools.md)", "ContractBroken", None),
    "no_sample": ("`relations.NoSample`: no value of the type was found; it may have none", "NoSample", lambda: relations.samples(":string[/^b$/, /^a$/]", 1)),
}  # fmt: skip

#: Of losses, by kind.
LOSSES: dict[str, str] = {
    "omitted": "it is not written at all; what is accepted is the same, or wider",
    "renamed": "a name is written in another way, and read back",
    "widened": "a type that takes more is written",
    "narrowed": "a type that takes less is written, since the provider has no other form",
    "rewritten": "another form with the same meaning is written",
    "refused": "the tool has no definition for this provider",
}

#: Of warnings about hints, by kind.
HINTS: dict[str, str] = {
    "any": "the hint has no form in a signature, so it is `:any`",
    "unhinted": "there is no hint, so it is `:any`",
    "partial": "a part of what the hint or the docstring says is not in the signature",
    "inferred": "there is no hint, so the type of the docstring or of the default is taken",
    "left_out": "a toolset does not have the callable",
}


def _code(text: str) -> str:
    text = text.splitlines()[0] if text else ""
    return f"`{text[:160] + '…' if len(text) > 160 else text}`".replace("|", "\\|") if text else ""


def _printed() -> Mapping[str, str]:
    """Return the first message of each code, as it is printed."""
    found: dict[str, str] = {}
    for param in CODES:
        code, _, line = param.values
        found.setdefault(str(code), str(line))
    return found


def _issues(*, warnings: bool) -> str:
    printed = _printed()
    rows = [
        f'| <a id="{code}"></a>`{code}` | {one.means} | {_code(printed[code])} | {one.do} |'
        for code, one in ISSUES.items()
        if (code in WARNINGS) == warnings
    ]
    return "\n".join(["| code | means | such as | what to do |", "|---|---|---|---|", *rows])


def _tools() -> typesig.Toolset:
    order = "{id :int, by :string|:nil, note? :string}!"
    find = typesig.tool(f"(text :string, count :int = 3) -> [{order}]", name="find")
    cancel = typesig.tool("(id :int) -> :bool", name="cancel")
    return typesig.tools_of([find(lambda text, count: []), cancel(lambda id: True)])


def flaws_of(program: str) -> dict[str, str]:
    """Return the sentences about *program*, by kind."""
    found = _tools().code().check(program)
    told = [each for each in (*found.errors, *found.warnings) if isinstance(each, Flaw)]
    return {each.kind: each.got + (f" ({each.hint})" if each.hint else "") for each in told}


def _programs() -> str:
    out = ["| kind | means | such as | message |", "|---|---|---|---|"]
    for kind, (means, program) in FLAWS.items():
        said = flaws_of(program.replace("; ", "\n"))[kind] if program else ""
        out.append(f"| `{kind}` | {means} | {_code(program)} | {_code(said)} |")
    return "\n".join(out)


def raised_by(call: Callable[[], object]) -> typesig.TypesigError:
    """Return the error that *call* raises."""
    try:
        call()
    except typesig.TypesigError as error:
        return error
    raise AssertionError("nothing was raised")


def _errors() -> str:
    out = ["| code | means | such as |", "|---|---|---|"]
    for code, (means, _, call) in ERRORS.items():
        said = "" if call is None else str(raised_by(call)).rpartition("\n")[2].strip()
        out.append(f'| <a id="{code}"></a>`{code}` | {means} | {_code(said)} |')
    return "\n".join(out)


def _kinds(rows: Mapping[str, str]) -> str:
    lines = [f"| `{kind}` | {means} |" for kind, means in rows.items()]
    return "\n".join(["| kind | means |", "|---|---|", *lines])


def page(text: str) -> str:
    """Return the *text* of the page with its tables written anew."""
    made: dict[str, Callable[[], Any]] = {
        "errors": lambda: _issues(warnings=False),
        "warnings": lambda: _issues(warnings=True),
        "programs": _programs,
        "exceptions": _errors,
        "losses": lambda: _kinds(LOSSES),
        "hints": lambda: _kinds(HINTS),
    }
    return _MARKED.sub(lambda found: f"{found[1]}\n{made[found[2]]()}\n\n{found[3]}", text)


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
