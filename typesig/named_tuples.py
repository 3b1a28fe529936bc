"""`NamedTuple`, whose classes are made in a tenth of the time.

typesig has two hundred of them, and a program makes those of the modules that it loads each time
it starts.  `typing` compiles the text of each annotation and source for each class; here, classes
with the same number of fields share what was compiled for the first.  To type checkers, and to
those who use the classes, it is the `NamedTuple` of `typing`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import NamedTuple as NamedTuple
else:
    from collections import namedtuple
    from functools import cache
    from types import FunctionType

    @cache
    def _shape(count):
        """Return a named tuple with *count* fields."""
        return namedtuple("Shape", [f"field{n}" for n in range(count)])

    class _Row(tuple):
        """What all named tuples have in common."""

        __slots__ = ()

        @classmethod
        def _make(cls, parts):
            """Return a tuple of *parts*, any iterable."""
            made = tuple.__new__(cls, parts)
            if len(made) != len(cls._fields):
                raise TypeError(f"{cls.__name__} has {len(cls._fields)} fields, not {len(made)}")
            return made

        def _replace(self, /, **parts):
            """Return the same tuple with other *parts*, by name."""
            made = self._make(map(parts.pop, self._fields, self))
            if parts:
                raise TypeError(f"{type(self).__name__} has no field {next(iter(parts))}")
            return made

        __replace__ = _replace

        def _asdict(self):
            """Return the parts by name."""
            return dict(zip(self._fields, self, strict=True))

        def __repr__(self):
            parts = zip(self._fields, self, strict=True)
            return f"{type(self).__name__}({', '.join(f'{name}={part!r}' for name, part in parts)})"

        def __getnewargs__(self):
            return tuple(self)

    class _Maker(type):
        """Makes a named tuple of a class that is written with fields."""

        def __new__(cls, name, bases, space):
            if not bases:
                return super().__new__(cls, name, bases, space)
            hints = space.get("__annotations__", {})
            fields = (*hints,)
            defaults = {field: space.pop(field) for field in fields if field in space}
            shape = _shape(len(fields))
            code = shape.__new__.__code__.replace(
                co_varnames=("_cls", *fields), co_qualname=f"{space['__qualname__']}.__new__"
            )
            make = FunctionType(code, shape.__new__.__globals__, "__new__", (*defaults.values(),))
            make.__annotations__ = hints
            parts = {
                "__slots__": (),
                "__new__": make,
                "__match_args__": fields,
                "_fields": fields,
                "_field_defaults": defaults,
                **dict(zip(fields, map(vars(shape).get, shape._fields), strict=True)),
            }
            return type(name, (_Row,), {**space, **parts})

    class NamedTuple(metaclass=_Maker):
        """The base that a named tuple is written with."""
