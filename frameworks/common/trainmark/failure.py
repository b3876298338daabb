"""The ways a trainer may fail that are not its own fault."""


class UserError(Exception):
    """The arguments are wrong. A message on stderr and exit code 2."""


class Unsupported(Exception):
    """The cell is well-formed, but this program on this machine cannot train it.

    Told to the bench as a `failure` event of kind `unsupported` before anything is measured.
    """


class OutOfMemory(Exception):
    """The host or the device is out of memory: a `failure` event of kind `out-of-memory`."""


class BadItem(Exception):
    """An item of a data set cannot be read. The message begins with its name: a `failure` event of kind `other`."""


class BenchGone(Exception):
    """Nobody reads the events any more: the bench is gone, and so is the reason to train."""

    def __init__(self):
        super().__init__("the reader of the event stream has gone away")
