"""How a program reports: one line a check, `ok - …` or `not ok - …`, which `run` counts."""

import sys
from contextlib import contextmanager
from textwrap import indent

n_failed = 0


@contextmanager
def check(statement):
    """Prints whether the statement held. A failed check does not stop the ones after it."""
    global n_failed
    try:
        yield
        print(f"ok - {statement}", flush=True)
    except Exception as error:
        n_failed += 1
        print(f"not ok - {statement}")
        print(indent("\n".join(words_of(error)), "    "), flush=True)


def words_of(error):
    """The texts of the error, of what caused it and of the errors that it groups."""
    yield f"{type(error).__name__}: {error}"
    for inner in getattr(error, "exceptions", ()):
        yield from words_of(inner)
    if error.__cause__:
        yield from words_of(error.__cause__)


def finish():
    """Ends the program with 1 if a check failed."""
    sys.exit(1 if n_failed else 0)
