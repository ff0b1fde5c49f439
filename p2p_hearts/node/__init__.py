"""Drives a `Session` over a real network: sockets, discovery, keys and journals on disk, and the clock."""
