"""The few functions of atheris that are used here; it ships no types."""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager

def instrument_imports(include: Sequence[str] = ..., exclude: Sequence[str] = ...) -> AbstractContextManager[None]: ...
def Setup(args: Sequence[str], test_one_input: Callable[[bytes], None]) -> Sequence[str]: ...  # noqa: N802 - its name
def Fuzz() -> None: ...  # noqa: N802 - its name
