"""A vendor: one table entry with everything specific to it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from typesig.errors import TypesigError, format_value
from typesig.providers.rows.answers import CallFormat
from typesig.providers.rows.limits import LimitName, LimitRow, get_limits
from typesig.providers.rows.profile import Profile
from typesig.providers.rows.provider import ProviderName
from typesig.providers.rows.wire import SentTool


def return_unchanged(data: Any) -> Any:
    """Return *data*, a result that is sent unchanged."""
    return data


@dataclass(frozen=True, slots=True, kw_only=True)
class Vendor:
    """The definitions, formats and limits of a vendor, as a row of a table.

    #: name: the name that `project` takes; title: the name in tables
    #: definitions: what its definitions are, in words for the documentation
    #: profiles: what it takes, one for each pair of its forms and strictnesses, the usual one first
    #: strict_answers: whether response formats are strict unless asked otherwise
    #: limits: what it publishes of counts and sizes
    #: definition_of: returns the definition of a tool; format_of: the response format of a schema,
    #:     which has a name
    #: result_of: returns the result of a tool as it is sent
    #: calls: how it spells calls and their results
    """

    name: ProviderName
    title: str
    definitions: str
    profiles: tuple[Profile, ...]
    strict_answers: bool
    limits: tuple[LimitRow, ...]
    definition_of: Callable[[Profile, SentTool], dict[str, Any]]
    format_of: Callable[[Profile, str, dict[str, Any]], dict[str, Any]]
    result_of: Callable[[Any], Any]
    calls: CallFormat

    @property
    def apis(self) -> tuple[str, ...]:
        """The names of the vendor's API forms, the default first."""
        return tuple(dict.fromkeys(each.api for each in self.profiles))

    @property
    def has_strict(self) -> bool:
        """Whether the vendor has a mode that holds the model to the schema."""
        return any(each.strict for each in self.profiles)

    @property
    def refusing(self) -> frozenset[LimitName]:
        """The names of the limits beyond which the vendor refuses a tool."""
        return frozenset([row.name for row in self.limits if row.refuses])

    def derived(self, name: ProviderName, title: str, profiles: Iterable[Profile]) -> Vendor:
        """Make a vendor like this one with other *profiles*.

        What else differs is given to `dataclasses.replace`.  What definitions have beside their
        schemas is not taken over.
        """
        own = tuple([each._replace(provider=name, extras=frozenset()) for each in profiles])
        return replace(self, name=name, title=title, profiles=own)

    def profile_of(self, options: Mapping[str, Any]) -> Profile:
        """Get the profile of *options*, see `ProfileOptions`, with its limits.

        Raises `TypesigError` for an option or a value that the vendor lacks.
        """
        known = ["api", "strict", "limits"] if self.has_strict else ["api", "limits"]
        for name in options:
            if name not in known:
                raise TypesigError(
                    f"{self.name} has no option {format_value(name)}; there are {', '.join(known)}"
                )
        api = options.get("api", self.apis[0])
        if api not in self.apis:
            raise TypesigError(
                f"{self.name} has no api {format_value(api)}; there are {', '.join(self.apis)}"
            )
        strict = options.get("strict", False)
        if type(strict) is not bool:
            raise TypesigError(f"strict is True or False, not {format_value(strict)}")
        own = options.get("limits")
        if own is not None and not isinstance(own, Mapping):
            raise TypesigError(f"limits are numbers by name, not {format_value(own)}")
        [found] = [each for each in self.profiles if (each.api, each.strict) == (api, strict)]
        return found._replace(limits=get_limits(self.limits, strict, own))
