"""Functions that take a forest or a table, and what they return."""
