"""The protocol, sans I/O: signed logs, the phases of a hand, and the `Session` that every driver steps."""
