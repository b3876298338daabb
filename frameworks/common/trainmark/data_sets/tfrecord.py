"""TFRecord files of `tf.train.Example`s with `image/encoded` and `image/class/label`, or `image` and `label`."""

import os
import re
import struct

from ..failure import UserError
from .data_set import DataSet
from .splits import evaluation_shards, training_shards

NAME = "tfrecord"
KIND = "labelled-images"
_AROUND = 8 + 4 + 4  # bytes of a record beside its data: the length, and two checksums
_NAMES = re.compile(r".*tfrecord.*(?<!\.idx)(?<!\.index)(?<!\.json)|(?!.*\.data-).*-\d{5}-of-\d{5}")


def recognizes(path):
    return bool(training_shards(path, _fits))


def open_set(path):
    return _open(path, training_shards(path, _fits))


def open_evaluation(path):
    shards = evaluation_shards(path, _fits)
    return _open(path, shards) if shards else None


def _fits(file):
    return bool(_NAMES.fullmatch(file.name))


def _open(path, shards):
    files = [str(file) for file in shards]
    samples = sum(_count(file) for file in files)
    if not samples:
        raise UserError(f"--data: {path}: there are no records in its files")
    return DataSet(NAME, samples, files=files)


def _count(file):
    """By the lengths alone."""
    count, place, end = 0, 0, os.path.getsize(file)
    with open(file, "rb") as source:
        while place < end:
            source.seek(place)
            length = source.read(8)
            place += _AROUND + (struct.unpack("<Q", length)[0] if len(length) == 8 else end)
            if place > end:
                raise UserError(f"--data: {file} is cut off in record {count}")
            count += 1
    return count
