"""How a reader says no."""


class RefusedError(Exception):
    """An entry, a value or a file that does not hold: the code of `errors.md`, or what is wrong with the file, and why."""

    def __init__(self, code: str, why: str) -> None:
        super().__init__(f"{code}: {why}")
        self.code = code


def demand(condition: bool, code: str, why: str = "") -> None:  # noqa: FBT001 - it reads as a sentence
    """Refuses unless the condition holds. Raises RefusedError."""
    if not condition:
        raise RefusedError(code, why)
