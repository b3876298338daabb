"""How long a step's collectives took."""

import threading
import time


class CommunicationMeter:
    """Collects the times of one step's collectives, which may end on threads of their own."""

    def __init__(self):
        self._lock = threading.Lock()
        self._spans = []  # [begin, end] of each, in nanoseconds; the end is None while it is under way
        self._exposed_ns = 0
        self._waits_since_ns = 0

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
            self._exposed_ns += max(0, min(last, now) - self._waits_since_ns)
        self._waits_since_ns = 0

    def take(self):
        """(under way, exposed) of the step that ends now, in nanoseconds. The next one begins."""
        now = time.monotonic_ns()
        with self._lock:
            spans, self._spans = self._spans, []
        exposed, self._exposed_ns = self._exposed_ns, 0
        under_way = covered = 0
        for begin, end in spans:
            end = end or now
            under_way += max(0, end - max(begin, covered))
            covered = max(covered, end)
        return under_way, exposed
