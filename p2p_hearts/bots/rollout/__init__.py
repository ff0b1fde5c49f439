"""Thousands of hands played to the end at once, for bots that look ahead.

Why NumPy, measured by processor time on one core (random plays a second, dealing included, all sizes):

| wheel | plays/s | times the rules engine |
|---|---|---|
| the rules engine, which checks, records and explains | 169,000 | 1 |
| plain Python over lists of ranks, the default rules only | 1,600,000 | 9 |
| arrays over 256 hands at once, every option | 4,300,000 | 26 |
| arrays over 2,000 hands at once | 10,000,000 | 59 |
| for comparison, OpenSpiel 2.0.2, four-player Hearts from Python | 680,000 (1,200,000 without dealing) | 4 (7) |

So plain Python would do for random plays. But a rollout is worth what its players are: with the rules of thumb of `policy`
for players a decision of a thousand rollouts takes some twenty milliseconds over arrays; plain Python, which has no faster
way to play a thousand hands than one after the other, would take many times as long. NumPy is a wheel of 17 MB, 73 MB unpacked, more than all else this program needs together; a compiler
(Numba) would be as much again, and no build step is wanted here. Nothing but an expert at the table loads it, in a
process of its own.

`tables` < `chance` < `playouts` < `habits` < `policy` play the hands; `worlds` and `inference` say which; `worth` says what
came of them, and `run` does it all for one trial.
"""
