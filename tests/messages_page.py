"""The tables of `docs/reference/messages.md`: what each code of a message means, and what to do.

    python -m tests.messages_page

writes them anew, each between its mark and `<!-- end -->`: the texts of this module, each with a
message as it is printed, made by the rows of `tests.validation.issues.test_issues` and by the programs and
calls below.  A test compares, and another one asks for the meaning of every code.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import typesig
from tests.validation.issues.test_issues import CODES, WARNINGS
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
    "missing": Meaning("a required field or parameter is missing", "give it a default if it is optional"),
    "enum": Meaning("the value is not one of the listed values", "send the report back; add the value if it is right"),
    "refined": Meaning("the type is right, but not a bound, length, pattern or format", "send the report back"),
    "key": Meaning("a key of a map has another type", "send the report back"),
    "extra": Meaning("a closed record has no such key", "open the record, or see a policy's `extras`"),
    "twice": Meaning("two spellings of one name were sent", "send one of them"),
    "keys": Meaning("two texts become the same key", "send one of them"),
    "repeated": Meaning("a list of pairs that represents a map has a duplicate key", "send one of them"),
    "duplicate": Meaning("items that must differ are equal", "send each once"),
    "length": Meaning("a tuple has another number of items", "send the report back"),
    "several": Meaning("more than one branch of `:one` fits", "make the branches disjoint, or write a union"),
    "depth": Meaning("the value is nested deeper than [a limit](limits.md)", "send flatter data"),
    "filled": Meaning("defaults would fill in more values than a limit", "make the default smaller"),
    "size": Meaning("the value has more parts than a limit, or contains itself", "send less"),
    "json": Meaning("the text is not JSON, and the mode cannot repair it", "send the report back"),
    "tool": Meaning("the tool raised `ToolError`", "the tool wrote the text"),
    "passing": Meaning("the tool raised `ToolError` with *retry*, and did not run again", "give a `Governance` with `retries`"),
    "late": Meaning("a time limit ended before the call could run", "raise `seconds` or `turn`"),
    "refused": Meaning("a hook, a person or a limit of a `Governance` refused the call", "the message says which"),
    "retried": Meaning("a call ran more than once", "nothing; a `Ledger` counts them"),
    "refusal": Meaning("the model refused to answer `ask`", "nothing more is asked; ask for something else"),
    "filtered": Meaning("a filter of the vendor stopped the answer, or blocked the prompt", "nothing more is asked; change the prompt"),
    "truncated": Meaning("the answer reached its token limit", "raise the limit, or give `ask` [`more_tokens`](../how-to/repair.md)"),
    "call": Meaning("the call cannot be read, or names an unknown tool", "send the report back"),
    "program": Meaning("a model's program has a flaw; its `kind` is [one of these](#programs)", "send the report back"),
    "host": Meaning("the value conforms, but cannot become the Python object of the hint", "narrow the hint or the type"),
    "cannot": Meaning("a bare `coerce` cannot read the value as the type", "give a value that can be read"),
    "cannot_be": Meaning("a bare `coerce` cannot read the value as one of the listed values", "give one of them"),
    "coerced": Meaning("a value was converted to the type; `rule` is the [coercion](../how-to/modes.md)", "nothing, or turn it off"),
    "mended": Meaning("the JSON text was repaired; `rule` is the repair", "nothing, or turn it off"),
    "parsed": Meaning("JSON text was parsed because the type is a list or a map", "nothing"),
    "renamed": Meaning("a key in another spelling was used for the declared key", "nothing"),
    "unwrapped": Meaning("the arguments were inside another object, or in its text", "nothing"),
    "empty": Meaning("nothing or empty text was treated as no arguments", "nothing"),
    "absent": Meaning("null was treated as an absent optional value", "write `T?` if null means something"),
    "dropped": Meaning("an argument without a parameter was dropped", "look at the name"),
    "kept": Meaning("an undeclared key that resembles a declared one was kept", "look at the name"),
    "called": Meaning("a model wrote the name of a tool in another spelling", "nothing"),
    "unchecked": Meaning("the hint of a parameter has no JSON form, so its value is not checked", "write the hint that the message names"),
    "naive": Meaning("a datetime in a result has no offset", "return aware datetimes"),
    "left_out": Meaning("the model does not see an undeclared key, because its schema shows a closed record", "declare it"),
    "not_json": Meaning("a number in a result has no JSON form", "return None instead"),
}  # fmt: skip

#: Of the flaws of programs, by kind: the meaning, and a program that has it, if one line shows it.
FLAWS: dict[str, tuple[str, str]] = {
    "syntax": ("the text is not Python", "find('a'"),
    "size": ("the program is longer than [a limit](limits.md#programs)", ""),
    "depth": ("the program is nested deeper than a limit", ""),
    "refused_syntax": ("the sandbox does not support this syntax", "del x"),
    "unknown_module": ("the sandbox has no such module", "import requests"),
    "unknown_tool": ("no tool has this name", "fnd('a')"),
    "unknown_name": ("nothing has this name", "print(orders)"),
    "unknown_argument": ("the tool has no such parameter", "find('a', limit=2)"),
    "missing_argument": ("a required argument is missing", "find()"),
    "repeated_argument": ("an argument is passed twice", "find('a', text='b')"),
    "extra_argument": ("there are more arguments than parameters", "cancel(1, 2)"),
    "wrong_argument": ("no value of the argument can fit", "cancel('all')"),
    "unknown_key": ("the record has no such key", "find('a')[0]['total']"),
    "maybe_missing": ("the key is optional", "find('a')[0]['note']"),
    "maybe_nil": ("the value may be None", "find('a')[0]['by'].upper()"),
    "unknown_attribute": ("a record is read with `[…]`", "find('a')[0].id"),
    "not_iterable": ("the value cannot be iterated over", "list(cancel(1))"),
    "not_indexable": ("the value has no items", "cancel(1)['id']"),
    "not_callable": ("the value is not a function", "x = cancel(1); x(2)"),
    "wrong_unpacking": ("the number of items differs", "a, b = (1, 2, 3)"),
    "wrong_operands": ("the operator does not accept these values", "'a' + find('a')[0]['id']"),
    "missing_await": ("calls must be awaited in this style", ""),
    "needless_await": ("calls must not be awaited in this style", "await find('a')"),
    "not_run_there": ("a tool cannot be passed to this function", "list(map(cancel, [1]))"),
    "unchecked": ("a part could not be checked before the run", ""),
    "raised": ("the program raised an exception when it ran", ""),
    "limit": ("the run reached a limit of its `Bounds`", ""),
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
    "unknown_type": ("`SignatureSyntaxError` in gram: the type is unknown", "SignatureSyntaxError", lambda: typesig.parse("(a: Itn) --> Int", "gram")),
    "malformed_parameters": ("`SignatureSyntaxError` in gram: the parameters are not well formed", "SignatureSyntaxError", lambda: typesig.parse("(a: Int b: Int) --> Int", "gram")),
    "invalid_record": ("`SignatureSyntaxError` in gram: a record is not well formed", "SignatureSyntaxError", lambda: typesig.parse("(a: {x}) --> Int", "gram")),
    "missing_return_type": ("`SignatureSyntaxError` in gram: the result is missing", "SignatureSyntaxError", lambda: typesig.parse("(a: Int)", "gram")),
    "no_signature": ("`ExtractionError`: typesig cannot describe the callable, or not *strictly*; annotate it", "ExtractionError", lambda: typesig.tool(area)),
    "unsupported": ("`Unsupported`: a notation or a schema has no form for it; `lossy=True` widens it", "Unsupported", lambda: typesig.render(":int[1..5]", "gram")),
    "too_deep": ("`TooDeep`: the value, type or text is nested deeper than [a limit](limits.md)", "TooDeep", lambda: typesig.parse("[" * 200 + ":int" + "]" * 200)),
    "too_large": ("`TooLarge`: the value, type or text is longer or has more parts than a limit", "TooLarge", lambda: typesig.parse(":int" + " " * 250_000)),
    "invalid_value": ("`ValidationError`: your code read the `value` of an outcome with errors; check `ok` first", "ValidationError", lambda: typesig.parse(":int").validate("x").value),
    "contract_broken": ("`contracts.ContractBroken`: a third-party tool differs from its lock; see [pin tools](../how-to/pin-tools.md)", "ContractBroken", None),
    "no_sample": ("`relations.NoSample`: no value of the type was found; the type may be empty", "NoSample", lambda: relations.samples(":string[/^b$/, /^a$/]", 1)),
}  # fmt: skip

#: Of losses, by kind.
LOSSES: dict[str, str] = {
    "omitted": "the part is omitted; the type accepts the same values or more",
    "renamed": "a name is written differently; reading restores it",
    "widened": "the written type accepts more values",
    "narrowed": "the written type accepts fewer values, since the provider has no other form",
    "rewritten": "the written form differs but has the same meaning",
    "refused": "the tool has no definition for this provider",
}

#: Of warnings about hints, by kind.
HINTS: dict[str, str] = {
    "any": "a signature cannot express the hint, so the type is `:any`",
    "unhinted": "there is no hint, so the type is `:any`",
    "partial": "the signature lacks a part of the hint or the docstring",
    "inferred": "there is no hint, so the type comes from the docstring or the default",
    "left_out": "the toolset omits the callable",
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
    return "\n".join(["| code | means | example | what to do |", "|---|---|---|---|", *rows])


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
    out = ["| kind | means | example | message |", "|---|---|---|---|"]
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
    out = ["| code | means | example |", "|---|---|---|"]
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
