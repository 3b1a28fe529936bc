"""What stands for what is not there, once for all modules."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

#: Stands for a value that is not there, where None may be one.
ABSENT: Final[Any] = object()

#: Has no entries.
NOTHING: Final[Mapping[str, Any]] = MappingProxyType({})
