"""The errors of frameworks that mean: the host or the device is out of memory."""

from contextlib import contextmanager
from typing import NamedTuple

from .failure import OutOfMemory


class MemoryErrors(NamedTuple):
    """Those of one framework."""

    always: tuple = ()  # kinds that mean nothing else
    kinds: tuple = (RuntimeError,)  # those that mean it where their text has one of the signs
    signs: tuple = ()

    def include(self, error):
        if isinstance(error, self.always):
            return True
        return isinstance(error, self.kinds) and any(sign in str(error) for sign in self.signs)


@contextmanager
def told_as_out_of_memory(errors):
    """The scope in which a framework's errors of this meaning become OutOfMemory."""
    try:
        yield
    except Exception as error:
        if not errors.include(error):
            raise
        raise OutOfMemory(getattr(error, "message", None) or str(error)) from None
