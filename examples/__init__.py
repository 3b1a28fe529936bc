"""Examples that run, and are tested."""
