"""The options of reading hints, which `extract`, `tool`, `contract` and `tools_of` share."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias, get_args

from typesig.errors import TypesigError

Profile: TypeAlias = Literal["python", "ptc_runner"]
OptionalChoice: TypeAlias = Literal["loose", "exact"]

if TYPE_CHECKING:
    from typing import TypedDict

    class HintKeywords(TypedDict, total=False):
        """The options by keyword, for the type of an answer."""

        strict: bool
        profile: Profile
        optional: OptionalChoice
        recursive: bool
        max_depth: int

    class OptionKeywords(HintKeywords, total=False):
        """The options by keyword, for a callable."""

        injected: Iterable[Any]
        results: Mapping[type, str | Callable[[Any], Any]]


class Options(NamedTuple):
    """The options for reading hints.

    #: strict: whether a fallback raises
    #: profile: "python", or "ptc_runner" for exactly the types that PtcRunner has
    #: optional: "loose" where `T | None` makes a parameter optional too, "exact" where it does not
    #: recursive: whether a type that refers to itself keeps a name; otherwise it becomes `:any`
    #: max_depth: how many named records deep a type is written out
    #: injected: classes and names of parameters that the host supplies and a model never sees
    #: results: how objects of a class become data in a result: the name of an attribute or a
    #:     method, or a callable, by their classes
    #: inferred: whether docstrings and defaults give the types that hints do not; of `tools_of`
    """

    strict: bool = False
    profile: Profile = "python"
    optional: OptionalChoice = "loose"
    recursive: bool = False
    max_depth: int = 3
    injected: tuple[Any, ...] = ()
    results: tuple[tuple[type, str | Callable[[Any], Any]], ...] = ()
    inferred: bool = False

    def check(self) -> None:
        """Raise `TypesigError` if an option has an invalid value."""
        for option, value in (("strict", self.strict), ("recursive", self.recursive)):
            if type(value) is not bool:
                raise TypesigError(f"{option} is True or False, not {value!r}")
        _check_choice("profile", self.profile, get_args(Profile))
        _check_choice("optional", self.optional, get_args(OptionalChoice))
        if type(self.max_depth) is not int or self.max_depth < 1:
            raise TypesigError(f"max_depth must be an int of at least 1, not {self.max_depth!r}")
        for given in self.injected:
            if not isinstance(given, str | type):
                raise TypesigError(f"injected takes classes and names of parameters, not {given!r}")
        for cls, source in self.results:
            if not isinstance(cls, type):
                raise TypesigError(f"results has classes as keys, not {cls!r}")
            if cls in _DATA:
                raise TypesigError(f"results takes no {cls.__name__}, which is data already")
            is_name = isinstance(source, str) and source.isidentifier()
            if not (is_name or callable(source)):
                raise TypesigError(
                    f"results has the name of an attribute or a method, or a callable, for "
                    f"{cls.__name__}, not {source!r}"
                )


#: The classes whose objects are data.
_DATA = frozenset({str, int, float, bool, type(None), list, dict})


def _check_choice(option: str, value: object, choices: tuple[str, ...]) -> None:
    """Raise `TypesigError` if *value* is not among the *choices* of the option *option*."""
    if value not in choices:
        raise TypesigError(f"there is no {option} {value!r}; there are {', '.join(choices)}")


#: The keywords that a callable's hints can be read with, and those for an answer's type.
OPTIONS = tuple(name for name in Options._fields if name != "inferred")
ANSWER_OPTIONS = tuple(name for name in OPTIONS if name not in ("injected", "results"))

_DEFAULTS = Options()


def make_options(
    caller: str, keywords: Mapping[str, Any], known: tuple[str, ...] = OPTIONS
) -> Options:
    """Build the options from the *keywords* of the function *caller*.

    Raises `TypeError` for a keyword that is not *known*, and `TypesigError` for a value that an
    option cannot have.
    """
    if not keywords:
        return _DEFAULTS
    for name in keywords:
        if name not in known:
            raise TypeError(f"{caller}() got an unexpected keyword argument {name!r}")
    options = Options(**keywords)
    injected: Any = options.injected
    if isinstance(injected, str | type) or not isinstance(injected, Iterable):
        raise TypesigError(
            f"injected takes a list of classes and names of parameters, not {injected!r}; "
            "write injected=[…]"
        )
    results: Any = options.results or {}
    if not isinstance(results, Mapping):
        raise TypesigError(
            f'results takes a map by classes, not {results!r}; write results={{Issue: "raw_data"}}'
        )
    options = options._replace(injected=tuple(injected), results=tuple(results.items()))
    options.check()
    return options
