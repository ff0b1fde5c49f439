"""A driver of Sessions without a network or a clock: a whole table in one process, from one seed."""
