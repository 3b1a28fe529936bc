"""The programs that the official conformance suite of the protocol judges."""
