"""Batches of data sets on PyTorch."""

from functools import partial

import torch
from torch.utils.data import DataLoader
from torch.utils.data.distributed import DistributedSampler

import device_decoding
from pictures import ImagePairs, LabelledImages, LabelledPixels
from sentences import MaskedSentences
from trainmark.arrays import ArrayEvaluation, ArrayFeed, fits_in_arrays
from trainmark.input import as_batch
from trainmark.pairs import PairEvaluation, PairFeed
from trainmark.workers import (
    EvaluationItems,
    Items,
    LoaderEvaluation,
    LoaderFeed,
    NumberedBatches,
    begin_worker,
)

_KINDS = {
    "labelled-images": LabelledImages,
    "labelled-pixels": LabelledPixels,
    "image-pairs": ImagePairs,
    "masked-sentences": MaskedSentences,
}


def open_feed(cell, memory_format):
    if cell.workload.data == "sentence-pairs":
        return PairFeed(cell, _from_arrays(cell, memory_format))
    if cell.recipe:
        return _open_quality_feed(cell, memory_format)
    if cell.options.pipeline == "dali":
        from dali import DaliFeed

        return DaliFeed(cell, memory_format)
    if cell.options.pipeline == "torchvision":
        return DeviceFeed(cell, memory_format)
    return TorchFeed(cell, memory_format, _KINDS[cell.workload.data](cell.data_set, cell.size))


def _open_quality_feed(cell, memory_format):
    if fits_in_arrays(cell):
        return ArrayFeed(cell, _layout(memory_format), _from_arrays(cell, memory_format))
    kind = _KINDS[cell.workload.data](cell.data_set, cell.size, cell.recipe.augmentation)
    return PositionedFeed(cell, memory_format, kind)


def open_evaluation(cell, memory_format):
    if cell.workload.data == "sentence-pairs":
        return PairEvaluation(cell, _from_arrays(cell, memory_format))
    if fits_in_arrays(cell):
        return ArrayEvaluation(cell, _layout(memory_format), _from_arrays(cell, memory_format))
    kind = _KINDS[cell.workload.data](cell.evaluation_set, cell.size, cell.recipe.augmentation, evaluated=True)
    loader = _make_loader(cell, EvaluationItems(cell, kind), batch_size=cell.options.batch)
    return LoaderEvaluation(loader, partial(_move, cell.options.device, memory_format))


def _layout(memory_format):
    return "NHWC" if memory_format == torch.channels_last else "NCHW"


def _from_arrays(cell, memory_format):
    def convert(arrays):
        tensors = {name: torch.from_numpy(array) for name, array in arrays.items()}
        if memory_format == torch.channels_last:
            tensors["images"] = tensors["images"].permute(0, 3, 1, 2)  # which is in memory what it was
        if cell.cuda:
            tensors = {name: tensor.pin_memory() for name, tensor in tensors.items()}
        return _move(cell.options.device, memory_format, tensors)

    return convert


def _move(device, memory_format, batch):
    """To the device; nobody waits for it."""
    return {
        name: tensor.to(
            device, non_blocking=True, memory_format=memory_format if tensor.dim() == 4 else torch.preserve_format
        )
        for name, tensor in batch.items()
    }


def _collate(items):
    return as_batch(items, torch.utils.data.default_collate)


def _make_loader(cell, items, collate_fn=_collate, generator=None, **batches):
    """`batches`: how items make them up. Without a `generator`, workers' seeds are none of the training's chances."""
    return DataLoader(
        items,
        num_workers=cell.options.workers,
        collate_fn=collate_fn,
        pin_memory=cell.cuda,
        worker_init_fn=partial(_begin_worker, cell.options.seed, cell.position.rank),
        generator=generator or torch.Generator(),
        persistent_workers=True,
        **batches,
    )


class TorchFeed(LoaderFeed):
    """A DataLoader with processes, pinned memory, and copies that nobody waits for."""

    def __init__(self, cell, memory_format, kind, collate=_collate):
        """`kind`: of items, which makes them."""
        options, position = cell.options, cell.position
        items = Items(cell, kind)
        sampler = DistributedSampler(items, position.ranks, position.rank, seed=options.seed, drop_last=True)
        loader = _make_loader(
            cell,
            items,
            batch_size=options.batch,
            sampler=sampler,
            collate_fn=collate,
            drop_last=True,
            generator=torch.Generator().manual_seed(options.seed + position.rank),  # of the workers' seeds
        )
        super().__init__(cell, loader, sampler.set_epoch)
        self.decoder = kind.decoder
        self._device = options.device
        self._memory_format = memory_format

    def _to_device(self, batch):
        return _move(self._device, self._memory_format, batch)

    def wait(self):
        if self._device == "cuda":
            torch.cuda.synchronize()


class PositionedFeed(LoaderFeed):
    """The same for a training to a quality: it can begin anywhere, and every item's chances follow from its number."""

    def __init__(self, cell, memory_format, kind):
        batches = NumberedBatches(cell)
        loader = _make_loader(cell, Items(cell, kind, torch.manual_seed), batch_sampler=batches)
        super().__init__(cell, loader, batches.set_epoch, batches.first_epoch)
        self.decoder = kind.decoder
        self._to_device = partial(_move, cell.options.device, memory_format)


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
