"""Links between results and parameters of tools, pipelines, and their graphs.

In: the tools of a toolset.  Out: `Chain` and `Pipeline`, frozen data; texts in SVG and Mermaid.
`ends` finds the parts of results and parameters, and compares their names; `type_judge` decides
whether a type fits; `link_finder` puts these together.  `graph` makes the nodes and edges of a
picture and writes Mermaid; `layout` places them, and `svg` draws them.
"""
