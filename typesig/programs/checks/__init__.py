"""Programs are checked here before they run: what they call, and what they do with results.

A program enters as text and leaves as flaws.  `program_check` makes its syntax tree; `sandbox`
looks once at all of it; `statements` and `expressions` follow what is known of each value;
`arguments` checks calls of tools.  What is unknown is any value, and never refused.  To add a kind
of flaw, add its name to `FlawKind`; what a sandbox does not run is in `sandbox`.
"""
