"""The items of each workload's endless data set, as numpy arrays."""

import numpy as np

from .failure import UserError
from .generator import Generator

IGNORED = 255  # the label of a pixel that has none


def make_batch(workload, size, seed, first, count):
    """Items [first, first + count): a dictionary of arrays, named as the contract names them."""
    return _MAKERS[workload](size, seed, first, count)


def first_item(options, number):
    """Of this rank's batch in the accumulated pass `number`: the ranks' batches side by side are the job's."""
    return (number * options.place.ranks + options.place.rank) * options.batch


def labels_in(workload, arrays):
    """How many labels the loss is the mean over, where that differs from batch to batch: a rank with more of them counts
    for more in the loss of a job."""
    return int((arrays["labels"] != IGNORED).sum()) if workload == "deeplabv3p" else 1


def _images(seed, name, first, count, height, width):
    shape = (count, 3, height, width)
    return Generator(seed, name).symmetric(shape, 1, first * 3 * height * width)


def _integers(seed, name, first, shape, n):
    return Generator(seed, name).integers(shape, n, first * int(np.prod(shape[1:])))


def _classification(size, seed, first, count):
    return {
        "images": _images(seed, "images", first, count, size.side, size.side),
        "labels": _integers(seed, "labels", first, (count,), size.classes),
    }


def _segmentation(size, seed, first, count):
    labels = _integers(seed, "labels", first, (count, size.height, size.width), size.classes + 1)
    labels[labels == size.classes] = IGNORED
    return {"images": _images(seed, "images", first, count, size.height, size.width), "labels": labels}


def _pre_training(size, seed, first, count):
    # Each masked position is in its own part of the sequence.
    begins = np.arange(size.masked + 1) * size.tokens // size.masked
    offsets = _integers(seed, "masked_positions", first, (count, size.masked), np.diff(begins))
    splits = _integers(seed, "splits", first, (count,), size.tokens)
    return {
        "tokens": _integers(seed, "tokens", first, (count, size.tokens), size.vocabulary),
        "segments": (np.arange(size.tokens) >= splits[:, None]).astype(np.int64),
        "masked_positions": begins[:-1] + offsets,
        "masked_labels": _integers(seed, "masked_labels", first, (count, size.masked), size.vocabulary),
        "next_sentence": _integers(seed, "next_sentence", first, (count,), 2),
    }


def _translation(size, seed, first, count):
    if count % size.tokens != 0:
        raise UserError(
            f"--batch: {count} target tokens are no whole number of pairs; write a multiple of {size.tokens}"
        )
    first, pairs = first // size.tokens, count // size.tokens
    return {
        "source": _integers(seed, "source", first, (pairs, size.tokens), size.vocabulary),
        "target": _integers(seed, "target", first, (pairs, size.tokens + 1), size.vocabulary),
    }


def _image_pairs(size, seed, first, count):
    return {name: _images(seed, name, first, count, size.side, size.side) for name in ("images_a", "images_b")}


_MAKERS = {
    "resnet50": _classification,
    "se_resnext50": _classification,
    "deeplabv3p": _segmentation,
    "bert": _pre_training,
    "transformer": _translation,
    "cyclegan": _image_pairs,
    "arcface": _classification,
}
