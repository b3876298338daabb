"""Batches of data sets on PyTorch."""

from functools import partial

import torch
from torch.utils.data import DataLoader
from torch.utils.data.distributed import DistributedSampler

import device_decoding
from pictures import ImagePairs, LabelledImages, LabelledPixels
from sentences import MaskedSentences
from trainmark.input import as_batch
from trainmark.workers import Items, LoaderFeed, begin_worker

_KINDS = {
    "labelled-images": LabelledImages,
    "labelled-pixels": LabelledPixels,
    "image-pairs": ImagePairs,
    "masked-sentences": MaskedSentences,
}


def open_feed(cell, memory_format):
    if cell.options.pipeline == "dali":
        from dali import DaliFeed

        return DaliFeed(cell, memory_format)
    if cell.options.pipeline == "torchvision":
        return DeviceFeed(cell, memory_format)
    return TorchFeed(cell, memory_format, _KINDS[cell.workload.data](cell.data_set, cell.size))


def _collate(items):
    return as_batch(items, torch.utils.data.default_collate)


class TorchFeed(LoaderFeed):
    """A DataLoader with processes, pinned memory, and copies that nobody waits for."""

    def __init__(self, cell, memory_format, kind, collate=_collate):
        """`kind`: of items, which makes them."""
        options, position = cell.options, cell.position
        items = Items(cell, kind)
        sampler = DistributedSampler(items, position.ranks, position.rank, seed=options.seed, drop_last=True)
        loader = DataLoader(
            items,
            options.batch,
            sampler=sampler,
            num_workers=options.workers,
            collate_fn=collate,
            pin_memory=cell.cuda,
            drop_last=True,
            worker_init_fn=partial(_begin_worker, options.seed, position.rank),
            generator=torch.Generator().manual_seed(options.seed + position.rank),  # of the workers' seeds
            persistent_workers=True,
        )
        super().__init__(cell, loader, sampler.set_epoch)
        self.decoder = kind.decoder
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


class DeviceFeed(TorchFeed):
    """Workers read, and the device decodes and cuts."""

    pipeline = "torchvision"

    def __init__(self, cell, memory_format):
        contents = device_decoding.Contents(cell.data_set, cell.options.device)
        super().__init__(cell, memory_format, contents, device_decoding.collate)
        self._decode = device_decoding.Decoding(cell.size, cell.options.device)

    def _to_device(self, batch):
        return super()._to_device(self._decode(batch))


def _begin_worker(seed, rank, number):
    begin_worker(seed, (rank << 12) + number)
