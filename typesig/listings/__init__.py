"""What a model reads of tools: listings in styles and tiers, templates, data in prompts.

In: tools, by what they are called, take and give.  Out: text, and what it costs.  A style is a row
of `STYLES`.
"""
