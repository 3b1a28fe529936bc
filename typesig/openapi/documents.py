"""Documents in JSON or YAML; references are followed within a document only."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urljoin

from typesig.algebra.rows.builtin import as_data, count_places, read_mapping
from typesig.algebra.rows.values import to_builtin
from typesig.errors import TooDeep, TooLarge, TypesigError, Unsupported, format_value
from typesig.limits.network import MAX_DOCUMENT, MAX_DOCUMENT_VALUES
from typesig.openapi.yaml_text import read_yaml
from typesig.validation.json_text import BadJson, read_json

#: Where something stands in a document.
Place = tuple[str, ...]


class Document:
    """A document of OpenAPI 3.0, 3.1 or 3.2.

    #: root: its data; is_old: whether its schemas are those of 3.0, a dialect of their own
    #: is_new: whether it has what only 3.2 has
    """

    __slots__ = ("_address", "is_new", "is_old", "root")

    def __init__(self, root: dict[str, Any]) -> None:
        version = _read_version(root)
        self.root = root
        self.is_old = version == "3.0"
        self.is_new = version == "3.2"
        own = root.get("$self") if self.is_new else None
        self._address = own if isinstance(own, str) else ""

    def make_local(self, reference: str) -> str:
        """Strip *reference* to its fragment if it points into this document."""
        if not self._address or reference.startswith("#"):
            return reference
        try:
            whole, _, fragment = urljoin(self._address, reference).partition("#")
        except ValueError:
            return reference
        return f"#{fragment}" if whole == self._address.partition("#")[0] else reference

    def follow(self, reference: str, place: Place) -> Any:
        """Return the target of *reference*; raise `Unsupported` if it is missing.

        It is a JSON pointer (RFC 6901) in a fragment.  Nothing is fetched.
        """
        reference = self.make_local(reference)
        if not reference.startswith("#/"):
            why = (
                f"the reference {format_value(reference)} leaves the document, and nothing is "
                "fetched"
            )
            raise Unsupported(why, place)
        node: Any = self.root
        for token in unquote(reference[2:]).split("/"):
            key = token.replace("~1", "/").replace("~0", "~")
            if isinstance(node, list):
                is_index = key.isdecimal() and len(key) < 10 and int(key) < len(node)
                node = node[int(key)] if is_index else None
            else:
                node = node.get(key) if isinstance(node, dict) else None
            if node is None:
                raise Unsupported(
                    f"the reference {format_value(reference)} leads to nothing", place
                )
        return node

    def resolve(self, node: object, place: Place) -> dict[str, Any]:
        """The object *node*, or the target of its reference; raise `Unsupported` otherwise."""
        seen: set[str] = set()
        while isinstance(node, dict) and isinstance(node.get("$ref"), str):
            reference = node["$ref"]
            if reference in seen:
                raise Unsupported(f"the reference {format_value(reference)} leads to itself", place)
            seen.add(reference)
            node = self.follow(reference, place)
        if not isinstance(node, dict):
            raise Unsupported(f"this is an object, not {type(node).__name__}", place)
        return node

    def schema(self, node: object, place: Place) -> dict[str, Any]:
        """The schema *node*, or the target of its reference; empty if there is none."""
        try:
            return self.resolve(node, place)
        except Unsupported:
            return {}

    def has(self, reference: str) -> bool:
        """Whether *reference* has a target."""
        try:
            self.follow(reference, ())
        except Unsupported:
            return False
        return True


_COMPONENT = "#/components/schemas/"


def get_component_name(reference: str) -> str:
    """Return the component name in *reference*, or *reference* if it has none.

    >>> get_component_name("#/components/schemas/Order"), get_component_name("#/paths/x")
    ('Order', '#/paths/x')
    """
    name = reference.removeprefix(_COMPONENT)
    if "/" in name:
        # Names of components have no `#`.
        return reference
    return unquote(name).replace("~1", "/").replace("~0", "~")


def read_document(source: Any) -> Document:
    """Return the document *source*: a dict, JSON or YAML text, or the path of a file with either.

    Raises `TypesigError` for what is not an OpenAPI document 3.0 to 3.2, `TooLarge` and `TooDeep`
    for one beyond the limits, and `OSError` if the file cannot be read.
    """
    source = to_builtin(source)
    is_text = issubclass(type(source), str | Path)
    if issubclass(type(source), Path):
        source = _read_text(source)
    if type(source) is str:
        if len(source) > MAX_DOCUMENT:
            raise TooLarge(f"the document has more than {MAX_DOCUMENT} characters")
        if _is_address(source):
            name = format_value(source.strip())
            remedy = f"give a file as pathlib.Path({name})"
            if "://" in source:
                remedy = "nothing is fetched, so give the text that is there"
            raise TypesigError(f"{name} is not an OpenAPI document; {remedy}")
        source = _parse_text(source)
    if not issubclass(type(source), Mapping):
        raise TypesigError(
            f"a document of OpenAPI is an object, not {_describe_kind(source)}; give it as a "
            "dict, as JSON "
            "or YAML text, or as a pathlib.Path"
        )
    source = read_mapping(source)
    if count_places(source) > MAX_DOCUMENT_VALUES:
        raise TooLarge(
            f"the document has more than {MAX_DOCUMENT_VALUES} values, or is inside itself"
        )
    try:
        root: Any = source if is_text else as_data(_with_texts_as_keys(source, {}))
    except RecursionError:
        raise TooDeep("the document nests too deep, or is inside itself") from None
    return Document(root)


def _with_texts_as_keys(node: Any, known: dict[int, Any]) -> Any:
    """Convert keys of *node* such as numbers, and dates, to text after YAML.

    *known* is what is known by the id of a part, since a part may stand in many places.
    """
    if id(node) in known:
        return known[id(node)]
    made: Any = node
    if issubclass(type(node), Mapping):
        items_of = read_mapping(node).items()
        pairs = [(key, each, _with_texts_as_keys(each, known)) for key, each in items_of]
        if type(node) is not dict or any(type(k) is not str or v is not n for k, v, n in pairs):
            made = {_check_key(key): new for key, _, new in pairs}
    elif issubclass(type(node), list | tuple):
        node = to_builtin(node)
        items = [_with_texts_as_keys(each, known) for each in node]
        if type(node) is not list or any(v is not n for v, n in zip(node, items, strict=True)):
            made = items
    elif type(node) is date:
        return node.isoformat()
    else:
        return node
    known[id(node)] = made
    return made


def _check_key(key: Any) -> str:
    """Return the text of the YAML *key*; raise `TypesigError` for impossible keys."""
    if type(key) not in (str, int, float, bool, type(None), date, datetime):
        raise TypesigError(f"a key of {type(key).__name__} is not a name; write it as text")
    return str(key)


def _read_text(path: Path) -> str:
    """Read the file *path*, up to the maximum length of a document."""
    try:
        with path.open(encoding="utf-8-sig") as file:
            return file.read(MAX_DOCUMENT + 1)
    except UnicodeDecodeError:
        raise TypesigError(f"{path} is not UTF-8 text; save it as UTF-8") from None


def _is_address(text: str) -> bool:
    """Whether *text* is a path or URL instead of a document's content."""
    line = text[:1_000].strip()
    return bool(line) and not any(mark in f"{line} " for mark in ("\n", "{", "[", ": "))


def _describe_kind(source: object) -> str:
    """Name the type of *source*, which is not a document, for an error message."""
    return "null" if source is None else type(source).__name__


def _read_version(root: dict[str, Any]) -> str:
    """Return the OpenAPI version of *root*; raise `TypesigError` if unsupported."""
    if "swagger" in root:
        raise TypesigError("this is a document of Swagger 2.0; convert it to OpenAPI 3 first")
    if "openapi" not in root:
        raise TypesigError(
            'this is not an OpenAPI document: it does not say its version, as in openapi: "3.1.0"'
        )
    version = str(root["openapi"])
    if version[:3] not in ("3.0", "3.1", "3.2"):
        raise TypesigError(
            f"the version of the document, openapi: {format_value(version)}, is not read; "
            "3.0, 3.1 and "
            "3.2 are"
        )
    return version[:3]


def _parse_text(text: str) -> Any:
    """Parse *text* as JSON if it begins with a brace, otherwise as YAML."""
    text = text.removeprefix("\ufeff")
    try:
        return read_json(text) if text.lstrip().startswith("{") else read_yaml(text)
    except BadJson as error:
        raise TypesigError(f"the document is {error}") from None
