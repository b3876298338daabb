"""Batches of data sets on PyTorch."""

from functools import partial

import torch
from torch.utils.data import DataLoader
from torch.utils.data.distributed import DistributedSampler

from pictures import KINDS
from trainmark.input import as_batch
from trainmark.workers import Items, LoaderFeed, begin_worker


def open_feed(cell, memory_format):
    if cell.options.pipeline == "dali":
        from dali import DaliFeed

        return DaliFeed(cell, memory_format)
    return TorchFeed(cell, memory_format)


class TorchFeed(LoaderFeed):
    """A DataLoader with processes, pinned memory, and copies that nobody waits for."""

    def __init__(self, cell, memory_format):
        options, position = cell.options, cell.position
        items = Items(cell, KINDS[cell.workload.data](cell.data_set, cell.size))
        sampler = DistributedSampler(items, position.ranks, position.rank, seed=options.seed, drop_last=True)
        loader = DataLoader(
            items,
            options.batch,
            sampler=sampler,
            num_workers=options.workers,
            collate_fn=_collate,
            pin_memory=cell.cuda,
            drop_last=True,
            worker_init_fn=partial(_begin_worker, options.seed, position.rank),
            generator=torch.Generator().manual_seed(options.seed + position.rank),  # of the workers' seeds
            persistent_workers=True,
        )
        super().__init__(cell, loader, sampler.set_epoch)
        self._device = options.device
        self._memory_format = memory_format

    def _to_device(self, batch):
        return {
            name: tensor.to(
                self._device,
                non_blocking=True,
                memory_format=self._memory_format if tensor.dim() == 4 else torch.preserve_format,
            )
            for name, tensor in batch.items()
        }

    def wait(self):
        if self._device == "cuda":
            torch.cuda.synchronize()


def _collate(items):
    return as_batch(items, torch.utils.data.default_collate)


def _begin_worker(seed, rank, number):
    begin_worker(seed, (rank << 12) + number)
