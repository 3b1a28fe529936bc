"""Links between results and parameters of tools, pipelines, and their graphs.

In: the tools of a toolset.  Out: `Chain` and `Pipeline`, frozen data; texts in SVG and Mermaid.
`ends` finds the parts of results and parameters, `names` compares what they are called, `judging`
decides whether a type fits; `chaining` and `pipelines` put these together.  `graph` makes the nodes
and edges of a picture, `layout` places them, `svg` and `mermaid` write them.
"""
