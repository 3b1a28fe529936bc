"""Names and arguments in the text of calls, whole or so far: JSON, heads, Python, bare keys."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from keyword import iskeyword, kwlist
from typing import Any

from typesig.extraction.callables.type_checking_names import parse_syntax
from typesig.limits import MAX_DIALECT_PYTHON
from typesig.providers.dialects.dialect import BareForm, Form, HeadForm, JsonForm, PythonForm
from typesig.providers.dialects.lexer import Argument, DialectCall
from typesig.validation.json_text import BadJson, read_json

# --- Names and arguments in the text of calls: JSON objects, heads, Python calls, bare keys ---

# An unclosed text is a piece too, so that its end is looked for once.
_TEXT = r'"[^"\\]*+(?:\\.[^"\\]*+)*+"'
_PIECE = re.compile(rf"{_TEXT}?|[\[{{]|[\]}}]|[,:]", re.DOTALL)


class UnreadableCall(ValueError):
    """An error for a text that is no readable call; *name* is the tool, if known."""

    def __init__(self, name: str = "") -> None:
        super().__init__(name)
        self.name = name


def read_json_calls(text: str, form: JsonForm, at: int) -> Iterator[DialectCall]:
    """Yield the calls in *text*, an object or a list of them; raise `UnreadableCall`."""
    for start, end in _iter_parts(text) if text[:1] == "[" else [(0, len(text))]:
        if text[start : start + 1] != "{":
            raise UnreadableCall
        yield _read_json_call(text[start:end], form, at + start)


def _read_json_call(text: str, form: JsonForm, at: int) -> DialectCall:
    """Read a call that begins at *at* from the members of a JSON object, *text*."""
    members = dict[str, str]()
    for start, end in _iter_parts(text):
        key, value = read_json_member(text[start:end])
        if key in members:
            raise UnreadableCall
        members[key] = value
    # OpenAI's form has the two in an object of their own.
    inner = members.get("function", "")
    if inner[:1] == "{" and _get_first(members, form.name) is None:
        return _read_json_call(inner, form, at)
    if form.is_keyed and len(members) == 1:
        [(key, value)] = members.items()
        if is_name(key):
            return DialectCall(key, value, "json", None, at)
    name, sent = _get_first(members, form.name), _get_first(members, form.arguments)
    number = _get_first(members, form.id)
    named = None if name is None else read_json_text(name)
    if named is None:
        raise UnreadableCall
    made = None if number is None else read_json_text(number)
    return DialectCall(named, "{}" if sent is None else sent, "json", made, at)


def _get_first(members: dict[str, str], keys: Sequence[str]) -> str | None:
    """Return the value in *members* of the only key of *keys*, or None; refuse several."""
    found = [members[key] for key in keys if key in members]
    if len(found) > 1:
        raise UnreadableCall
    return found[0] if found else None


def _iter_parts(text: str) -> Iterator[tuple[int, int]]:
    """Yield the start and end of each item or member in *text*, a JSON list or object."""
    depth, start = 0, 1
    for found in _PIECE.finditer(text):
        match found[0]:
            case "[" | "{":
                depth += 1
            case "]" | "}":
                depth -= 1
            case "," if depth == 1:
                yield from _trim(text, start, found.start())
                start = found.end()
    yield from _trim(text, start, len(text) - 1)


def _trim(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the span of *text* from *start* to *end* without outer blanks, unless blank."""
    part = text[start:end]
    if part.strip():
        yield start + len(part) - len(part.lstrip()), start + len(part.rstrip())


def read_json_member(text: str) -> tuple[str, str]:
    """Split *text*, a member of a JSON object, into its key and its value as JSON text."""
    text = text.strip()
    found = _PIECE.match(text)
    if found is None or found[0][0] != '"':
        raise UnreadableCall
    value = text[found.end() :].lstrip()
    key = read_json_text(found[0])
    if key is None or value[:1] != ":":
        raise UnreadableCall
    return key, value[1:].strip()


def read_json_text(json: str) -> str | None:
    """Parse *json* as a JSON string; return None if it is anything else."""
    try:
        data = read_json(json)
    except BadJson:
        return None
    return data if isinstance(data, str) else None


def read_head_call(parts: Sequence[tuple[str, str]], body: str, form: HeadForm, at: int) -> Any:
    """Read a call from *parts*, texts of its head with separators, and the JSON *body*."""
    texts = [text.strip() for _, text in parts]
    if len(texts) <= form.name_at:
        raise UnreadableCall
    head = texts[form.name_at]
    made = next((text.strip() for mark, text in parts if mark and mark == form.id_after), None)
    head = head.split()[0] if form.is_word and head else head
    name = head.removeprefix(form.prefix)
    if form.counter:
        name, made = name.rpartition(form.counter)[0] or name, head
    if not is_name(name):
        raise UnreadableCall
    return DialectCall(name, body, "json", made, at)


_NAME = re.compile(r"[^\s<>{}()\[\]\"'`|=,;]{1,256}")


def is_name(text: str) -> bool:
    """Whether *text* may be the name of a tool."""
    return _NAME.fullmatch(text) is not None


def read_python_calls(text: str, at: int, is_lines: bool = False) -> Iterator[DialectCall]:
    """Parse *text*, a list of Python calls, without running it; yield the calls.

    With *is_lines*, each call has a line of its own, and no brackets stand around all.
    """
    for each in _find_call_nodes(text, is_lines):
        name, call = _read_call_node(each)
        if call.args or not is_name(name):
            raise UnreadableCall(name)
        keys = [keyword.arg for keyword in call.keywords]
        if None in keys or len(set(keys)) < len(keys):
            raise UnreadableCall(name)
        try:
            data = {
                _remove_mark(str(word.arg)): _read_literal(word.value) for word in call.keywords
            }
        except (UnreadableCall, RecursionError):
            raise UnreadableCall(name) from None
        yield DialectCall(name, data, "data", None, at + each.col_offset)


def _find_call_nodes(text: str, is_lines: bool) -> list[Any]:
    """Parse *text* as Python and return its call nodes, still unchecked."""
    import ast

    if len(text) > MAX_DIALECT_PYTHON:
        raise UnreadableCall
    try:
        tree = _parse_python(text.strip(), "exec") if is_lines else _parse_python(text, "eval")
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        raise UnreadableCall from None
    match tree:
        case ast.Expression(body=ast.List(elts=nodes)):
            return nodes
        case ast.Module(body=lines):
            found = [line.value for line in lines if isinstance(line, ast.Expr)]
            if found and len(found) == len(lines):
                return found
        case _:
            pass
    raise UnreadableCall


#: What is written before a reserved word that is the name of an argument, such as `from`.
_RESERVED = "reserved__"


def _remove_mark(name: str) -> str:
    """Remove the prefix `reserved__` from *name* if a Python keyword follows."""
    bare = name.removeprefix(_RESERVED)
    return bare if iskeyword(bare) else name


def _parse_python(text: str, mode: str) -> Any:
    """Parse *text* as Python, with any argument names allowed, and return the tree."""
    import io
    import tokenize

    try:
        return parse_syntax(text, mode)
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
    return parse_syntax("".join(lines), mode)


def _read_call_node(node: Any) -> tuple[str, Any]:
    """Return the tool name in *node*, which may have hyphens, and the call node."""
    import ast

    match node:
        case ast.Call(func=ast.Name() | ast.Attribute() as func):
            return ast.unparse(func), node
        case ast.BinOp(left=left, op=ast.Sub(), right=right):
            name, call = _read_call_node(right)
            return f"{ast.unparse(left).replace(' - ', '-')}-{name}", call
        case _:
            raise UnreadableCall


#: Words of JSON in Python calls.
_WORDS = {"null": None, "true": True, "false": False}


def _read_literal(node: Any) -> Any:
    """Convert the literal *node* to JSON data; raise `UnreadableCall` for other nodes."""
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
            return [_read_literal(each) for each in node.elts]
        case ast.Dict():
            keys = [_read_literal(key) for key in node.keys]
            if not all(isinstance(key, str) for key in keys) or len(set(keys)) < len(keys):
                raise UnreadableCall
            return dict(zip(keys, map(_read_literal, node.values), strict=True))
        case _:
            raise UnreadableCall


def read_bare_call(head: str, body: str, form: BareForm, at: int) -> DialectCall:
    """Read a call from its *head* and from *body*, an object with unquoted keys."""
    name = head.strip().removeprefix(form.prefix).removeprefix(":")
    if not is_name(name):
        raise UnreadableCall
    return DialectCall(name, _quote_bare(body, form.quote), "json", None, at)


def read_bare_member(text: str, form: BareForm) -> tuple[str, str]:
    """Split *text*, a member with an unquoted key, into the key and the value as JSON."""
    return read_json_member(_quote_bare(f"{{{text}}}", form.quote)[1:-1])


def _quote_bare(body: str, mark: str) -> str:
    """Convert *body*, with unquoted keys and texts between *mark*, to JSON text."""
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


# --- Arguments that have ended in a call that has not, where brackets end a call ---

_OPENING = "[{("
_CLOSING = "]})"


class ArgumentStream:
    """A collector of the arguments in one call body, which reports each at its end.

    Each character is kept until the part that it belongs to has ended, so the work is linear.
    """

    __slots__ = ("_base", "_form", "_known", "_name", "_parts", "_pending", "_within", "number")

    def __init__(self, form: Form, known: Callable[[], str], number: int) -> None:
        """*known* returns the name in the head; *number* is that of the first call."""
        self.number = number - 1
        self._form = form
        self._known = known
        # The name of the tool, and its arguments that ended before it was known.
        self._name = ""
        self._pending: list[tuple[str, object]] = []
        self._parts: list[str] = []
        # How deep in brackets the members of a call are, in JSON, and the arguments now.
        self._base = 0
        self._within = 0

    def take(self, text: str) -> None:
        """Add *text*, in which no argument and no member ends."""
        self._parts.append(text)

    def mark(self, mark: str, depth: int) -> list[Argument]:
        """Process *mark*, followed by *depth* open brackets; return ended arguments."""
        if mark in _OPENING:
            is_part = not self._take_opener(mark, depth)
        elif mark in _CLOSING:
            is_part = not self._close_bracket(depth)
        else:
            is_part = mark != "," or not self._take_comma(depth)
        if is_part:
            self._parts.append(mark)
        else:
            self._parts = []
        if not self._name:
            return []
        told, self._pending = self._pending, []
        return [Argument(self._name, key, value, "data", self.number) for key, value in told]

    def _take_opener(self, mark: str, depth: int) -> bool:
        """Process a bracket; return whether it begins a call or arguments."""
        if isinstance(self._form, JsonForm):
            return self._take_json_opener(mark, depth, self._form)
        if isinstance(self._form, PythonForm):
            if depth == 2 and mark == "(":
                self._begin("".join(self._parts).strip(), depth)
            return depth == 1 or self._within == depth
        if depth == 1:
            self._begin(self._known(), depth)
        return depth == 1

    def _take_json_opener(self, mark: str, depth: int, form: JsonForm) -> bool:
        """Process a bracket of JSON; return whether it begins a call or arguments."""
        self._base = self._base or (2 if mark == "[" else 1)
        if depth == self._base and mark == "{":
            self._begin("", 0)
            return True
        if depth != self._base + 1 or mark != "{" or self._within:
            return False
        key = read_json_text("".join(self._parts).strip().removesuffix(":").strip())
        if form.is_keyed and key not in (*form.arguments, "function"):
            self._name = key or ""
        elif key not in form.arguments:
            return False
        self._within = depth
        return True

    def _begin(self, name: str, within: int) -> None:
        """Begin the next call, with arguments at the bracket depth *within*."""
        self._name, self._within, self._pending = name, within, []
        self.number += 1

    def _close_bracket(self, depth: int) -> bool:
        """Process a closing bracket; return whether an argument or a member ends."""
        if self._within and depth == self._within - 1:
            self._end()
            self._within = 0
            return True
        if isinstance(self._form, JsonForm) and depth == self._base - 1:
            self._end_member(self._form)
            return True
        return False

    def _take_comma(self, depth: int) -> bool:
        """Process a comma; return whether an argument or a member ends."""
        if self._within == depth:
            self._end()
            return True
        if isinstance(self._form, JsonForm) and depth == self._base and not self._within:
            self._end_member(self._form)
            return True
        return isinstance(self._form, PythonForm) and depth == 1

    def _end_member(self, form: JsonForm) -> None:
        """Finish a member of a call object; store the value if it is the tool's name."""
        try:
            key, value = read_json_member("".join(self._parts))
        except UnreadableCall:
            return
        if key in form.name:
            self._name = read_json_text(value) or ""

    def _end(self) -> None:
        """Finish an argument; skip an unreadable one, which the whole call reports."""
        text = "".join(self._parts)
        if not text.strip():
            return
        try:
            if isinstance(self._form, PythonForm):
                [call] = read_python_calls(f"[f({text})]", 0)
                assert not isinstance(call.arguments, str)
                self._pending += call.arguments.items()
            else:
                bare = self._form if isinstance(self._form, BareForm) else None
                key, value = read_bare_member(text, bare) if bare else read_json_member(text)
                self._pending.append((key, read_json(value)))
        except (UnreadableCall, BadJson):
            return
