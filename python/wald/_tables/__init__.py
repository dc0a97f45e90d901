"""Tables, targets and weights of any kind: what the engine reads, and what is refused."""
