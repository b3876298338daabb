"""The four files of MNIST and Fashion-MNIST, packed by gzip or not: grey pictures in one array, and their labels."""

import gzip
import math

from ..failure import UserError
from .data_set import DataSet

NAME = "idx"
KIND = "labelled-images"
_IMAGES, _LABELS = "train-images-idx3-ubyte", "train-labels-idx1-ubyte"
_BYTES = 8  # the code of their type in the header
_MOST = 1 << 32


def recognizes(path):
    return _find(path, _IMAGES) is not None


def open_set(path):
    images = _read(_find(path, _IMAGES), axes=3)
    labels_file = _find(path, _LABELS)
    if labels_file is None:
        raise UserError(f"--data: {path} has no {_LABELS}")
    labels = _read(labels_file, axes=1)
    if len(images) != len(labels) or not len(images):
        raise UserError(f"--data: {path} has {len(images)} pictures and {len(labels)} labels")
    return DataSet(NAME, len(images), labels=labels.tolist(), classes=int(labels.max()) + 1, images=images)


def _find(path, name):
    for file in (path / name, path / f"{name}.gz"):
        if file.is_file():
            return file
    return None


def _read(file, axes):
    import numpy as np

    try:
        with gzip.open(file) if file.suffix == ".gz" else open(file, "rb") as source:
            header = source.read(4 + 4 * axes)
            shape = [int.from_bytes(header[at : at + 4], "big") for at in range(4, 4 + 4 * axes, 4)]
            if header[:4] != bytes([0, 0, _BYTES, axes]) or math.prod(shape) > _MOST:
                raise UserError(f"--data: {file} is not an IDX file of bytes with {axes} dimensions")
            content = source.read(math.prod(shape))
    except (OSError, EOFError, gzip.zlib.error) as error:
        raise UserError(f"--data: {file} cannot be read: {error}") from None
    if len(content) != math.prod(shape):
        raise UserError(f"--data: {file} ends after {len(content)} bytes; its header says {math.prod(shape)}")
    return np.frombuffer(content, np.uint8).reshape(shape)
