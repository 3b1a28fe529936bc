"""`NamedTuple`, whose classes are made in a tenth of the time.

typesig has two hundred of them, and a program makes those of the modules that it loads each time
it starts.  `typing` compiles the text of each annotation, and source for each class; here, classes
with the same number of fields share a function.  To type checkers, and to those who use the
classes, it is the `NamedTuple` of `typing`.
"""

from __future__ import annotations

import typing
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import NamedTuple as NamedTuple
else:
    from types import FunctionType

    try:
        from collections import _tuplegetter as _place
    except ImportError:  # pragma: no cover - a Python that has it no longer
        from operator import itemgetter

        def _place(n, doc):
            return property(itemgetter(n), doc=doc)

    _made = tuple.__new__
    #: What makes a tuple of so many fields; copies get the names of the fields for the parameters.
    _MAKERS = (
        lambda _cls: _made(_cls, ()),
        lambda _cls, a: _made(_cls, (a,)),
        lambda _cls, a, b: _made(_cls, (a, b)),
        lambda _cls, a, b, c: _made(_cls, (a, b, c)),
        lambda _cls, a, b, c, d: _made(_cls, (a, b, c, d)),
        lambda _cls, a, b, c, d, e: _made(_cls, (a, b, c, d, e)),
        lambda _cls, a, b, c, d, e, f: _made(_cls, (a, b, c, d, e, f)),
        lambda _cls, a, b, c, d, e, f, g: _made(_cls, (a, b, c, d, e, f, g)),
        lambda _cls, a, b, c, d, e, f, g, h: _made(_cls, (a, b, c, d, e, f, g, h)),
        lambda _cls, a, b, c, d, e, f, g, h, i: _made(_cls, (a, b, c, d, e, f, g, h, i)),
        lambda _cls, a, b, c, d, e, f, g, h, i, j: _made(_cls, (a, b, c, d, e, f, g, h, i, j)),
    )

    def _maker(count):
        if count < len(_MAKERS):
            return _MAKERS[count]
        names = ", ".join(f"field{n}" for n in range(count))
        return eval(f"lambda _cls, {names}: _made(_cls, ({names}))")

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
            code = _maker(len(fields)).__code__.replace(
                co_name="__new__",
                co_qualname=f"{space['__qualname__']}.__new__",
                co_varnames=("_cls", *fields),
            )
            make = FunctionType(code, {"_made": _made}, "__new__", (*defaults.values(),))
            make.__annotations__ = hints
            parts = {
                # By this, other libraries know named tuples.
                "__orig_bases__": (typing.NamedTuple,),
                "__slots__": (),
                "__new__": make,
                "__match_args__": fields,
                "_fields": fields,
                "_field_defaults": defaults,
                **{field: _place(n, None) for n, field in enumerate(fields)},
            }
            return type(name, (_Row,), {**space, **parts})

    class NamedTuple(metaclass=_Maker):
        """The base that a named tuple is written with."""
