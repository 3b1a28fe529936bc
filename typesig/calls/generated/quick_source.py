"""The short way of a call in generated code: arguments, call and result in one function.

Text of the source comes from this package only; names, defaults and what decodes are constants.
Whatever the code does not know is left to the functions that it is given.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from typesig.algebra.definitions import Definition
from typesig.algebra.nodes import ANY, Field, List, Record, Type
from typesig.algebra.signature import Signature
from typesig.calls.plainness import places_in
from typesig.limits import MAX_UNWATCHED
from typesig.validation.check.check import compiler_of
from typesig.validation.generated.compiled_verdicts import Verdict
from typesig.validation.generated.conditions import condition
from typesig.validation.generated.program import executed, predicate, predicate_of_arguments
from typesig.validation.generated.source import Place, Program
from typesig.validation.rows.policy import Extras, Policy

#: The arguments that generated code takes, and the parameters that it writes; more are checked by
#: their names.
_MOST_PARAMS = 100


class Taking(NamedTuple):
    """What a call takes.

    #: nested: the policy of the check; undeclared: what is done with undeclared names
    #: fills: defaults that are the same at each call; makes: what makes the others
    #: decodes: what decodes an argument; nil: the names that are None if they are absent
    #: is_sent: whether arguments are sent in another form
    #: verdict: the verdict of the arguments with what `fills` has, or None if there is none
    """

    signature: Signature
    nested: Policy
    undeclared: Extras
    fills: dict[str, Any]
    makes: dict[str, Callable[[], Any]]
    decodes: dict[str, Callable[[Any], Any]]
    nil: frozenset[str]
    is_sent: bool
    verdict: Verdict | None


class Giving(NamedTuple):
    """What a call gives.

    #: policy: that of the check, which refuses undeclared keys where there are any
    """

    type: Type
    definitions: tuple[Definition, ...]
    policy: Policy


class _Writer:
    """The lines of one function, and the constants that they use."""

    def __init__(self) -> None:
        self.program = Program(False)
        self.lines: list[str] = []

    def add(self, level: int, *lines: str) -> None:
        """Add *lines* at a *level* of indentation."""
        self.lines += ["    " * level + line for line in lines]

    def bound(self, value: Any) -> str:
        """Return the name of the constant *value*."""
        return self.program.bound(value)


def call_of(taking: Taking, giving: Giving | None, helpers: dict[str, Any], awaits: bool) -> Any:
    """Return the function that calls a function with what was sent, or None if there is no code.

    It takes the function, its receiver or None, and the arguments; it returns the outcome, or None
    for a call that takes the long way.  *helpers* has, by name: `map_in`, which returns the map
    that text holds, or None; `taken`, which returns the arguments that the code does not know, and
    what was found in them, or the outcome if they are refused, or None; `failed`, the outcome of a
    `ToolError`; `results`, whose `writer` makes the value of a result of one of the `classes`, or
    raises `Unknown`; `settled`, the outcome of any result.  A result that *giving* does not tell
    of, None, is always settled.
    """
    params = taking.signature.params
    if len(params) > _MOST_PARAMS or taking.signature.extra not in (ANY, None):
        return None
    out = _Writer()
    out.program.namespace.update(helpers)
    _write_arguments(out, taking)
    _write_call(out, params, taking, awaits)
    if giving is not None:
        _write_result(out, giving)
    wait = "await " if awaits else ""
    out.add(1, f"return {wait}settled(returned, found)")
    head = f"{'async ' if awaits else ''}def call(function, receiver, x0, type=type, len=len):"
    return executed("\n".join([head, *out.lines]), out.program, "call")


def _is_filled(field: Field, taking: Taking) -> bool:
    """Tell whether the function always gets *field*."""
    name = field.name
    return field.required or name in taking.fills or name in taking.makes or name in taking.nil


def _write_arguments(out: _Writer, taking: Taking) -> None:
    """Write lines that set the variable of each argument, and `short` if they are as they are."""
    params = taking.signature.params
    tests = _tests(out, taking)
    required = sum(field.required for field in params)
    out.add(
        1,
        "found = None",
        "short = False",
        # Another form is always read.
        "if True:" if taking.is_sent else "if type(x0) is not dict:",
        "    x0 = map_in(x0)",
        "    if x0 is None:",
        "        return None",
        "try:",
    )
    level = 2
    if tests is None:
        judge = _judge(taking)
        out.add(level, f"if {out.bound(judge)}(x0) is True:")
        level += 1
    else:
        out.add(level, f"count = {required}")
    for place, field in enumerate(params):
        key = out.program.key(field.name)
        if field.required:
            out.add(level, f"v{place} = x0[{key}]")
            continue
        present = [f"v{place} = x0[{key}]", *(["count += 1"] if tests is not None else [])]
        out.add(level, f"if {key} in x0:", *[f"    {line}" for line in present])
        out.add(level, "else:", f"    v{place} = {_absent(out, field.name, taking)}")
    if tests is None:
        out.add(level, "short = True")
    else:
        wrong = " or ".join([*tests, "len(x0) != count"])
        out.add(level, f"short = not ({wrong})")
    out.add(1, "except Exception:", "    pass")
    out.add(1, "if short:")
    _write_decoding(out, taking)
    out.add(1, "else:")
    _write_coercing(out, taking)


def _write_coercing(out: _Writer, taking: Taking) -> None:
    """Write lines that take arguments which the check changes, or of which it is not known."""
    level, given = 2, _names_of(taking)
    if taking.verdict is not None and not taking.decodes and given:
        names, verdict = out.bound(given), out.bound(taking.verdict)
        filled = f"{{**{out.bound(taking.fills)}, **x0}}" if taking.fills else "x0"
        out.add(
            2,
            "named = told = found = None",
            f"if x0.keys() <= {names}:",
            f"    found = {verdict}({filled})",
            "    named, told = found._result, found._told",
            "    if told is None:",
            "        found = None",
            # It has errors, or an argument is absent which nothing fills in here.
            f"if named is None or type(told) not in note_classes or named.keys() != {names}:",
        )
        level = 3
    lines = ["named = taken(x0, found)", "if type(named) is not tuple:", "    return named"]
    out.add(level, *lines, "named, found = named")


def _names_of(taking: Taking) -> frozenset[str]:
    """Return the names of the parameters."""
    return frozenset([field.name for field in taking.signature.params])


def _absent(out: _Writer, name: str, taking: Taking) -> str:
    """Return the expression of what an argument is that is absent."""
    if name in taking.makes:
        return f"{out.bound(taking.makes[name])}()"
    if name in taking.fills:
        return out.bound(taking.fills[name])
    return "None" if name in taking.nil else "absent"


def _judge(taking: Taking) -> Any:
    return predicate_of_arguments(
        taking.signature, taking.nested, taking.undeclared, False, fills=False
    )


def _tests(out: _Writer, taking: Taking) -> list[str] | None:
    """Return an expression for each argument that is true if it does not conform.

    Returns None if an argument may have parts: the predicate of all arguments counts these.
    """
    tests = []
    for place, field in enumerate(taking.signature.params):
        t, name = field.type, f"v{place}"
        if places_in(t) is None:
            return None
        compiler = compiler_of(t, taking.signature.definitions, taking.nested)
        test = condition(t, Place(name, compiler), out.program)
        if test is None:
            return None
        is_given = _is_filled(field, taking)
        tests.append(test.text if is_given else f"({name} is not absent and ({test.text}))")
    return tests


def _write_decoding(out: _Writer, taking: Taking) -> None:
    """Write lines that decode the arguments."""
    steps = []
    for place, field in enumerate(taking.signature.params):
        decode = taking.decodes.get(field.name)
        if decode is None:
            continue
        line = f"v{place} = {out.bound(decode)}(v{place})"
        # An absent argument without a default is None, or left out.
        is_made = field.name in taking.fills or field.name in taking.makes
        if not (field.required or is_made):
            line = f"if {out.program.key(field.name)} in x0: {line}"
        steps.append(line)
    if steps:
        out.add(2, "try:", *[f"    {step}" for step in steps])
        # The long way tells why.
        out.add(2, "except refusals:", "    return None")
    else:
        out.add(2, "pass")


def _write_call(out: _Writer, params: tuple[Field, ...], taking: Taking, awaits: bool) -> None:
    """Write lines that call the function."""
    given = []
    for place, field in enumerate(params):
        # The names stand in a constant, where the key takes the place of its literal.
        if _is_filled(field, taking):
            given.append(f"{out.program.key(field.name)[1:-1]}=v{place}")
    absent = [at for at, field in enumerate(params) if not _is_filled(field, taking)]
    if absent:
        given.append("**rest")
        out.add(1, "if short:", "    rest = {}")
    for place in absent:
        key = out.program.key(params[place].name)
        out.add(2, f"if v{place} is not absent:", f"    rest[{key}] = v{place}")
    told = ", ".join(given)
    held = f", {told}" if told else ""
    out.add(
        1,
        "try:",
        "    if short:",
        "        if receiver is None:",
        f"            returned = function({told})",
        "        else:",
        f"            returned = function(receiver{held})",
        "    elif receiver is None:",
        "        returned = function(**named)",
        "    else:",
        "        returned = function(receiver, **named)",
    )
    if awaits:
        # A generator that has to be awaited may be an iterator, too.
        out.add(2, "if type(returned) is not CoroutineType:", "    returned = kept(returned)")
        out.add(2, "returned = await returned")
    out.add(1, "except ToolError as error:", "    return failed(error, found)")


def _write_result(out: _Writer, giving: Giving) -> None:
    """Write lines that return the outcome of a result which is plain, or has a known class."""
    t = giving.type
    test = None
    if places_in(t) is not None:
        compiler = compiler_of(t, giving.definitions, giving.policy)
        test = condition(t, Place("returned", compiler), out.program)
    if test is not None:
        out.add(1, f"if not ({test.text}):")
        _write_outcome(out, 2, "None if found is None else (returned, found, whole)")
        return
    item = t.item if isinstance(t, List) else t
    count = places_in(item)
    if count is not None:
        judge = out.bound(predicate(t, giving.definitions, giving.policy))
        out.add(1, "try:", f"    if {_class_test(t, count)} and {judge}(returned) is True:")
        _write_outcome(out, 3, "None if found is None else (returned, found, whole)")
        out.add(1, "except Exception:", "    pass")
    # Objects of these classes are no iterators.
    out.add(1, "if type(returned) in classes:", "    try:")
    out.add(3, "value = results.writer(returned)")
    out.add(2, "except Unknown:", "    pass", "else:")
    _write_outcome(out, 3, "value, found, whole")


def _class_test(t: Type, count: int) -> str:
    if isinstance(t, Record):
        return "type(returned) is dict"
    short = f"len(returned) <= {MAX_UNWATCHED // count}"
    if isinstance(t, List):
        return f"type(returned) is list and {short}"
    return f"type(returned) in plain_classes and (type(returned) is not list or {short})"


def _write_outcome(out: _Writer, level: int, told: str) -> None:
    """Write lines that return the outcome, which tells what *told* is; see `AboutCall`."""
    out.add(
        level,
        "made = Passed()",
        "made._result = returned",
        "made._about = about",
        f"made._told = {told}",
        "return made",
    )
