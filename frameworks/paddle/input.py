"""Batches of data sets on PaddlePaddle: its DataLoader with processes, and the transforms of paddle.vision."""

import random
from functools import partial

import numpy as np
import paddle
from paddle.io import BatchSampler, DataLoader, Dataset, DistributedBatchSampler
from paddle.vision import transforms

from trainmark.arrays import ArrayEvaluation, ArrayFeed, fits_in_arrays
from trainmark.input import DEVIATION, MEAN, as_batch
from trainmark.pillow import open_picture
from trainmark.shifts import random_shift, whole
from trainmark.workers import EvaluationItems, Items, LoaderEvaluation, LoaderFeed, NumberedBatches, begin_worker

_SEEDS = 2**32  # of numpy's generator, by which the sampler shuffles
_EVALUATED = 256 / 224  # the shorter side of a picture, of whose middle quality is measured, by that of the middle


def open_feed(cell, layout):
    if not cell.recipe:
        return PaddleFeed(cell, layout)
    if fits_in_arrays(cell):
        return ArrayFeed(cell, layout, _from_arrays)
    return PositionedFeed(cell, layout)


def open_evaluation(cell, layout):
    if fits_in_arrays(cell):
        return ArrayEvaluation(cell, layout, _from_arrays)
    kind = LabelledImages(cell.evaluation_set, cell.size, layout, cell.recipe.augmentation, evaluated=True)
    loader = DataLoader(
        PaddleEvaluationItems(cell, kind),
        batch_size=cell.options.batch,
        num_workers=cell.options.workers,
        collate_fn=_collate,
        worker_init_fn=partial(_begin_worker, cell.options.seed, cell.position.rank),
        persistent_workers=True,
    )
    return LoaderEvaluation(loader, lambda batch: batch)


def _from_arrays(arrays):
    return {name: paddle.to_tensor(array) for name, array in arrays.items()}


class PaddleFeed(LoaderFeed):
    def __init__(self, cell, layout):
        options, position = cell.options, cell.position
        items = PaddleItems(cell, LabelledImages(cell.data_set, cell.size, layout))
        sampler = DistributedBatchSampler(
            items, options.batch, position.ranks, position.rank, shuffle=True, drop_last=True
        )
        loader = DataLoader(
            items,
            batch_sampler=sampler,
            num_workers=options.workers,
            collate_fn=_collate,
            worker_init_fn=partial(_begin_worker, options.seed, position.rank),
            persistent_workers=True,
        )
        super().__init__(cell, loader, lambda epoch: sampler.set_epoch((options.seed + epoch) % _SEEDS))
        self._cuda = cell.cuda

    def wait(self):
        if self._cuda:
            paddle.device.synchronize()


class PositionedFeed(LoaderFeed):
    """The same for a training to a quality: it can begin anywhere, and every item's chances follow from its number."""

    def __init__(self, cell, layout):
        batches = PaddleBatches(cell)
        items = PaddleItems(cell, LabelledImages(cell.data_set, cell.size, layout, cell.recipe.augmentation), np.random.seed)
        loader = DataLoader(
            items,
            batch_sampler=batches,
            num_workers=cell.options.workers,
            collate_fn=_collate,
            worker_init_fn=partial(_begin_worker, cell.options.seed, cell.position.rank),
            persistent_workers=True,
        )
        super().__init__(cell, loader, batches.set_epoch, batches.first_epoch)
        self._cuda = cell.cuda

    wait = PaddleFeed.wait


class PaddleItems(Items, Dataset):
    pass


class PaddleEvaluationItems(EvaluationItems, Dataset):
    pass


class PaddleBatches(NumberedBatches, BatchSampler):
    pass


class LabelledImages:
    def __init__(self, data_set, size, layout, augmentation="resized-crops", evaluated=False):
        self._set = data_set
        self.name_of = data_set.name_of
        cut = _evaluation_cut if evaluated else _training_cut
        turn = [transforms.Transpose()] if layout == "NCHW" else []
        self._transform = transforms.Compose(
            [
                *cut(size.side, augmentation),
                np.asarray,
                *turn,
                transforms.Normalize(_of_bytes(MEAN), _of_bytes(DEVIATION), layout[1:]),
            ]
        )

    def item(self, index):
        image = self._transform(open_picture(self._set, index))
        return {"images": image, "labels": np.int64(self._set.labels[index])}


def _training_cut(side, augmentation):
    if augmentation == "shifts":
        return [lambda picture: random_shift(picture, side, random)]
    if augmentation == "none":
        return [lambda picture: whole(picture, side)]
    return [transforms.RandomResizedCrop(side), transforms.RandomHorizontalFlip()]


def _evaluation_cut(side, augmentation):
    if augmentation in ("shifts", "none"):
        return _training_cut(side, "none")
    return [transforms.Resize(round(_EVALUATED * side)), transforms.CenterCrop(side)]


def _of_bytes(shares):
    return [255 * share for share in shares]


def _collate(items):
    return as_batch(items, np.stack)


def _begin_worker(seed, rank, number):
    begin_worker(seed, (rank << 12) + number)
