"""The cells of JSON Schema."""

from __future__ import annotations

from typing import Any

from tests.matrix.rows import Cannot

TREE = {"type": "object", "properties": {"children": {"type": "array", "items": {"$ref": "#/$defs/Tree"}}}, "required": ["children"]}  # fmt: skip
KEYS = Cannot(
    "constraints of keys that are not strings: keys are strings in JSON", ("returns", "keys")
)

CELLS: dict[str, Any] = {
    ":string": {"type": "string"},
    ":int": {"type": "integer"},
    ":float": {"type": "number"},
    ":bool": {"type": "boolean"},
    ":keyword": {"type": "string"},
    ":any": {},
    ":nil": {"type": "null"},
    ":datetime": {"type": "string", "format": "date-time"},
    ":map": {"type": "object"},
    "[:int]": {"type": "array", "items": {"type": "integer"}},
    "#{:int}": {"type": "array", "items": {"type": "integer"}, "uniqueItems": True},
    "[:int, :float]": {"type": "array", "prefixItems": [{"type": "integer"}, {"type": "number"}], "items": False, "minItems": 2},
    "[:int, ** :float]": {"type": "array", "prefixItems": [{"type": "integer"}], "items": {"type": "number"}, "minItems": 1},
    ":map[:int]": {"type": "object", "additionalProperties": {"type": "integer"}},
    ":map[:int :string]": {"type": "object", "propertyNames": {"type": "string", "pattern": "^[+-]?[0-9]+$"}, "additionalProperties": {"type": "string"}},
    ":map[:int[1..5] :string]": KEYS,
    "{id :int}": {"type": "object", "properties": {"id": {"type": "integer"}}, "required": ["id"]},
    "{id :int}!": {"type": "object", "properties": {"id": {"type": "integer"}}, "required": ["id"], "additionalProperties": False},
    "{id :int, ** :string}": {"type": "object", "properties": {"id": {"type": "integer"}}, "required": ["id"], "additionalProperties": {"type": "string"}},
    "{id? :int}": {"type": "object", "properties": {"id": {"type": "integer"}}},
    "{id :int?}": {"type": "object", "properties": {"id": {"anyOf": [{"type": "integer"}, {"type": "null"}]}}},
    "{id :int|:nil}": {"type": "object", "properties": {"id": {"anyOf": [{"type": "integer"}, {"type": "null"}]}}, "required": ["id"]},
    "{id :int = 1}": {"type": "object", "properties": {"id": {"type": "integer", "default": 1}}},
    '{id :int "words"}': {"type": "object", "properties": {"id": {"type": "integer", "description": "words"}}, "required": ["id"]},
    '{"a b" :int}': {"type": "object", "properties": {"a b": {"type": "integer"}}, "required": ["a b"]},
    "{/^x-/ :int}": {"type": "object", "patternProperties": {"^x-": {"type": "integer"}}},
    ":int?": {"anyOf": [{"type": "integer"}, {"type": "null"}]},
    ':enum["a" "b"]': {"type": "string", "enum": ["a", "b"]},
    ':enum["a" 1 true nil]': {"enum": ["a", 1, True, None]},
    ":int|:string": {"anyOf": [{"type": "integer"}, {"type": "string"}]},
    ":one[:int, :float]": {"oneOf": [{"type": "integer"}, {"type": "number"}]},
    "{a :int} & {b :int}": {"allOf": [{"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]}, {"type": "object", "properties": {"b": {"type": "integer"}}, "required": ["b"]}]},
    ":not[:string]": {"not": {"type": "string"}},
    ":count[2..3 :int]": {"type": "array", "contains": {"type": "integer"}, "minContains": 2, "maxContains": 3},
    ":int[1..100]": {"type": "integer", "minimum": 1, "maximum": 100},
    ":float[>0, <1]": {"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1},
    ":int[%5]": {"type": "integer", "multipleOf": 5},
    ":string[1..20]": {"type": "string", "minLength": 1, "maxLength": 20},
    ":string[/^a/]": {"type": "string", "pattern": "^a"},
    ":string[email]": {"type": "string", "format": "email"},
    "[:int][1..3]": {"type": "array", "items": {"type": "integer"}, "minItems": 1, "maxItems": 3},
    "[:int][unique]": {"type": "array", "items": {"type": "integer"}, "uniqueItems": True},
    ":map[1..]": {"type": "object", "minProperties": 1},
    '(:int "a count")': {"type": "integer", "description": "a count"},
    ":Tree where Tree = {children [:Tree]}": {"$ref": "#/$defs/Tree", "$defs": {"Tree": TREE}},
    "(id :int, limit :int = 10) -> [:string]": {"input": {"type": "object", "properties": {"id": {"type": "integer"}, "limit": {"type": "integer", "default": 10}}, "required": ["id"]}, "output": {"type": "array", "items": {"type": "string"}}},
    "()! -> :any": {"input": {"type": "object", "additionalProperties": False}, "output": {}},
    "(q :string, ** :int) -> :nil": {"input": {"type": "object", "properties": {"q": {"type": "string"}}, "required": ["q"], "additionalProperties": {"type": "integer"}}, "output": {"type": "null"}},
}  # fmt: skip
