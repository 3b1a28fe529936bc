"""What a model sees and calls: tools, toolsets, contracts, templates, and the listing.

`tool` is about one tool and `call` about calling it; `toolset` is about several tools; `firewall`
hides values from a model.
"""
