"""Batches of a data set whose pictures lie in memory, undecoded and small (Fashion-MNIST): made for a whole batch at once, by
one thread ahead of the steps. Processes for single pictures would cost more than the pictures do. Order and augmentation
are those of the C++ pipeline."""

import numpy as np

from .ahead import AheadFeed
from .input import DEVIATION, MEAN
from .order import EpochOrder, ItemChances
from .quality.evaluation import own_range
from .shifts import MEAN_COLOUR, most_pixels

_EMPTY = 256  # the number of a pixel that has the mean colour, in the table of colours


def fits_in_arrays(cell):
    """A training whose batches can be made so."""
    in_memory = cell.data_set.images is not None and cell.evaluation_set.images is not None
    return in_memory and cell.recipe.augmentation in ("shifts", "none")


class GreyPictures:
    """Grey pictures as batches of normalized colours."""

    def __init__(self, data_set, side, layout):
        """`layout`: NCHW or NHWC."""
        self._images = data_set.images
        self._labels = np.asarray(data_set.labels, np.int64)
        self._side = side
        self._layout = layout
        height, width = self._images.shape[1:]
        self._across, self._down = _weights(width, side), _weights(height, side)
        colours = np.repeat(np.arange(_EMPTY + 1), 3).reshape(-1, 3) / 255
        colours[_EMPTY] = MEAN_COLOUR / 255
        self._colours = ((colours - MEAN) / DEVIATION).astype(np.float32)

    def batch(self, items, moves=None):
        """`moves`: (right, down, mirrored) of each item, as shifts.py has them; none: as they are."""
        greys = self._resized(self._images[items])
        if moves:
            greys = self._moved(greys, *moves)
        if self._layout == "NHWC":
            images = np.take(self._colours, greys, axis=0)
        else:
            images = np.stack([np.take(channel, greys) for channel in self._colours.T], axis=1)
        return {"images": images, "labels": self._labels[items]}

    def _resized(self, images):
        """In two passes with eight bits in between, as Pillow has them."""
        if self._across is not None:
            images = _rounded(images.astype(np.float32) @ self._across.T)
        if self._down is not None:
            images = _rounded(self._down @ images.astype(np.float32))
        return images

    def _moved(self, greys, right, down, mirrored):
        side = np.arange(self._side)
        columns, rows = side - right[:, None], side - down[:, None]
        outside = _outside(rows, self._side)[:, :, None] | _outside(columns, self._side)[:, None, :]
        columns = np.where(mirrored[:, None], self._side - 1 - columns, columns) % self._side
        rows = rows % self._side
        moved = greys[np.arange(len(greys))[:, None, None], rows[:, :, None], columns[:, None, :]].astype(np.uint16)
        moved[outside] = _EMPTY
        return moved


class ArrayFeed(AheadFeed):
    def __init__(self, cell, layout, convert):
        super().__init__(cell, convert)
        self._pictures = GreyPictures(cell.data_set, cell.size.side, layout)
        self._seed = cell.options.seed
        self._moves = cell.recipe.augmentation == "shifts"
        self._most = most_pixels(cell.size.side)
        self._order = EpochOrder(cell)
        self._of_epoch = (None, None)  # an epoch, and the items of all its batches

    def make(self, epoch, batch):
        if self._of_epoch[0] != epoch:
            self._of_epoch = epoch, self._order.items(epoch)
        items = self._of_epoch[1][batch]
        return self._pictures.batch(items, self._draw(epoch, items) if self._moves else None), len(items)

    def _draw(self, epoch, items):
        chances = ItemChances(self._seed, "crop", epoch, items)
        mirrored = chances.one_in_two()
        right, down = (chances.integers(2 * self._most + 1) - self._most for _ in range(2))
        return right, down, mirrored


class ArrayEvaluation:
    def __init__(self, cell, layout, convert):
        self._pictures = GreyPictures(cell.evaluation_set, cell.size.side, layout)
        self._items = own_range(cell.evaluation_set.samples, cell.position)
        self._batch = cell.options.batch
        self._convert = convert

    def batches(self):
        for first in range(0, len(self._items), self._batch):
            items = self._items[first : first + self._batch]
            yield self._convert(self._pictures.batch(np.arange(items.start, items.stop)))

    def close(self):
        pass


def _weights(length, made):
    """What each of the pixels before counts in each pixel that is made: a triangle as wide as the scale. None where nothing
    changes."""
    if length == made:
        return None
    scale = length / made
    width = max(scale, 1.0)
    centres = (np.arange(made) + 0.5) * scale
    weights = np.maximum(0, 1 - np.abs(np.arange(length) + 0.5 - centres[:, None]) / width)
    return (weights / weights.sum(1, keepdims=True)).astype(np.float32)


def _rounded(images):
    return np.clip(np.floor(images + 0.5), 0, 255).astype(np.uint8)


def _outside(places, side):
    return (places < 0) | (places >= side)
