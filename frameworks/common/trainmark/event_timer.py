"""Times and losses of steps on a GPU that can be asked for events."""

import time
from collections import deque

from .timing import timed_step


class EventTimer:
    """Of a GPU that works behind our back: an event after each step, read when it has passed, never waited for in
    every step. A step lasts from the event before it to its own.

    A framework's own class gives `_record()`, an event on the GPU; `_keep(place, loss)`, which sends a loss on its way
    to the host without waiting; and `_read(place)`, the number or numbers that have come.
    """

    most_under_way = 16  # steps the host may be ahead: enough that the GPU never waits, and the stop comes soon

    def __init__(self):
        self._free = deque(range(self.most_under_way))  # places of losses
        self._under_way = deque()  # (arrival, event, place) of each step
        self._arrival = None
        self._last = None
        self._last_ns = 0

    def begin(self):
        if self._last is None:  # the one time that both clocks are read together
            self._last = self._record()
            self._last.synchronize()
            self._last_ns = time.monotonic_ns()

    def arrived(self):
        """The batch of the step that has begun. What the GPU has before this event is the step before, or nothing."""
        self._arrival = self._record()

    def end(self, loss):
        place = self._free.popleft()
        self._keep(place, loss)
        self._under_way.append((self._arrival, self._record(), place))

    def take(self, wait):
        """The steps known to have ended since the last call, oldest first; `wait` for the others, too."""
        ended = []
        while self._under_way:
            arrival, event, place = self._under_way[0]
            if wait or not self._free:
                event.synchronize()
            elif not event.query():
                break
            self._under_way.popleft()
            self._free.append(place)
            # From event to event, since a float of milliseconds from the first one would soon be too coarse.
            duration_ns = round(self._last.elapsed_time(event) * 1e6)
            input_ns = None if arrival is None else max(0, round(self._last.elapsed_time(arrival) * 1e6))
            self._last, self._last_ns = event, self._last_ns + duration_ns
            ended.append(timed_step(self._last_ns, duration_ns, self._read(place), input_ns))
        return ended

    def restart(self):
        """What was done since the last step is no part of the next one. All steps have been taken."""
        self._last = None
