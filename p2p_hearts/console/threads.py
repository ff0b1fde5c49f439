"""Errors of threads while a full screen is up: what Python would print into the picture is kept until the screen is gone.

The law: nothing is hidden. The person is told at once in a sentence, and the whole error is printed at the end.
"""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def kept_errors(tell: Callable[[str], object]) -> Iterator[None]:
    """Inside the block the name of an error that ends a thread is told by `tell`, in that thread; afterwards the error is
    printed as Python would have."""
    usual, kept = threading.excepthook, list[threading.ExceptHookArgs]()

    def ended(error: threading.ExceptHookArgs) -> None:
        kept.append(error)
        tell(error.exc_type.__name__)

    threading.excepthook = ended
    try:
        yield
    finally:
        threading.excepthook = usual
        for error in kept:
            usual(error)
