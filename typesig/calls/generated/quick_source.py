"""The short way of a call in generated code: arguments, call and result in one function.

Text of the source comes from this package only; names, defaults and what decodes are constants.
Whatever the code does not know is left to the functions that it is given.
"""

from __future__ import annotations

from collections.abc import Callable, Container
from typing import TYPE_CHECKING, Any, NamedTuple

from typesig.algebra.definitions import Definition
from typesig.algebra.nodes import ANY, Field, List, Record, Type
from typesig.algebra.signature import Signature
from typesig.calls.results import find_max_places
from typesig.codegen import Constants, Lines
from typesig.json_backends import UNREAD
from typesig.limits import MAX_UNWATCHED
from typesig.validation.check.check import compiler_of
from typesig.validation.generated.compiled_verdicts import Verdict
from typesig.validation.generated.conditions import condition
from typesig.validation.generated.function_texts import lines_of_passed
from typesig.validation.generated.kept_values import is_kept
from typesig.validation.generated.predicate_answers import NAMES
from typesig.validation.generated.program import predicate, predicate_of_arguments
from typesig.validation.generated.sent_text import Sent, plan_reading
from typesig.validation.generated.source import Place, Test
from typesig.validation.policy import Extras, Policy

if TYPE_CHECKING:
    from typesig.extraction.onepass.plan_reader import ReadPlan

#: The arguments that generated code takes, and the parameters that it writes; more are checked by
#: their names.
_MOST_PARAMS = 100

#: The classes of values that cannot change.
SCALARS = frozenset({str, int, bool, type(None), float})


class Taking(NamedTuple):
    """What a call takes.

    #: nested: the policy of the check; undeclared: what is done with undeclared names
    #: fills: defaults that are the same at each call; makes: what makes the others
    #: own: defaults of the function, its own objects
    #: decodes: what decodes an argument that was checked; reads: the plans that check and decode
    #: nil: the names that are None if they are absent
    #: sent: the type of the arguments as they are sent, if in another form; decode: decodes that
    #:     form, or None; keeps_digits: whether numbers keep them
    #: verdict: the verdict of the arguments with what `fills` has, or None if there is none
    #: drops_nulls: whether a null may stand for an absent argument
    """

    signature: Signature
    nested: Policy
    undeclared: Extras
    fills: dict[str, Any]
    makes: dict[str, Callable[[], Any]]
    own: dict[str, Any]
    decodes: dict[str, Callable[[Any], Any]]
    reads: dict[str, ReadPlan]
    nil: frozenset[str]
    sent: Type | None
    decode: Callable[[Any], Any] | None
    keeps_digits: bool
    verdict: Verdict | None
    drops_nulls: bool


class Giving(NamedTuple):
    """What a call gives.

    #: policy: that of the check, which refuses undeclared keys where there are any
    """

    type: Type
    definitions: tuple[Definition, ...]
    policy: Policy


def call_of(taking: Taking, giving: Giving | None, helpers: dict[str, Any], awaits: bool) -> Any:
    """Return the function that calls a function with what was sent, or None if there is no code.

    It takes the function, its receiver or None, and the arguments; it returns the outcome, or None
    for a call that takes the long way.  What it may be given beside them returns what to return in
    place of the outcome of a whole value, or `NOT_WHOLE`.

    *helpers* has, by name: `read_map`, which returns the map that text holds, or None;
    `read_sent_map`, the same before it is decoded;
    `taken`, which returns the arguments that the code does not know, and what was found in them, or
    the outcome if they are refused, or None; `failed`, the outcome of a `ToolError`; `results`,
    whose `writer` makes the value of a result of one of the `classes`, or raises `Unknown`, as does
    its `text`, which makes the text while these are asked for, as `about.as_text` tells; `settled`,
    the outcome of any result.  A result that *giving* does not tell of, None, is always settled.
    """
    params = taking.signature.params
    if len(params) > _MOST_PARAMS or taking.signature.extra not in (ANY, None):
        return None
    out = Lines(Constants({**NAMES, **helpers}))
    _write_arguments(out, taking)
    _write_call(out, params, taking, awaits)
    if giving is not None:
        _write_result(out, giving)
    wait = "await " if awaits else ""
    out.add(f"return {wait}settled(returned, found)")
    head = f"{'async ' if awaits else ''}def call("
    return out.compile_function(
        f"{head}function, receiver, x0, show=None, type=type, len=len):", "call"
    )


def _is_filled(field: Field, taking: Taking) -> bool:
    """Whether the function always gets *field*."""
    known: tuple[Container[str], ...] = taking.fills, taking.makes, taking.own, taking.nil
    return field.required or any(field.name in each for each in known)


def _write_arguments(out: Lines, taking: Taking) -> None:
    """Write lines that set the variable of each argument, and `short` if they are as they are."""
    params = taking.signature.params
    tests = _tests(out, taking)
    arguments, digits = taking.signature.arguments, taking.keeps_digits
    # What is neither read by a plan nor kept as it is has to be plain.
    is_read = bool(taking.reads) and all(f.name in taking.reads or is_kept(f.type) for f in params)
    if taking.sent is None:
        read = plan_reading(arguments, "x0", "text", digits, out.constants, to_objects=is_read)
    else:
        read = plan_reading(
            taking.sent, "s0", "text", digits, out.constants, arguments, to_objects=is_read
        )
    out.add("found = None", "short = is_read = False")
    with out.open_block("if type(x0) is not dict:"):
        if read is None:
            _write_map_in(out, "read_sent_map(x0)")
        else:
            out.add("text, is_read = x0, True")
            _write_scan(out, read)
    if taking.sent is not None:
        out.add("s0 = x0")
    with out.open_block("try:"):
        if taking.decode is not None:
            out.add(f"x0 = {out.constants.bind(taking.decode)}(x0)")
        if tests is None:
            judge = out.constants.bind(_judge(taking))
            with out.open_block(f"if {judge}(x0) is True:"):
                _write_values(out, taking, "")
                out.add("short = True")
        else:
            out.add(f"count = {sum(field.required for field in params)}")
            _write_values(out, taking, "count += 1")
            wrong = " or ".join([*tests, "len(x0) != count"])
            out.add(f"short = not ({wrong})")
        if read is not None:
            out.add(f"short = short and not (is_read and {read.differs})")
        _write_reading(out, taking)
    with out.open_block("except Exception:"):
        out.add("short = False")
    if read is not None:
        with out.open_block("if is_read and not short:"):
            _write_map_in(out, f"read_map(text, {'x0' if taking.sent is None else 's0'})")
    if taking.sent is not None:
        with out.open_block("elif not short:" if read is not None else "if not short:"):
            _write_map_in(out, "read_map(s0)")
    with out.open_block("if short:"):
        _write_decoding(out, taking)
    with out.open_block("else:"):
        _write_coercing(out, taking)


def _write_map_in(out: Lines, read: str) -> None:
    """Write lines that set the map that the expression *read* has, or return if it has none."""
    out.add(f"x0 = {read}")
    with out.open_block("if x0 is None:"):
        out.add("return None")


def _write_scan(out: Lines, read: Sent) -> None:
    """Write lines that read a map from text as it is, None if that has none."""
    with out.open_block("try:"):
        out.add(f"x0, end = {read.scanned}")
        out.add("if type(x0) is not dict or end != len(text): x0 = None")
    with out.open_block("except Exception:"):
        out.add("x0 = None")


def _write_values(out: Lines, taking: Taking, count: str) -> None:
    """Write lines that set the variable of each argument; *count* counts one that may be absent."""
    for place, field in enumerate(taking.signature.params):
        key = out.constants.bind_key(field.name)
        value = f"v{place} = x0[{key}]"
        if field.required:
            out.add(value)
            continue
        with out.open_block(f"if {key} in x0:"):
            out.add(value, *([count] if count else []))
        with out.open_block("else:"):
            out.add(f"v{place} = {_absent(out, field.name, taking)}")


def _write_coercing(out: Lines, taking: Taking) -> None:
    """Write lines that take arguments which the check changes, or of which it is not known."""
    bound, given = out.constants.bind, _names_of(taking)
    if taking.verdict is None or taking.decodes or not given:
        _write_taken(out)
        return
    names, verdict = bound(given), bound(taking.verdict)
    filled = f"{{**{bound(taking.fills)}, **x0}}" if taking.fills else "x0"
    out.add("named = told = found = None")
    # Of such nulls the verdict would tell, too, but with errors.
    has_null = f" and not {bound(_has_null)}(x0)" if taking.drops_nulls else ""
    with out.open_block(f"if x0.keys() <= {names}{has_null}:"):
        out.add(f"found = {verdict}({filled})", "named, told = found._result, found._told")
        with out.open_block("if told is None:"):
            out.add("found = None")
    # It has errors, or an argument is absent that the function has to get.
    wrong = "named is None or type(told) not in note_classes"
    if taking.makes or taking.nil:
        wrong += f" or named.keys() != {names}"
    with out.open_block(f"if {wrong}:"):
        _write_taken(out)


def _has_null(data: dict[str, Any]) -> bool:
    """Whether an argument in *data* is null."""
    return any(part is None for part in data.values())


def _write_taken(out: Lines) -> None:
    out.add("named = taken(x0, found)")
    with out.open_block("if type(named) is not tuple:"):
        out.add("return named")
    out.add("named, found = named")


def _names_of(taking: Taking) -> frozenset[str]:
    """Return the names of the parameters."""
    return frozenset([field.name for field in taking.signature.params])


def _absent(out: Lines, name: str, taking: Taking) -> str:
    """Return the expression of what an argument is that is absent."""
    if name in taking.makes:
        return f"{out.constants.bind(taking.makes[name])}()"
    if name in taking.fills:
        return out.constants.bind(taking.fills[name])
    if name in taking.own:
        return out.constants.bind(taking.own[name])
    return "None" if name in taking.nil else "absent"


def _judge(taking: Taking) -> Any:
    return predicate_of_arguments(
        taking.signature, taking.nested, taking.undeclared, False, fills=False
    )


def _tests(out: Lines, taking: Taking) -> list[str] | None:
    """Return an expression for each argument that is true if it does not conform.

    Returns None if an argument may have parts: the predicate of all arguments counts these.
    """
    tests = []
    for place, field in enumerate(taking.signature.params):
        t, name = field.type, f"v{place}"
        if field.name in taking.reads:
            continue
        definitions = taking.signature.definitions
        compiler = compiler_of(t, definitions, taking.nested)
        is_known = find_max_places(t) is not None
        test = condition(t, Place(name, compiler), out.constants) if is_known else None
        if test is None:
            if not taking.reads:
                return None
            judge = out.constants.bind(predicate(t, definitions, taking.nested))
            test = Test(f"{judge}({name}) is not True")
        default = taking.own.get(field.name)
        if default is not None and type(default) not in SCALARS:
            # No data is the function's own object.
            own = out.constants.bind(default)
            tests.append(f"({name} is not {own} and ({test.text}))")
            continue
        is_given = _is_filled(field, taking)
        tests.append(test.text if is_given else f"({name} is not absent and ({test.text}))")
    return tests


def _write_reading(out: Lines, taking: Taking) -> None:
    """Write lines that check and decode arguments by plans, of which others' functions are last."""
    steps = []
    for place, field in enumerate(taking.signature.params):
        plan = taking.reads.get(field.name)
        if plan is None:
            continue
        read, is_counted = (plan.read, ", is_read") if plan.limit else (plan.compile(), "")
        line = f"v{place} = {out.constants.bind(read)}(v{place}{is_counted})"
        lines = [_given(out, field, taking, line)]
        if plan.limit:
            lines.append(f"short = short and v{place} is not {out.constants.bind(UNREAD)}")
        steps.append((plan.is_pure, lines))
    if steps:
        with out.open_block("if short:"):
            for _, lines in sorted(steps, key=lambda step: not step[0]):
                out.add(*lines)


def _given(out: Lines, field: Field, taking: Taking, line: str) -> str:
    """Return the *line* that decodes the argument of *field*, if there is one."""
    # An absent argument without a default is None, or left out.
    is_made = field.name in taking.fills or field.name in taking.makes
    is_given = field.required or is_made
    return line if is_given else f"if {out.constants.bind_key(field.name)} in x0: {line}"


def _write_decoding(out: Lines, taking: Taking) -> None:
    """Write lines that decode the arguments that no plan reads."""
    steps = []
    for place, field in enumerate(taking.signature.params):
        decode = taking.decodes.get(field.name)
        if decode is not None and field.name not in taking.reads:
            line = f"v{place} = {out.constants.bind(decode)}(v{place})"
            steps.append(_given(out, field, taking, line))
    if steps:
        with out.open_block("try:"):
            out.add(*steps)
        # The long way tells why.
        with out.open_block("except refusals:"):
            out.add("return None")


def _write_call(out: Lines, params: tuple[Field, ...], taking: Taking, awaits: bool) -> None:
    """Write lines that call the function."""
    name, key = out.constants.name, out.constants.bind_key
    filled = [at for at, field in enumerate(params) if _is_filled(field, taking)]
    given = [f"{name(params[at].name)}=v{at}" for at in filled]
    absent = [at for at in range(len(params)) if at not in set(filled)]
    if absent:
        given.append("**rest")
        with out.open_block("if short:"):
            out.add("rest = {}")
            for at in absent:
                with out.open_block(f"if v{at} is not absent:"):
                    out.add(f"rest[{key(params[at].name)}] = v{at}")
    told = ", ".join(given)
    ways = [
        ("if receiver is None:", f"function({told})", "function(**named)"),
        ("else:", f"function({', '.join(['receiver', *given])})", "function(receiver, **named)"),
    ]
    with out.open_block("try:"):
        for head, place in (("if short:", 1), ("else:", 2)):
            with out.open_block(head):
                for way in ways:
                    with out.open_block(way[0]):
                        out.add(f"returned = {way[place]}")
        if awaits:
            # A generator that has to be awaited may be an iterator, too.
            with out.open_block("if type(returned) is not CoroutineType:"):
                out.add("returned = kept(returned)")
            out.add("returned = await returned")
    with out.open_block("except ToolError as error:"):
        out.add("return failed(error, found)")


def _write_result(out: Lines, giving: Giving) -> None:
    """Write lines that return the outcome of a result which is plain, or has a known class."""
    t = giving.type
    test = None
    if find_max_places(t) is not None:
        compiler = compiler_of(t, giving.definitions, giving.policy)
        test = condition(t, Place("returned", compiler), out.constants)
    if test is not None:
        with out.open_block(f"if not ({test.text}):"):
            _write_passed(out, "returned", _TOLD)
        return
    item = t.item if isinstance(t, List) else t
    count = find_max_places(item)
    if count is not None:
        judge = out.constants.bind(predicate(t, giving.definitions, giving.policy))
        test_of_class = _class_test(t, count)
        with (
            out.open_block("try:"),
            out.open_block(f"if {test_of_class} and {judge}(returned) is True:"),
        ):
            _write_passed(out, "returned", _TOLD)
        with out.open_block("except Exception:"):
            pass
    # Objects of these classes are no iterators.
    with out.open_block("if type(returned) in classes:"):
        with out.open_block("try:"):
            with out.open_block("if about.as_text and show is None:"):
                out.add("value = results.text(returned)")
                out.add(*lines_of_passed("returned", "value, found, 'text'"))
            out.add("value = results.writer(returned)")
        with out.open_block("except Unknown:"):
            pass
        with out.open_block("else:"):
            _write_passed(out, "value", "value, found, whole")


def _write_passed(out: Lines, value: str, told: str, about: str = "about") -> None:
    """Write lines that return what is shown of the whole *value*, or its outcome."""
    # What a model reads beside the result is not shown so.
    with out.open_block("if show is not None and (found is None or not may_notice(found)):"):
        out.add(f"shown = show({about}, {value})")
        with out.open_block("if shown is not NOT_WHOLE:"):
            out.add("return shown")
    out.add(*lines_of_passed("returned", told, about=about))


#: What the outcome of a whole result tells.
_TOLD = "None if found is None else (returned, found, whole)"


def _class_test(t: Type, count: int) -> str:
    if isinstance(t, Record):
        return "type(returned) is dict"
    short = f"len(returned) <= {MAX_UNWATCHED // count}"
    if isinstance(t, List):
        return f"type(returned) is list and {short}"
    return f"type(returned) in plain_classes and (type(returned) is not list or {short})"
