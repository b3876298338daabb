"""Batches that one thread makes ahead of the steps: of data sets whose items are so cheap that processes would cost more."""

from collections import deque
from concurrent.futures import ThreadPoolExecutor

from .input import Feed

_AHEAD = 2  # batches


class AheadFeed(Feed):
    pipeline = "arrays"

    def __init__(self, cell, convert):
        """`convert(arrays)`: makes the framework's tensors of a batch, on the device."""
        super().__init__(cell)
        self.workers = 1
        self._next = cell.first_batch  # (epoch, batch)
        self._batches = cell.batches_per_epoch
        self._convert = convert
        self._thread = ThreadPoolExecutor(1)
        self._ahead = deque()

    def make(self, epoch, batch):
        """Its arrays by name, and how many items it has. In the thread."""
        raise NotImplementedError

    def next(self):
        while len(self._ahead) <= _AHEAD:
            self._ahead.append(self._thread.submit(self.make, *self._next))
            epoch, batch = self._next
            self._next = (epoch, batch + 1) if batch + 1 < self._batches else (epoch + 1, 0)
        arrays, self.items = self._ahead.popleft().result()
        return self._convert(arrays)

    def close(self):
        self._thread.shutdown(cancel_futures=True)
