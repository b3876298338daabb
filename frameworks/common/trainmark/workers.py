"""Processes that make batches, as the data loaders of some frameworks start them."""

import ctypes
import itertools
import multiprocessing
import os
import random
import signal

from .input import Feed, check_batch
from .order import EpochOrder
from .quality.evaluation import own_range
from .requests import leave_requests_to_others

_PR_SET_PDEATHSIG = 1  # <linux/prctl.h>


def begin_worker(seed, number):
    """In a process of its own, before its first item. It ends with the trainer, also where that is killed while the worker
    is stopped; requests of the bench are not for it."""
    ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    leave_requests_to_others()
    random.seed((seed << 16) + number)


class LoaderFeed(Feed):
    """Of a framework that has a data loader with processes and a sampler that is told the epoch."""

    pipeline = "dataloader"
    decoder = "pillow"

    def __init__(self, cell, loader, set_epoch, first_epoch=0):
        super().__init__(cell)
        self._batches = _batches_of_all_epochs(loader, set_epoch, first_epoch)

    def next(self):
        return self._to_device(check_batch(next(self._batches)))

    def _to_device(self, batch):
        return batch

    def pause(self):
        self._signal(signal.SIGSTOP)

    def go_on(self):
        self._signal(signal.SIGCONT)

    def close(self):
        self._batches = None  # what holds the loader, which ends its workers when nobody has it

    @staticmethod
    def _signal(number):
        for process in multiprocessing.active_children():
            os.kill(process.pid, number)


def _batches_of_all_epochs(loader, set_epoch, first_epoch):
    for epoch in itertools.count(first_epoch):
        set_epoch(epoch)
        yield from loader


class NumberedBatches:
    """The batches of a training to a quality, for loaders: of each item a number that also says the epoch, which its
    chances follow from. So a training that goes on has what the one before it would have had."""

    def __init__(self, cell):
        self._order = EpochOrder(cell)
        self._samples = cell.data_set.samples
        self.first_epoch = self._epoch = self._order.first[0]

    def set_epoch(self, epoch):
        self._epoch = epoch

    def __len__(self):
        return self._order.batches

    def __iter__(self):
        epoch, first = self._order.first
        items = self._order.items(self._epoch)[first if self._epoch == epoch else 0 :]
        return iter((self._epoch * self._samples + items).tolist())


class Items:
    """A data set as loaders want it: items by their numbers. One that is smaller than a batch of all ranks is repeated."""

    def __init__(self, cell, pictures, use_seed=None):
        """`pictures.item(index)`: one item as a dictionary. `use_seed(number)`: tells the generators of the framework's
        transforms; given where the chances of an item are to follow from its number."""
        self._pictures = pictures
        self._samples = cell.data_set.samples
        self._length = max(self._samples, cell.options.batch * cell.position.ranks)
        self._seed = cell.options.seed if use_seed else None
        self._use_seed = use_seed

    def __len__(self):
        return self._length

    def __getitem__(self, number):
        if self._use_seed:
            random.seed(f"{self._seed} {number}")
            self._use_seed(random.getrandbits(32))
        return _item(self._pictures, number % self._samples)


class EvaluationItems:
    """Those of this rank, each once."""

    def __init__(self, cell, pictures):
        self._pictures = pictures
        self._range = own_range(cell.evaluation_set.samples, cell.position)

    def __len__(self):
        return len(self._range)

    def __getitem__(self, number):
        return _item(self._pictures, self._range[number])


class LoaderEvaluation:
    """Batches of an evaluation set by a framework's data loader, as often as they are asked for."""

    def __init__(self, loader, to_device):
        self._loader = loader
        self._to_device = to_device

    def batches(self):
        for batch in self._loader:
            yield self._to_device(check_batch(batch))

    def close(self):
        self._loader = None


def _item(pictures, index):
    try:
        return pictures.item(index)
    except Exception as error:  # whatever a decoder finds wrong with it
        return {"bad": f"{pictures.name_of(index)} cannot be read: {error}"}
