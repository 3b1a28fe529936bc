"""Limits of calls: those under a governance, what spans tell of them, and media in results.

The comment above each tells what it counts, and then what happens beyond it.
"""

from __future__ import annotations

# -- Calls under a governance, and media

#: Equal calls that a `Governance` with `repeats` keeps in mind. The oldest are forgotten.
MAX_REMEMBERED = 10_000

#: Seconds that a coroutine function has to end when it is late. It is left behind.
MAX_STOPPING = 1

#: Seconds before a call is run again for the first time, if its tool does not say. Each further
#: pause is twice as long.
FIRST_PAUSE = 0.1

#: Seconds before a call is run again. A call whose tool wants a longer pause is not run again.
MAX_PAUSE = 60

#: Characters of arguments, and of a result, that a span of OpenTelemetry has. The rest is cut.
MAX_TRACED = 4_000

#: Answers with calls of tools in one asking. Nothing more is asked.
MAX_ROUNDS = 100

#: Bytes of the media in one result, or of one of them. `TooLarge` is raised, or the result refused.
MAX_MEDIA_BYTES = 20_000_000

#: Media in one result. The result is refused.
MAX_MEDIA = 100
