"""In which order a training has the pairs of sentences of a data set, and which of them are a batch: src/data/pipeline/bucketing.h
with numpy, number by number."""

import numpy as np

from .generator import Generator
from .order import epoch_seed, permutation

_WIDTH_STEP = 8  # widths of batches are multiples of it, but for the longest sentences


def order_of_pairs(cell):
    return AnyLengths(cell) if has_fixed_shapes(cell.options) else LikeLengths(cell)


def has_fixed_shapes(options):
    """Compiled code is made for the shapes of the first batch."""
    return options.mode != "eager"


def padded_widths(lengths, most):
    """Of batches whose longest sentences have so many tokens, of at most `most`."""
    steps = -(-np.maximum(lengths, 1) // _WIDTH_STEP) * _WIDTH_STEP
    return np.where(lengths >= most, most, np.minimum(steps, most))


class AnyLengths:
    """Batches of a fixed number of pairs, each as wide as the longest sentence may be."""

    def __init__(self, cell):
        options, position = cell.options, cell.position
        self._pairs = max(1, options.batch // cell.size.tokens)
        self._samples = cell.data_set.samples
        self._ranks, self._rank = position.ranks, position.rank
        self._order = _Kept(lambda epoch: permutation(self._samples, epoch_seed(options.seed, epoch)))
        self.batches = max(1, self._samples // self._ranks // self._pairs)  # of an epoch and this rank

    def items(self, epoch, batch):
        turns = np.arange(batch * self._pairs, (batch + 1) * self._pairs)
        return self._order.of(epoch)[(turns * self._ranks + self._rank) % self._samples]


class LikeLengths:
    """Batches of pairs of like lengths, as many of them as have about `batch` target tokens with their padding. Pairs are mixed
    within their bucket, and then the batches. Batches that ranks train at the same time are neighbours."""

    def __init__(self, cell):
        options, lines = cell.options, cell.data_set.parts
        self._seed = options.seed
        self._ranks, self._rank = cell.position.ranks, cell.position.rank
        self._sort(*(padded_widths(lengths, cell.size.tokens) for lengths in (lines.source_lengths, lines.target_lengths)))
        self._cut(options.batch)
        self._all = len(self._begins) - 1
        self.batches = max(1, self._all // self._ranks)
        self._mixed = _Kept(self._mix)
        self._turns = _Kept(lambda epoch: permutation(self.batches, epoch_seed(self._seed, epoch), "turns"))

    def items(self, epoch, batch):
        first = int(Generator(epoch_seed(self._seed, epoch), "first turn").integers_at(np.zeros(1, np.uint64), self._all)[0])
        place = (int(self._turns.of(epoch)[batch]) * self._ranks + self._rank + first) % self._all
        return self._mixed.of(epoch)[self._begins[place] : self._begins[place + 1]]

    def _sort(self, source_widths, target_widths):
        """By the width of the target, then by that of the source, which rises and falls by turns."""
        source, target = (-(-widths // _WIDTH_STEP) for widths in (source_widths, target_widths))
        widths = int(max(source.max(), target.max())) + 1
        keys = target * widths + np.where(target % 2 == 0, source, widths - 1 - source)
        self._sorted = np.argsort(keys, kind="stable")
        begins = np.flatnonzero(np.diff(keys[self._sorted], prepend=-1))
        self._buckets = list(zip(begins, np.append(begins[1:], len(keys))))
        self._widths = target_widths[self._sorted[begins]]  # of each bucket

    def _cut(self, batch):
        """Pairs change places within their bucket alone, so the cuts hold for every epoch."""
        self._begins = [0]
        for (first, end), width in zip(self._buckets, self._widths):
            most = max(1, batch // int(width))
            # What the bucket before has left over must fit with the wider padding, too.
            if self._begins[-1] < first and first - self._begins[-1] + 1 > most:
                self._begins.append(int(first))
            while end - self._begins[-1] >= most:
                self._begins.append(self._begins[-1] + most)
        if self._begins[-1] < len(self._sorted):
            self._begins.append(len(self._sorted))

    def _mix(self, epoch):
        seed = epoch_seed(self._seed, epoch)
        mixed = [first + permutation(end - first, epoch_seed(seed, int(first)), "pairs") for first, end in self._buckets]
        return self._sorted[np.concatenate(mixed)]


class _Kept:
    """What was made for the last epoch that was asked for."""

    def __init__(self, make):
        self._make = make
        self._epoch, self._made = None, None

    def of(self, epoch):
        if epoch != self._epoch:
            self._epoch, self._made = epoch, self._make(epoch)
        return self._made
