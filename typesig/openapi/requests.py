"""Build the HTTP request of an operation from arguments."""

from __future__ import annotations

import base64
import contextlib
import json
import re
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping
from typing import Any, Literal, NamedTuple, TypeAlias, assert_never
from urllib.parse import quote, urlsplit

from typesig.calls.functions import ToolError
from typesig.calls.running import WaitMode
from typesig.errors import TypesigError, format_value
from typesig.openapi.arguments import Arguments, BodyField, WholeBody
from typesig.openapi.bodies import Body, find_media_type
from typesig.openapi.messages import (
    Request,
    encode_text,
    encode_unsafe,
    format_scalar,
    is_form,
    write_parameter,
)
from typesig.openapi.operations import HEADER, Operation, Parameter, has_blanks

_TEMPLATE = re.compile(r"\{([^{}]*)\}")

#: What a cookie may have (RFC 6265, 4.1.1), and the commas between items of a list.
_COOKIE = re.compile(r"[\x21\x23-\x3a\x3c-\x5b\x5d-\x7e]*")


#: The parts of a request that credentials go into.
SecretPlace: TypeAlias = Literal["header", "query", "cookie"]


class Secret(NamedTuple):
    """A credential for requests: its location, and the function that returns it.

    #: where: in which part of the request; prefix: what stands before it
    """

    where: SecretPlace
    name: str
    prefix: str
    value: Callable[[], str | Awaitable[str]]

    def __repr__(self) -> str:
        """Return where it goes; never the credential."""
        return f"<Secret {self.where} {self.name}>"

    async def get_text(self, waiting: WaitMode) -> str:
        """Return the credential, awaited as *waiting* does; raise if no header can hold it."""
        refusal = f"the credential for {self.name} is awaited; give an async send= with it"
        value = await waiting.await_value(self.value(), refusal)
        if not isinstance(value, str) or HEADER.fullmatch(value) is None:
            raise TypesigError(f"the credential for {self.name} is not printable ASCII text")
        if self.where == "cookie" and ";" in value:
            raise TypesigError(
                f"the credential for {self.name} has a semicolon, which ends a cookie; encode it "
                "as the server does"
            )
        if self.where == "header" and has_blanks(value):
            raise TypesigError(
                f"the credential for {self.name} has blanks at its ends, which no header takes; "
                "strip it"
            )
        return value


def list_hidden_texts(secret: Secret, text: str) -> list[str]:
    """List the spellings of the credential *text* to hide in messages.

    A password of the scheme Basic is there as such, too.
    """
    found = [text]
    if secret.prefix.lower() == "basic ":
        with contextlib.suppress(ValueError):
            found.append(base64.b64decode(text, validate=True).decode().partition(":")[2])
    return [form for each in found for form in _iter_spellings(each)]


def _iter_spellings(text: str) -> Iterator[str]:
    """Yield *text* plain, percent-encoded, and in the JSON escapes of servers."""
    yield from (text, encode_text(text))
    for is_ascii in (True, False):
        written_in_json = json.dumps(text, ensure_ascii=is_ascii)[1:-1]
        yield from (written_in_json, written_in_json.replace("/", "\\/"))


class RequestPlan(NamedTuple):
    """Plan for building requests of an operation from arguments.

    #: base: the address before each path, without a slash at its end
    """

    operation: Operation
    arguments: Arguments
    base: str
    secrets: tuple[Secret, ...]

    @property
    def has_secret_in_query(self) -> bool:
        """Whether a credential is in the query, which is commonly logged."""
        return any(secret.where == "query" for secret in self.secrets)

    def build_request(self, values: Mapping[str, Any], texts: Iterable[str]) -> Request:
        """Build the request for *values*, JSON data by argument name.

        *texts* are the credentials.  Raises `ToolError` for a value that a path or a header cannot
        hold.
        """
        path: dict[str, str] = {}
        query: list[str] = []
        headers: dict[str, str] = {}
        cookies: list[str] = []
        for argument, part, value in self._iter_given(values):
            match part.where:
                case "path":
                    path[part.name] = self._write_path_value(argument, part, value)
                case "query":
                    query += filter(None, [_write_query(part, value)])
                case "header":
                    headers |= _write_header(argument, part, value)
                case "cookie":
                    cookies += filter(None, [_write_cookie(argument, part, value)])
                case where:
                    assert_never(where)
        # Those whom credentials are for do not take them from arguments.
        for secret, text in zip(self.secrets, texts, strict=True):
            match secret.where:
                case "query":
                    query.append(f"{encode_text(secret.name)}={encode_text(text)}")
                case "cookie":
                    # A credential is sent as it was given: servers sign and compare its text.
                    cookies.append(f"{secret.name}={text}")
                case "header":
                    headers[secret.name] = secret.prefix + text
                case where:
                    assert_never(where)
        # There is one such header, whoever speaks of it.
        cookies += [headers.pop(name) for name in [*headers] if name.lower() == "cookie"]
        if cookies:
            headers["Cookie"] = "; ".join(cookies)
        media, body = self._write_body(values)
        if media:
            headers["Content-Type"] = media
        if self.operation.accepts:
            headers["Accept"] = ", ".join(_iter_header_words(self.operation.accepts))
        place, _, fixed = self._build_path(path).partition("?")
        query = [fixed, *query] if fixed else query
        url = self.base + place + ("?" + "&".join(query) if query else "")
        return Request(self.operation.method, url, headers, body)

    def _iter_given(self, values: Mapping[str, Any]) -> Iterator[tuple[str, Parameter, Any]]:
        """Yield name, parameter and value of all parameters that have a value."""
        for name, part in self.arguments.each:
            if not isinstance(part, Parameter):
                continue
            # Nothing stands for null in a query or a header; a path cannot do without.
            if values.get(name) is not None:
                yield name, part, values[name]
            elif part.where == "path":
                raise ToolError(f"{name}: a part of the path cannot be empty")

    def _write_path_value(self, name: str, part: Parameter, value: Any) -> str:
        """Serialize *value* of a path parameter; raise if its text is empty."""
        value = format_scalar(value) if part.is_text and not isinstance(value, str) else value
        text = write_parameter(part.name, value, part.style, part.explode)
        template = f"{{{part.name}}}"
        # What stands for nothing in the styles of RFC 6570 may follow other text.
        can_lack = part.style != "simple" and template not in self.operation.path.split("/")
        if not text and not can_lack:
            raise ToolError(f"{name}: a part of the path cannot be empty")
        return text

    def _build_path(self, values: Mapping[str, str]) -> str:
        """Insert the path parameters from *values* into the path.

        Some documents have a query there, and fragments that tell paths apart, which are not sent.
        """
        template, out, last = self.operation.path.partition("#")[0], [], 0
        for found in _TEMPLATE.finditer(template):
            out.append(_quote_literal(template[last : found.start()]))
            out.append(values.get(found[1], ""))
            last = found.end()
        path = "".join([*out, _quote_literal(template[last:])])
        literal = [*map(_quote_literal, template.split("/"))]
        for segment in path.split("/"):
            # Such a segment would lead to another path.
            if (segment.lower().replace("%2e", ".") in (".", "..")) and segment not in literal:
                raise ToolError('a part of the path cannot be "." or ".."')
        return path

    def _write_body(self, values: Mapping[str, Any]) -> tuple[str, bytes | None]:
        """Write the request body as media type and bytes; None if there is no body."""
        body = self.arguments.body
        if body is None:
            return "", None
        fields: dict[str, Any] = {}
        for name, part in self.arguments.each:
            if isinstance(part, WholeBody):
                given = name in values
                return (
                    find_media_type(body.media).write(body, values[name]) if given else ("", None)
                )
            if isinstance(part, BodyField) and name in values:
                fields[part.name] = values[name]
        if not fields and not body.is_required:
            return "", None
        return find_media_type(body.media).write(body, fields)


def check_base(base: object) -> str:
    """Return the base URL *base*; raise `TypesigError` if it is invalid."""
    remedy = 'give an address such as base="https://api.example.com/v1"'
    if isinstance(base, str) and "@" in base.partition("//")[2].partition("/")[0]:
        # Its text may be shown and logged.
        raise TypesigError(f"the base address has no user or password; {remedy}, and credentials=")
    if not isinstance(base, str):
        raise TypesigError(f"the base address is a str, not {type(base).__name__}; {remedy}")
    try:
        parts = urlsplit(base)
        is_address = parts.scheme in ("http", "https") and bool(parts.hostname)
    except ValueError:
        is_address = False
    if not is_address or not base.isascii() or not base.isprintable() or set(base) & set("?# \\"):
        raise TypesigError(f"{format_value(base)} is not a base address; {remedy}")
    return base.rstrip("/")


def find_templates(path: str) -> tuple[str, ...]:
    """Names in the templates of *path*.

    >>> find_templates("/orgs/{org}/members/{name}")
    ('org', 'name')
    """
    return tuple(_TEMPLATE.findall(path))


def make_basic_credential(user: str, password: str) -> str:
    """Encode *user* and *password* for the scheme Basic (RFC 7617)."""
    return base64.b64encode(f"{user}:{password}".encode()).decode()


def _quote_literal(text: str) -> str:
    """Percent-encode the literal *text* of a path template, keeping reserved characters."""
    return quote(text, safe="/?:@!$&'()*+,;=~%", errors="replace")


def _write_query(part: Parameter, value: Any) -> str:
    """Serialize *value* of the query parameter *part* as `name=value` pairs."""
    if part.whole is not None:
        return _write_whole_query(part.whole, value)
    encode = encode_unsafe if part.is_free else encode_text
    if part.is_text:
        return f"{encode_text(part.name)}={encode(_write_json(value))}"
    text = write_parameter(part.name, value, part.style, part.explode, encode)
    # An empty list has no form; what is required is there all the same.
    return f"{encode(part.name)}=" if part.is_required and not text else text


def _write_whole_query(body: Body, value: Any) -> str:
    """Serialize *value* as the entire query string, by the media type of *body*."""
    media = find_media_type(body.media)
    text = media.write(body, value)[1].decode()
    # Those of a form are encoded already.
    return text if is_form(body.media) else encode_text(text)


def _write_header(name: str, part: Parameter, value: Any) -> dict[str, str]:
    """Serialize *value* of a header parameter; omit an optional empty list."""
    text = (
        _write_json(value)
        if part.is_text
        else write_parameter(part.name, value, part.style, part.explode, str)
    )
    if value in ([], {}) and not part.is_text and not part.is_required:
        return {}
    if HEADER.fullmatch(text) is None:
        raise ToolError(f"{name}: a header takes printable ASCII on one line")
    if has_blanks(text):
        raise ToolError(f"{name}: a header takes no blanks at its ends")
    return {part.name: text}


def _write_cookie(name: str, part: Parameter, value: Any) -> str:
    """Serialize *value* of a cookie parameter; raise if it has forbidden characters."""
    if part.is_text:
        return f"{part.name}={encode_text(_write_json(value))}"
    if part.style != "cookie":
        return write_parameter(part.name, value, part.style, part.explode).replace("&", "; ")
    text = write_parameter(part.name, value, part.style, part.explode, str)
    # This style escapes nothing.
    if not all(_COOKIE.fullmatch(pair) for pair in text.split("; ")):
        raise ToolError(f"{name}: a cookie takes printable ASCII without blanks, quotes, ; and \\")
    return text


def _write_json(value: Any) -> str:
    """Write *value* as compact JSON text."""
    return json.dumps(value, separators=(",", ":"))


def _iter_header_words(words: tuple[str, ...]) -> Iterator[str]:
    """Yield the stripped *words* that are valid in a comma-separated header."""
    yield from (word.strip() for word in words if HEADER.fullmatch(word) and "," not in word)
