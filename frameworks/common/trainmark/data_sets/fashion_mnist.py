"""Fashion-MNIST, or MNIST: IDX files, packed by gzip or not, with the grey pictures in one array, and with their labels."""

import gzip
import math

from ..failure import UserError
from .data_set import DataSet

NAME = "fashion-mnist"
KIND = "labelled-images"
_IMAGES, _LABELS = "images-idx3-ubyte", "labels-idx1-ubyte"
_BYTES = 8  # the code of their type in the header
_MOST = 1 << 32


def recognizes(path):
    return _images_file(path) is not None


def open_set(path):
    file = _images_file(path)
    images = _read(file, axes=3)
    labels_name = file.name.removesuffix(".gz").replace(_IMAGES, _LABELS)
    labels_file = _packed_or_not(file.parent / labels_name)
    if labels_file is None:
        raise UserError(f"--data: {file} has no labels: {labels_name} was not found beside it")
    labels = _read(labels_file, axes=1)
    if len(images) != len(labels) or not len(images):
        raise UserError(f"--data: {path} has {len(images)} pictures and {len(labels)} labels")
    return DataSet(NAME, len(images), labels=labels.tolist(), classes=int(labels.max()) + 1, images=images)


def open_evaluation(path):
    """The files whose names begin with t10k."""
    folder = path.parent if path.is_file() else path
    file = _packed_or_not(folder / f"t10k-{_IMAGES}")
    return open_set(file) if file else None


def _images_file(path):
    """Itself, or that for training of a folder."""
    if path.is_file():
        return path if path.name.removesuffix(".gz").endswith(_IMAGES) else None
    return _packed_or_not(path / f"train-{_IMAGES}")


def _packed_or_not(path):
    return next((file for file in (path, path.with_name(f"{path.name}.gz")) if file.is_file()), None)


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
