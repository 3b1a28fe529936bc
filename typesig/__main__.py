"""`python -m typesig` is the command line."""

from __future__ import annotations

from typesig.cli import main

main()
