"""The items of each workload's endless data set, as numpy arrays."""

import math

import numpy as np

from .failure import UserError
from .generator import Generator

IGNORED = 255  # the label of a pixel that has none


def make_batch(workload, size, seed, first, count):
    """Items [first, first + count): a dictionary of arrays, with the names and shapes of the workload's inputs."""
    shapes = workload.input_shapes(size, count)
    if workload.batch_unit == "tokens":
        if count % size.tokens != 0:
            raise UserError(
                f"--batch: {count} target tokens are not a whole number of pairs; write a multiple of {size.tokens}"
            )
        first //= size.tokens
    return _MAKERS[workload.data](_Numbers(seed, first, shapes), size)


def labels_in(workload, arrays):
    """How many labels the loss is the mean over, where that differs from batch to batch: a rank with more of them counts
    for more in the loss of a job."""
    return int((arrays["labels"] != IGNORED).sum()) if workload.data == "labelled-pixels" else 1


class _Numbers:
    """Of the rows from `first` on of each array."""

    def __init__(self, seed, first, shapes):
        self._seed = seed
        self._first = first
        self.shapes = shapes

    def images(self, name):
        shape = self.shapes[name]
        return Generator(self._seed, name).symmetric(shape, 1, self._begin(shape))

    def integers(self, name, n, shape=None):
        """In [0, n). `shape`: of what is no input itself."""
        shape = shape or self.shapes[name]
        return Generator(self._seed, name).integers(shape, n, self._begin(shape))

    def _begin(self, shape):
        return self._first * math.prod(shape[1:])


def _labelled_images(numbers, size):
    return {"images": numbers.images("images"), "labels": numbers.integers("labels", size.classes)}


def _labelled_pixels(numbers, size):
    labels = numbers.integers("labels", size.classes + 1)
    labels[labels == size.classes] = IGNORED
    return {"images": numbers.images("images"), "labels": labels}


def _masked_sentences(numbers, size):
    # Each masked position is in its own part of the sequence.
    begins = np.arange(size.masked + 1) * size.tokens // size.masked
    splits = numbers.integers("splits", size.tokens, numbers.shapes["next_sentence"])
    return {
        "tokens": numbers.integers("tokens", size.vocabulary),
        "segments": (np.arange(size.tokens) >= splits[:, None]).astype(np.int64),
        "masked_positions": begins[:-1] + numbers.integers("masked_positions", np.diff(begins)),
        "masked_labels": numbers.integers("masked_labels", size.vocabulary),
        "next_sentence": numbers.integers("next_sentence", 2),
    }


def _sentence_pairs(numbers, size):
    return {name: numbers.integers(name, size.vocabulary) for name in ("source", "target")}


def _image_pairs(numbers, _size):
    return {name: numbers.images(name) for name in ("images_a", "images_b")}


_MAKERS = {
    "labelled-images": _labelled_images,
    "labelled-pixels": _labelled_pixels,
    "masked-sentences": _masked_sentences,
    "sentence-pairs": _sentence_pairs,
    "image-pairs": _image_pairs,
}
