"""Times and losses of steps."""

import time
from typing import NamedTuple


class TimedStep(NamedTuple):
    end_ns: int  # on the monotonic clock
    duration_ns: int
    loss: float


class HostTimer:
    """Of a device that has done its work when a call returns, or when its loss has been read."""

    def __init__(self):
        self._ended = []
        self._begin_ns = 0

    def begin(self):
        self._begin_ns = time.monotonic_ns()

    def end(self, loss):
        number = float(loss)
        end_ns = time.monotonic_ns()
        self._ended.append(TimedStep(end_ns, end_ns - self._begin_ns, number))

    def take(self, wait):
        """The steps known to have ended since the last call, oldest first; `wait` for the others, too."""
        ended, self._ended = self._ended, []
        return ended
