"""Values for testing a reader of JSON Schema: values that a schema should accept, and near misses.

Used by `json_schemas.py` and `mcp_tools.py`, and independent of typesig.
`Maker(schema, random).value()` walks the schema: it follows references, picks branches, and adds
required and some optional properties.  With `slip`, one place is made wrong on purpose.  The
validators decide whether a value conforms, so the values need not be exact, only varied.

Integral floats are never generated: typesig keeps the kind of a number, for JSON Schema `1.0` is 1.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from fractions import Fraction
from random import Random
from typing import Any

from schema_changes import ANYTHING, kind_of, places, same
from schema_texts import ALPHABET, FORMATS, Matching, near, python_pattern
from schema_walk import Names, subschemas

TYPES = ("null", "boolean", "integer", "number", "string", "array", "object")
#: Keywords that suggest the type of a schema without `type`.
HINTS = {
    "object": ("properties", "required", "additionalProperties", "patternProperties",
               "propertyNames", "minProperties", "maxProperties", "dependentRequired"),
    "array": ("items", "prefixItems", "minItems", "maxItems", "uniqueItems", "contains"),
    "string": ("pattern", "format", "minLength", "maxLength"),
    "number": ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"),
}  # fmt: skip
#: The approximate maximum size of a value, and the depth below which nothing is optional.
PLACES = 150
DEEP = 7
FAR = 10**6
Parts = list[dict[str, Any]]


class Maker:
    """A generator of values for one schema."""

    def __init__(self, root: Any, random: Random) -> None:
        self.root = root
        self.random = random
        self.names = Names(root)
        self.matching = Matching(random)
        self.costs: dict[int, int] = {}
        #: Integers that the schema compares with, written as floats.
        self.floats = frozenset(_written_as_floats(root))
        self.left = PLACES
        #: The number of places before the one that is made wrong; negative if none is.
        self.slip = -1

    def value(self, slip: bool = False) -> Any:
        """Return a value; with *slip*, one that is probably rejected."""
        self.left = PLACES
        self.slip = self.random.choice((0, 0, 1, 2, 3, 5, 8, 13, 21)) if slip else -1
        return self.made([self.root], 0)

    # the schemas for one place

    def parts(self, schemas: list[Any], depth: int) -> Parts | None:
        """Return the plain schemas that a value must all match, or None if one is `false`."""
        found: Parts = []
        waiting = list(schemas)
        for _ in range(400):
            if not waiting:
                break
            schema = waiting.pop()
            if schema is False:
                return None
            if not isinstance(schema, dict):
                continue
            found.append(schema)
            waiting.extend(self._beside(schema, depth))
        return found

    def _beside(self, schema: dict[str, Any], depth: int) -> Iterator[Any]:
        """Yield the schemas that *schema* adds, with one branch of each choice."""
        for word in ("$ref", "$dynamicRef", "$recursiveRef"):
            if isinstance(schema.get(word), str):
                yield self.names.target(schema[word])
        yield from schema.get("allOf", ())
        for word in ("anyOf", "oneOf"):
            if branches := schema.get(word):
                yield self._branch(branches, depth)
        if "if" in schema:
            if self.random.random() < 0.5:
                yield schema["if"]
                yield schema.get("then")
            else:
                yield schema.get("else")

    def _branch(self, branches: list[Any], depth: int) -> Any:
        if depth >= DEEP or self.left <= 0:
            return min(branches, key=self.cost)
        near_ones = [each for each in branches if self.cost(each) < FAR]
        return self.random.choice(near_ones or branches)

    def cost(self, schema: Any) -> int:
        """Return the minimum size of a value of *schema*; a large number if it is infinite."""
        if not isinstance(schema, dict):
            return FAR if schema is False else 1
        known = self.costs.get(id(schema))
        if known is None:
            # A reference back to this schema never ends.
            self.costs[id(schema)] = FAR
            known = self.costs[id(schema)] = min(FAR, self._cost(schema))
        return known

    def _cost(self, schema: dict[str, Any]) -> int:
        total = 1
        if isinstance(schema.get("$ref"), str):
            total += self.cost(self.names.target(schema["$ref"]))
        total += sum(self.cost(each) for each in schema.get("allOf", ()))
        for word in ("anyOf", "oneOf"):
            total += min(map(self.cost, schema.get(word) or [True]))
        held = schema.get("properties", {})
        required = schema.get("required", ())
        for name in required if isinstance(required, list) and isinstance(held, dict) else ():
            total += self.cost(held.get(name, True))
        if type(schema.get("minItems")) is int and isinstance(schema.get("items"), dict):
            total += schema["minItems"] and self.cost(schema["items"])
        return total

    # one value

    def made(self, schemas: list[Any], depth: int) -> Any:
        """Return a value that should match all of *schemas*."""
        self.left -= 1
        found = self.parts(schemas, depth)
        if found is None or depth > 16:
            return self.random.choice(ANYTHING[:10])
        wrong = self.slip == 0
        self.slip -= 1
        if wrong and self.random.random() < 0.3:
            return self.random.choice(ANYTHING)
        types = self._types(found)
        if (chosen := self._given(found, types)) is not _NONE:
            return self._beside_given(chosen) if wrong else chosen
        match self.random.choice(types):
            case "null":
                return "null" if wrong else None
            case "boolean":
                return self.random.choice((0, "true") if wrong else (True, False))
            case "string":
                return self._text(found, wrong)
            case "array":
                return self._list(found, depth, wrong)
            case "object":
                return self._object(found, depth, wrong)
            case kind:
                return self._number(found, kind == "integer", wrong)

    def _types(self, found: Parts) -> list[str]:
        allowed = set(TYPES)
        for each in found:
            told = each.get("type")
            mine = {told} if isinstance(told, str) else set(TYPES)
            if isinstance(told, list):
                # In draft 3 the list may contain schemas.
                mine = {each for each in told if isinstance(each, str)}
            if each.get("nullable") is True:
                mine.add("null")
            if "number" in mine:
                mine.add("integer")
            allowed &= mine
        if not any("type" in each for each in found) and self.random.random() < 0.9:
            hinted = [
                kind
                for kind, words in HINTS.items()
                if any(word in each for each in found for word in words)
            ]
            allowed = set(hinted) or allowed
        return [kind for kind in TYPES if kind in allowed] or list(TYPES)

    def _given(self, found: Parts, types: list[str]) -> Any:
        """Return one of the values that `const` and `enum` allow, or nothing."""
        lists = [each["enum"] for each in found if isinstance(each.get("enum"), list)]
        lists += [[each["const"]] for each in found if "const" in each]
        if not lists:
            given = [e[w] for e in found for w in ("default", "example") if w in e]
            given += [e for each in found for e in _list(each.get("examples"))]
            return self.random.choice(given) if given and self.random.random() < 0.1 else _NONE
        common = [v for v in lists[0] if all(v in rest for rest in lists[1:])] or lists[-1]
        fitting = [v for v in common if kind_of(v) in types]
        return self.random.choice(fitting or common or ANYTHING)

    def _beside_given(self, chosen: Any) -> Any:
        if isinstance(chosen, str):
            return near(chosen, self.random)
        return self.random.choice((str(chosen), [chosen], *ANYTHING))

    def _text(self, found: Parts, wrong: bool) -> str:
        least = max(_numbers(found, "minLength", 0))
        most = min(_numbers(found, "maxLength", FAR))
        patterns = [each["pattern"] for each in found if isinstance(each.get("pattern"), str)]
        formats = [each["format"] for each in found if each.get("format") in FORMATS]
        text = ""
        for _ in range(12):
            text = self._text_once(patterns, formats, wrong)
            if wrong or (least <= len(text) <= most and _matches(text, patterns)):
                break
            if not patterns and not formats:
                text = self._of_length(int(least), int(min(most, least + 12)))
                break
        if wrong:
            return self.random.choice((text, near(text, self.random), self._over(least, most)))
        return text

    def _text_once(self, patterns: list[str], formats: list[str], wrong: bool) -> str:
        if patterns and (not formats or self.random.random() < 0.7):
            made = self.matching.text(self.random.choice(patterns))
            if made is not None:
                return made
        if formats:
            right, beside = FORMATS[self.random.choice(formats)]
            return self.random.choice(beside if wrong else right)
        return self._of_length(0, 8)

    def _of_length(self, least: int, most: int) -> str:
        size = self.random.choice((least, most, self.random.randint(least, max(least, most))))
        return "".join(self.random.choice(ALPHABET) for _ in range(min(size, 3000)))

    def _over(self, least: float, most: float) -> str:
        size = most + 1 if most < 3000 and self.random.random() < 0.7 else max(0, least - 1)
        return self._of_length(int(size), int(size))

    def _number(self, found: Parts, integral: bool, wrong: bool) -> int | float:
        low, high = self._bounds(found)
        steps = [Fraction(str(n)) for n in _numbers(found, "multipleOf", 0) if n > 0]
        if not steps and not integral and self.random.random() < 0.5:
            steps = [Fraction(1, 4)]
        step = steps[0] if steps else Fraction(1)
        for other in steps[1:] + ([Fraction(1)] if integral else []):
            step = Fraction(
                math.lcm(step.numerator, other.numerator),
                math.gcd(step.denominator, other.denominator),
            )
        if wrong:
            step /= self.random.choice((1, 2, 3))
        first, last = math.ceil(low / step), math.floor(high / step)
        count = self.random.choice((first, last, self.random.randint(first, max(first, last))))
        if wrong:
            count = self.random.choice((first - 1, last + 1, count))
        value = count * step
        return value.numerator if value.denominator == 1 else float(value)

    def _bounds(self, found: Parts) -> tuple[Fraction, Fraction]:
        """Return the lowest and the highest number, both included."""
        tiny = Fraction(1, 1000)
        low, high = [], []
        for each in found:
            for word, ends, sign in (("inimum", low, 1), ("aximum", high, -1)):
                outer = each.get(f"exclusiveM{word}")
                if _number(inner := each.get(f"m{word}")):
                    ends.append(_fraction(inner) + sign * tiny * (outer is True))
                if _number(outer):
                    ends.append(_fraction(outer) + sign * tiny)
        wide = self.random.choice((3, 100, 2000))
        if low and not high:
            high = [max(low) + wide]
        if high and not low:
            low = [min(high) - wide]
        return max(low or [Fraction(-wide)]), min(high or [Fraction(wide)])

    def _list(self, found: Parts, depth: int, wrong: bool) -> list[Any]:
        least = int(max(_numbers(found, "minItems", 0)))
        most = int(min(_numbers(found, "maxItems", FAR)))
        more = 0 if depth >= DEEP or self.left <= 0 else self.random.choice((0, 1, 1, 2, 3))
        size = max(least, min(most, least + more))
        if wrong:
            size = self.random.choice((size, max(0, least - 1), min(most, 300) + 1))
        for each in found:
            # Items after the tuple, if they are allowed.
            size = max(size, self.random.choice((0, len(_tuple(each)))) if size <= most else 0)
        size = min(size, 400) if wrong else min(size, max(most, 0), 400)
        wanted = [each["contains"] for each in found if "contains" in each]
        spots = {self.random.randrange(max(1, size)): each for each in wanted} if size else {}
        made = []
        for index in range(size):
            schemas = [s for each in found for s in _at_index(each, index)]
            made.append(
                self.made([*schemas, *([spots[index]] if index in spots else [])], depth + 1)
            )
        if any(each.get("uniqueItems") is True for each in found):
            for index, value in enumerate(made):
                schemas = [s for each in found for s in _at_index(each, index)]
                for _ in range(5):
                    if any(same(value, other) for other in made[:index]):
                        value = made[index] = self.made(schemas, depth + 1)
            if wrong and made:
                made.append(self.random.choice(made))
        return made

    # objects

    def _object(self, found: Parts, depth: int, wrong: bool) -> dict[str, Any]:
        names, found = self._chosen_names(found, depth)
        least = int(max(_numbers(found, "minProperties", 0)))
        most = int(min(_numbers(found, "maxProperties", FAR)))
        for _ in range(8):
            if len(names) < least or (
                depth < DEEP and self.left > 0 and self.random.random() < 0.15
            ):
                names.add(self._new_name(found, depth))
        required = {name for each in found for name in _list(each.get("required"))}
        spare = sorted(names - required)
        self.random.shuffle(spare)
        while len(names) > most and spare:
            names.discard(spare.pop())
        if wrong:
            self._spoil(names, required)
        made = {}
        for name in sorted(names, key=lambda each: (each not in required, each)):
            schemas = [s for each in found for s in _at_name(each, name)]
            if (
                False in schemas
                and name not in required
                and not wrong
                and self.random.random() < 0.9
            ):
                continue
            made[name] = self.made(schemas, depth + 1)
        return made

    def _chosen_names(self, found: Parts, depth: int) -> tuple[set[str], Parts]:
        """Return names that a value may have, and *found* with the schemas of these names."""
        names: set[str] = set()
        known = sorted({n for each in found for n in each.get("properties") or ()})
        chance = self.random.choice((0, 0.3, 0.7, 1)) if depth < DEEP and self.left > 0 else 0
        if len(known) > 12:
            chance *= 12 / len(known)
        names.update(name for name in known if self.random.random() < chance)
        for _ in range(4):
            before = len(names), len(found)
            asked: list[Any] = []
            for each in found:
                names.update(n for n in _list(each.get("required")) if isinstance(n, str))
                for word in ("dependentRequired", "dependentSchemas", "dependencies"):
                    for name, needs in (each.get(word) or {}).items():
                        if name in names and isinstance(needs, list):
                            names.update(needs)
                        elif name in names and not any(needs is p for p in found):
                            asked.append(needs)
            found = found + [
                p for p in self.parts(asked, depth) or [] if not any(p is q for q in found)
            ]
            if before == (len(names), len(found)):
                break
        return names, found

    def _new_name(self, found: Parts, depth: int) -> str:
        patterns = [p for each in found for p in each.get("patternProperties") or ()]
        rules = [each["propertyNames"] for each in found if "propertyNames" in each]
        if patterns and self.random.random() < 0.7:
            return self.matching.text(self.random.choice(patterns)) or "p"
        if rules and self.random.random() < 0.8:
            made = self.made([{"type": "string"}, *rules], depth + 1)
            return made if isinstance(made, str) else "n"
        known = [n for each in found for n in each.get("properties") or ()]
        if known and self.random.random() < 0.3:
            return near(self.random.choice(known), self.random)
        return self.random.choice(("a", "b", "extra", "x-1", "", "A", "0", "é", "_u"))

    def _spoil(self, names: set[str], required: set[str]) -> None:
        match self.random.randrange(3):
            case 0 if required & names:
                names.discard(self.random.choice(sorted(required & names)))
            case 1 if names:
                name = self.random.choice(sorted(names))
                names.discard(name)
                names.add(near(name, self.random))
            case _:
                names.add(self.random.choice(("undeclared", "", "zz9")))


_NONE = object()


def _written_as_floats(root: Any) -> Iterator[int]:
    for _, each in subschemas(root):
        for word in ("const", "enum") if isinstance(each, dict) else ():
            for holder, key in places([each.get(word)]):
                if isinstance(holder[key], float) and holder[key].is_integer():
                    yield int(holder[key])


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _number(value: Any) -> bool:
    return type(value) in (int, float)


def _fraction(value: float) -> Fraction:
    return Fraction(str(value))


def _numbers(found: Parts, word: str, default: float) -> list[float]:
    return [each[word] for each in found if _number(each.get(word))] or [default]


def _matches(text: str, patterns: list[str]) -> bool:
    try:
        return all(re.search(python_pattern(pattern), text) for pattern in patterns)
    except re.error:
        return True


def _tuple(schema: dict[str, Any]) -> list[Any]:
    return _list(schema.get("prefixItems")) or _list(schema.get("items"))


def _at_index(schema: dict[str, Any], index: int) -> list[Any]:
    first = _tuple(schema)
    if index < len(first):
        return [first[index]]
    rest = schema.get("additionalItems" if isinstance(schema.get("items"), list) else "items")
    return [] if rest is None else [rest]


def _at_name(schema: dict[str, Any], name: str) -> list[Any]:
    found = []
    if name in (schema.get("properties") or ()):
        found.append(schema["properties"][name])
    for pattern, each in (schema.get("patternProperties") or {}).items():
        if _matches(name, [pattern]):
            found.append(each)
    if not found:
        rest = ("additionalProperties", "unevaluatedProperties")
        found = [schema[word] for word in rest if word in schema]
    return found
