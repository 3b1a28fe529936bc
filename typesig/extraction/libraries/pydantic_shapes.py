"""Facts about the values that strict pydantic schemas accept; see `pydantic_strict`."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple


class ModelDefault(NamedTuple):
    """A default of a pydantic model field that is not validated.

    #: name: of the field; key: its key in data; value: the default
    #: sent: the form of the default in data; ABSENT if it has several
    """

    name: str
    key: str
    value: Any
    sent: Any


class ValueShape(NamedTuple):
    """The nesting of lists, maps and models in a value, to check keys and defaults.

    #: kind: a value or None, a list, a map, or a model
    #: inner: the shape of the other value, or of the parts of the list or map, if they have one
    #: parts: the fields of a model that have a shape, by key, name and shape
    #: size: the number of fields of a model; defaults: theirs
    """

    kind: Literal["maybe", "list", "map", "model"]
    inner: ValueShape | None = None
    parts: tuple[tuple[str, str, ValueShape], ...] = ()
    size: int = 0
    defaults: tuple[ModelDefault, ...] = ()

    @property
    def children(self) -> list[ValueShape]:
        """The shapes directly inside this shape."""
        return [*([] if self.inner is None else [self.inner]), *[part[2] for part in self.parts]]

    @property
    def has_models(self) -> bool:
        """Whether this shape is a model or contains models."""
        return self.kind == "model" or any(part.has_models for part in self.children)

    @property
    def depth(self) -> int:
        """The number of nested shapes, including this shape."""
        return 1 + max([part.depth for part in self.children], default=0)


class StrictSchema(NamedTuple):
    """A core schema for pydantic that only accepts values in no need of conversion.

    #: schema: for pydantic's core; shape: that of its values, None if they have no keys
    #: places: the most values that it accepts, each counted where it stands
    """

    schema: dict[str, Any]
    shape: ValueShape | None
    places: float
