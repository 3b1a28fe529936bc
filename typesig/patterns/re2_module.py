"""The module of RE2, from the extra `re2`: google-re2, and no other module of that name."""

from __future__ import annotations

from typing import Any

#: What is used of the module.  Modules of other projects have the same name: pyre2 and fb-re2 lack
#: some of these.
_USED = ("Options", "compile", "error")
_USED_OPTIONS = ("log_errors", "max_mem", "never_capture")


def google_re2() -> Any:
    """Return the module of google-re2, or None if it is not installed."""
    try:
        import re2
    except Exception:
        # Whatever lies on the path under that name may raise anything when it is imported.
        return None
    offered = all(hasattr(re2, name) for name in _USED)
    return re2 if offered and all(hasattr(re2.Options, name) for name in _USED_OPTIONS) else None
