"""The limits of what is said of several tools; see `typesig.limits`."""

from __future__ import annotations

# -- Chains

#: Steps of a path to a part of a result or of a parameter, its name included. `Toolset.chain` does
#: not look further inside, and says so.
MAX_CHAIN_DEPTH = 6

#: Parts of one result, and of the parameters of one tool. `Toolset.chain` does not look at others,
#: and says so.
MAX_CHAIN_PARTS = 200

#: Pairs of a part of a result and a parameter of which `Toolset.chain` compares the names or, with
#: *all*, the types. The others are not looked at, and a note says so.
MAX_CHAIN_PAIRS = 250_000

#: Pairs of types that are compared for a chain since they have keys or values in common. The others
#: are compared only if their names agree, and a note says so.
MAX_CHAIN_TYPES = 20_000

#: Steps of all proofs for one chain. The answers to further questions are "unknown".
MAX_CHAIN_STEPS = 2_000_000

#: Steps of each proof for a chain. The answer is "unknown".
MAX_LINK_STEPS = 20_000

#: Values of a type that show whether a call reads them as another type. No more are tried.
MAX_CHAIN_SAMPLES = 12

#: Links of one chain. The strongest are kept, and a note counts the others.
MAX_LINKS = 10_000

#: Links that the text of a chain shows. A line counts the others.
MAX_SHOWN_LINKS = 200

#: Tools of a pipeline that `Toolset.check_chain` takes. `TooLarge` is raised.
MAX_PIPELINE = 100

#: Edges of a picture of a chain. The weakest are left out, and the picture counts them.
MAX_GRAPH_EDGES = 2_000

#: Edges of a picture in Mermaid, which draws no more. As for `MAX_GRAPH_EDGES`.
MAX_MERMAID_EDGES = 480

#: Characters of a picture in Mermaid, which draws no more. As for `MAX_GRAPH_EDGES`.
MAX_MERMAID = 48_000

#: Characters of a name or a path in a picture. The middle of the text is left out, with `…`.
MAX_GRAPH_TEXT = 36

#: Results and parameters that share a value which has a node in a picture. A value of more is
#: written in the boxes of their tools, with the sign `◇`.
MAX_GRAPH_FAN = 12

#: Links between the same two nodes of a picture that have a line of their own. The others are
#: counted.
MAX_GRAPH_LABELS = 4

#: Places in one drawing of a picture. Longer edges go straight, and may pass under a box.
MAX_GRAPH_POINTS = 20_000

#: Tools and shared values that stand in one drawing. More are drawn in a box for each cluster, with
#: the links between boxes as text.
MAX_GRAPH_WHOLE = 60

# -- Locks and differences

#: Places of one tool's contract whose notes and defaults are kept. `TooLarge` is raised.
MAX_CONTRACT_PLACES = 100_000

#: Bytes of a lock file, or of a file of definitions. `TooLarge` is raised.
MAX_LOCK = 64_000_000

#: Seconds that a process waits for another one that writes the same lock. `TypesigError` is raised.
MAX_LOCK_SECONDS = 10

#: Steps of all questions about the types of one tool, each of which takes `MAX_PART_STEPS` at most.
#: A change counts as one whose effect is unknown.
MAX_DIFF_STEPS = 1_000_000

#: Breaking changes of one tool for which an example is looked for. The others have none.
MAX_DIFF_EXAMPLES = 20

#: Seconds that git, and the tools of a revision, may take. `TypesigError` is raised.
MAX_REVISION_SECONDS = 120

# -- Tests made from signatures

#: Arguments that call a tool, and near misses that it has to refuse, where no count is given. No
#: more are tried.
REHEARSED_ARGUMENTS = 30

#: Arguments of each tool that a rehearsal spoils with each mistake. No more are tried.
SPOILED_ARGUMENTS = 3

#: Calls that one rehearsal sends. The tools beyond are not rehearsed, which the report tells.
MAX_REHEARSED = 200_000

# -- Results in parts

#: Results whose rest `Toolset.pages` keeps. The oldest is forgotten, which `more` tells.
MAX_KEPT_RESULTS = 100

# -- Definitions of tools

#: Tokens of the definition or the listing of one tool, four characters each without a counter.
#: `check()` of a projection advises against more.
MAX_TOOL_TOKENS = 2_000
