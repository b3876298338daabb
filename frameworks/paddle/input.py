"""Batches of data sets on PaddlePaddle: its DataLoader with processes, and the transforms of paddle.vision."""

from functools import partial

import numpy as np
import paddle
from paddle.io import DataLoader, Dataset, DistributedBatchSampler
from paddle.vision import transforms

from trainmark.input import DEVIATION, MEAN, as_batch
from trainmark.pillow import open_picture
from trainmark.workers import Items, LoaderFeed, begin_worker

_SEEDS = 2**32  # of numpy's generator, by which the sampler shuffles


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


class PaddleItems(Items, Dataset):
    pass


class LabelledImages:
    def __init__(self, data_set, size, layout):
        self._set = data_set
        self.name_of = data_set.name_of
        turn = [transforms.Transpose()] if layout == "NCHW" else []
        self._transform = transforms.Compose(
            [
                transforms.RandomResizedCrop(size.side),
                transforms.RandomHorizontalFlip(),
                np.asarray,
                *turn,
                transforms.Normalize(_of_bytes(MEAN), _of_bytes(DEVIATION), layout[1:]),
            ]
        )

    def item(self, index):
        image = self._transform(open_picture(self._set, index))
        return {"images": image, "labels": np.int64(self._set.labels[index])}


def _of_bytes(shares):
    return [255 * share for share in shares]


def _collate(items):
    return as_batch(items, np.stack)


def _begin_worker(seed, rank, number):
    begin_worker(seed, (rank << 12) + number)
