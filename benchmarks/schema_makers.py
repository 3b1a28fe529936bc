"""Random schemas with the keywords of drafts 2020-12, 7 and 4.

Used by `json_schemas.py`.  `made_schema(random)` returns one; to add a keyword, extend the
function of its type.  Sometimes a keyword is generated where it has no effect: without `type`, with
another type, next to `$ref`.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

NAMES = ("a", "b", "c", "id", "x-1", "name", "S_0", "A", "$id2", "e é", "default", "type", "items")
PATTERNS = (
    "^a", "b$", "^[a-z]+$", "^[A-Z][a-z]*$", "\\d", "^\\w{2,4}$", "^(a|bc)+$", "^x-", "[0-9]{3}",
    "^S_", "^$", "a.c", "^[^a]*$", ".", "", "^(?!a)", "^\\S+$", "é", "^a/b$", "^[\\w.-]+@[a-z]+$",
)  # fmt: skip
FORMATS = (
    "email", "uri", "uuid", "date", "time", "date-time", "ipv4", "ipv6", "hostname", "regex",
    "duration", "json-pointer", "uri-reference", "int32", "unknown-format",
)  # fmt: skip
VALUES: tuple[Any, ...] = (
    "a", "b", "A", "", "1", "true", 0, 1, -1, 2, 10, 0.5, 2.5, True, False, None, [], ["a"], [1, 2],
    [True], {}, {"a": 1}, {"a": [False]}, "é",
)  # fmt: skip
TYPES = ("null", "boolean", "integer", "number", "string", "array", "object")


def made_schema(random: Random) -> dict[str, Any]:
    """Return a schema of a random draft."""
    return _Making(random).whole()


class _Making:
    def __init__(self, random: Random) -> None:
        self.random = random
        self.draft = random.choice(("2020-12", "2020-12", "2020-12", "7", "7", "4"))
        self.definitions: list[str] = []
        self.targets: list[str] = []

    def often(self, chance: float) -> bool:
        return self.random.random() < chance

    def whole(self) -> dict[str, Any]:
        word = "$defs" if self.draft == "2020-12" and self.often(0.8) else "definitions"
        if self.often(0.35):
            self.definitions = self.random.sample(
                ["T", "U", "a/b", "v~w", "X y"], self.random.randint(1, 3)
            )
        for name in self.definitions:
            spot = name.replace("~", "~0").replace("/", "~1").replace(" ", "%20")
            self.targets.append(f"#/{word}/{spot}")
        if self.definitions and self.often(0.3):
            self.targets.append("#")
        anchored = self.draft == "2020-12" and bool(self.definitions) and self.often(0.3)
        if anchored:
            self.targets.append("#here")
        # Mostly a container, since small schemas are judged quickly.
        kind = self.random.choice(("object",) * 5 + ("array",) * 2 + ("",) * 3)
        made = self.typed(kind, 0) if kind else self.schema(0)
        made = made if isinstance(made, dict) else {"not": made} if self.draft != "4" else {}
        if self.definitions:
            made[word] = {name: self.schema(2) for name in self.definitions}
            if anchored:
                made[word][self.definitions[0]] = {"$anchor": "here", **self.typed("object", 2)}
        if self.draft != "2020-12":
            made["$schema"] = f"http://json-schema.org/draft-0{self.draft}/schema#"
        elif self.often(0.3):
            made["$schema"] = "https://json-schema.org/draft/2020-12/schema"
        if self.often(0.1) and self.draft != "4":
            made["$id"] = "https://example.org/made.json"
        return made

    def schema(self, depth: int) -> Any:
        """Return a schema *depth* places below the root."""
        if self.draft != "4" and depth and self.often(0.05):
            return self.often(0.6)
        if self.targets and self.often(0.25 if depth else 0.1):
            made: dict[str, Any] = {"$ref": self.random.choice(self.targets)}
            if self.often(0.15):
                made.update(self.typed(self.random.choice(TYPES), depth + 1))
            return made
        if self.often(0.25 if depth < 3 else 0.05):
            return self.joined(depth)
        if self.often(0.12):
            return self.given()
        made = self.typed(self.random.choice(TYPES if depth < 3 else TYPES[:5]), depth)
        if self.often(0.06):
            made.update(self.typed(self.random.choice(TYPES[:5]), depth))
        if self.often(0.08):
            made.pop("type", None)
        if self.often(0.05) and isinstance(made.get("type"), str):
            made["nullable"] = self.often(0.8)
        if self.often(0.08) and isinstance(made.get("type"), str):
            made["type"] = self.random.sample(TYPES, self.random.randint(1, 3))
        if self.often(0.1):
            made["description"] = "a word"
        return made

    def given(self) -> dict[str, Any]:
        made: dict[str, Any] = {}
        if self.draft != "4" and self.often(0.3):
            made["const"] = self.random.choice(VALUES)
        else:
            made["enum"] = self.random.sample(VALUES, self.random.randint(1, 5))
        if self.often(0.3):
            made["type"] = self.random.choice(TYPES)
        return made

    def several(self, depth: int, kind: str = "") -> list[Any]:
        """Return one to three schemas, most of them of the type *kind* if one is given."""
        return [
            self.typed(kind, depth + 1) if kind and self.often(0.75) else self.schema(depth + 1)
            for _ in range(self.random.randint(1, 3))
        ]

    def joined(self, depth: int) -> dict[str, Any]:
        """Return a schema that combines others."""
        made: dict[str, Any] = {}
        # An `allOf` of several types would be empty.
        kind = self.random.choice(TYPES) if self.often(0.7) else ""
        words = ["anyOf", "anyOf", "oneOf", "oneOf", "allOf", "allOf", "not"]
        word = self.random.choice(words + ["if"] * (self.draft != "4"))
        match word:
            case "not":
                made["not"] = self.several(depth, kind)[0]
            case "if":
                made["if"] = self.several(depth, kind)[0]
                for branch in ("then", "else"):
                    if self.often(0.7):
                        made[branch] = self.several(depth, kind)[0]
            case _:
                made[word] = self.several(depth, kind)
        if self.often(0.4):
            made.update(self.typed(kind or self.random.choice(TYPES), depth + 1))
        return made

    def typed(self, kind: str, depth: int) -> dict[str, Any]:
        """Return a schema of the type *kind* with some of its keywords."""
        fill: dict[str, Callable[[dict[str, Any], int], None]] = {
            "integer": self._number, "number": self._number, "string": self._string,
            "array": self._array, "object": self._object,
        }  # fmt: skip
        made: dict[str, Any] = {"type": kind}
        if kind in fill:
            fill[kind](made, depth)
        return made

    def _number(self, made: dict[str, Any], depth: int) -> None:
        low = self.random.choice((-3, 0, 0.5, 1, 2.5, 10))
        for word, bound in (("inimum", low), ("aximum", low + self.random.choice((0, 0.5, 3, 50)))):
            if isinstance(bound, float) and bound.is_integer():
                bound = int(bound)
            if self.often(0.35):
                made[f"m{word}"] = bound
                if self.draft == "4" and self.often(0.4):
                    made[f"exclusiveM{word}"] = self.often(0.7)
            if self.draft != "4" and self.often(0.15):
                made[f"exclusiveM{word}"] = bound
        if self.often(0.2):
            made["multipleOf"] = self.random.choice((1, 2, 3, 0.5, 0.1, 0.01, 0.25, 1.5, 1e-7))

    def _string(self, made: dict[str, Any], depth: int) -> None:
        if self.often(0.2):
            made["minLength"] = self.random.choice((0, 1, 2, 5))
        if self.often(0.2):
            made["maxLength"] = self.random.choice((0, 1, 3, 8))
        if self.often(0.25):
            made["pattern"] = self.random.choice(PATTERNS)
        if self.often(0.25):
            made["format"] = self.random.choice(FORMATS)

    def _array(self, made: dict[str, Any], depth: int) -> None:
        new = self.draft == "2020-12"
        if self.often(0.25):
            made["prefixItems" if new else "items"] = self.several(depth)
            if self.often(0.5):
                made["items" if new else "additionalItems"] = (
                    False if self.often(0.4) else self.schema(depth + 1)
                )
        elif self.often(0.7):
            made["items"] = self.schema(depth + 1)
        if self.often(0.2):
            made["minItems"] = self.random.choice((0, 1, 2, 3))
        if self.often(0.2):
            made["maxItems"] = self.random.choice((0, 1, 2, 4))
        if self.often(0.15):
            made["uniqueItems"] = self.often(0.9)
        if self.often(0.12) and self.draft != "4":
            made["contains"] = self.schema(depth + 1)
            if new and self.often(0.4):
                made["minContains"] = self.random.choice((0, 1, 2))
            if new and self.often(0.3):
                made["maxContains"] = self.random.choice((1, 2))

    def _object(self, made: dict[str, Any], depth: int) -> None:
        names = self.random.sample(NAMES, self.random.randint(0, 4))
        if names or self.often(0.3):
            made["properties"] = {name: self.schema(depth + 1) for name in names}
        undeclared = [self.random.choice(NAMES)] if self.often(0.1) else []
        wanted = sorted({*(name for name in names if self.often(0.4)), *undeclared})
        if wanted:
            made["required"] = wanted
        if self.often(0.4):
            made["additionalProperties"] = (
                self.often(0.3) if self.often(0.6) else self.schema(depth + 1)
            )
        if self.often(0.15):
            patterns = self.random.sample(PATTERNS, self.random.randint(1, 2))
            made["patternProperties"] = {each: self.schema(depth + 1) for each in patterns}
        if self.often(0.08) and self.draft != "4":
            made["propertyNames"] = self.random.choice(
                (
                    {"pattern": "^[a-z]"},
                    {"maxLength": 3},
                    {"enum": ["a", "b"]},
                    self.schema(depth + 2),
                )
            )
        if self.often(0.1):
            made["minProperties"] = self.random.choice((0, 1, 2))
        if self.often(0.1):
            made["maxProperties"] = self.random.choice((0, 1, 3))
        if self.often(0.1):
            self._dependencies(made, depth)

    def _dependencies(self, made: dict[str, Any], depth: int) -> None:
        name, others = (
            self.random.choice(NAMES),
            self.random.sample(NAMES, self.random.randint(1, 2)),
        )
        if self.draft != "2020-12":
            made["dependencies"] = {name: others if self.often(0.6) else self.schema(depth + 1)}
        elif self.often(0.6):
            made["dependentRequired"] = {name: others}
        else:
            made["dependentSchemas"] = {name: self.schema(depth + 1)}
