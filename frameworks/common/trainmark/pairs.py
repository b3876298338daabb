"""Batches of pairs of sentences: what src/data/pipeline/sentence_pairs.cpp makes of them."""

import numpy as np

from .ahead import AheadFeed
from .failure import BadItem
from .pair_order import has_fixed_shapes, padded_widths
from .quality.evaluation import own_range


class PairFeed(AheadFeed):
    def __init__(self, cell, convert):
        super().__init__(cell, convert)
        self._pairs = Pairs(cell.data_set, cell)
        self._order = cell.pair_order

    def make(self, epoch, batch):
        return self._pairs.batch(self._order.items(epoch, batch))


class PairEvaluation:
    def __init__(self, cell, convert):
        self._pairs = Pairs(cell.evaluation_set, cell)
        self._items = own_range(cell.evaluation_set.samples, cell.position)
        self._size = max(1, cell.options.batch // cell.size.tokens)
        self._convert = convert

    def batches(self):
        for first in range(0, len(self._items), self._size):
            arrays, _ = self._pairs.batch(self._items[first : first + self._size])
            yield self._convert(arrays)

    def close(self):
        pass


class Pairs:
    def __init__(self, data_set, cell):
        self._set = data_set
        self._tokens, self._vocabulary = cell.size.tokens, cell.size.vocabulary
        self._fixed = has_fixed_shapes(cell.options)

    def batch(self, items):
        """Padded with zeros, with which targets also begin: what goes in is what is to come out, one token later. The second
        is the number of target tokens."""
        sources, targets = zip(*(self._read(int(item)) for item in items))
        arrays = {}
        for name, sentences, first in (("source", sources, 0), ("target", targets, 1)):
            lengths = np.array([len(sentence) for sentence in sentences])
            width = self._tokens if self._fixed else int(padded_widths(lengths.max(), self._tokens))
            rows = np.zeros((len(sentences), first + width), np.int64)
            for row, sentence in zip(rows, sentences):
                row[first : first + len(sentence)] = sentence
            arrays[name] = rows
            if self._fixed or lengths.min() < width:
                arrays[f"{name}_lengths"] = lengths
        return arrays, sum(len(target) for target in targets)

    def _read(self, item):
        """Longer sentences than the model's are cut."""
        try:
            return [self._checked(sentence[: self._tokens]) for sentence in self._set.parts.pair(item)]
        except ValueError as error:
            raise BadItem(f"{self._set.name_of(item)} cannot be read: {error}") from None

    def _checked(self, sentence):
        if sentence.max() >= self._vocabulary:
            raise ValueError(f"token {sentence.max()} is outside of the vocabulary of {self._vocabulary}")
        return sentence
