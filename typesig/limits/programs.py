"""The limits of programs that models write; see `typesig.limits`."""

from __future__ import annotations

# -- Programs

#: Characters of a program. It is neither checked nor run; an error in the outcome.
MAX_PROGRAM = 50_000

#: Statements and expressions within each other in a program. It is neither checked nor run; an
#: error in the outcome.
MAX_PROGRAM_DEPTH = 80

#: Pairs of a type and that of a parameter that are compared for one program. Further arguments are
#: not compared, which a warning tells.
MAX_PROGRAM_QUESTIONS = 200

#: Steps of each proof about an argument. The argument is not refused.
MAX_PROGRAM_STEPS = 5_000

#: Alternatives of the type of a variable. It is then taken for any value.
MAX_PROGRAM_SHAPES = 24

#: Calls of tools in one run of a program. An error in the outcome; `Bounds.calls` sets another
#: number.
MAX_PROGRAM_CALLS = 100

#: Seconds for which a program itself runs, without its calls. An error in the outcome;
#: `Bounds.seconds` sets another number.
MAX_PROGRAM_SECONDS = 10

#: Bytes of memory of a program. An error in the outcome; `Bounds.memory` sets another number.
MAX_PROGRAM_MEMORY = 64_000_000

#: Calls of functions within each other in a program. An error in the outcome; `Bounds.recursion`
#: sets another number.
MAX_PROGRAM_RECURSION = 200

#: Characters that a program prints. An error in the outcome; `Bounds.printed` sets another number.
MAX_PROGRAM_PRINTED = 20_000
