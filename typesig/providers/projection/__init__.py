"""Tools and contracts in the form of one provider, and the calls and answers read back.

In: a toolset or a contract, and a vendor.  Out: definitions, losses, findings; replies to calls.

- `projection` has the tools of a toolset, each a `tool_projection`, with `extras` of the vendor;
  `budgets` counts against its limits.  `answers` is the format of a contract, `results` of results.
- `messages` reads the calls in what a vendor answers, `call_handler` runs them, `governed_calls`
  under a governance; `replies` writes what goes back.
- `dialects` does all this for models that write calls as text, `custom_tools` for OpenAI's.

What is a vendor's own goes into its row in `typesig.providers.vendors`, not here.
"""
