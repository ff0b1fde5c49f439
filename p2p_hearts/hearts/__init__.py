"""The rules of Cancellation Hearts as pure functions over frozen values."""
