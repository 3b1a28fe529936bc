"""The calls of tools in a program: their arguments against the types of the parameters."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from typesig.algebra import nodes
from typesig.algebra.definitions import Definition
from typesig.algebra.redaction import make_standalone_signature
from typesig.algebra.signature import Signature
from typesig.limits.programs import MAX_PROGRAM_QUESTIONS, MAX_PROGRAM_STEPS
from typesig.programs.checks.flaws import Flaws
from typesig.programs.checks.known_values import KnownValue, ShapeIndex
from typesig.programs.checks.sandbox import get_text
from typesig.programs.checks.uses import UseChecker, find_key
from typesig.relations.proofs.subtyping import Relations, align_definitions
from typesig.relations.sampling.samples import samples
from typesig.relations.step_budget import NoSample
from typesig.validation.issues.excerpt import cut_line, quote_text
from typesig.validation.issues.issues import write_path
from typesig.validation.policy import Policy
from typesig.validation.verdicts import check_value


class Callee(NamedTuple):
    """A tool as a program calls it, with its name, parameters and definitions.

    #: name: its name; called: its name in programs
    #: params: its parameters by their names in programs, in order; definitions: theirs
    #: returns: the type of its result
    #: is_open: whether it takes other arguments; policy: that of its calls
    #: is_plain: whether what is sent is checked as it is, without other spellings of names
    """

    name: str
    called: str
    params: Mapping[str, nodes.Field]
    definitions: tuple[Definition, ...]
    returns: nodes.Type
    is_open: bool
    policy: Policy
    is_plain: bool = True

    @property
    def names(self) -> Mapping[str, nodes.Type]:
        """The types that the tool's signature defines, by name."""
        return {d.name: d.type for d in self.definitions}


class Arguments:
    """Checker of the arguments of tool calls; *see* infers the value of an expression."""

    def __init__(
        self,
        see: Callable[[ast.expr], KnownValue],
        uses: UseChecker,
        flaws: Flaws,
        names: Mapping[str, nodes.Type],
    ) -> None:
        self._see = see
        self._uses = uses
        self._flaws = flaws
        self._judge = Judge(names)

    def check(self, node: ast.Call, callee: Callee) -> None:
        """Report problems with the arguments of the call *node*."""
        given: dict[str, ast.expr] = {}
        params, is_whole = list(callee.params), True
        for place, each in enumerate(node.args):
            if isinstance(each, ast.Starred):
                self._see(each.value)
                is_whole = False
            elif not is_whole or place < len(params):
                self._give(given, params[place] if is_whole else "", each, callee)
            else:
                self._see(each)
                said = f"{callee.called} takes {len(params)} arguments, and this is one more"
                self._flaws.add_error("extra_argument", each, said)
        unknown = False
        for keyword in node.keywords:
            if keyword.arg is None:
                self._see(keyword.value)
                is_whole = False
            else:
                unknown = not self._name(given, keyword, callee) or unknown
        missing = [name for name, field in callee.params.items() if field.required]
        missing = [name for name in missing if name not in given]
        if missing and is_whole and not unknown:
            said = f"{callee.called} needs {', '.join(missing)}"
            self._flaws.add_error("missing_argument", node, said)

    def _name(self, given: dict[str, ast.expr], keyword: ast.keyword, callee: Callee) -> bool:
        """Record the keyword argument *keyword*; return whether *callee* knows it."""
        asked = str(keyword.arg)
        name = find_key(asked, callee.params)
        if name is None:
            self._see(keyword.value)
            if not callee.is_open:
                near = self._flaws.suggest_near(
                    asked, lambda: {each: each for each in callee.params}
                )
                offered = ", ".join(callee.params)
                offered = "" if near else f"; it takes {offered}" if offered else " and takes none"
                said = f"{callee.called} has no parameter {quote_text(asked)}{offered}"
                self._flaws.add_error("unknown_argument", keyword, said, near)
            return False
        if name in given:
            self._see(keyword.value)
            said = f"{callee.called} is given {name} twice"
            self._flaws.add_error("repeated_argument", keyword, said)
            return True
        self._give(given, name, keyword.value, callee)
        return True

    def _give(self, given: dict[str, ast.expr], name: str, node: ast.expr, callee: Callee) -> None:
        """Record the expression *node* as argument *name* in *given*; check its type."""
        seen = self._see(node)
        if not name:
            return
        given[name] = node
        if callee.is_plain and not seen.awaits and not seen.tool:
            self._check_fit(name, node, callee.params[name].type, callee)

    def _check_fit(self, path: str, node: ast.expr, t: nodes.Type, callee: Callee) -> None:
        """Report the argument expression *node* if none of its values fits the type *t*."""
        known, value = read_literal(node)
        if known:
            found = check_value(t, callee.definitions, value, callee.policy, "input")
            for issue in found.errors[:3]:
                inner = write_path(issue.path)
                place = f"{path}{'.' if inner and inner[0] != '[' else ''}{inner}"
                self._flaws.add_error("wrong_argument", node, f"{place}: {issue.message}")
            return
        within = [s for s in ShapeIndex(callee.names).find_shapes(t) if s != nodes.NIL]
        match node:
            case ast.Dict(keys=keys, values=values) if len(within) == 1 and isinstance(
                within[0], nodes.Record
            ):
                self._fit_record(
                    path,
                    node,
                    dict(zip(map(get_text, keys), values, strict=True)),
                    within[0],
                    callee,
                )
            case ast.List(elts=items) if len(within) == 1 and isinstance(within[0], nodes.List):
                for item in items:
                    if not isinstance(item, ast.Starred):
                        self._check_fit(f"{path}[]", item, within[0].item, callee)
            case _:
                self._fit_type(path, node, t, callee)

    def _fit_record(
        self,
        path: str,
        node: ast.expr,
        given: Mapping[str | None, ast.expr],
        record: nodes.Record,
        callee: Callee,
    ) -> None:
        """Check the fields of a dict display *node*, *given* by key, against *record*."""
        for field in record.fields:
            key = find_key(field.name, [key for key in given if key is not None])
            if key is not None:
                self._check_fit(f"{path}.{field.name}", given[key], field.type, callee)
            elif field.required and None not in given:
                others = {str(key): f"it by {quote_text(str(key))}" for key in given}
                near = self._flaws.suggest_near(field.name, lambda others=others: others)  # type: ignore[misc]
                said = f"{path} lacks {quote_text(field.name)}"
                self._flaws.add_error("wrong_argument", node, said, near)

    def _fit_type(self, path: str, node: ast.expr, t: nodes.Type, callee: Callee) -> None:
        """Report a flaw if no value of the expression *node* fits the type *t*."""
        seen = self._uses.drop_nil(self._see(node))
        whole = self._uses.find_shapes(self._see(node))
        if not whole:
            return
        target = make_standalone_signature(t, callee.names)
        answer = self._judge.differs(seen.type, target, callee.policy)
        if answer is None:
            said = f"{path} was not compared: there are more than {MAX_PROGRAM_QUESTIONS} arguments"
            self._flaws.warn("unchecked", node, said)
        elif answer:
            said = f"{path}: expected {_describe_type(target)}, got {self._uses.describe(seen)}"
            self._flaws.add_error("wrong_argument", node, said)
        elif nodes.NIL in whole and self._judge.differs(nodes.NIL, target, callee.policy):
            said = (
                f"{path}: this may be None, which is not {_describe_type(target)}; check it first"
            )
            self._flaws.warn("maybe_nil", node, said)


def _describe_type(target: Signature) -> str:
    """Write the return type of *target* in shorthand, cut to 60 characters."""
    from typesig.notations.shorthand.writer import write_type

    return cut_line(write_type(target.returns).removeprefix(":"), 60)


def read_literal(node: ast.expr) -> tuple[bool, Any]:
    """Whether *node* is a JSON literal, and its value."""
    try:
        value = ast.literal_eval(node)
    except (ValueError, TypeError, RecursionError, MemoryError):
        return False, None
    return _is_data(value), value


def _is_data(value: object) -> bool:
    """Whether *value* consists of JSON data only: lists, dicts with text keys, scalars."""
    if isinstance(value, list):
        return all(map(_is_data, value))
    if isinstance(value, dict):
        return all(isinstance(key, str) and _is_data(each) for key, each in value.items())
    return value is None or isinstance(value, str | int | float)


#: Texts that a call may read as other values.
_READ = ("1", "1.5", "true", "null", "2026-01-31T12:00:00Z", "2026-01-31", "[]", "{}", "[1]", "a")


class Judge:
    """Cached decisions on whether no value of a type fits another; limited in number."""

    def __init__(self, names: Mapping[str, nodes.Type]) -> None:
        self._names = names
        self._known: dict[tuple[nodes.Type, Signature], bool] = {}

    def differs(self, t: nodes.Type, target: Signature, policy: Policy) -> bool | None:
        """Whether no value of *t* fits *target*, as far as is known; None beyond the limit."""
        key = t, target
        if key not in self._known:
            if len(self._known) >= MAX_PROGRAM_QUESTIONS:
                return None
            self._known[key] = self._compute(t, target, policy)
        return self._known[key]

    def _compute(self, t: nodes.Type, target: Signature, policy: Policy) -> bool:
        """Whether *t* and *target* are disjoint, confirmed by sample values of *t*."""
        if t == target.returns or nodes.ANY in (t, target.returns):
            return False
        source = make_standalone_signature(t, self._names)
        x, y, definitions = align_definitions(source, target)
        relations = Relations(definitions)
        relations.work.left = MAX_PROGRAM_STEPS
        if relations.disjoint(x, y) is not True:
            return False
        try:
            values = samples(source, count=6, json=True)
        except NoSample:
            return False
        # A call may still read such a value as another one.
        values += [each for each in _READ if source.accepts(each)]
        known = target.definitions
        tried = (check_value(target.returns, known, value, policy, "input") for value in values)
        return not any(outcome.ok for outcome in tried)
