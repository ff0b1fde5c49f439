"""Cancellation Hearts for six to eleven players, peer to peer: nobody deals, nobody has to be trusted.

`hearts` holds the rules, `crypto` the cards nobody can see, `protocol` the dialogue of the peers, `node` the network,
`console` the screen, and `cli` puts them together.
"""

__version__ = "0.1.0"
