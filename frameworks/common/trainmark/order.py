"""In which order an epoch has the items of a data set, and what befalls each of them: src/data/pipeline with numpy, number by
number."""

import math

import numpy as np

from .generator import Generator, threefry2x32

_FEISTEL_ROUNDS = 8
_ROUND_SHIFT = 48
_DRAW_BITS = 20  # numbers that an item may draw


def epoch_seed(seed, epoch):
    key = (seed & 0xFFFFFFFF, seed >> 32)
    counter = tuple(np.array([word], np.uint32) for word in (epoch & 0xFFFFFFFF, epoch >> 32))
    low, high = threefry2x32(key, counter)
    return int(high[0]) << 32 | int(low[0])


def permutation(count, seed, name="order"):
    """The numbers below `count` in an order of their own: a Feistel cipher on a square that is a little larger, where who
    lands beyond goes on from there."""
    generator = Generator(seed, name)
    side = math.isqrt(count - 1) + 1 if count > 1 else 1
    places = np.arange(count)
    beyond = np.arange(count)
    while len(beyond):
        left, right = places[beyond] // side, places[beyond] % side
        for turn in range(_FEISTEL_ROUNDS):
            indices = np.uint64(turn << _ROUND_SHIFT) | right.astype(np.uint64)
            left, right = right, (left + generator.integers_at(indices, side)) % side
        places[beyond] = left * side + right
        beyond = beyond[places[beyond] >= count]
    return places


class EpochOrder:
    """Which items make up the batches of a rank. The ranks take turns, item by item."""

    def __init__(self, cell):
        self.batches = cell.batches_per_epoch
        self.first = cell.first_batch  # (epoch, batch)
        self._samples = cell.data_set.samples
        self._seed = cell.options.seed
        self._batch = cell.options.batch
        self._position = cell.position

    def items(self, epoch):
        """[batches, items of a batch]"""
        turns = np.arange(self.batches * self._batch)
        places = (turns * self._position.ranks + self._position.rank) % self._samples
        order = permutation(self._samples, epoch_seed(self._seed, epoch))
        return order[places].reshape(self.batches, self._batch)


class ItemChances:
    """Of many items in one epoch, one number for each after the other."""

    def __init__(self, seed, name, epoch, items):
        self._generator = Generator(epoch_seed(seed, epoch), name)
        self._next = np.asarray(items).astype(np.uint64) << np.uint64(_DRAW_BITS)

    def integers(self, n):
        """In [0, n)."""
        numbers = self._generator.integers_at(self._next, n)
        self._next = self._next + np.uint64(1)
        return numbers

    def one_in_two(self):
        return self.integers(2) == 0


def item_words(seed, name, epoch, item, count):
    """The first so many numbers that one item draws, each of 32 bits, as uint64."""
    indices = (np.uint64(item) << np.uint64(_DRAW_BITS)) + np.arange(count, dtype=np.uint64)
    return Generator(epoch_seed(seed, epoch), name).words_at(indices).astype(np.uint64)
