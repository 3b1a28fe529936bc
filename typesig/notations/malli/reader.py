"""Malli data to a type: a form is a name, or a list of a name, properties and parts.

To read another form, add its row to `forms.FORMS`; to read another name of a type, to `names`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from itertools import islice
from typing import Any, NamedTuple

from typesig.algebra.constructors import make_noted
from typesig.algebra.definitions import MisfitDefaultError, format_misfit
from typesig.algebra.loss import Loss
from typesig.algebra.nodes import ANY, Field, Ref, Type
from typesig.algebra.rows.values import Const, Keyword, get_kind, to_const
from typesig.errors import TooDeep, TooLarge, TypesigError, Unsupported
from typesig.limits import MAX_EDN_DEPTH, MAX_EXCERPT, MAX_FORMS, MAX_NAMED
from typesig.notations.edn import Symbol
from typesig.notations.malli import names
from typesig.notations.malli.names import FormSpelling, get_text

Path = tuple[str, ...]

#: The key of a name in a registry: whether it is a keyword, and its text.
Key = tuple[bool, str]

#: The properties for people, which a form and an entry may have.
NOTES = frozenset({"title", "description"})

_ANYWHERE = NOTES | {"registry"}

#: The forms whose first part may be a nil that is a value, not absent properties.
_WITH_VALUES = frozenset({"enum", "="})


class Form(NamedTuple):
    """A Malli form, split into its head, properties and parts.

    #: head: its name if that is a keyword, else None; shape: what a message calls it
    #: properties: by their names; parts: what follows the properties; at: the place of the form
    """

    head: str | None
    shape: str
    properties: dict[str, Any]
    parts: list[Any]
    at: Path


class Row(NamedTuple):
    """The reading function and the allowed properties of a kind of form.

    #: read: returns its type; properties: those that it may have, title and description aside
    """

    read: Callable[[FormReader, Form], Type]
    properties: frozenset[str] = frozenset()


class FormReader:
    """Reader of the forms of a Malli document; refuses or widens unknown forms."""

    def __init__(
        self, spelling: FormSpelling, rows: Mapping[str, Row], lossy: bool, losses: list[Loss]
    ) -> None:
        self.spelling = spelling
        self.rows = rows
        self.lossy = lossy
        self.losses = losses
        self.definitions: dict[str, Type] = {}
        # The names that the registries around a form define, and the definition of each.
        self.scope: dict[Key, str] = {}
        # The entries of the scope that a form shadows, to be restored after it.
        self.shadowed: list[tuple[Key, str | None]] = []
        # The names of definitions, and the last number that was added to each.
        self.taken: dict[str, int] = {}
        # The fields with defaults, by their places.
        self.defaults: list[tuple[Path, Field]] = []
        self.count = 0
        self.depth = 0

    # the tree

    def count_step(self) -> None:
        """Count a visited form or value; raise `TooLarge` if there are too many."""
        self.count += 1
        if self.count > MAX_FORMS:
            raise TooLarge(f"Malli data may have {MAX_FORMS} forms and values, this has more")

    def enter(self) -> None:
        """Count a form or value and increase the depth; raise `TooDeep` if too deep."""
        self.count_step()
        self.depth += 1
        if self.depth > MAX_EDN_DEPTH:
            raise TooDeep(f"Malli data may nest {MAX_EDN_DEPTH} forms, this has more")

    def read_type(self, data: Any, at: Path = ()) -> Type:
        """Read the form *data* at the path *at* as a type."""
        depth, shadowed = self.depth, len(self.shadowed)
        self.enter()
        try:
            return self._read(data, at)
        except (TooDeep, TooLarge):
            raise
        except TypesigError as error:
            refused = (
                error if isinstance(error, Unsupported) else self.make_refusal(at, "", str(error))
            )
            if not self.lossy:
                raise refused from None
            what = refused.shape or "a form"
            self.losses.append(Loss("widened", refused.path, what, refused.why, "anything"))
            return ANY
        finally:
            self.depth = depth
            while len(self.shadowed) > shadowed:
                key, name = self.shadowed.pop()
                if name is None:
                    del self.scope[key]
                else:
                    self.scope[key] = name

    def _read(self, data: Any, at: Path) -> Type:
        """Read the form *data* at path *at* as a type, with its registry."""
        form = self.parse_form(data, at)
        if "registry" in form.properties:
            self.define(form)
        head = data[0] if isinstance(data, list | tuple) else data
        row = self.rows.get(form.head or "")
        if row is None or self.make_key(head) in self.scope:
            found = self._read_named(head, form)
            self.check_properties(form, _ANYWHERE)
        else:
            self.check_properties(form, row.properties | _ANYWHERE)
            found = row.read(self, form)
        return self.with_notes(found, form)

    def parse_form(self, data: Any, at: Path) -> Form:
        """Split the form *data* at the path *at* into head, properties and parts."""
        if not isinstance(data, list | tuple):
            return Form(self.spelling.word(data), self._describe_shape(data), {}, [], at)
        if not data:
            raise self.make_refusal(at, "[]", "a form begins with a name; write [:vector :any]")
        head, *parts = data
        name, shape = self.spelling.word(head), self._describe_shape(head)
        first = parts[0] if parts else ...
        if isinstance(first, dict):
            return Form(name, shape, self._read_properties(first, at), parts[1:], at)
        if first is None and name not in _WITH_VALUES:
            return Form(name, shape, {}, parts[1:], at)
        return Form(name, shape, {}, parts, at)

    def _describe_shape(self, head: object) -> str:
        """Describe the name *head* of a form for messages."""
        word = self.spelling.word(head)
        return show(head) if word is None else shorten(f":{word}")

    def _read_properties(self, given: dict[Any, Any], at: Path) -> dict[str, Any]:
        """Return the properties *given* by name; refuse a key that is no keyword."""
        found: dict[str, Any] = {}
        for key, value in given.items():
            name = self.spelling.word(key)
            if name is None:
                text = get_text(key)
                remedy = "" if text is None else f"; write {shorten(':' + text)}"
                raise self.make_refusal(at, show(key), f"a property is named by a keyword{remedy}")
            found[name] = value
        return found

    def check_properties(self, form: Form, known: frozenset[str]) -> None:
        """Refuse unknown properties of *form*; report namespaced names as losses."""
        for name in [name for name in form.properties if name not in known]:
            if "/" in name:
                self.report_omitted(
                    form.at, f"the property :{name}", "it does not constrain values"
                )
                continue
            there = sorted(known)
            near = _find_nearest(name, there)
            hint = f"there are :{', :'.join(there)}" if there else "it has none"
            hint = hint if near is None else f"did you mean :{near}?"
            why = _ELSEWHERE.get(name, f"there is no such property here; {hint}")
            raise self.make_refusal(form.at, shorten(f":{name}"), why)

    def with_notes(self, t: Type, form: Form) -> Type:
        """Add the description and title in the properties of *form* to *t*."""
        words: dict[str, str | None] = {"description": None, "title": None}
        for name in [name for name in words if name in form.properties]:
            given = form.properties[name]
            words[name] = get_text(given)
            if words[name] is None:
                raise self.make_refusal(form.at, f":{name}", f"it must be text, not {show(given)}")
        return make_noted(t, words["description"], words["title"])

    def read_with_default(self, data: Any, at: Path) -> tuple[Type, Const | None]:
        """Read *data* as a type; also return its `:default`, or None.

        The default of a field or a parameter may be a property of its type.
        """
        if isinstance(data, list | tuple) and len(data) > 1 and isinstance(data[1], dict):
            kept = {k: v for k, v in data[1].items() if self.spelling.word(k) != "default"}
            given = [v for k, v in data[1].items() if self.spelling.word(k) == "default"]
            if given:
                t = self.read_type([data[0], kept, *data[2:]], at)
                return t, self.read_constant(given[-1])
        return self.read_type(data, at), None

    def with_default(self, field: Field, at: Path) -> Field:
        """Record the path *at* of the default of *field*, and return *field*."""
        if field.default is not None:
            self.defaults.append((at, field))
        return field

    def make_default_refusal(self, error: MisfitDefaultError) -> Unsupported:
        """Build the error that refuses the first misfit default of *error*."""
        places = ((at, u) for at, field in self.defaults for u in error.unfit if u.field == field)
        at, unfit = next(places, ((), error.unfit[0]))
        return self.make_refusal(at, ":default", format_misfit(unfit))

    # names

    def make_key(self, data: object) -> Key | None:
        """Return the registry key for the name *data*, or None if it is no name."""
        word = self.spelling.word(data)
        if word is not None:
            return True, word
        text = get_text(data)
        return None if text is None else (False, text)

    def define(self, form: Form) -> None:
        """Read the registry of *form* as definitions; a name in use gets a number."""
        registry = form.properties["registry"]
        if not isinstance(registry, dict):
            raise self.make_refusal(form.at, ":registry", f"it must be a map, not {show(registry)}")
        mine: dict[Key, str] = {}
        for given in registry:
            key = self.make_key(given)
            if key is None or not key[1]:
                why = f"a type is named by a keyword or a text, not {show(given)}"
                raise self.make_refusal(form.at, ":registry", why)
            mine[key] = self._make_free_name(key[1])
        self.shadowed += [(key, self.scope.get(key)) for key in mine]
        self.scope.update(mine)
        for name, data in zip(mine.values(), registry.values(), strict=True):
            self.definitions[name] = self.read_type(data, ("definitions", name))

    def _make_free_name(self, name: str) -> str:
        """Return *name*, with a number appended if it is already in use."""
        count = self.taken.get(name, 1)
        found = name
        while found in self.taken:
            count += 1
            found = f"{name}{count}"
        self.taken[name] = count
        self.taken.setdefault(found, 1)
        return found

    def read_reference(self, data: object, at: Path) -> Type:
        """Return a reference to the registered type with the name *data*."""
        key = self.make_key(data)
        if key is None or key not in self.scope:
            named = ", ".join(map(_show_key, islice(self.scope, MAX_NAMED)))
            more = ", …" if len(self.scope) > MAX_NAMED else ""
            there = f"there are {named}{more}" if named else "no registry is around it"
            raise self.make_refusal(
                at, ":ref", f"{self._describe_shape(data)} is not defined; {there}"
            )
        return Ref(self.scope[key])

    def _read_named(self, head: object, form: Form) -> Type:
        """Read a form that is only the name *head* as a scalar or reference."""
        key = self.make_key(head)
        if key is not None and key in self.scope:
            found: Type | None = Ref(self.scope[key])
        elif form.head is not None:
            found = names.READ.get(form.head)
        else:
            found = names.PREDICATES.get(self.spelling.symbol(head) or "")
        if found is None:
            raise self.make_refusal(form.at, form.shape, self._find_remedy(head, form.head))
        if form.parts:
            raise self.make_refusal(
                form.at, form.shape, "it takes no types; did you mean [:tuple …]?"
            )
        return found

    def _find_remedy(self, head: object, word: str | None) -> str:
        """Suggest a replacement for an unknown type name."""
        if word is not None:
            if word in names.REFUSED:
                return names.REFUSED[word]
            if word in names.PREDICATES:
                return f"there is no such type; write {word}"
            if word.endswith("?"):
                return f"there is no such type; write [:maybe {shorten(':' + word[:-1])}]"
            return _suggest_near(word, [*names.READ, *self.rows], ":")
        symbol = self.spelling.symbol(head)
        name = get_text(head) if symbol is None else symbol
        if name is None:
            return "a type is a keyword, or a list that begins with one"
        if name in names.REFUSED_PREDICATES:
            return names.REFUSED_PREDICATES[name]
        if name in names.READ or name in names.REFUSED or name in self.rows:
            return f"write :{name}"
        return _suggest_near(name, names.PREDICATES, "")

    # values

    def read_constant(self, data: Any) -> Const:
        """Return *data* as a constant; raise `TypesigError` if it has no JSON form."""
        return to_const(self._read_value(data))

    def _read_value(self, data: Any) -> Any:
        """Convert the form *data* to a plain value; refuse a symbol."""
        depth = self.depth
        self.enter()
        word = self.spelling.word(data)
        if word is not None:
            made: Any = Keyword(word)
        elif isinstance(data, list | tuple):
            made = [self._read_value(item) for item in data]
        elif isinstance(data, dict):
            made = {self._name(key): self._read_value(item) for key, item in data.items()}
        elif isinstance(data, Symbol):
            raise TypesigError(f"{data.name} is a symbol; write :{data.name}, or text in quotes")
        else:
            made = data
        self.depth = depth
        return made

    def _name(self, data: object) -> object:
        """Return the name of *data* if it is a keyword, otherwise *data*."""
        word = self.spelling.word(data)
        return data if word is None else word

    # mistakes

    def make_refusal(self, at: Path, shape: str, why: str) -> Unsupported:
        """Return the error that refuses *shape* at the place *at*."""
        parts = (".".join(map(shorten, at)), shape, why)
        return Unsupported(": ".join(part for part in parts if part), at, shape, why)

    def report_omitted(self, at: Path, what: str, why: str) -> None:
        """Report that a part is omitted because it does not constrain values."""
        self.losses.append(Loss("omitted", at, what, why))


#: Properties that belong elsewhere, and where.
_ELSEWHERE = {
    "default": "a default belongs to an entry of a map or to a parameter",
    "optional": "it belongs to an entry of a map; for a parameter write [:? :T]",
    "closed": "it belongs to a :map",
}


def _suggest_near(name: str, known: Iterable[str], mark: str) -> str:
    """Suggest a known type name, with the prefix *mark*, for the unknown *name*."""
    if name in names.GUESSED:
        return f"there is no such type; write {names.GUESSED[name]}"
    near = _find_nearest(name, known)
    if near is not None:
        return f"there is no such type; the nearest is {mark}{near}"
    return "there is no such type, and no registry around it defines one"


def _find_nearest(name: str, known: Iterable[str]) -> str | None:
    """Find the name in *known* that is most similar to *name*, or None."""
    # A long name is near to no other, and comparing it would be slow.
    from difflib import get_close_matches

    near = get_close_matches(name, [*known], 1) if len(name) <= MAX_EXCERPT else []
    return near[0] if near else None


def _show_key(key: Key) -> str:
    """Format the registry *key* as a keyword or quoted text, shortened for messages."""
    return shorten(f":{key[1]}" if key[0] else f'"{key[1]}"')


def show(data: object) -> str:
    """Format *data* for an error message, shortened if it is long."""
    if isinstance(data, Symbol):
        return data.name
    if isinstance(data, Keyword):
        return shorten(f":{data}")
    if data is None:
        return "nil"
    if isinstance(data, bool):
        return "true" if data else "false"
    if isinstance(data, int | float) and abs(data) < 10**MAX_EXCERPT:
        return repr(data)
    if isinstance(data, str):
        return shorten(f'"{data[:MAX_EXCERPT]}"')
    # Anything else may contain itself, or have a long repr.
    kind = get_kind(data)
    return f"a {type(data).__name__}" if kind == "object" else f"a {kind}"


def shorten(text: str) -> str:
    """Cut *text* to the length of an excerpt in a message."""
    return text if len(text) <= MAX_EXCERPT else text[: MAX_EXCERPT - 1] + "…"
