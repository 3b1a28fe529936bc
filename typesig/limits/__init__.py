"""The limits: beyond each of them is a clear error, or a documented answer; never a crash.

They are defined here, under headings (`# -- …`), those of MCP and OpenAPI in
`typesig.limits.network`, and those of chains in `typesig.limits.contracts`.  The first sentence of
a comment tells what a limit counts, the rest what happens beyond it.  The tables of
`docs/reference/limits.md` are written from these modules: after a change, run
`python -m tests.limits_page`.
"""

from __future__ import annotations

# -- Types and signatures

#: Types within types. `TooDeep` is raised.
MAX_DEPTH = 128

#: Names that are defined as other names, in a chain. `TooDeep` is raised.
MAX_CHAIN = 64

#: Characters of a signature, or of an EDN text. `TooLarge` is raised.
MAX_TEXT = 250_000

#: Characters of the named types that gram, which has no names, writes in their places. A type name
#: is replaced by a wider type, which is a loss.
MAX_INLINED = 100_000

# -- Values and JSON text

#: Lists and maps within each other, in JSON text, arguments and results. An error in the outcome;
#: `normalize_keys` raises `TooDeep`.
MAX_VALUE_DEPTH = 128

#: Types that a check is inside of at once, through references. An error in the outcome.
MAX_FRAMES = 400

#: Characters of a JSON text. An error in the outcome.
MAX_JSON = 16_000_000

#: Values that one default fills in, if it is a list or a map: those within it, and those that their
#: own defaults fill in. An error in the outcome.
MAX_DEFAULT_VALUES = 10_000

#: Values that such defaults fill in, in one check. An error in the outcome.
MAX_FILLED = 5_000_000

#: Values in one text that is searched for JSON text; adjacent ones beyond count as one list. An
#: error in the outcome.
MAX_CANDIDATES = 64

#: Characters of a key that is looked for behind a quote, to tell whether a text ends there. The
#: quote counts as a part of the text.
MAX_KEY_AHEAD = 200

#: Brackets in one text that are no JSON text, where it is searched for. An error in the outcome.
MAX_ATTEMPTS = 32

#: Lists and maps within each other whose parts are shown while their text arrives. What is further
#: inside is shown when it has ended.
MAX_OPEN = 8

#: Parts of a type for which a check is generated as source. A larger type is checked without, which
#: takes longer.
MAX_GENERATED = 3_000

#: Calls of the functions of such source in one check: one for each value at a named type or a
#: choice. The value is checked without, which takes longer.
MAX_FAST_CALLS = 200_000

#: Digits of a number, in JSON text and in text that is read as a number; of an int in what is
#: checked or returned. An error in the outcome; in a signature, `SignatureSyntaxError`.
MAX_DIGITS = 400

#: Characters of a text that is read as a datetime. The text is not read, and so an error.
MAX_DATETIME = 64

#: Values, parts of values counted, that `render_data` or a placeholder of a template writes.
#: `TooLarge` is raised.
MAX_RENDERED = 1_000_000

#: Values in one value that is checked, encoded or written, each counted at all its places once a
#: walk has visited `MAX_UNWATCHED`. An error in the outcome; `Outcome.for_model`, `Outcome.text`,
#: `normalize_keys`, `render_data` and templates raise `TooLarge`.
MAX_VALUES = 10_000_000

#: Values that a walk visits before it looks for lists and maps that stand at several places. The
#: places are counted, or a shared list is walked once.
MAX_UNWATCHED = 100_000

#: Items taken from an iterator that a tool returns. `TooLarge` is raised.
MAX_ITEMS = 1_000_000

#: Calls in one answer of a model that `Projection.handle` runs, or `Toolset.read` reads. The others
#: are answered with an error; an issue tells of them.
MAX_CALLS = 128

#: Marks that stand in one place of a response template, or that its pattern stands for.
#: `Unsupported` is raised.
MAX_MARKS = 32

#: Characters of one of these marks. `Unsupported` is raised.
MAX_MARK = 1_000

#: Events of one stream that `Projection.handle` assembles. `TooLarge` is raised.
MAX_EVENTS = 1_000_000

#: Characters of a list of Python calls that a model wrote as text. They are not read, which an
#: issue tells.
MAX_DIALECT_PYTHON = 100_000

#: Columns of a table of what a model reads or writes. The list is written as JSON.
MAX_COLUMNS = 100

#: Characters of the first line of such a table. The list is written as JSON.
MAX_TABLE_HEAD = 4_000

# -- Messages

#: Errors that an outcome keeps, and warnings. The others are counted in `Outcome.unseen`; another
#: number can be set with `Policy(max_issues=…)`.
MAX_ISSUES = 1_000

#: Rows of a `Ledger`. What would need a further row is only counted.
MAX_LEDGER = 10_000

#: Characters of the name of a tool in a `Ledger`. The name is cut.
MAX_LEDGER_NAME = 128

#: Errors that a report shows, and warnings. A line tells how many more there are.
MAX_REPORT = 50

#: Items of a list that `Outcome.tree` writes as a list. It writes a dict by index instead.
MAX_PADDED = 1_000

#: Characters of what `Outcome.feedback` returns. What has no complaint is cut or left out, with
#: `…`; then the last complaints are counted.
MAX_FEEDBACK = 4_000

#: Lines of what `Outcome.feedback` returns. As for `MAX_FEEDBACK`.
MAX_FEEDBACK_LINES = 120

#: Characters of one complaint in feedback. The complaint is cut, with `…`.
MAX_COMPLAINT = 400

#: Lines of the error of a tool in feedback. The others stand on the last one.
MAX_COMPLAINT_LINES = 40

#: Lists and maps within each other that feedback writes on lines of their own. A complaint further
#: inside stands at the outer one, with the rest of its path; what else is further inside is cut.
MAX_ECHO_DEPTH = 12

#: Characters of a text that could not be read, on each side of the fault, that feedback shows. The
#: rest is left out, with `…`.
MAX_AROUND_FAULT = 60

#: Characters of a value in a message. The value is cut, with `…`.
MAX_EXCERPT = 60

#: Characters of the message of an exception. The middle of the message is left out, with `…`.
MAX_MESSAGE = 10_000

#: Characters of a signature in its `repr`, and of a text that rich or a notebook shows. The text is
#: cut, with `…`.
MAX_SHOWN = 1_000

#: Characters of a report that a notebook shows. The report is cut, with `…`.
MAX_SHOWN_REPORT = 20_000

#: Tools of a toolset that rich or a notebook shows. The others are counted.
MAX_SHOWN_TOOLS = 50

#: Characters of an expected type in a message. The type is cut, with `…`.
MAX_EXPECTED = 200

#: Values of an enum in a message. The others are left out, with `…`.
MAX_EXPECTED_VALUES = 12

#: Steps of a path in a message. The middle of the path is left out, with `…`.
MAX_PATH = 24

#: Declared names, or values of an enum, among which the closest to a wrong one is looked for. The
#: message has no "did you mean".
MAX_NEAR = 400

#: Characters of a wrong name or value for which the closest is looked for. The message has no "did
#: you mean".
MAX_NEAR_NAME = 100

#: Pairs of characters that are compared to find the closest names, for the messages of one outcome.
#: The other messages have no "did you mean".
MAX_NEAR_WORK = 5_000_000

#: Names of a registry that a message about an unknown name lists. The others are left out.
MAX_NAMED = 10

#: Lines about data that a command prints, unless all are asked for. A line tells how many more
#: there are.
MAX_LINES = 1_000

#: Paths and codes whose errors `typesig check --summary` counts apart. The errors of others are
#: counted together.
MAX_SUMMARY = 1_000

# -- Patterns

#: Characters of a pattern. `TooLarge` is raised.
MAX_PATTERN = 10_000

#: Ranges of characters that the sets of a pattern have. `TooLarge` is raised.
MAX_PATTERN_RANGES = 50_000

#: Steps that the patterns of one text or schema take to read: 100 for each pattern that differs, 10
#: for each range of its sets, one for each character and each transition of its automaton. The
#: first pattern beyond is refused: `TooLarge` is raised, or the error of the notation.
MAX_PATTERN_WORK = 1_000_000

#: Groups within groups in a pattern. `TooLarge` is raised.
MAX_PATTERN_DEPTH = 32

#: Repetitions that a pattern asks for. `TooLarge` is raised.
MAX_REPEAT = 100_000

#: Characters of a text in which a pattern is searched for. The pattern is not found in it.
MAX_SEARCHED = 1_000_000

#: Steps that a search for a pattern takes in the worst case. The pattern is not found in a text
#: that is long enough to take more.
MAX_STEPS = 50_000_000

#: Characters of a text in which a pattern must be searched within `MAX_STEPS`. A pattern that may
#: take more steps is refused: `TypesigError` is raised.
LEAST_SEARCHED = 1_000

#: Places of the automaton of a pattern. The pattern is not proved to be bounded.
MAX_AUTOMATON_PLACES = 4_000

#: Steps of a proof about a pattern, and transitions of its automaton. The pattern is not proved to
#: be bounded.
MAX_AUTOMATON_STEPS = 100_000

#: Copies of a repeated part within another repetition. The proof assumes any number of repetitions.
MAX_AUTOMATON_COPIES = 16

#: Powers of the length of a text that a proof tells apart. The pattern is not proved to be bounded.
MAX_POWER = 3

#: Sets of states, and characters after each, that a search for a pattern remembers. They are
#: forgotten and computed again.
MAX_KNOWN_SETS = 500

#: Bytes that RE2 may use for one pattern. RE2 is not used for it.
MAX_RE2_MEMORY = 4 << 20

#: Ranges of characters in a pattern for RE2, repetitions included. RE2 is not used for it.
MAX_RE2_RANGES = 20_000

# -- JSON Schema, Malli and EDN

#: Characters of names, texts and numbers in a JSON Schema. `TooLarge` is raised.
MAX_SCHEMA = 1_048_576

#: Schemas within schemas in a JSON Schema. `TooDeep` is raised.
MAX_SCHEMA_DEPTH = 64

#: Schemas in a JSON Schema, those that references lead to included. `TooLarge` is raised.
MAX_SCHEMAS = 10_000

#: Combinations of branches that `unevaluatedProperties` and `unevaluatedItems` tell apart.
#: `Unsupported` is raised, or the keyword is a loss.
MAX_ALTERNATIVES = 64

#: Optional positions of an array, each of which needs a type. `Unsupported` is raised,
#: or the positions are a loss.
MAX_OPEN_POSITIONS = 32

#: Forms and values in a Malli schema. `TooLarge` is raised.
MAX_FORMS = 20_000

#: Types in the union for a Malli sequence with optional places. `Unsupported` is raised,
#: or the sequence is a loss.
MAX_SEQUENCES = 32

#: Malli forms around a function schema. The function is not found.
MAX_AROUND = 32

#: Lists, vectors, maps and sets within each other in EDN. `TooDeep` is raised. It is higher than
#: `MAX_DEPTH`, since a Malli form takes up to two levels.
MAX_EDN_DEPTH = 320

# -- Python callables

#: Records written out for one callable. The next is `:any`, with a warning.
MAX_RECORDS = 300

#: Characters of the records in the signature of one callable, without descriptions. Each further
#: record is `:any`, with one warning for all of them.
MAX_SIGNATURE = 20_000

#: Warnings about one callable that have the same reason and remedy. More of them are one warning
#: that counts the places.
MAX_ALIKE = 3

#: Characters of the place, and of the reason, of a warning about a callable. The text is cut, with
#: `…`.
MAX_WARNING = 500

#: Parameters of a tool of others that are read one by one where its schema is refused as a whole.
#: Of a tool with more, anything is accepted.
MAX_TRIED_PROPERTIES = 100

#: Parts of the arguments of a hint that a warning writes, each counted at all its places. The
#: warning has only the name of the generic type.
MAX_WRITTEN_HINTS = 100

#: Characters of the descriptions of records' fields, for one callable. The others are left out,
#: with a warning.
MAX_DESCRIBED = 50_000

#: Examples of a field that its description shows. A sign tells that there are more.
MAX_EXAMPLES = 8

#: Values in a default that is shown. The default is kept for the call, with a warning.
MAX_DEFAULT = 1_000

#: Hints and aliases within each other. The hint is `:any`, with a warning.
MAX_HINT_DEPTH = 50

#: Hints of one callable, those within hints and in records included. Each further hint is `:any`,
#: with one warning for all of them.
MAX_HINTS = 10_000

#: Callables that wrap each other. `ExtractionError` is raised.
MAX_WRAPPERS = 1_000

#: Characters of a docstring. The rest is not read, with a warning.
MAX_DOCSTRING = 1_000_000

#: Blanks in a row within a line of a section of a docstring. More of them are read as one.
MAX_BLANKS = 100

#: Members of a flag whose sums are written out. Only the range of the sums is kept.
MAX_FLAG_BITS = 6

#: Characters of a source file that is read for the docstrings of fields. The rest is not read.
MAX_SOURCE = 4 << 20

#: Bytes of a source file that is read for names under `TYPE_CHECKING`. Later names are not found.
MAX_CHECKED_SOURCE = 4_000_000

#: Modules that import a name from each other under `TYPE_CHECKING`. The name is not found.
MAX_CHECKED_MODULES = 16

#: Characters of one hint that is text. The hint is `:any`, with a warning.
MAX_HINT_TEXT = 10_000

#: Places in a source file that are tried as the end of a class. The end of the file is tried next.
MAX_CLASS_ENDS = 9

#: Characters of a type in a docstring. The type is not split into alternatives.
MAX_DOCUMENTED = 400

#: Types within types in a docstring. The inner type is not split into alternatives.
MAX_DOCUMENTED_DEPTH = 8

#: Callables of one iterable that `tools_of` takes. `TooLarge` is raised.
MAX_TOOLS = 100_000

#: Characters of a query of `Toolset.search`. `TooLarge` is raised.
MAX_QUERY = 10_000

# -- Inference

#: Names and lists that `infer` tells apart. `TooLarge` is raised.
MAX_PLACES = 100_000

#: Values in one sample of `infer`. `TooLarge` is raised.
MAX_SAMPLE = 10_000_000

#: Positions of a list that `infer` tells apart to find a tuple. It is a list.
MAX_POSITIONS = 16

#: Characters of a text that may be in an enum or have a format. It is a string.
MAX_WORD = 254

#: Keys of one place that `infer` tells apart before it looks for a map. It is a map if the values
#: are alike.
MAX_NAMES = 1_000

# -- Comparing types

#: Steps of one question about types, of a few microseconds each: whatever proofs, checks and values
#: the answer takes. The answer is "unknown", there are no more samples (`samples` and `near_misses`
#: may take as many steps for each ten values), and `simplify` leaves the rest as it is.
MAX_PROOF_STEPS = 200_000

#: Steps of each proof of `simplify`, and of each two types that `difference` compares as a whole.
#: The part of the type stays as it is; the types count as changed.
MAX_PART_STEPS = 20_000

#: Patterns of keys that are told apart; each doubles the sorts of keys. The answer is "unknown".
MAX_KEY_PATTERNS = 5

#: Spellings of one name that are told apart. The answer is "unknown".
MAX_SPELLINGS = 16

#: Items of a list that is judged item by item. A longer list is judged as a whole.
MAX_LAID_OUT = 8

#: Numbers that are tried one by one. A larger range is judged as a whole.
MAX_COUNTED = 1_000

#: Values of each type that are drawn as counterexamples. No more are tried.
MAX_WITNESSES = 24

#: Values, parts of values counted, that are drawn for those. No more are tried.
MAX_WITNESS_WORK = 1_500

# -- Samples

#: Values, parts of values counted, that one call draws. It stops with the samples that it has.
MAX_WORK = 4_000

#: Values drawn in a row that are known already. It stops with the samples that it has.
MAX_IDLE = 25

#: Times that a value is drawn for one place. The place is given up.
MAX_TRIES = 5

#: Times that an item or a key is drawn again because it is there already. The item is given up.
MAX_REDRAWN = 12

#: Levels of lists and maps in a value where its type allows fewer or more. It goes no deeper.
MAX_FUEL = 3

#: Items of a list, and keys of a map. A type that needs more has no samples.
MAX_DRAWN = 2_000

#: Characters of a text that is made for a pattern. A pattern that needs more has no samples.
MAX_MADE = 20_000

#: Values that `near_misses` starts from. No more are changed.
MAX_STARTS = 6

#: Bounds, and numbers next to bounds, that changed values take from a type. No more are tried.
MAX_EDGES = 60

#: Parts of one value that are changed. The others stay as they are.
MAX_CHANGED = 60
