"""What strict schemas of pydantic tell of the values that they accept; see `pydantic_strict`."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple


class Default(NamedTuple):
    """A default that a model does not validate.

    #: name: of the field; key: its key in data; value: the default
    #: sent: the form of the default in data
    """

    name: str
    key: str
    value: Any
    sent: Any


class Shape(NamedTuple):
    """Where models and maps are in a value, which are looked at after validation.

    #: kind: a value or None, a list, a map, or a model
    #: inner: the shape of the other value, or of the parts of the list or map, if they have one
    #: parts: the fields of a model that have a shape, by key, name and shape
    #: size: the number of fields of a model; defaults: theirs
    """

    kind: Literal["maybe", "list", "map", "model"]
    inner: Shape | None = None
    parts: tuple[tuple[str, str, Shape], ...] = ()
    size: int = 0
    defaults: tuple[Default, ...] = ()

    @property
    def within(self) -> list[Shape]:
        """The shapes of its parts."""
        return [*([] if self.inner is None else [self.inner]), *[part[2] for part in self.parts]]

    @property
    def has_models(self) -> bool:
        """Whether there are models in it, whose keys and defaults are looked at."""
        return self.kind == "model" or any(part.has_models for part in self.within)

    @property
    def depth(self) -> int:
        """How many shapes are within each other."""
        return 1 + max([part.depth for part in self.within], default=0)


class Strict(NamedTuple):
    """A schema that accepts only what the check does.

    #: schema: for pydantic's core; shape: that of its values, None if they have no keys
    #: places: the most values that it accepts, each counted where it stands
    """

    schema: dict[str, Any]
    shape: Shape | None
    places: float
