"""Peers that cheat, each in one named way: what it tries, and what every honest peer must say to it."""
