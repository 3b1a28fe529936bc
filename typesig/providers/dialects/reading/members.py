"""Names and arguments in the text of calls: JSON objects, heads, Python calls, bare keys."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from keyword import iskeyword, kwlist
from typing import Any

from typesig.extraction.callables.syntax import syntax_tree
from typesig.limits import MAX_DIALECT_PYTHON
from typesig.providers.dialects.dialect import BareForm, HeadForm, JsonForm
from typesig.providers.dialects.events import DialectCall
from typesig.validation.rows.json_text import BadJson, read_json

# An unclosed text is a piece too, so that its end is looked for once.
_TEXT = r'"[^"\\]*+(?:\\.[^"\\]*+)*+"'
_PIECE = re.compile(rf"{_TEXT}?|[\[{{]|[\]}}]|[,:]", re.DOTALL)


class Unread(ValueError):
    """The text is no call; *name* is that of the tool, as far as it is known."""

    def __init__(self, name: str = "") -> None:
        super().__init__(name)
        self.name = name


def calls_of_json(text: str, form: JsonForm, at: int) -> Iterator[DialectCall]:
    """Yield the calls in *text*, an object or a list of them; raise `Unread`."""
    for start, end in _parts(text) if text[:1] == "[" else [(0, len(text))]:
        if text[start : start + 1] != "{":
            raise Unread
        yield _call(text[start:end], form, at + start)


def _call(text: str, form: JsonForm, at: int) -> DialectCall:
    members = dict[str, str]()
    for start, end in _parts(text):
        key, value = member_of_json(text[start:end])
        if key in members:
            raise Unread
        members[key] = value
    # OpenAI's form has the two in an object of their own.
    inner = members.get("function", "")
    if inner[:1] == "{" and _first(members, form.name) is None:
        return _call(inner, form, at)
    if form.is_keyed and len(members) == 1:
        [(key, value)] = members.items()
        if is_name(key):
            return DialectCall(key, value, "json", None, at)
    name, sent = _first(members, form.name), _first(members, form.arguments)
    number = _first(members, form.id)
    named = None if name is None else text_of_json(name)
    if named is None:
        raise Unread
    made = None if number is None else text_of_json(number)
    return DialectCall(named, "{}" if sent is None else sent, "json", made, at)


def _first(members: dict[str, str], keys: Sequence[str]) -> str | None:
    found = [members[key] for key in keys if key in members]
    if len(found) > 1:
        raise Unread
    return found[0] if found else None


def _parts(text: str) -> Iterator[tuple[int, int]]:
    """Yield where the items or members of *text* begin and end, a list or an object of JSON."""
    depth, start = 0, 1
    for found in _PIECE.finditer(text):
        match found[0]:
            case "[" | "{":
                depth += 1
            case "]" | "}":
                depth -= 1
            case "," if depth == 1:
                yield from _trimmed(text, start, found.start())
                start = found.end()
    yield from _trimmed(text, start, len(text) - 1)


def _trimmed(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    part = text[start:end]
    if part.strip():
        yield start + len(part) - len(part.lstrip()), start + len(part.rstrip())


def member_of_json(text: str) -> tuple[str, str]:
    """Return the key and the JSON text of the value in *text*; raise `Unread`."""
    text = text.strip()
    found = _PIECE.match(text)
    if found is None or found[0][0] != '"':
        raise Unread
    value = text[found.end() :].lstrip()
    key = text_of_json(found[0])
    if key is None or value[:1] != ":":
        raise Unread
    return key, value[1:].strip()


def text_of_json(json: str) -> str | None:
    """Return the text that *json* writes, or None if it writes none."""
    try:
        data = read_json(json)
    except BadJson:
        return None
    return data if isinstance(data, str) else None


def call_of_head(parts: Sequence[tuple[str, str]], body: str, form: HeadForm, at: int) -> Any:
    """Return the call whose head has *parts*, each behind a separator; raise `Unread`."""
    texts = [text.strip() for _, text in parts]
    if len(texts) <= form.name_at:
        raise Unread
    head = texts[form.name_at]
    made = next((text.strip() for mark, text in parts if mark and mark == form.id_after), None)
    head = head.split()[0] if form.is_word and head else head
    name = head.removeprefix(form.prefix)
    if form.counter:
        name, made = name.rpartition(form.counter)[0] or name, head
    if not is_name(name):
        raise Unread
    return DialectCall(name, body, "json", made, at)


_NAME = re.compile(r"[^\s<>{}()\[\]\"'`|=,;]{1,256}")


def is_name(text: str) -> bool:
    """Return whether *text* may be the name of a tool."""
    return _NAME.fullmatch(text) is not None


def calls_of_python(text: str, at: int, is_lines: bool = False) -> Iterator[DialectCall]:
    """Yield the calls in *text*, a list of Python calls, which is never run; raise `Unread`.

    With *is_lines*, each call has a line of its own, and no brackets stand around all.
    """
    for each in _call_nodes(text, is_lines):
        name, call = _called(each)
        if call.args or not is_name(name):
            raise Unread(name)
        keys = [keyword.arg for keyword in call.keywords]
        if None in keys or len(set(keys)) < len(keys):
            raise Unread(name)
        try:
            data = {_without_mark(str(word.arg)): _literal(word.value) for word in call.keywords}
        except (Unread, RecursionError):
            raise Unread(name) from None
        yield DialectCall(name, data, "data", None, at + each.col_offset)


def _call_nodes(text: str, is_lines: bool) -> list[Any]:
    """Return the nodes of the calls in *text*, which are not yet looked at; raise `Unread`."""
    import ast

    if len(text) > MAX_DIALECT_PYTHON:
        raise Unread
    try:
        tree = _tree(text.strip(), "exec") if is_lines else _tree(text, "eval")
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        raise Unread from None
    match tree:
        case ast.Expression(body=ast.List(elts=nodes)):
            return nodes
        case ast.Module(body=lines):
            found = [line.value for line in lines if isinstance(line, ast.Expr)]
            if found and len(found) == len(lines):
                return found
        case _:
            pass
    raise Unread


#: What is written before a reserved word that is the name of an argument, such as `from`.
_RESERVED = "reserved__"


def _without_mark(name: str) -> str:
    bare = name.removeprefix(_RESERVED)
    return bare if iskeyword(bare) else name


def _tree(text: str, mode: str) -> Any:
    """Return the tree of *text*, Python in which arguments may have any names."""
    import io
    import tokenize

    try:
        return syntax_tree(text, mode)
    except SyntaxError:
        if not any(word in text for word in kwlist):
            raise
    try:
        found = list(tokenize.generate_tokens(io.StringIO(text).readline))
    except tokenize.TokenError:
        raise SyntaxError from None
    tokens = [each for each in found if each.type not in (tokenize.NL, tokenize.COMMENT)]
    places = [
        each.start
        for before, each, behind in zip(tokens, tokens[1:], tokens[2:], strict=False)
        if iskeyword(each.string) and before.string in ("(", ",") and behind.string == "="
    ]
    # Lines as the tokenizer counts them.
    lines = io.StringIO(text).readlines()
    for line, column in reversed(places):
        lines[line - 1] = lines[line - 1][:column] + _RESERVED + lines[line - 1][column:]
    return syntax_tree("".join(lines), mode)


def _called(node: Any) -> tuple[str, Any]:
    """Return the name that *node* calls, in which there may be hyphens, and the call."""
    import ast

    match node:
        case ast.Call(func=ast.Name() | ast.Attribute() as func):
            return ast.unparse(func), node
        case ast.BinOp(left=left, op=ast.Sub(), right=right):
            name, call = _called(right)
            return f"{ast.unparse(left).replace(' - ', '-')}-{name}", call
        case _:
            raise Unread


#: Words of JSON in Python calls.
_WORDS = {"null": None, "true": True, "false": False}


def _literal(node: Any) -> Any:
    """Return the data that *node* writes; raise `Unread` if it is no literal of JSON."""
    import ast

    match node:
        case ast.Constant(value=None | bool() | str()):
            return node.value
        case ast.Constant(value=int() | float()):
            return node.value
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as number)):
            return -number
        case ast.Name(id=name) if name in _WORDS:
            return _WORDS[name]
        case ast.List() | ast.Tuple():
            return [_literal(each) for each in node.elts]
        case ast.Dict():
            keys = [_literal(key) for key in node.keys]
            if not all(isinstance(key, str) for key in keys) or len(set(keys)) < len(keys):
                raise Unread
            return dict(zip(keys, map(_literal, node.values), strict=True))
        case _:
            raise Unread


def call_of_bare(head: str, body: str, form: BareForm, at: int) -> DialectCall:
    """Return the call of *head* and *body*, an object with bare keys; raise `Unread`."""
    name = head.strip().removeprefix(form.prefix).removeprefix(":")
    if not is_name(name):
        raise Unread
    return DialectCall(name, _quoted(body, form.quote), "json", None, at)


def member_of_bare(text: str, form: BareForm) -> tuple[str, str]:
    """Return the key and the JSON text of the value in *text*; raise `Unread`."""
    return member_of_json(_quoted(f"{{{text}}}", form.quote)[1:-1])


def _quoted(body: str, mark: str) -> str:
    """Return *body* as JSON text: its keys in quotes, and its texts, which stand between *mark*."""
    import json

    out, at = list[str](), 0
    texts = re.compile(rf"{re.escape(mark)}|{_TEXT}?", re.DOTALL)
    while (found := texts.search(body, at)) is not None:
        out.append(_BARE_KEY.sub(r'\1"\2"\3', body[at : found.start()]))
        at = found.end()
        if found[0] == mark:
            end = body.find(mark, at)
            end = len(body) if end < 0 else end
            out.append(json.dumps(body[at:end], ensure_ascii=False))
            at = end + len(mark)
        else:
            out.append(found[0])
    return "".join(out) + _BARE_KEY.sub(r'\1"\2"\3', body[at:])


_BARE_KEY = re.compile(r"([{,]\s*+)([^\W\d][\w.-]*+)(\s*+:)")
