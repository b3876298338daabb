"""Times and losses of steps."""

import threading
import time
from collections import deque
from typing import NamedTuple, Optional

from .requests import is_pause, is_stop


class TimedStep(NamedTuple):
    end_ns: int  # on the monotonic clock
    duration_ns: int
    loss: Optional[float]  # None where nothing is trained
    # Some rank was asked to, when the step began.
    stop: bool = False
    pause: bool = False
    input_ns: Optional[int] = None  # in which it waited for its batch; None where the batch was there


def timed_step(end_ns, duration_ns, result, input_ns=None):
    """`result`: a loss, or the numbers of one: of several ranks, the sum of their requests comes behind it."""
    if result is None:
        return TimedStep(end_ns, duration_ns, None, input_ns=input_ns)
    numbers = result if isinstance(result, (list, tuple)) else [result]
    requests = numbers[1] if len(numbers) > 1 else 0
    return TimedStep(end_ns, duration_ns, float(numbers[0]), is_stop(requests), is_pause(requests), input_ns)


class HostTimer:
    """Of a device that has done its work when a call returns, or when its loss has been read."""

    most_under_way = 0  # steps that may have begun before one is known to have ended

    def __init__(self, read=float):
        """`read(loss)` waits for a loss and gives it as a number, or as the numbers of `timed_step`."""
        self._read = read
        self._ended = []
        self._begin_ns = 0
        self._input_ns = None

    def begin(self):
        self._begin_ns = time.monotonic_ns()

    def arrived(self):
        """The batch of the step that has begun, which was not there before."""
        self._input_ns = time.monotonic_ns() - self._begin_ns

    def end(self, loss):
        result = self._read(loss)
        end_ns = time.monotonic_ns()
        self._ended.append(timed_step(end_ns, end_ns - self._begin_ns, result, self._input_ns))

    def take(self, wait):
        """The steps known to have ended since the last call, oldest first; `wait` for the others, too."""
        ended, self._ended = self._ended, []
        return ended

    def restart(self):
        """What was done since the last step is no part of the next one. All steps have been taken."""


class ReadingTimer:
    """Of a device that works behind our back and has no events to ask: a thread waits for one loss after the other.
    When a loss is there its step has ended; it began when the step before it ended."""

    most_under_way = 16  # steps the host may be ahead: enough that the device never waits, and the stop comes soon

    def __init__(self, read=float):
        """`read(loss)` waits for a loss and gives it as a number."""
        self._read = read
        self._under_way = deque()
        self._ended = deque()
        self._changed = threading.Condition()
        self._failure = None
        self._last_ns = 0
        self._begin_ns = 0
        self._input_ns = None
        threading.Thread(target=self._read_all, daemon=True).start()

    def begin(self):
        self._begin_ns = time.monotonic_ns()
        self._last_ns = self._last_ns or self._begin_ns  # the first step begins when it is called

    def arrived(self):
        """The batch of the step that has begun, which was not there before. The host waited; whether the device had
        something to do meanwhile is not known."""
        self._input_ns = time.monotonic_ns() - self._begin_ns

    def end(self, loss):
        with self._changed:
            self._under_way.append((loss, self._input_ns))
            self._changed.notify_all()
            self._changed.wait_for(lambda: len(self._under_way) < self.most_under_way or self._failure)

    def take(self, wait):
        """The steps known to have ended since the last call, oldest first; `wait` for the others, too."""
        with self._changed:
            if wait:
                self._changed.wait_for(lambda: not self._under_way or self._failure)
            if self._failure:
                raise self._failure
            ended = list(self._ended)
            self._ended.clear()
        return ended

    def restart(self):
        """What was done since the last step is no part of the next one. All steps have been taken."""
        self._last_ns = 0

    def _read_all(self):
        try:
            while True:
                self._read_next()
        except Exception as error:  # that of a step: it belongs to whoever asks for the step
            with self._changed:
                self._failure = error
                self._changed.notify_all()

    def _read_next(self):
        with self._changed:
            self._changed.wait_for(lambda: self._under_way)
            loss, input_ns = self._under_way[0]
        number = self._read(loss)
        end_ns = time.monotonic_ns()
        with self._changed:
            self._under_way.popleft()
            self._ended.append(timed_step(end_ns, end_ns - self._last_ns, number, input_ns))
            self._last_ns = end_ns
            self._changed.notify_all()
