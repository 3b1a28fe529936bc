"""How the clients of vendors are asked for an answer, and where their answers have it.

In: a client, messages, a response format.  Out: what a request has beside them, and the text, the
turn and the tokens of an answer.  A form is a `Dialogue`, in a module of its own; `clients` tells
by the classes of a client which one is meant, so that no SDK is imported.
"""
