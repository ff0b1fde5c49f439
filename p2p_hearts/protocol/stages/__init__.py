"""The stages of a table, one a file: each makes the next state from the last one and an entry."""
