"""Cards nobody deals: what a peer proves and what every other peer checks; described in `protocol/cryptography.md`.

Read upward: `sodium` (libsodium), `group` and `signature`, `transcript` (every challenge and every nonce), `sigma` (the
one proof all others are made of), then `keys`, `masking`, `commitment`, `disjunction` (one of several statements), and at
the top `shuffle`, `reveal`, `transfer`, `void`, and for a peer that is lost `escrow` (its key in pieces), `box` (a piece in
the mail)."""
