"""What a model sees and calls: tools, toolsets, contracts, templates, and the listing.

`tool` holds one tool, `call` what happens in a call, `toolset` many of them; `firewall` says what
a model does not see.
"""
