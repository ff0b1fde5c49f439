"""Thousands of hands played to the end at once, for bots that look ahead.

Why NumPy, measured on one core of the machine of the README (random plays a second, dealing included, all sizes):

| wheel | plays/s | times the rules engine |
|---|---|---|
| the rules engine, which checks, records and explains | 185,000 | 1 |
| plain Python over lists of ranks, the default rules only | 1,600,000 | 9 |
| arrays over 256 hands at once, every option | 5,700,000 | 30 |
| arrays over 2,000 hands at once | 15,500,000 | 81 |
| for comparison, OpenSpiel 2.0.2, four-player Hearts from Python | 710,000 (1,280,000 without dealing) | 4 (7) |

So plain Python would do for random plays, but a rollout is worth what its players are, and rules of thumb cost an array
sweep a third more and plain Python several times as much. NumPy is a wheel of 17 MB, 73 MB unpacked, more than all
else this program needs together; compilers (Numba) would be twice that, and no build step is wanted here. Nothing but an
expert at the table loads it.

`tables` > `chance` > `playouts` > `policy` play the hands; `worlds` and `inference` say which; `worth` and `trial` compare.
"""
