"""Shards of tokens: llm.c's, with a header, or nanoGPT's train.bin, without. An item is a window of 512 tokens; windows lie
side by side, and never across two shards."""

import os
import struct
from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate

from ..failure import UserError
from .data_set import DataSet, Part
from .splits import evaluation_shards, training_shards

NAME = "token-bin"
KIND = "masked-sentences"
WINDOW = 512
_HEADER = 256 * 4
_VERSIONS = {20240520: (1, 2), 20240801: (7, 4)}  # by magic number: the version, and the bytes of a token
_NANOGPT = ("train.bin", "val.bin")


def recognizes(path):
    return bool(_files_of(path, training_shards))


def open_set(path):
    return _open(path, _files_of(path, training_shards))


def open_evaluation(path):
    files = _files_of(path, evaluation_shards)
    return _open(path, files) if files else None


def _files_of(path, shards_of):
    """All have a header or none has: one that is damaged must not get lost among files of other programs."""
    candidates = shards_of(path, lambda file: file.suffix == ".bin")
    if any(_magic_of(file) in _VERSIONS for file in candidates):
        return candidates
    return shards_of(path, lambda file: file.name in _NANOGPT)


def _open(path, files):
    windows = Windows([_tokens_of(file) for file in files])
    if not windows:
        raise UserError(f"--data: {path} holds no tokens")
    return DataSet(NAME, len(windows), windows)


class Windows(Sequence):
    """Computed when they are asked for: there may be millions. `size` of a part: of its tokens in bytes."""

    def __init__(self, shards):
        """`shards`: (path, begin in bytes, number of tokens, bytes of each)."""
        self._shards = shards
        self._ends = list(accumulate(max(count // WINDOW, count > 0) for _, _, count, _ in shards))

    def __len__(self):
        return self._ends[-1] if self._ends else 0

    def __getitem__(self, index):
        shard = bisect_right(self._ends, index)
        path, begin, count, width = self._shards[shard]
        first = (index - (self._ends[shard - 1] if shard else 0)) * WINDOW
        size = min(WINDOW, count - first) * width
        return Part(path, f"{os.path.basename(path)}:{first}", begin + first * width, size)

    def width_at(self, index):
        """How many bytes a token has."""
        return self._shards[bisect_right(self._ends, index)][3]


def _magic_of(file):
    with open(file, "rb") as source:
        start = source.read(4)
    return struct.unpack("<i", start)[0] if len(start) == 4 else 0


def _tokens_of(file):
    size = os.path.getsize(file)
    if file.name in _NANOGPT and _magic_of(file) not in _VERSIONS:
        if size % 2:
            raise UserError(f"--data: {file}: its {size} bytes are not whole tokens of 16 bits")
        return str(file), 0, size // 2, 2
    with open(file, "rb") as source:
        header = source.read(_HEADER)
    if len(header) < _HEADER:
        raise UserError(f"--data: {file} is shorter than the header of a shard")
    magic, version, count = struct.unpack("<3i", header[:12])
    known, width = _VERSIONS.get(magic, (None, 0))
    if version != known or count < 0:
        raise UserError(f"--data: {file}: magic number {magic} and version {version} are not a header of llm.c")
    if size - _HEADER != count * width:
        raise UserError(f"--data: {file}: its header claims {count} tokens, but {size - _HEADER} bytes follow")
    return str(file), _HEADER, count, width
