"""Decoders in generated code, for records of which there are many.

The source depends only on the number of fields and on which of them are decoded; names, decoders
and the class come in as values.  So records of one form share their code, and no text of others is
ever compiled.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from types import CodeType, MappingProxyType
from typing import Any

#: The fields of a record with generated code; compiling many takes long.
WIDEST = 200

#: The decoders of one record for different sets of absent fields.
VARIANTS = 16

#: The forms of a field: its value is the host's, a float, what its decoder makes, None as the field
#: is absent, or the host's or None.
KEPT, FLOAT, DECODED, NIL, KEPT_OR_NIL = "kfdno"


@lru_cache(maxsize=256)
def maker_of(forms: str) -> Callable[..., Callable[[Any], Any]]:
    """Return the function that makes a decoder of records whose fields have *forms*.

    It takes the class to build, the names, the decoders of the fields that have one, the decoder
    of records that lack a field or are refused, and what raises and gathers refusals.
    """
    return loaded(_source(forms), f"typesig decoder of {forms}")


def loaded(
    source: str, file: str, names: Mapping[str, str] = MappingProxyType({})
) -> Callable[..., Callable[[Any], Any]]:
    """Return the function `make` of *source*, which tracebacks show as that of *file*.

    *names* has names of attributes, and texts, by those that stand for them in the source.
    """
    # The name of the file is not in angle brackets, so that tracebacks ask the loader for it.
    space: dict[str, Any] = {"__name__": file, "__loader__": _Loader(source)}
    exec(_with_names(compile(source, file, "exec"), names), space)
    return space["make"]  # type: ignore[no-any-return]


def _with_names(code: CodeType, names: Mapping[str, str]) -> CodeType:
    if not names:
        return code
    own = tuple([names.get(name, name) for name in code.co_names])
    return code.replace(
        co_consts=tuple([_with_name(each, names) for each in code.co_consts]), co_names=own
    )


def _with_name(value: Any, names: Mapping[str, str]) -> Any:
    if isinstance(value, CodeType):
        return _with_names(value, names)
    return names.get(value, value) if isinstance(value, str) else value


class _Loader:
    """What tracebacks and debuggers get the source from."""

    def __init__(self, source: str) -> None:
        self._source = source

    def get_source(self, _name: str) -> str:
        """Return the source."""
        return self._source


def _source(forms: str) -> str:
    """Return the source of `make`; field 2 has the name `n2`, the decoder `d2`, the value `v2`."""
    fields = range(len(forms))
    held = [place for place in fields if forms[place] != NIL]
    decoded = [place for place in fields if forms[place] == DECODED]
    needed = [place for place in held if forms[place] != KEPT_OR_NIL]
    lines = [
        "def make(build, otherwise, refused, gathered, HostError, names, decoders):",
        f"    {_listed('n', held)} = names",
        *([f"    {_listed('d', decoded)} = decoders"] if decoded else []),
        "    def decode(value):",
        f"        if type(value) is not dict or len(value) < {len(needed)}:",
        "            return otherwise(value)",
        *[f"        v{place} = value.get(n{place})" for place in held if place not in needed],
        "        try:",
        *([f"            v{place} = value[n{place}]" for place in needed] or ["            pass"]),
        "        except KeyError:",
        "            return otherwise(value)",
    ]
    for place in fields:
        if forms[place] == FLOAT:
            lines += [
                f"        if type(v{place}) is not float:",
                "            return otherwise(value)",
            ]
    if decoded:
        lines.append("        first = None")
    for place in decoded:
        lines += [
            "        try:",
            f"            v{place} = d{place}(v{place})",
            "        except HostError as error:",
            f"            first = gathered(first, error, n{place})",
        ]
    if decoded:
        lines += ["        if first is not None:", "            raise first"]
    given = ", ".join(f"v{place}" if place in held else "None" for place in fields)
    lines += [
        "        try:",
        f"            return build({given})",
        "        except (TypeError, ValueError) as error:",
        "            raise refused(error) from error",
        "    return decode",
    ]
    return "\n".join(lines) + "\n"


def _listed(letter: str, places: Any) -> str:
    """Return the targets that a tuple is unpacked to."""
    return "".join(f"{letter}{place}, " for place in places).rstrip()
