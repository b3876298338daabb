"""Processes that make batches, as the data loaders of some frameworks start them."""

import ctypes
import itertools
import multiprocessing
import os
import random
import signal

from .input import Feed, check_batch
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

    def __init__(self, cell, loader, set_epoch):
        super().__init__(cell)
        self._batches = _batches_of_all_epochs(loader, set_epoch)

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


def _batches_of_all_epochs(loader, set_epoch):
    for epoch in itertools.count():
        set_epoch(epoch)
        yield from loader


class Items:
    """A data set as loaders want it: items by their numbers. One that is smaller than a batch of all ranks is repeated."""

    def __init__(self, cell, pictures):
        """`pictures.item(index)`: one item as a dictionary."""
        self._pictures = pictures
        self._samples = cell.data_set.samples
        self._length = max(self._samples, cell.options.batch * cell.position.ranks)

    def __len__(self):
        return self._length

    def __getitem__(self, index):
        index %= self._samples
        try:
            return self._pictures.item(index)
        except Exception as error:  # whatever a decoder finds wrong with it
            return {"bad": f"{self._pictures.name_of(index)} cannot be read: {error}"}
