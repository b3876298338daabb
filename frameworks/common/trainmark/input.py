"""Batches of a data set, new in every step: what all pipelines have in common."""

from abc import ABC, abstractmethod
from contextlib import contextmanager

from .failure import BadItem
from .timing import HostTimer

# Of the channels of pictures in [0, 1]: those of ImageNet, which all pipelines take.
MEAN, DEVIATION = (0.485, 0.456, 0.406), (0.229, 0.224, 0.225)


class Feed(ABC):
    """Gives the batches of one rank, epoch after epoch, without an end. Whoever makes one has the data set open and the
    device chosen; batches are made ahead from the first call on."""

    pipeline = ""  # its name, as --pipeline has it
    decoder = ""  # of pictures; sentences need none

    def __init__(self, cell):
        self.data_set = cell.data_set
        self.workers = cell.options.workers
        self.items = cell.options.batch  # of the batch that was given last, in the workload's unit

    @abstractmethod
    def next(self):
        """The next batch: the framework's tensors on the device, by the names of the contract. Waits until the host has it;
        its way to the device may still be under way. Raises BadItem."""

    def wait(self):
        """Until the last batch is on the device."""

    def pause(self):
        """From now on no batch is made. Threads of a framework go on until their queues are full."""

    def go_on(self):
        pass

    def close(self):
        """No batch will be asked for any more."""

    def facts(self):
        """Of the `start` event."""
        return {
            "format": self.data_set.format,
            "samples": self.data_set.samples,
            "workers": self.workers,
            "pipeline": self.pipeline,
            **({"decoder": self.decoder} if self.decoder else {}),
        }


class Source:
    """Where the steps of a training have their batches from: what is fetched is what the next step takes."""

    def __init__(self, feed, use, passes):
        """`use(batches)` is told the batches of the next step: one for each accumulated pass."""
        self._feed = feed
        self._use = use
        self._passes = passes
        self.items = 0  # of the step

    def fetch(self):
        self.items = 0
        batches = []
        for _ in range(self._passes):
            batches.append(self._feed.next())
            self.items += self._feed.items
        self._use(batches)

    @contextmanager
    def at_rest(self):
        """The scope of a pause. Batches that were made in it would be a gift to the steps behind it."""
        self._feed.pause()
        try:
            yield
        finally:
            self._feed.go_on()


class Dropped:
    """Stands where a trainer stands, and trains nothing: a step is a batch that has come to the device."""

    meter = None

    def __init__(self, feed):
        self._feed = feed

    def make_timer(self):
        return HostTimer(lambda _: self._feed.wait())

    def use(self, batches):
        pass

    def step(self):
        pass

    def peak_device_bytes(self):
        pass


def as_batch(items, stack):
    """The items of a batch, each a dictionary, as one dictionary: `stack` makes one of several values. A worker that raised
    an error would wrap it into a trace of its own. So an item that could not be read comes as `{"bad": message}`, and
    its message travels as the batch."""
    for item in items:
        if "bad" in item:
            import numpy as np

            return {"bad": np.frombuffer(item["bad"].encode(errors="replace"), np.uint8)}
    return {name: stack([item[name] for item in items]) for name in items[0]}


def check_batch(batch):
    """Raises what a worker could not."""
    if "bad" in batch:
        import numpy as np

        raise BadItem(np.asarray(batch["bad"]).tobytes().decode(errors="replace"))
    return batch
