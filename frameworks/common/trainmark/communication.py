"""How long a step's collectives took."""

import threading
import time
from collections import deque


def communication_of(collectives, waits):
    """(under way, exposed) from the [begin, end] of each collective, which begin one after the other and may overlap, and
    of each wait for them."""
    under_way = 0
    covered = collectives[0][0] if collectives else 0
    for begin, end in collectives:
        under_way += max(0, end - max(begin, covered))
        covered = max(covered, end)
    return under_way, sum(max(0, end - begin) for begin, end in waits)


class CommunicationMeter:
    """Collects the times of the collectives of each step, which may end on threads of their own."""

    def __init__(self):
        self._lock = threading.Lock()
        self._spans = []  # [begin, end] of each, in nanoseconds; the end is None while it is under way
        self._waits = []
        self._waits_since_ns = 0
        self._ended = deque()  # steps

    def begin(self):
        """Of a collective. Gives the function to call when it is done."""
        span = [time.monotonic_ns(), None]
        with self._lock:
            self._spans.append(span)

        def end(_=None):
            span[1] = time.monotonic_ns()

        return end

    def wait_begins(self):
        """From here on the step does nothing but wait for collectives."""
        self._waits_since_ns = time.monotonic_ns()

    def wait_ends(self):
        now = time.monotonic_ns()
        with self._lock:
            last = max((end or now for _, end in self._spans), default=0)
        if self._waits_since_ns:
            self._waits.append((self._waits_since_ns, min(last, now)))
        self._waits_since_ns = 0

    def end_step(self):
        """What comes now belongs to the next step."""
        now = time.monotonic_ns()
        with self._lock:
            spans, self._spans = self._spans, []
        waits, self._waits = self._waits, []
        self._ended.append(communication_of([(begin, end or now) for begin, end in spans], waits))

    def take(self):
        """(under way, exposed) of the oldest step that has ended and was not taken, in nanoseconds; None where it is not
        known."""
        return self._ended.popleft() if self._ended else None


class EventMeter:
    """The same of a GPU, whose collectives end behind our back: by events on the streams that do them. A framework's own
    class gives `_record()`, an event on the current stream."""

    def __init__(self):
        self._spans = []  # [begin, end], events each
        self._waits = []
        self._ended = deque()

    def begin(self):
        span = [self._record(), None]
        self._spans.append(span)

        def end(_=None):
            span[1] = self._record()  # on a stream that has waited for the collective

        return end

    def wait_begins(self):
        self._waits.append([self._record(), None])

    def wait_ends(self):
        if self._waits and self._waits[-1][1] is None:
            self._waits[-1][1] = self._record()

    def end_step(self):
        self._ended.append((self._spans, self._waits))
        self._spans, self._waits = [], []

    def take(self):
        spans, waits = self._ended.popleft() if self._ended else ([], [])
        if not spans or any(end is None for _, end in spans + waits):
            return None
        first = spans[0][0]
        return communication_of(_times(spans, first), _times(waits, first))


def _times(pairs, first):
    """In nanoseconds after `first`. All events have passed, or will at once: their step has ended."""
    times = []
    for begin, end in pairs:
        end.synchronize()
        times.append(tuple(round(first.elapsed_time(event) * 1e6) for event in (begin, end)))
    return times
