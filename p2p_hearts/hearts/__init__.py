"""The rules of Cancellation Hearts as pure functions over frozen values; no card here is hidden from anybody."""
