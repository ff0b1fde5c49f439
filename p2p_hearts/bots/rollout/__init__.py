"""Thousands of hands played to the end at once, for bots that look ahead.

Why NumPy, measured on one core of the machine of the README (random plays a second, dealing included, all sizes):

| wheel | plays/s | times the rules engine |
|---|---|---|
| the rules engine, which checks, records and explains | 185,000 | 1 |
| plain Python over lists of ranks, the default rules only | 1,600,000 | 9 |
| arrays over 256 hands at once, every option | 5,700,000 | 30 |
| arrays over 2,000 hands at once | 15,500,000 | 81 |
| for comparison, OpenSpiel 2.0.2, four-player Hearts from Python | 710,000 (1,280,000 without dealing) | 4 (7) |

So plain Python would do for random plays. But a rollout is worth what its players are: with the rules of thumb of `policy`
for players a decision of a thousand rollouts takes ten to twenty milliseconds over arrays, and would take most of a second
in plain Python. NumPy is a wheel of 17 MB, 73 MB unpacked, more than all else this program needs together; a compiler
(Numba) would be as much again, and no build step is wanted here. Nothing but an expert at the table loads it, in a
process of its own.

`tables` < `chance` < `playouts` < `habits` < `policy` play the hands; `worlds` and `inference` say which; `worth` says what
came of them, and `run` does it all for one trial.
"""
