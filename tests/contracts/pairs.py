"""A pair of contracts for each rule of differences: what was, what is, and the rule that tells it."""

from __future__ import annotations

from typing import Any, NamedTuple

from typesig import Toolset, parse
from typesig.contracts import RULES, Lock
from typesig.contracts.contract import ToolContract, to_bare_signature
from typesig.contracts.places import find_annotations
from typesig.contracts.rules import TYPE_CHANGES
from typesig.tools.foreign.foreign import ForeignDefinition, foreign_tool


class Pair(NamedTuple):
    """Two contracts, the second of which has a change that is told by one rule."""

    rule: str
    old: Lock
    new: Lock


def lock_of(text: str, name: str = "f", **parts: Any) -> Lock:
    """Return the lock of a tool with the signature *text* and other *parts* of its contract."""
    signature = parse(text)
    noted = find_annotations(signature)
    made = ToolContract(name, to_bare_signature(signature), notes=noted.descriptions)
    return Lock({name: made._replace(**parts)})


#: The types before and after each change of a type.  The first is wider where one is.
TYPES: dict[str, tuple[str, str]] = {
    "type-widened": (":int", ":float"),
    "type-narrowed": (":float", ":int"),
    "type-changed": (":int", ":bool"),
    "type-unknown": (":one[:string[/^(a|b)$/], :int]", ":one[:string[/^[ab]$/], :int]"),
    "type-rewritten": ("[:int|:float]", "[:float]"),
    "null-allowed": (":int", ":int?"),
    "null-refused": (":int?", ":int"),
    "value-added": (':enum["a"]', ':enum["a" "b"]'),
    "value-removed": (':enum["a" "b"]', ':enum["a"]'),
    "values-listed": (":string", ':enum["a"]'),
    "values-unlisted": (':enum["a"]', ":string"),
    "values-reordered": (':enum["a" "b"]', ':enum["b" "a"]'),
    "member-added": (":int|:string", ":int|:string|:bool"),
    "member-removed": (":int|:string|:bool", ":int|:string"),
    "members-reordered": (":int|:string", ":string|:int"),
    "discriminator-added": (
        "{a :string}!|{b :string}!",
        '{k :enum["a"], a :string}!|{k :enum["b"], b :string}!',
    ),
    "discriminator-removed": (
        '{k :enum["a"], a :string}!|{k :enum["b"], b :string}!',
        "{a :string}!|{b :string}!",
    ),
    "discriminator-changed": (
        '{k :enum["a"], a :string}!|{k :enum["b"], b :string}!',
        '{t :enum["a"], a :string}!|{t :enum["b"], b :string}!',
    ),
    "unique-added": ("[:int]", "[:int][unique]"),
    "unique-removed": ("[:int][unique]", "[:int]"),
    "tuple-lengthened": ("[:int, :int]", "[:int, :int, :int]"),
    "tuple-shortened": ("[:int, :int, :int]", "[:int, :int]"),
    "tuple-rest-allowed": ("[:int, :string]", "[:int, :string, ** :bool]"),
    "tuple-rest-refused": ("[:int, :string, ** :bool]", "[:int, :string]"),
    "extra-refused": ("{a :int}", "{a :int}!"),
    "extra-accepted": ("{a :int}!", "{a :int}"),
    "extra-described": ("{a :int}!", "{a :int, ** :int}"),
    "key-pattern-allowed": ("{a :int}!", "{a :int, /^x/ :int}!"),
    "key-pattern-refused": ("{a :int, /^x/ :int}!", "{a :int}!"),
    "key-pattern-limited": ("{a :int}", "{a :int, /^x/ :int}"),
    "key-pattern-unlimited": ("{a :int, /^x/ :int}", "{a :int}"),
    "multiple-of-added": (":int", ":int[%2]"),
    "multiple-of-removed": (":int[%2]", ":int"),
    "multiple-of-narrowed": (":int[%2]", ":int[%4]"),
    "multiple-of-widened": (":int[%4]", ":int[%2]"),
    "multiple-of-changed": (":int[%4]", ":int[%6]"),
    "pattern-added": (":string", ":string[/^a/]"),
    "pattern-removed": (":string[/^a/]", ":string"),
    "pattern-changed": (":string[/^a/]", ":string[/^b/]"),
    "format-added": (":string", ":string[date]"),
    "format-removed": (":string[date]", ":string"),
    "format-narrowed": (":string[uri-reference]", ":string[uri]"),
    "format-widened": (":string[uri]", ":string[uri-reference]"),
    "format-changed": (":string[date]", ":string[email]"),
}

for _name, _t in (
    ("minimum", ":int[{}]"),
    ("min-length", ":string[{}]"),
    ("min-items", "[:int][{}]"),
    ("min-properties", ":map[{}]"),
):
    _upper = _name.replace("min", "max")
    for _sort, _ends in (
        (_name, ("2..", "3..")),
        (_upper.replace("maximum", "maximum"), ("..2", "..3")),
    ):
        _bare = _t.replace("[{}]", "")
        _low, _high = (_t.format(end) for end in _ends)
        TYPES[f"{_sort}-added"] = (_bare, _low)
        TYPES[f"{_sort}-removed"] = (_low, _bare)
        TYPES[f"{_sort}-raised"] = (_low, _high)
        TYPES[f"{_sort}-lowered"] = (_high, _low)

#: The fields before and after each change of a field.
FIELDS: dict[str, tuple[str, str]] = {
    "added-required": ("a :int", "a :int, b :string"),
    "added-optional": ("a :int", "a :int, b? :string"),
    "removed-required": ("a :int, b :string", "a :int"),
    "removed-optional": ("a :int, b? :string", "a :int"),
    "renamed": ("a :int, b :string", "a :int, c :string"),
    "respelt": ("user_id :int", "user-id :int"),
    "became-required": ("a? :int", "a :int"),
    "became-optional": ("a :int", "a? :int"),
    "default-added": ("a? :int", "a :int = 1"),
    "default-removed": ("a :int = 1", "a? :int"),
    "default-changed": ("a :int = 1", "a :int = 2"),
    "name-exact": ("user_id :int", '"user_id" :int'),
    "name-folded": ('"user_id" :int', "user_id :int"),
    "shown": ("_a :int", "a :int"),
    "hidden": ("a :int", "_a :int"),
    "reordered": ("a :int, b :string", "b :string, a :int"),
}

#: The signatures of results that gain or lose a type.
RESULTS: dict[str, tuple[str, str]] = {
    "result-described": ("() -> :any", "() -> :int"),
    "result-undescribed": ("() -> :int", "() -> :any"),
    "result-added": ("() -> :nil", "() -> :int"),
    "result-removed": ("() -> :int", "() -> :nil"),
}

#: Signatures with a text at the place of each owner.
TEXTS: dict[str, tuple[str, str]] = {
    "param": ("(a :int{}) -> :nil", "params.a"),
    "input": ("(a {{b :int{}}}) -> :nil", "params.a.b"),
    "output": ("() -> [{{b :int{}}}]", "returns.[].b"),
    "type": ("(a :T) -> :T where T = {{kids [:T], n :int{}}}", "where.T.n"),
}


def _foreign(schema: dict[str, Any]) -> Lock:
    whole = {"type": "object", "properties": {"a": {"type": "string", **schema}}}
    return Lock.of(Toolset([foreign_tool(lambda **_: None, ForeignDefinition("f", whole))]))


def _types() -> list[Pair]:
    out = []
    for change in TYPE_CHANGES:
        old, new = TYPES[change.name]
        sent = f"input-{change.name}", lock_of(f"(a {old}) -> :nil"), lock_of(f"(a {new}) -> :nil")
        got = f"output-{change.name}", lock_of(f"() -> [{old}]"), lock_of(f"() -> [{new}]")
        out += [Pair(*sent), Pair(*got)]
    return out


def _fields() -> list[Pair]:
    out = [
        Pair(
            "output-field-added-to-closed",
            lock_of("() -> {a :int}!"),
            lock_of("() -> {a :int, b? :int}!"),
        ),
    ]
    for change, (old, new) in FIELDS.items():
        for owner, text in (
            ("param", "({}) -> :nil"),
            ("input-field", "(x {{{}}}) -> :nil"),
            ("output-field", "() -> {{{}}}"),
        ):
            # A parameter that is hidden is one that the host supplies.
            if f"{owner}-{change}" in RULES.keys() - {"param-hidden"}:
                pair = lock_of(text.format(old)), lock_of(text.format(new))
                out.append(Pair(f"{owner}-{change}", *pair))
    return out


def _texts() -> list[Pair]:
    out = []
    for owner, (text, place) in TEXTS.items():
        bare = lock_of(text.format(""))
        one, other = lock_of(text.format(' "one"')), lock_of(text.format(' "other"'))
        out += _three(f"{owner}-description", bare, one, other)
        titled = [lock_of(text.format(""), titles={place: t}) for t in ("one", "other")]
        out += _three(f"{owner}-title", bare, *titled)
    bare = lock_of("() -> :nil")
    for what in ("description", "title"):
        told = [lock_of("() -> :nil", **{what: t}) for t in ("one", "other")]
        out += _three(f"tool-{what}", bare, *told)
    for what, values in (
        ({"examples": ["x"]}, {"examples": ["y"]}),
        ({"deprecated": True}, {"deprecated": False}),
        ({"contentEncoding": "base64"}, {"contentEncoding": "quoted-printable"}),
        ({"x-note": 1}, {"x-note": True}),
    ):
        name = {"contentEncoding": "content", "x-note": "keyword"}.get(*what, next(iter(what)))
        out += _three(name, _foreign({}), _foreign(what), _foreign(values))
    raw = [lock_of("() -> :nil", raw={"description": f"Do.{c}"}) for c in "\u200b\u202e"]
    meta = Pair("other-text-added", bare, lock_of("() -> :nil", words=("x",)))
    return [*out, meta, *_three("raw-text", bare, *raw)]


def _three(name: str, bare: Lock, one: Lock, other: Lock) -> list[Pair]:
    return [
        Pair(f"{name}-added", bare, one),
        Pair(f"{name}-removed", one, bare),
        Pair(f"{name}-changed", one, other),
    ]


_BARE = "(q :int) -> :int"


def _annotated(rule: str, old: dict[str, Any], new: dict[str, Any]) -> Pair:
    return Pair(rule, lock_of(_BARE, annotations=old), lock_of(_BARE, annotations=new))


def _hidden(rule: str, old: dict[str, bool], new: dict[str, bool]) -> Pair:
    return Pair(rule, lock_of(_BARE, hidden=old), lock_of(_BARE, hidden=new))


def _tools() -> list[Pair]:
    both = {**lock_of(_BARE).tools, **lock_of("(a :int) -> :int", "g").tools}
    kinds = [lock_of(_BARE, kinds=k) for k in ({}, {"q": "positional"}, {"q": "keyword"})]
    unread = [lock_of("(q :any) -> :any", unread={at: "x"}) for at in ("params.q", "returns")]
    return [
        Pair("tool-added", lock_of(_BARE), Lock(both)),
        Pair("tool-removed", Lock(both), lock_of(_BARE)),
        Pair("tool-renamed", lock_of(_BARE), lock_of(_BARE, "g")),
        Pair(
            "param-hidden",
            lock_of("(q :int, db :int) -> :int"),
            lock_of(_BARE, hidden={"db": True}),
        ),
        Pair(
            "param-shown-required",
            lock_of(_BARE, hidden={"db": True}),
            lock_of("(q :int, db :int) -> :int"),
        ),
        Pair(
            "param-shown-optional",
            lock_of(_BARE, hidden={"db": True}),
            lock_of("(q :int, db? :int) -> :int"),
        ),
        _hidden("hidden-param-added-required", {}, {"db": True}),
        _hidden("hidden-param-added-optional", {}, {"db": False}),
        _hidden("hidden-param-removed", {"db": True}, {}),
        _hidden("hidden-param-became-required", {"db": False}, {"db": True}),
        _hidden("hidden-param-became-optional", {"db": True}, {"db": False}),
        Pair("hidden-param-changed", lock_of("(_q :int) -> :int"), lock_of("(_q :string) -> :int")),
        Pair("param-became-positional-only", kinds[0], kinds[1]),
        Pair("param-became-keyword-only", kinds[1], kinds[2]),
        Pair("param-became-usual", kinds[2], kinds[0]),
        _annotated("read-only-gained", {}, {"readOnlyHint": True}),
        _annotated("read-only-lost", {"readOnlyHint": True}, {"readOnlyHint": False}),
        _annotated("destructive-gained", {"destructiveHint": False}, {}),
        _annotated("destructive-lost", {}, {"destructiveHint": False}),
        _annotated("idempotent-gained", {}, {"idempotentHint": True}),
        _annotated("idempotent-lost", {"idempotentHint": True}, {}),
        _annotated("open-world-gained", {"openWorldHint": False}, {}),
        _annotated("open-world-lost", {}, {"openWorldHint": False}),
        _annotated("annotation-added", {}, {"title": "t"}),
        _annotated("annotation-removed", {"readOnlyHint": "odd"}, {}),
        _annotated("annotation-changed", {"x": 1}, {"x": True}),
        _annotated("annotation-stated", {}, {"readOnlyHint": False}),
        Pair("secret-added", lock_of(_BARE), lock_of(_BARE, secrets=("q",))),
        Pair("secret-removed", lock_of(_BARE, secrets=("",)), lock_of(_BARE)),
        Pair("input-unread-changed", lock_of("(q :any) -> :any"), unread[0]),
        Pair("output-unread-changed", unread[1], lock_of("(q :any) -> :any")),
    ]


def pairs() -> list[Pair]:
    """Return the pair of each rule."""
    results = [
        Pair(rule, lock_of(old), lock_of(new))
        for rule, (old, new) in RESULTS.items()
        if rule.startswith("result")
    ]
    return [*_types(), *_fields(), *results, *_texts(), *_tools()]
