"""The writer of JSON Schema: each shape, and the schemas that a model is shown.

A row is a signature or a type in shorthand, and its schema. A new shape needs a row in `SHAPES`.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import get_args

import jsonschema
import pytest

import typesig
from typesig.algebra.constructors import make_refined
from typesig.algebra.loss import Loss
from typesig.algebra.nodes import ANY, List, Scalar
from typesig.algebra.nodes import SHAPES as ALL_SHAPES
from typesig.algebra.rows.constraints import CONSTRAINTS, Constraint
from typesig.algebra.rows.formats import FORMATS
from typesig.algebra.rows.scalars import SCALARS
from typesig.algebra.rows.values import ConstKind, Kind
from typesig.algebra.traversal import iter_types
from typesig.errors import TooLarge, Unsupported
from typesig.notations import convert
from typesig.notations.json_schema import keywords, make_expressible, values, widening, writer

SHAPES = [
    (":string", {"type": "string"}),
    (":int", {"type": "integer"}),
    (":float", {"type": "number"}),
    (":bool", {"type": "boolean"}),
    (":keyword", {"type": "string"}),
    (":any", {}),
    (":nil", {"type": "null"}),
    (":datetime", {"type": "string", "format": "date-time"}),
    (":map", {"type": "object"}),
    ("[:int]", {"type": "array", "items": {"type": "integer"}}),
    ("#{:int}", {"type": "array", "items": {"type": "integer"}, "uniqueItems": True}),
    ("[:int, :string]", {"type": "array", "prefixItems": [{"type": "integer"}, {"type": "string"}], "items": False, "minItems": 2}),
    ("[:int, ** :string]", {"type": "array", "prefixItems": [{"type": "integer"}], "items": {"type": "string"}, "minItems": 1}),
    ("[:int, ** :any]", {"type": "array", "prefixItems": [{"type": "integer"}], "minItems": 1}),
    (":map[:int]", {"type": "object", "additionalProperties": {"type": "integer"}}),
    (":map[:string[2..] :int]", {"type": "object", "propertyNames": {"type": "string", "minLength": 2}, "additionalProperties": {"type": "integer"}}),
    (":map[:int :int]", {"type": "object", "propertyNames": {"type": "string", "pattern": "^[+-]?[0-9]+$"}, "additionalProperties": {"type": "integer"}}),
    (":map[:float :int]", {"type": "object", "propertyNames": {"type": "string", "pattern": r"^[+-]?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$"}, "additionalProperties": {"type": "integer"}}),
    (":map[:bool :int]", {"type": "object", "propertyNames": {"type": "string", "enum": ["true", "false"]}, "additionalProperties": {"type": "integer"}}),
    (":map[:keyword :int]", {"type": "object", "additionalProperties": {"type": "integer"}}),
    (":map[:datetime :int]", {"type": "object", "propertyNames": {"type": "string", "format": "date-time"}, "additionalProperties": {"type": "integer"}}),
    (":map[:any :int]", {"type": "object", "additionalProperties": {"type": "integer"}}),
    (":map[:nil :int]", {"type": "object", "propertyNames": {"not": {}}, "additionalProperties": {"type": "integer"}}),
    (":map[[:int] :int]", {"type": "object", "propertyNames": {"not": {}}, "additionalProperties": {"type": "integer"}}),
    (":map[:enum[a 1 true :k nil] :int]", {"type": "object", "propertyNames": {"type": "string", "enum": ["a", "1", "true", "k"]}, "additionalProperties": {"type": "integer"}}),
    (":map[:string? :int]", {"type": "object", "additionalProperties": {"type": "integer"}}),
    (":map[:string|:int :int]", {"type": "object", "propertyNames": {"anyOf": [{"type": "string"}, {"type": "string", "pattern": "^[+-]?[0-9]+$"}]}, "additionalProperties": {"type": "integer"}}),
    (":map[:one[:string, :int] :int]", {"type": "object", "propertyNames": {"oneOf": [{"type": "string"}, {"type": "string", "pattern": "^[+-]?[0-9]+$"}]}, "additionalProperties": {"type": "integer"}}),
    (":map[:string & :keyword :int]", {"type": "object", "additionalProperties": {"type": "integer"}}),
    (":map[:not[:string] :int]", {"type": "object", "propertyNames": {"not": {}}, "additionalProperties": {"type": "integer"}}),
    (":map[:not[:nil] :int]", {"type": "object", "additionalProperties": {"type": "integer"}}),
    (":map[:not[:string[2..]] :int]", {"type": "object", "propertyNames": {"allOf": [{"type": "string"}, {"not": {"type": "string", "minLength": 2}}]}, "additionalProperties": {"type": "integer"}}),
    (':map[(:int "an id") :int]', {"type": "object", "propertyNames": {"type": "string", "pattern": "^[+-]?[0-9]+$", "description": "an id"}, "additionalProperties": {"type": "integer"}}),
    (":map[:keyword[2..] :int]", {"type": "object", "propertyNames": {"type": "string", "minLength": 2}, "additionalProperties": {"type": "integer"}}),
    ("{}", {"type": "object"}),
    ("{}!", {"type": "object", "additionalProperties": False}),
    ("{a :int}", {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]}),
    ("{a? :int}", {"type": "object", "properties": {"a": {"type": "integer"}}}),
    ("{a :int?}", {"type": "object", "properties": {"a": {"anyOf": [{"type": "integer"}, {"type": "null"}]}}}),
    ("{a :int|:nil}", {"type": "object", "properties": {"a": {"anyOf": [{"type": "integer"}, {"type": "null"}]}}, "required": ["a"]}),
    ("{a :int}!", {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"], "additionalProperties": False}),
    ("{a :int, ** :string}", {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"], "additionalProperties": {"type": "string"}}),
    ("{** :int}", {"type": "object", "additionalProperties": {"type": "integer"}}),
    ("{** :int}[1..2]", {"type": "object", "additionalProperties": {"type": "integer"}, "minProperties": 1, "maxProperties": 2}),
    ("{a :int = 5}", {"type": "object", "properties": {"a": {"type": "integer", "default": 5}}}),
    ('{a :int = 5 "x"}', {"type": "object", "properties": {"a": {"type": "integer", "description": "x", "default": 5}}}),
    ("{a :keyword = :fast}", {"type": "object", "properties": {"a": {"type": "string", "default": "fast"}}}),
    ("{_a :int}", {"type": "object", "properties": {"_a": {"type": "integer"}}, "required": ["_a"]}),
    ('{"a b" :int}', {"type": "object", "properties": {"a b": {"type": "integer"}}, "required": ["a b"]}),
    ("{/^x-/ :int}", {"type": "object", "patternProperties": {"^x-": {"type": "integer"}}}),
    ("{a :int, /^x-/ :int, /[0-9]/ :string}!", {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"], "patternProperties": {"^x-": {"type": "integer"}, "[0-9]": {"type": "string"}}, "additionalProperties": False}),
    ("{/^x-/ :int, ** :string}", {"type": "object", "patternProperties": {"^x-": {"type": "integer"}}, "additionalProperties": {"type": "string"}}),
    ("{a :int}[1..]", {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"], "minProperties": 1}),
    (":int?", {"anyOf": [{"type": "integer"}, {"type": "null"}]}),
    ("(:int|:string)?", {"anyOf": [{"type": "integer"}, {"type": "string"}, {"type": "null"}]}),
    (':enum["a"]', {"type": "string", "const": "a"}),
    (':enum["a" "b"]', {"type": "string", "enum": ["a", "b"]}),
    (":enum[1 2]", {"type": "integer", "enum": [1, 2]}),
    (":enum[1 2.5]", {"enum": [1, 2.5]}),
    (":enum[1.5]", {"type": "number", "const": 1.5}),
    (":enum[true]", {"type": "boolean", "const": True}),
    (":enum[nil]", {"const": None}),
    (':enum["a" 1]', {"enum": ["a", 1]}),
    (":enum[:a :b]", {"type": "string", "enum": ["a", "b"]}),
    (':enum[[1] {"a": 1}]', {"enum": [[1], {"a": 1}]}),
    (":int|:string", {"anyOf": [{"type": "integer"}, {"type": "string"}]}),
    (":keyword|:string", {"type": "string"}),
    (":one[:int, :float]", {"oneOf": [{"type": "integer"}, {"type": "number"}]}),
    (":one[:string, :keyword]", {"type": "string"}),
    ("{a :int} & {b :int}", {"allOf": [{"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]}, {"type": "object", "properties": {"b": {"type": "integer"}}, "required": ["b"]}]}),
    (":not[:string]", {"not": {"type": "string"}}),
    (":not[:any]", {"not": {}}),
    (":count[2..3 :int]", {"type": "array", "contains": {"type": "integer"}, "minContains": 2, "maxContains": 3}),
    (":count[1..2 :int]", {"type": "array", "contains": {"type": "integer"}, "maxContains": 2}),
    (":count[..2 :keyword]", {"type": "array", "contains": {"type": "string"}, "minContains": 0, "maxContains": 2}),
    (":int[1..5]", {"type": "integer", "minimum": 1, "maximum": 5}),
    (":int[>1, <5]", {"type": "integer", "exclusiveMinimum": 1, "exclusiveMaximum": 5}),
    (":float[%0.1]", {"type": "number", "multipleOf": 0.1}),
    (":string[1..5]", {"type": "string", "minLength": 1, "maxLength": 5}),
    ("[:int][1..5]", {"type": "array", "items": {"type": "integer"}, "minItems": 1, "maxItems": 5}),
    ("[:int][unique]", {"type": "array", "items": {"type": "integer"}, "uniqueItems": True}),
    (":map[1..5]", {"type": "object", "minProperties": 1, "maxProperties": 5}),
    ("#{:int}[1..2]", {"type": "array", "items": {"type": "integer"}, "minItems": 1, "maxItems": 2, "uniqueItems": True}),
    (r":string[/^a\/b$/]", {"type": "string", "pattern": "^a/b$"}),
    (":string[..0.5]", {"type": "string", "maxLength": 0}),
    (":string[..-1]", {"type": "string", "minLength": 1, "maxLength": 0}),
    ("[:int][1.5..2.5]", {"type": "array", "items": {"type": "integer"}, "minItems": 2, "maxItems": 2}),
    (":any[1..5]", {"minimum": 1, "minLength": 1, "minItems": 1, "minProperties": 1, "maximum": 5, "maxLength": 5, "maxItems": 5, "maxProperties": 5}),
    (":any[/a/]", {"pattern": "a"}),
    (":any[unique]", {"uniqueItems": True}),
    (":any[email]", {"format": "email"}),
    (":string[/a/, /b/]", {"allOf": [{"type": "string", "pattern": "a"}, {"pattern": "b"}]}),
    (":string[/a/, base64]", {"allOf": [{"type": "string", "pattern": "a"}, {"pattern": "^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$", "contentEncoding": "base64"}]}),
    (":int[%2, %3]", {"allOf": [{"type": "integer", "multipleOf": 2}, {"multipleOf": 3}]}),
    (":string[1..5]?", {"anyOf": [{"type": "string", "minLength": 1, "maxLength": 5}, {"type": "null"}]}),
    (':enum["a" 5][2..]', {"enum": ["a", 5], "minimum": 2, "minLength": 2}),
    ('(:int "x")[1..5]', {"type": "integer", "minimum": 1, "maximum": 5, "description": "x"}),
    ('(:int? "x")', {"anyOf": [{"type": "integer"}, {"type": "null"}], "description": "x"}),
    ('(:int "a")|(:string "b")', {"anyOf": [{"type": "integer", "description": "a"}, {"type": "string", "description": "b"}]}),
    (":string[base64]", {"type": "string", "pattern": "^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$", "contentEncoding": "base64"}),
    (":string[date]", {"type": "string", "format": "date"}),
    (":string[date-time]", {"type": "string", "format": "date-time"}),
    (":string[decimal]", {"type": "string", "pattern": r"^[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]{1,5})?$"}),
    (":string[duration]", {"type": "string", "pattern": r"^-?P(?:[0-9]+W|[0-9]+D(?:T(?:[0-9]+H(?:[0-9]+M)?(?:[0-9]+(?:\.[0-9]+)?S)?|[0-9]+M(?:[0-9]+(?:\.[0-9]+)?S)?|[0-9]+(?:\.[0-9]+)?S))?|T(?:[0-9]+H(?:[0-9]+M)?(?:[0-9]+(?:\.[0-9]+)?S)?|[0-9]+M(?:[0-9]+(?:\.[0-9]+)?S)?|[0-9]+(?:\.[0-9]+)?S))$"}),
    (":string[email]", {"type": "string", "format": "email"}),
    (":string[hostname]", {"type": "string", "format": "hostname"}),
    (":string[ipv4]", {"type": "string", "format": "ipv4"}),
    (":string[ipv6]", {"type": "string", "format": "ipv6"}),
    (":string[json-pointer]", {"type": "string", "format": "json-pointer"}),
    (":string[offset-time]", {"type": "string", "format": "time"}),
    (":string[relative-json-pointer]", {"type": "string", "format": "relative-json-pointer"}),
    (":string[time]", {"type": "string", "pattern": r"^(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?:\.[0-9]+)?(?:[Zz]|[+-](?:[01][0-9]|2[0-3]):[0-5][0-9])?$"}),
    (":string[uri]", {"type": "string", "format": "uri"}),
    (":string[uri-reference]", {"type": "string", "format": "uri-reference"}),
    (":string[uuid]", {"type": "string", "format": "uuid"}),
    (":string[whole-duration]", {"type": "string", "format": "duration"}),
]  # fmt: skip

RESULTS = [
    ("() -> :string", {"type": "string"}),
    ("() -> :any", {}),
    ("() -> :nil", {"type": "null"}),
    ("() -> :int?", {"anyOf": [{"type": "integer"}, {"type": "null"}]}),
    ("() -> {sentiment :string, score :float}", {"type": "object", "properties": {"sentiment": {"type": "string"}, "score": {"type": "number"}}, "required": ["sentiment", "score"], "additionalProperties": False}),
    ("() -> {}", {"type": "object"}),
    ("() -> {}!", {"type": "object", "additionalProperties": False}),
    ("() -> :map", {"type": "object"}),
    ("() -> :map[:int]", {"type": "object", "additionalProperties": {"type": "integer"}}),
    ("() -> {a :int?}", {"type": "object", "properties": {"a": {"type": "integer"}}, "additionalProperties": False}),
    ("() -> {a? :int}", {"type": "object", "properties": {"a": {"type": "integer"}}, "additionalProperties": False}),
    ("() -> {a :int?}!", {"type": "object", "properties": {"a": {"type": "integer"}}, "additionalProperties": False}),
    ("() -> {a {b :int?}, c? [{d :int}]}", {"type": "object", "properties": {"a": {"type": "object", "properties": {"b": {"type": "integer"}}, "additionalProperties": False}, "c": {"type": "array", "items": {"type": "object", "properties": {"d": {"type": "integer"}}, "required": ["d"], "additionalProperties": False}}}, "required": ["a"], "additionalProperties": False}),
    ("() -> {a :int, ** :string}", {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"], "additionalProperties": {"type": "string"}}),
    ("() -> {_h :int, a {_h :int, b :int}}", {"type": "object", "properties": {"a": {"type": "object", "properties": {"b": {"type": "integer"}}, "required": ["b"], "additionalProperties": False}}, "required": ["a"], "additionalProperties": False}),
    ('() -> {a :int = 5, b :int? = 3 "x"}', {"type": "object", "properties": {"a": {"type": "integer", "default": 5}, "b": {"type": "integer", "description": "x", "default": 3}}, "additionalProperties": False}),
    ('() -> {a :int? "x"}', {"type": "object", "properties": {"a": {"type": "integer", "description": "x"}}, "additionalProperties": False}),
    ("() -> {a (:int|:string)?}", {"type": "object", "properties": {"a": {"anyOf": [{"type": "integer"}, {"type": "string"}]}}, "additionalProperties": False}),
    ("() -> {/^x-/ :int}", {"type": "object", "patternProperties": {"^x-": {"type": "integer"}}, "additionalProperties": False}),
    ("() -> {/^x-/ {a :int}, ** :int}", {"type": "object", "patternProperties": {"^x-": {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"], "additionalProperties": False}}, "additionalProperties": {"type": "integer"}}),
    ("() -> {a :int}|{b :int}", {"anyOf": [{"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"], "additionalProperties": False}, {"type": "object", "properties": {"b": {"type": "integer"}}, "required": ["b"], "additionalProperties": False}]}),
    ("() -> :one[{a :int}, {b :int}]", {"oneOf": [{"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]}, {"type": "object", "properties": {"b": {"type": "integer"}}, "required": ["b"]}]}),
    ("() -> {a :int} & {b {c :int}}", {"allOf": [{"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]}, {"type": "object", "properties": {"b": {"type": "object", "properties": {"c": {"type": "integer"}}, "required": ["c"]}}, "required": ["b"]}]}),
    ("() -> {a :T & {b :int}} where T = {a :int}", {"type": "object", "properties": {"a": {"allOf": [{"$ref": "#/$defs/T"}, {"type": "object", "properties": {"b": {"type": "integer"}}, "required": ["b"]}]}}, "required": ["a"], "additionalProperties": False, "$defs": {"T": {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]}}}),
    ("() -> :not[{a :int}]", {"not": {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]}}),
    ("() -> {a :int}?", {"anyOf": [{"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"], "additionalProperties": False}, {"type": "null"}]}),
    ("() -> {a :int}[1..]", {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"], "minProperties": 1}),
    ('() -> ({a :int} "x")', {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"], "additionalProperties": False, "description": "x"}),
    ("() -> [:int]", {"type": "object", "properties": {"items": {"type": "array", "items": {"type": "integer"}}}, "required": ["items"], "additionalProperties": False}),
    ("() -> [:int]?", {"type": "object", "properties": {"items": {"anyOf": [{"type": "array", "items": {"type": "integer"}}, {"type": "null"}]}}, "required": ["items"], "additionalProperties": False}),
    ("() -> [:int][1..]", {"type": "object", "properties": {"items": {"type": "array", "items": {"type": "integer"}, "minItems": 1}}, "required": ["items"], "additionalProperties": False}),
    ('() -> ([:int] "ids")', {"type": "object", "properties": {"items": {"type": "array", "items": {"type": "integer"}, "description": "ids"}}, "required": ["items"], "additionalProperties": False}),
    ("() -> #{:int}", {"type": "object", "properties": {"items": {"type": "array", "items": {"type": "integer"}, "uniqueItems": True}}, "required": ["items"], "additionalProperties": False}),
    ("() -> [:int, :string]", {"type": "object", "properties": {"items": {"type": "array", "prefixItems": [{"type": "integer"}, {"type": "string"}], "items": False, "minItems": 2}}, "required": ["items"], "additionalProperties": False}),
    ("() -> [{a :int?}]", {"type": "object", "properties": {"items": {"type": "array", "items": {"type": "object", "properties": {"a": {"type": "integer"}}, "additionalProperties": False}}}, "required": ["items"], "additionalProperties": False}),
    ("() -> :L where L = [:int]", {"type": "object", "properties": {"items": {"$ref": "#/$defs/L"}}, "required": ["items"], "additionalProperties": False, "$defs": {"L": {"type": "array", "items": {"type": "integer"}}}}),
    ("() -> [:T] where T = {a :int}", {"type": "object", "properties": {"items": {"type": "array", "items": {"$ref": "#/$defs/T"}}}, "required": ["items"], "additionalProperties": False, "$defs": {"T": {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"], "additionalProperties": False}}}),
    ("() -> :Tree where Tree = {value :int, children [:Tree]}", {"type": "object", "properties": {"value": {"type": "integer"}, "children": {"type": "array", "items": {"$ref": "#/$defs/Tree"}}}, "required": ["value", "children"], "additionalProperties": False, "$defs": {"Tree": {"type": "object", "properties": {"value": {"type": "integer"}, "children": {"type": "array", "items": {"$ref": "#/$defs/Tree"}}}, "required": ["value", "children"], "additionalProperties": False}}}),
    ("() -> :Tree? where Tree = {children [:Tree]}", {"anyOf": [{"$ref": "#/$defs/Tree"}, {"type": "null"}], "$defs": {"Tree": {"type": "object", "properties": {"children": {"type": "array", "items": {"$ref": "#/$defs/Tree"}}}, "required": ["children"], "additionalProperties": False}}}),
    ("() -> [:int]|:nil", {"type": "object", "properties": {"items": {"anyOf": [{"type": "array", "items": {"type": "integer"}}, {"type": "null"}]}}, "required": ["items"], "additionalProperties": False}),
    ("() -> [:int]|[:string]", {"anyOf": [{"type": "array", "items": {"type": "integer"}}, {"type": "array", "items": {"type": "string"}}]}),
    ("() -> :A where A = {b :B}, B = {a :A?}", {"type": "object", "properties": {"b": {"$ref": "#/$defs/B"}}, "required": ["b"], "additionalProperties": False, "$defs": {"A": {"type": "object", "properties": {"b": {"$ref": "#/$defs/B"}}, "required": ["b"], "additionalProperties": False}, "B": {"type": "object", "properties": {"a": {"$ref": "#/$defs/A"}}, "additionalProperties": False}}}),
    ("() -> :A where A = :B, B = {x :int}", {"type": "object", "properties": {"x": {"type": "integer"}}, "required": ["x"], "additionalProperties": False}),
    ("(q :T) -> {a :U} where T = {x :int}, U = {y :int}", {"type": "object", "properties": {"a": {"$ref": "#/$defs/U"}}, "required": ["a"], "additionalProperties": False, "$defs": {"U": {"type": "object", "properties": {"y": {"type": "integer"}}, "required": ["y"], "additionalProperties": False}}}),
    ("() -> {a :datetime, b :keyword, c #{:int}}", {"type": "object", "properties": {"a": {"type": "string", "format": "date-time"}, "b": {"type": "string"}, "c": {"type": "array", "items": {"type": "integer"}, "uniqueItems": True}}, "required": ["a", "b", "c"], "additionalProperties": False}),
]  # fmt: skip

EXACT_RESULTS = [
    ("() -> {sentiment :string, score :float}", {"type": "object", "properties": {"sentiment": {"type": "string"}, "score": {"type": "number"}}, "required": ["sentiment", "score"]}),
    ("() -> {a :int?}", {"type": "object", "properties": {"a": {"anyOf": [{"type": "integer"}, {"type": "null"}]}}}),
    ("() -> {a? :int}", {"type": "object", "properties": {"a": {"type": "integer"}}}),
    ("() -> {a :int?}!", {"type": "object", "properties": {"a": {"anyOf": [{"type": "integer"}, {"type": "null"}]}}, "additionalProperties": False}),
    ("() -> {a {b :int?}, c? [{d :int}]}", {"type": "object", "properties": {"a": {"type": "object", "properties": {"b": {"anyOf": [{"type": "integer"}, {"type": "null"}]}}}, "c": {"type": "array", "items": {"type": "object", "properties": {"d": {"type": "integer"}}, "required": ["d"]}}}, "required": ["a"]}),
    ("() -> {_h :int, a {_h :int, b :int}}", {"type": "object", "properties": {"a": {"type": "object", "properties": {"b": {"type": "integer"}}, "required": ["b"]}}, "required": ["a"]}),
    ('() -> {a :int = 5, b :int? = 3 "x"}', {"type": "object", "properties": {"a": {"type": "integer", "default": 5}, "b": {"anyOf": [{"type": "integer"}, {"type": "null"}], "description": "x", "default": 3}}}),
    ('() -> {a :int? "x"}', {"type": "object", "properties": {"a": {"anyOf": [{"type": "integer"}, {"type": "null"}], "description": "x"}}}),
    ("() -> {a (:int|:string)?}", {"type": "object", "properties": {"a": {"anyOf": [{"type": "integer"}, {"type": "string"}, {"type": "null"}]}}}),
    ("() -> {/^x-/ :int}", {"type": "object", "patternProperties": {"^x-": {"type": "integer"}}}),
    ("() -> {/^x-/ {a :int}, ** :int}", {"type": "object", "patternProperties": {"^x-": {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]}}, "additionalProperties": {"type": "integer"}}),
    ("() -> {a :int}|{b :int}", {"anyOf": [{"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]}, {"type": "object", "properties": {"b": {"type": "integer"}}, "required": ["b"]}]}),
    ("() -> :one[{a :int}, {b :int}]", {"oneOf": [{"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]}, {"type": "object", "properties": {"b": {"type": "integer"}}, "required": ["b"]}]}),
    ("() -> {a :int} & {b {c :int}}", {"allOf": [{"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]}, {"type": "object", "properties": {"b": {"type": "object", "properties": {"c": {"type": "integer"}}, "required": ["c"]}}, "required": ["b"]}]}),
    ("() -> {a :T & {b :int}} where T = {a :int}", {"type": "object", "properties": {"a": {"allOf": [{"$ref": "#/$defs/T"}, {"type": "object", "properties": {"b": {"type": "integer"}}, "required": ["b"]}]}}, "required": ["a"], "$defs": {"T": {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]}}}),
    ("() -> {a :int}?", {"anyOf": [{"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]}, {"type": "null"}]}),
    ("() -> {a :int}[1..]", {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"], "minProperties": 1}),
    ('() -> ({a :int} "x")', {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"], "description": "x"}),
    ("() -> [:int]", {"type": "array", "items": {"type": "integer"}}),
    ("() -> [:int]?", {"anyOf": [{"type": "array", "items": {"type": "integer"}}, {"type": "null"}]}),
    ("() -> [:int][1..]", {"type": "array", "items": {"type": "integer"}, "minItems": 1}),
    ('() -> ([:int] "ids")', {"type": "array", "items": {"type": "integer"}, "description": "ids"}),
    ("() -> #{:int}", {"type": "array", "items": {"type": "integer"}, "uniqueItems": True}),
    ("() -> [:int, :string]", {"type": "array", "prefixItems": [{"type": "integer"}, {"type": "string"}], "items": False, "minItems": 2}),
    ("() -> [{a :int?}]", {"type": "array", "items": {"type": "object", "properties": {"a": {"anyOf": [{"type": "integer"}, {"type": "null"}]}}}}),
    ("() -> :L where L = [:int]", {"type": "array", "items": {"type": "integer"}}),
    ("() -> [:T] where T = {a :int}", {"type": "array", "items": {"$ref": "#/$defs/T"}, "$defs": {"T": {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]}}}),
    ("() -> :Tree where Tree = {value :int, children [:Tree]}", {"type": "object", "properties": {"value": {"type": "integer"}, "children": {"type": "array", "items": {"$ref": "#/$defs/Tree"}}}, "required": ["value", "children"], "$defs": {"Tree": {"type": "object", "properties": {"value": {"type": "integer"}, "children": {"type": "array", "items": {"$ref": "#/$defs/Tree"}}}, "required": ["value", "children"]}}}),
    ("() -> :Tree? where Tree = {children [:Tree]}", {"anyOf": [{"$ref": "#/$defs/Tree"}, {"type": "null"}], "$defs": {"Tree": {"type": "object", "properties": {"children": {"type": "array", "items": {"$ref": "#/$defs/Tree"}}}, "required": ["children"]}}}),
    ("() -> [:int]|:nil", {"anyOf": [{"type": "array", "items": {"type": "integer"}}, {"type": "null"}]}),
    ("() -> :A where A = {b :B}, B = {a :A?}", {"type": "object", "properties": {"b": {"$ref": "#/$defs/B"}}, "required": ["b"], "$defs": {"A": {"type": "object", "properties": {"b": {"$ref": "#/$defs/B"}}, "required": ["b"]}, "B": {"type": "object", "properties": {"a": {"anyOf": [{"$ref": "#/$defs/A"}, {"type": "null"}]}}}}}),
    ("() -> :A where A = :B, B = {x :int}", {"type": "object", "properties": {"x": {"type": "integer"}}, "required": ["x"]}),
    ("(q :T) -> {a :U} where T = {x :int}, U = {y :int}", {"type": "object", "properties": {"a": {"$ref": "#/$defs/U"}}, "required": ["a"], "$defs": {"U": {"type": "object", "properties": {"y": {"type": "integer"}}, "required": ["y"]}}}),
    ("() -> {a :datetime, b :keyword, c #{:int}}", {"type": "object", "properties": {"a": {"type": "string", "format": "date-time"}, "b": {"type": "string"}, "c": {"type": "array", "items": {"type": "integer"}, "uniqueItems": True}}, "required": ["a", "b", "c"]}),
]  # fmt: skip

INPUTS = [
    ("() -> :any", {"type": "object", "properties": {}}),
    ("(name :string, age :int?) -> :any", {"type": "object", "properties": {"name": {"type": "string"}, "age": {"type": "integer"}}, "required": ["name"]}),
    ("(a :int, b? :int, c :int = 5) -> :any", {"type": "object", "properties": {"a": {"type": "integer"}, "b": {"type": "integer"}, "c": {"type": "integer", "default": 5}}, "required": ["a"]}),
    ("(a {b :int?, c :int}) -> :any", {"type": "object", "properties": {"a": {"type": "object", "properties": {"b": {"type": "integer"}, "c": {"type": "integer"}}, "required": ["c"]}}, "required": ["a"]}),
    ('(a :int "words", b [:int?]) -> :any', {"type": "object", "properties": {"a": {"type": "integer", "description": "words"}, "b": {"type": "array", "items": {"anyOf": [{"type": "integer"}, {"type": "null"}]}}}, "required": ["a", "b"]}),
    ("()! -> :any", {"type": "object", "properties": {}, "additionalProperties": False}),
    ("(a :int)! -> :any", {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"], "additionalProperties": False}),
    ("(a :int, ** :string) -> :any", {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"], "additionalProperties": {"type": "string"}}),
    ("(** :int) -> :any", {"type": "object", "properties": {}, "additionalProperties": {"type": "integer"}}),
    ("(_h :int, a {_h :int, b :int}) -> :any", {"type": "object", "properties": {"a": {"type": "object", "properties": {"b": {"type": "integer"}}, "required": ["b"]}}, "required": ["a"]}),
    ("(t :Tree) -> :any where Tree = {children [:Tree]}", {"type": "object", "properties": {"t": {"$ref": "#/$defs/Tree"}}, "required": ["t"], "$defs": {"Tree": {"type": "object", "properties": {"children": {"type": "array", "items": {"$ref": "#/$defs/Tree"}}}, "required": ["children"]}}}),
    ("(t :Tree?, n :N) -> :any where Tree = {children [:Tree]}, N = {x :int?}", {"type": "object", "properties": {"t": {"$ref": "#/$defs/Tree"}, "n": {"$ref": "#/$defs/N"}}, "required": ["n"], "$defs": {"N": {"type": "object", "properties": {"x": {"type": "integer"}}}, "Tree": {"type": "object", "properties": {"children": {"type": "array", "items": {"$ref": "#/$defs/Tree"}}}, "required": ["children"]}}}),
    ('("a b" :int, "_x" :int) -> :any', {"type": "object", "properties": {"a b": {"type": "integer"}, "_x": {"type": "integer"}}, "required": ["a b", "_x"]}),
    ("(a :string, b :T) -> :U where T = :int, U = :string", {"type": "object", "properties": {"a": {"type": "string"}, "b": {"$ref": "#/$defs/T"}}, "required": ["a", "b"], "$defs": {"T": {"type": "integer"}}}),
    ("(a (:int|:string)?) -> :any", {"type": "object", "properties": {"a": {"anyOf": [{"type": "integer"}, {"type": "string"}]}}}),
]  # fmt: skip

EXACT_INPUTS = [
    ("(name :string, age :int?) -> :any", {"type": "object", "properties": {"name": {"type": "string"}, "age": {"anyOf": [{"type": "integer"}, {"type": "null"}]}}, "required": ["name"]}),
    ("(a {b :int?, c :int}) -> :any", {"type": "object", "properties": {"a": {"type": "object", "properties": {"b": {"anyOf": [{"type": "integer"}, {"type": "null"}]}, "c": {"type": "integer"}}, "required": ["c"]}}, "required": ["a"]}),
    ("(t :Tree?, n :N) -> :any where Tree = {children [:Tree]}, N = {x :int?}", {"type": "object", "properties": {"t": {"anyOf": [{"$ref": "#/$defs/Tree"}, {"type": "null"}]}, "n": {"$ref": "#/$defs/N"}}, "required": ["n"], "$defs": {"N": {"type": "object", "properties": {"x": {"anyOf": [{"type": "integer"}, {"type": "null"}]}}}, "Tree": {"type": "object", "properties": {"children": {"type": "array", "items": {"$ref": "#/$defs/Tree"}}}, "required": ["children"]}}}),
    ("(a (:int|:string)?) -> :any", {"type": "object", "properties": {"a": {"anyOf": [{"type": "integer"}, {"type": "string"}, {"type": "null"}]}}}),
]  # fmt: skip

INLINE = [
    ("() -> {a :T, b :T} where T = {x :int}", {"type": "object", "properties": {"a": {"type": "object", "properties": {"x": {"type": "integer"}}, "required": ["x"], "additionalProperties": False}, "b": {"type": "object", "properties": {"x": {"type": "integer"}}, "required": ["x"], "additionalProperties": False}}, "required": ["a", "b"], "additionalProperties": False}),
    ("() -> {a :T} where T = {u :U}, U = {x :int}", {"type": "object", "properties": {"a": {"type": "object", "properties": {"u": {"type": "object", "properties": {"x": {"type": "integer"}}, "required": ["x"], "additionalProperties": False}}, "required": ["u"], "additionalProperties": False}}, "required": ["a"], "additionalProperties": False}),
    ("() -> :A where A = {b :B}, B = {a :A?}", {"type": "object", "properties": {"b": {"$ref": "#/$defs/B"}}, "required": ["b"], "additionalProperties": False, "$defs": {"A": {"type": "object", "properties": {"b": {"$ref": "#/$defs/B"}}, "required": ["b"], "additionalProperties": False}, "B": {"type": "object", "properties": {"a": {"$ref": "#/$defs/A"}}, "additionalProperties": False}}}),
    ("() -> :Tree where Tree = {children [:Tree]}", {"type": "object", "properties": {"children": {"type": "array", "items": {"$ref": "#/$defs/Tree"}}}, "required": ["children"], "additionalProperties": False, "$defs": {"Tree": {"type": "object", "properties": {"children": {"type": "array", "items": {"$ref": "#/$defs/Tree"}}}, "required": ["children"], "additionalProperties": False}}}),
]  # fmt: skip


def each(rows):
    """Return *rows* as parameters whose ids are their first column."""
    return [pytest.param(*row, id=row[0]) for row in rows]


def test_every_shape_has_a_row():
    made = {
        type(part).__name__
        for text, _ in SHAPES
        for part in iter_types(typesig.parse(text).returns)
    } | {"Ref"}  # a reference to a definition, which a lone type does not have

    assert {shape.__name__ for shape in ALL_SHAPES} == made


@pytest.mark.parametrize(
    ("table", "names"),
    [
        pytest.param(keywords.SPELLINGS, FORMATS, id="formats"),
        pytest.param(keywords.KEYWORDS, CONSTRAINTS, id="constraints"),
        pytest.param(widening.SCALARS, SCALARS, id="scalars"),
        pytest.param(widening.make_key_types(), SCALARS, id="scalars as keys"),
        pytest.param(
            writer.SCALARS, [n for n, row in SCALARS.items() if row.json], id="written scalars"
        ),
        pytest.param(writer.ENUM_TYPES, get_args(ConstKind), id="constants"),
        pytest.param(keywords.JSON_KINDS, set(get_args(Kind)) - {"object"}, id="kinds"),
        pytest.param(keywords.KINDS, get_args(keywords.JsonKind), id="kinds in JSON"),
        pytest.param(keywords.WHOLE, get_args(keywords.JsonKind), id="types of kinds"),
        pytest.param(values.PARTS, get_args(keywords.JsonKind), id="keywords of kinds"),
    ],
)
def test_a_table_has_a_row_for_every_name(table, names):
    assert set(names) == set(table)


@pytest.mark.parametrize("name", SCALARS)
def test_a_scalar_is_expressed_as_itself_if_json_has_a_form_for_it(name):
    assert SCALARS[name].json == (Scalar(name) == widening.SCALARS[name])


@pytest.mark.parametrize("name", CONSTRAINTS)
def test_a_constraint_has_a_keyword_for_each_of_its_kinds_or_for_none(name):
    wanted = {keywords.JSON_KINDS[kind] for kind in CONSTRAINTS[name].kinds}

    assert set(keywords.KEYWORDS[name]) in (wanted, set())


def test_a_format_is_written_by_a_name_that_json_schema_has():
    known = {
        "date", "date-time", "duration", "email", "hostname", "idn-email", "idn-hostname", "ipv4",
        "ipv6", "iri", "iri-reference", "json-pointer", "regex", "relative-json-pointer", "time",
        "uri", "uri-reference", "uri-template", "uuid",
    }  # fmt: skip

    assert known >= set(keywords.BY_NAME)


def test_a_constraint_without_a_keyword_is_lost(monkeypatch):
    monkeypatch.setitem(keywords.KEYWORDS, "unique", {})
    t = make_refined(List(ANY), [Constraint("at_least", 1), Constraint("unique", True)])
    what, why = "the constraint unique", "JSON Schema has no such keyword"

    with pytest.raises(Unsupported, match=f"returns: {what}: {why}"):
        typesig.render(t, "json_schema")
    assert (Loss("widened", ("returns",), what, why, "any such value"),) == convert(
        t, "json_schema"
    )[1]
    assert {"type": "array", "items": {}, "minItems": 1} == typesig.render(
        t, "json_schema", lossy=True
    )


@pytest.mark.parametrize(("text", "schema"), each(SHAPES))
def test_a_type_is_written(text, schema):
    t = typesig.parse(text).returns

    assert schema == typesig.render(t, "json_schema")
    # The order of keys is fixed too.
    assert json.dumps(schema) == json.dumps(typesig.render(t, "json_schema"))


@pytest.mark.parametrize(("text", "schema"), each(SHAPES))
def test_a_schema_is_read_as_what_it_can_express(text, schema):
    s = typesig.parse(text)

    assert make_expressible(s) == typesig.from_json_schema(schema)
    assert schema == typesig.render(make_expressible(s).returns, "json_schema")


@pytest.mark.parametrize(("text", "schema"), each(RESULTS))
def test_a_result_is_written_as_a_model_is_shown_it(text, schema):
    assert json.dumps(schema) == json.dumps(typesig.parse(text).to_json_schema())


@pytest.mark.parametrize(("text", "schema"), each(EXACT_RESULTS))
def test_an_exact_result_accepts_what_the_check_accepts(text, schema):
    assert json.dumps(schema) == json.dumps(typesig.parse(text).to_json_schema(exact=True))


@pytest.mark.parametrize(("text", "schema"), each(INPUTS))
def test_arguments_are_written_as_a_model_is_shown_them(text, schema):
    assert json.dumps(schema) == json.dumps(typesig.parse(text).input_schema())


@pytest.mark.parametrize(("text", "schema"), each(EXACT_INPUTS))
def test_exact_arguments_accept_what_the_check_accepts(text, schema):
    assert json.dumps(schema) == json.dumps(typesig.parse(text).input_schema(exact=True))


@pytest.mark.parametrize(("text", "schema"), each(INLINE))
def test_definitions_are_inlined_unless_they_are_recursive(text, schema):
    assert json.dumps(schema) == json.dumps(typesig.parse(text).to_json_schema(inline=True))


@pytest.mark.parametrize("text", [row[0] for row in [*RESULTS, *INPUTS]])
@pytest.mark.parametrize("exact", [False, True])
@pytest.mark.parametrize("inline", [False, True])
def test_what_is_written_is_a_valid_schema(text, exact, inline):
    s = typesig.parse(text)

    jsonschema.Draft202012Validator.check_schema(s.to_json_schema(exact, inline))
    jsonschema.Draft202012Validator.check_schema(s.input_schema(exact, inline))


@pytest.mark.parametrize("text", [row[0] for row in [*RESULTS, *INPUTS]])
@pytest.mark.parametrize("exact", [False, True])
@pytest.mark.parametrize("inline", [False, True])
def test_the_root_is_never_a_reference(text, exact, inline):
    s = typesig.parse(text)

    assert "$ref" not in s.to_json_schema(exact, inline)
    assert "$ref" not in s.input_schema(exact, inline)


@pytest.mark.parametrize(("text", "is_list"), [
    ("() -> [:int]", True), ("() -> [:int]?", True), ("() -> [:int][1..]", True), ("() -> #{:int}", True),
    ("() -> [:int, :string]", True), ("() -> [:int, ** :string]", True), ("[:int]", True),
    ('() -> ([:int] "ids")', True), ("() -> :L where L = [:int]", True), ("() -> :L where L = :M?, M = [:int]", True),
    ("() -> {items [:int]}", False), ("() -> :int", False), ("() -> :any", False), ("() -> [:int]|:int", False),
    ("() -> :enum[[1]]", False), ("() -> :not[[:int]]", False), ("(a [:int]) -> :int", False),
])  # fmt: skip
def test_a_list_at_the_root_is_known(text, is_list):
    assert is_list == typesig.parse(text).returns_list()


def test_a_wrapped_list_is_read_back_by_a_contract():
    answer = typesig.contract("[:int]")

    assert {"items"} == answer.to_json_schema()["properties"].keys()
    assert [1] == answer.read('{"items": ["1"]}').value


def test_a_contract_and_its_signature_have_one_schema():
    answer = typesig.contract("{a :T, b :int?} where T = {x :int}")

    for exact in (False, True):
        for inline in (False, True):
            assert answer.signature.to_json_schema(exact, inline) == answer.to_json_schema(
                exact, inline
            )


def test_the_pattern_of_a_format_is_the_format():
    pattern = typesig.render(typesig.parse(":string[base64]").returns, "json_schema")["pattern"]
    text = ":string[/" + pattern.replace("/", r"\/") + "/]"

    assert "() -> :string[base64]" == make_expressible(typesig.parse(text)).render()


def test_a_signature_is_written_as_a_pair():
    s = typesig.parse("(q :string, _key :string) -> [:int]")

    assert {
        "input": {
            "type": "object",
            "properties": {"q": {"type": "string"}, "_key": {"type": "string"}},
            "required": ["q", "_key"],
        },
        "output": {"type": "array", "items": {"type": "integer"}},
    } == s.render("json_schema")


def test_each_side_of_a_pair_has_the_names_that_it_uses():
    pair = typesig.render("(a :T) -> :U where T = :int, U = :string", "json_schema")

    assert [["T"], ["U"]] == [list(side["$defs"]) for side in pair.values()]


def test_names_of_types_are_escaped_in_references():
    pair = typesig.render('() -> [:"a/b~c d%é"] where "a/b~c d%é" = :int', "json_schema")

    assert {
        "type": "array",
        "items": {"$ref": "#/$defs/a~1b~0c%20d%25%C3%A9"},
        "$defs": {"a/b~c d%é": {"type": "integer"}},
    } == pair["output"]


def test_a_schema_may_be_changed_by_the_caller():
    s = typesig.parse("(a {b :enum[[1]]}) -> {c [:int]}")
    before = [json.dumps(x) for x in (s.to_json_schema(), s.input_schema())]
    s.to_json_schema()["properties"]["c"]["items"]["type"] = "x"
    s.input_schema()["properties"]["a"]["properties"]["b"]["const"].append(2)

    assert before == [json.dumps(x) for x in (s.to_json_schema(), s.input_schema())]


@pytest.mark.parametrize(
    "text", [":map[:int[1..5] :string]", ":map[:float[%2]]", ":map[:bool|:int[1..] :int]"]
)
def test_constraints_of_keys_that_are_not_strings_are_lost(text):
    if ":string" not in text and " :int" not in text:
        text = text.replace("]]", "] :int]")
    losses = convert(text, "json_schema")[1]
    place = losses[0].path

    assert "returns" == place[0]
    assert "keys" in place
    what, why = "constraints of keys that are not strings", "keys are strings in JSON"
    assert (Loss("widened", place, what, why, "any such key"),) == losses
    with pytest.raises(Unsupported, match="constraints of keys that are not strings"):
        typesig.render(text, "json_schema")

    assert typesig.render(text, "json_schema", lossy=True)


EXPRESSIBLE = [
    (":keyword", ":string"), (":datetime", ":string[date-time]"), ("#{:int}", "[:int][unique]"), (":map", "{}"),
    (":map[:keyword :int]", ":map[:int]"), (":map[:any :any]", "{}"), (":map[:keyword :any]", "{}"),
    ("{** :int}", ":map[:int]"), ("{}", "{}"), ("{}!", "{}!"), ("{** :any}", "{}"),
    ("{user-id :int}", '{"user-id" :int}'), ("{_x :int}", '{"_x" :int}'), ("{a :int}", "{a :int}"),
    (":enum[:a \"a\"]", ':enum["a"]'), (":enum[{\"a\": :b}]", ':enum[{"a": "b"}]'), (":keyword|:string", ":string"),
    ("#{:keyword}[1..]", "[:string][1.., unique]"), (":string[1.5..]", ":string[2..]"), (":string[..-1]", ":string[1.., ..0]"),
    (":map[:int :int]", ":map[:string[/^[+-]?[0-9]+$/] :int]"), (":map[:bool :int]", ':map[:enum["true" "false"] :int]'),
    (":map[:nil :int]", ":map[:not[:any] :int]"), (":map[[:int][1..] :int]", ":map[:not[:any] :int]"), ('(:keyword "x")[1..]', ':string[1.., /^([^:]|$)/] "x"'),
    (":keyword[/a/]", ":string[/a/] & :any[/^([^:]|$)/]"), ("(:keyword|:int)[..5]", "(:string|:int)[..5, /^([^:]|$)/]"),
    ("(:keyword|:string)[2..]", ":string[2..]"), (":enum[:a :b][1..]", ':enum["a" "b"][1..]'), (":T where T = :keyword[2..]", ":T where T = :string[2.., /^([^:]|$)/]"),
    ("{a :keyword = :b}", '{a :string = "b"}'), (":T where T = #{:T}", ":T where T = [:T][unique]"),
    (":string[/a/, base64]", ":string[/a/] & :any[base64]"), (":int[%2, %3]", ":int[%2] & :any[%3]"),
    (":datetime|:string", ":string[date-time]|:string"), (":not[:keyword]", ":not[:string]"),
    ("[:keyword, ** :datetime]", "[:string, ** :string[date-time]]"), ("{/a/ :keyword}", "{/a/ :string}"),
    (":enum[1 nil][2..]", ":enum[1 nil][2..]"), ("(:int|:nil)[2..]", "(:int?)[2..]"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "rewritten"), each(EXPRESSIBLE))
def test_what_can_be_expressed_is_what_reading_back_gives(text, rewritten):
    s = typesig.parse(text)

    assert rewritten == make_expressible(s).render().removeprefix("() -> ")
    assert make_expressible(s) == make_expressible(make_expressible(s))
    assert make_expressible(s) == typesig.parse(typesig.render(s, "json_schema"), "json_schema")


@pytest.mark.needs_process
def test_the_same_signature_is_the_same_bytes_in_every_process():
    code = (
        "import json, typesig\n"
        "s = typesig.parse('(a :T, b? :enum[x y]) -> {u :U, t [:T], /^x/ :T}'"
        "' where U = {t :T, s #{:int}[1..9]}, T = {x :int?, y :one[:int, :string]}')\n"
        "for exact in (False, True):\n"
        "    print(json.dumps(s.to_json_schema(exact)), json.dumps(s.input_schema(exact)))\n"
        "read = typesig.parse(s.render('json_schema'), 'json_schema')\n"
        "print(read.render(), json.dumps(read.render('json_schema')))\n"
    )
    printed = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join(sys.path)},
            capture_output=True,
            check=True,
            timeout=300,
        ).stdout
        for seed in ("0", "1", "2")
    }

    assert 1 == len(printed)
    assert printed != {b""}


def test_inlining_that_would_exceed_the_limit_is_refused():
    names = ", ".join(f"N{n} = {{a :N{n + 1}, b :N{n + 1}}}" for n in range(20))
    s = typesig.parse(f"() -> :N0 where {names}, N20 = :int")

    with pytest.raises(TooLarge) as caught:
        s.to_json_schema(inline=True)

    assert (
        "a JSON Schema may hold 10000 schemas, and inlined this one would hold more; "
        "leave inline out"
    ) == str(caught.value)


def test_a_range_that_kinds_cannot_share_stands_beside_its_type():
    s = typesig.parse("(:int|:string)[1.5..5]")
    made = make_expressible(s)

    assert (
        "(:bool|:float[1.5..5]|:string[2..5]|[:any][2..5]|{}[2..5])? & (:int|:string)"
        == typesig.render(made.returns)
    )
    assert made == typesig.parse(typesig.render(s, "json_schema"), "json_schema")


def test_a_default_that_does_not_fit_as_it_is_expressed_is_left_out_with_a_loss():
    s = typesig.parse("(name :not[:string] = :id) -> :any")
    pair, losses = convert(s, "json_schema")

    assert {"not": {"type": "string"}} == pair["input"]["properties"]["name"]
    assert [("widened", ("name",), "the default")] == [(x.kind, x.path, x.what) for x in losses]


def test_the_io_mark_of_gram_stays_with_what_can_be_expressed():
    s = typesig.parse("(a: Int) --> IO Text", "gram")

    assert make_expressible(s).io


def test_a_note_on_a_key_stays_with_it():
    s = typesig.parse(':map[(:int[1..5] "id") :string]')
    written = typesig.render(s, "json_schema", lossy=True)["output"]

    assert "id" == written["propertyNames"]["description"]


def test_a_named_type_of_keys_is_expressed_in_its_place():
    s = typesig.parse(":map[:K :string] where K = :enum[a b]")
    written = typesig.render(s, "json_schema")["output"]

    assert {"enum": ["a", "b"], "type": "string"} == written["propertyNames"]


@pytest.mark.parametrize(
    ("text", "schema", "whats"),
    [
        # Texts and keywords are told apart; as JSON, both are texts, of which `oneOf` takes none.
        (":one[:string, :keyword]", {"type": "string"}, []),
        (":one[:keyword, :int]", {"oneOf": [{"type": "string"}, {"type": "integer"}]}, []),
        (
            ":one[#{:int}, [:string]]",
            {
                "anyOf": [
                    {"type": "array", "items": {"type": "integer"}, "uniqueItems": True},
                    {"type": "array", "items": {"type": "string"}},
                ]
            },
            [],
        ),
        (
            ":one[:string, :keyword, :string[1..3]]",
            {"anyOf": [{"type": "string"}, {"type": "string", "minLength": 1, "maxLength": 3}]},
            ["exactly one of several types"],
        ),
    ],
)
def test_types_that_json_does_not_tell_apart_do_not_exclude_each_other(text, schema, whats):
    made, losses = convert(f"() -> {text}", "json_schema")

    assert made["output"] == schema
    assert [loss.what for loss in losses] == whats


def test_a_model_can_send_a_value_of_types_that_json_does_not_tell_apart():
    @typesig.tool('(name :one[:string, :keyword] = "") -> :string')
    def greet(name: str) -> str:
        return f"hello {name}"

    tools = typesig.tools_of([greet])
    for provider in ("openai", "anthropic", "gemini", "mcp"):
        [definition] = tools.project(provider).definitions
        assert "oneOf" not in json.dumps(definition)
    wire = tools.project("anthropic")
    call = {"type": "tool_use", "id": "c", "name": "greet", "input": {"name": "Ada"}}
    [answer] = wire.handle({"role": "assistant", "content": [call]})
    assert answer["content"][0]["content"] == "hello Ada"


def test_a_default_that_does_not_fit_as_json_is_left_to_the_tool():
    @typesig.tool(
        '(a :not[#{:string}] = [], b {c :not[#{:string}] = []}?, d :one[:string, :keyword] = "") -> :any'
    )
    def get(a: object, b: object, d: str) -> object:
        return [a, b, d]

    tools = typesig.tools_of([get])
    for provider in ("openai", "anthropic", "gemini", "mcp"):
        wire = tools.project(provider)
        assert {("get", "params", "a"), ("get", "params", "c")} == {
            loss.path for loss in wire.losses if loss.what == "the default" and "list[" in loss.why
        }
    call = {"type": "tool_use", "id": "c", "name": "get", "input": {"b": {}}}
    [answer] = tools.project("anthropic").handle({"role": "assistant", "content": [call]})
    assert json.loads(answer["content"][0]["content"]) == [[], {"c": []}, ""]


@pytest.mark.parametrize("target", ["openai", "anthropic", "gemini", "mistral", "gbnf", "xgrammar"])
def test_an_answer_may_have_a_default_that_does_not_fit_as_json(target):
    answer = typesig.contract("{a :not[#{:string}] = [], d :int}")
    projected = answer.project(target)

    assert ("returns", "a") in [
        loss.path for loss in projected.losses if loss.what == "the default"
    ]
    assert answer.read('{"d": 1}').value == {"a": [], "d": 1}
