"""Facts about the values that strict pydantic schemas accept; see `pydantic_strict`."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple


class ModelDefault(NamedTuple):
    """A default that a model does not validate.

    #: name: of the field; key: its key in data; value: the default
    #: sent: the form of the default in data
    """

    name: str
    key: str
    value: Any
    sent: Any


class ValueShape(NamedTuple):
    """The positions of models and maps in a value, which are checked after validation.

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
        """The shapes of its parts."""
        return [*([] if self.inner is None else [self.inner]), *[part[2] for part in self.parts]]

    @property
    def has_models(self) -> bool:
        """Whether it contains models, whose keys and defaults are checked."""
        return self.kind == "model" or any(part.has_models for part in self.children)

    @property
    def depth(self) -> int:
        """Number of nested shapes."""
        return 1 + max([part.depth for part in self.children], default=0)


class StrictSchema(NamedTuple):
    """A schema that accepts only values that pass the check unchanged.

    #: schema: for pydantic's core; shape: that of its values, None if they have no keys
    #: places: the most values that it accepts, each counted where it stands
    """

    schema: dict[str, Any]
    shape: ValueShape | None
    places: float
