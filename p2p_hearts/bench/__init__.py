"""Measurements: the time of the rules engine, of each proof and of a whole hand on this machine, beside what bounds them."""
