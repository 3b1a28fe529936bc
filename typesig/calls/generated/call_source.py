"""Source code of the fast path of a call: arguments, call and result in one function.

The text of the source comes from this package only; names, defaults and decoders are constants.
Calls that the code cannot handle are left to the helper functions.
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
from typesig.validation.check.check import get_compiler
from typesig.validation.generated.compiled_verdicts import Verdict
from typesig.validation.generated.conditions import NAMES, Place, build_condition
from typesig.validation.generated.program import compile_argument_predicate, compile_predicate
from typesig.validation.generated.scan_plans import ScanPlan, plan_scan
from typesig.validation.generated.unchanged_outcomes import has_plain_values
from typesig.validation.generated.verdict_source import write_passed_lines
from typesig.validation.policy import Extras, Policy

if TYPE_CHECKING:
    from typesig.extraction.onepass.plan_reader import ReadPlan


#: The arguments that generated code takes, and the parameters that it writes; more are checked by
#: their names.
_MOST_PARAMS = 100

#: The classes of values that cannot change.
SCALARS = frozenset({str, int, bool, type(None), float})


class ArgumentPlan(NamedTuple):
    """The checks, defaults and decoders of the arguments of a call.

    #: nested: the policy of the check; undeclared: the treatment of unknown names
    #: fills: defaults that are the same at each call; makes: the factories of other defaults
    #: own: defaults of the function, its own objects
    #: decodes: what decodes an argument that was checked; reads: the plans that check and decode
    #: nil: the names that are None if they are absent
    #: sent: the type of the arguments as they are sent, if in another form; decode: decodes that
    #:     form, or None; keeps_digits: whether numbers keep them
    #: verdict: the verdict of the arguments with what `fills` has, or None if there is none
    #: drops_nulls: whether a null may count as an absent argument
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


class ResultPlan(NamedTuple):
    """The type and policy of the result of a call.

    #: policy: that of the check, which refuses undeclared keys where there are any
    """

    type: Type
    definitions: tuple[Definition, ...]
    policy: Policy


def compile_call(
    plan: ArgumentPlan, result_plan: ResultPlan | None, helpers: dict[str, Any], awaits: bool
) -> Any:
    """Compile the function that calls a function with the sent arguments; None if too large.

    It takes the function, its receiver or None, and the arguments; it returns the outcome, or None
    for a call that takes the slow path.  What it may be given beside them returns what to return in
    place of the outcome of a whole value, or `NOT_WHOLE`.

    *helpers* has, by name: `read_map`, which returns the map that text holds, or None;
    `read_sent_map`, the same before it is decoded;
    `taken`, which returns the arguments that the code does not know, and what was found in them, or
    the outcome if they are refused, or None; `failed`, the outcome of a `ToolError`; `results`,
    whose `writer` makes the value of a result of one of the `classes`, or raises `Unknown`, as does
    its `text`, which makes the text while these are asked for, as `about.as_text` tells; `settled`,
    the outcome of any result.  A result that *result_plan* does not tell of, None, is always
    settled.
    """
    params = plan.signature.params
    if len(params) > _MOST_PARAMS or plan.signature.extra not in (ANY, None):
        return None
    out = Lines(Constants({**NAMES, **helpers}))
    _write_arguments(out, plan)
    _write_call(out, params, plan, awaits)
    if result_plan is not None:
        _write_result(out, result_plan)
    wait = "await " if awaits else ""
    out.add(f"return {wait}settled(returned, found)")
    head = f"{'async ' if awaits else ''}def call("
    return out.compile_function(
        f"{head}function, receiver, x0, show=None, type=type, len=len):", "call"
    )


def _is_filled(field: Field, plan: ArgumentPlan) -> bool:
    """Whether the function always gets *field*."""
    known: tuple[Container[str], ...] = plan.fills, plan.makes, plan.own, plan.nil
    return field.required or any(field.name in each for each in known)


def _plan_scan(out: Lines, plan: ArgumentPlan) -> ScanPlan | None:
    """Plan the reading of the arguments' text without a map between, or return None."""
    arguments, digits = plan.signature.arguments, plan.keeps_digits
    # What is neither read by a plan nor kept as it is has to be plain.
    is_read = bool(plan.reads) and all(
        f.name in plan.reads or has_plain_values(f.type) for f in plan.signature.params
    )
    if plan.sent is None:
        return plan_scan(arguments, "x0", "text", digits, out.constants, to_objects=is_read)
    return plan_scan(plan.sent, "s0", "text", digits, out.constants, arguments, to_objects=is_read)


def _write_arguments(out: Lines, plan: ArgumentPlan) -> None:
    """Write lines that set the variable of each argument, and `short` if none needs a change."""
    params = plan.signature.params
    tests = _write_tests(out, plan)
    read = _plan_scan(out, plan)
    out.add("found = None", "short = is_read = False")
    with out.open_block("if type(x0) is not dict:"):
        if read is None:
            _write_map_in(out, "read_sent_map(x0)")
        else:
            out.add("text, is_read = x0, True")
            _write_scan(out, read)
    if plan.sent is not None:
        out.add("s0 = x0")
    with out.open_block("try:"):
        if plan.decode is not None:
            out.add(f"x0 = {out.constants.bind(plan.decode)}(x0)")
        if tests is None:
            judge = out.constants.bind(_compile_predicate(plan))
            with out.open_block(f"if {judge}(x0):"):
                _write_values(out, plan, "")
                out.add("short = True")
        else:
            out.add(f"count = {sum(field.required for field in params)}")
            _write_values(out, plan, "count += 1")
            wrong = " or ".join([*tests, "len(x0) != count"])
            out.add(f"short = not ({wrong})")
        if read is not None:
            out.add(f"short = short and not (is_read and {read.differs or False})")
        _write_reading(out, plan)
    with out.open_block("except Exception:"):
        out.add("short = False")
    if read is not None:
        with out.open_block("if is_read and not short:"):
            _write_map_in(out, f"read_map(text, {'x0' if plan.sent is None else 's0'})")
    if plan.sent is not None:
        with out.open_block("elif not short:" if read is not None else "if not short:"):
            _write_map_in(out, "read_map(s0)")
    with out.open_block("if short:"):
        _write_decoding(out, plan)
    with out.open_block("else:"):
        _write_coercion(out, plan)


def _write_map_in(out: Lines, read: str) -> None:
    """Write lines that set `x0` to the map of the expression *read*, or return if it has none."""
    out.add(f"x0 = {read}")
    with out.open_block("if x0 is None:"):
        out.add("return None")


def _write_scan(out: Lines, read: ScanPlan) -> None:
    """Write lines that scan a map from text; None for other text."""
    with out.open_block("try:"):
        out.add(f"x0, end = {read.scanned}")
        out.add("if type(x0) is not dict or end != len(text): x0 = None")
    with out.open_block("except Exception:"):
        out.add("x0 = None")


def _write_values(out: Lines, plan: ArgumentPlan, count: str) -> None:
    """Write lines that set the variable of each argument; *count* counts each optional one."""
    for place, field in enumerate(plan.signature.params):
        key = out.constants.bind_key(field.name)
        value = f"v{place} = x0[{key}]"
        if field.required:
            out.add(value)
            continue
        with out.open_block(f"if {key} in x0:"):
            out.add(value, *([count] if count else []))
        with out.open_block("else:"):
            out.add(f"v{place} = {_write_absent_value(out, field.name, plan)}")


def _write_coercion(out: Lines, plan: ArgumentPlan) -> None:
    """Write lines that check arguments which change or are not known to conform."""
    bound, given = out.constants.bind, _get_names(plan)
    if plan.verdict is None or plan.decodes or not given:
        _write_slow_check(out)
        return
    names, verdict = bound(given), bound(plan.verdict)
    filled = f"{{**{bound(plan.fills)}, **x0}}" if plan.fills else "x0"
    out.add("named = told = found = None")
    # Of such nulls the verdict would tell, too, but with errors.
    has_null = f" and not {bound(_has_null)}(x0)" if plan.drops_nulls else ""
    with out.open_block(f"if x0.keys() <= {names}{has_null}:"):
        out.add(f"found = {verdict}({filled})", "named, told = found._result, found._told")
        with out.open_block("if told is None:"):
            out.add("found = None")
    # It has errors, or an argument is absent that the function has to get.
    wrong = "named is None or type(told) not in note_classes"
    if plan.makes or plan.nil:
        wrong += f" or named.keys() != {names}"
    with out.open_block(f"if {wrong}:"):
        _write_slow_check(out)


def _has_null(data: dict[str, Any]) -> bool:
    """Whether an argument in *data* is null."""
    return any(part is None for part in data.values())


def _write_slow_check(out: Lines) -> None:
    out.add("named = taken(x0, found)")
    with out.open_block("if type(named) is not tuple:"):
        out.add("return named")
    out.add("named, found = named")


def _get_names(plan: ArgumentPlan) -> frozenset[str]:
    """Return the names of the parameters."""
    return frozenset([field.name for field in plan.signature.params])


def _write_absent_value(out: Lines, name: str, plan: ArgumentPlan) -> str:
    """Expression of the value of an argument that is absent."""
    if name in plan.makes:
        return f"{out.constants.bind(plan.makes[name])}()"
    if name in plan.fills:
        return out.constants.bind(plan.fills[name])
    if name in plan.own:
        return out.constants.bind(plan.own[name])
    return "None" if name in plan.nil else "absent"


def _compile_predicate(plan: ArgumentPlan) -> Any:
    return compile_argument_predicate(
        plan.signature, plan.nested, plan.undeclared, False, fills=False
    )


def _write_tests(out: Lines, plan: ArgumentPlan) -> list[str] | None:
    """Expressions, one for each argument, that are true if it does not conform.

    Returns None if an argument may have parts: the predicate of all arguments counts these.
    """
    tests = []
    for place, field in enumerate(plan.signature.params):
        t, name = field.type, f"v{place}"
        if field.name in plan.reads:
            continue
        definitions = plan.signature.definitions
        compiler = get_compiler(t, definitions, plan.nested)
        is_known = find_max_places(t) is not None
        test = build_condition(t, Place(name, compiler), out.constants) if is_known else None
        if test is None:
            if not plan.reads:
                return None
            judge = out.constants.bind(compile_predicate(t, definitions, plan.nested))
            test = f"not {judge}({name})"
        default = plan.own.get(field.name)
        if default is not None and type(default) not in SCALARS:
            # No data is the function's own object.
            own = out.constants.bind(default)
            tests.append(f"({name} is not {own} and ({test}))")
            continue
        is_given = _is_filled(field, plan)
        tests.append(test if is_given else f"({name} is not absent and ({test}))")
    return tests


def _write_reading(out: Lines, plan: ArgumentPlan) -> None:
    """Write lines that check and decode arguments by plans, of which others' functions are last."""
    steps = []
    for place, field in enumerate(plan.signature.params):
        read_plan = plan.reads.get(field.name)
        if read_plan is None:
            continue
        read, is_counted = (
            (read_plan.read, ", is_read") if read_plan.limit else (read_plan.compile(), "")
        )
        line = f"v{place} = {out.constants.bind(read)}(v{place}{is_counted})"
        lines = [_write_if_present(out, field, plan, line)]
        if read_plan.limit:
            lines.append(f"short = short and v{place} is not {out.constants.bind(UNREAD)}")
        steps.append((read_plan.is_pure, lines))
    if steps:
        with out.open_block("if short:"):
            for _, lines in sorted(steps, key=lambda step: not step[0]):
                out.add(*lines)


def _write_if_present(out: Lines, field: Field, plan: ArgumentPlan, line: str) -> str:
    """Return the *line* that decodes the argument of *field*, if there is one."""
    # An absent argument without a default is None, or left out.
    is_made = field.name in plan.fills or field.name in plan.makes
    is_given = field.required or is_made
    return line if is_given else f"if {out.constants.bind_key(field.name)} in x0: {line}"


def _write_decoding(out: Lines, plan: ArgumentPlan) -> None:
    """Write lines that decode the arguments that no plan reads."""
    steps = []
    for place, field in enumerate(plan.signature.params):
        decode = plan.decodes.get(field.name)
        if decode is not None and field.name not in plan.reads:
            line = f"v{place} = {out.constants.bind(decode)}(v{place})"
            steps.append(_write_if_present(out, field, plan, line))
    if steps:
        with out.open_block("try:"):
            out.add(*steps)
        # The slow path reports the reason.
        with out.open_block("except refusals:"):
            out.add("return None")


def _write_call(out: Lines, params: tuple[Field, ...], plan: ArgumentPlan, awaits: bool) -> None:
    """Write lines that call the function."""
    name, key = out.constants.name, out.constants.bind_key
    filled = [at for at, field in enumerate(params) if _is_filled(field, plan)]
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


def _write_result(out: Lines, result_plan: ResultPlan) -> None:
    """Write lines that return the outcome of a result that is plain or has a known class."""
    t = result_plan.type
    test = None
    if find_max_places(t) is not None:
        compiler = get_compiler(t, result_plan.definitions, result_plan.policy)
        test = build_condition(t, Place("returned", compiler), out.constants)
    if test is not None:
        with out.open_block(f"if not ({test}):"):
            _write_return(out, "returned", _NOTES)
    else:
        _write_test_of_parts(out, result_plan)
    # Objects of these classes are no iterators.
    with out.open_block("if type(returned) in classes:"):
        with out.open_block("try:"):
            with out.open_block("if about.as_text and show is None:"):
                out.add("value = results.text(returned)")
                out.add(*write_passed_lines("returned", "value, found, 'text'"))
            out.add("value = results.writer(returned)")
        with out.open_block("except Unknown:"):
            pass
        with out.open_block("else:"):
            _write_return(out, "value", "value, found, whole")


def _write_test_of_parts(out: Lines, result_plan: ResultPlan) -> None:
    """Write lines that return the outcome of a result that conforms and is plain."""
    t = result_plan.type
    count = find_max_places(t.item if isinstance(t, List) else t)
    if count is None:
        return
    judge = out.constants.bind(compile_predicate(t, result_plan.definitions, result_plan.policy))
    test_of_class = _write_class_test(t, count)
    with (
        out.open_block("try:"),
        out.open_block(f"if {test_of_class} and {judge}(returned):"),
    ):
        _write_return(out, "returned", _NOTES)
    with out.open_block("except Exception:"):
        pass


def _write_return(out: Lines, value: str, told: str, about: str = "about") -> None:
    """Write lines that return the shown form of *value*, or its outcome."""
    # What a model reads beside the result is not shown so.
    with out.open_block("if show is not None and (found is None or not may_notice(found)):"):
        out.add(f"shown = show({about}, {value})")
        with out.open_block("if shown is not NOT_WHOLE:"):
            out.add("return shown")
    out.add(*write_passed_lines("returned", told, about=about))


#: The expression of the notes of a complete result.
_NOTES = "None if found is None else (returned, found, whole)"


def _write_class_test(t: Type, count: int) -> str:
    if isinstance(t, Record):
        return "type(returned) is dict"
    short = f"len(returned) <= {MAX_UNWATCHED // count}"
    if isinstance(t, List):
        return f"type(returned) is list and {short}"
    return f"type(returned) in plain_classes and (type(returned) is not list or {short})"
