"""Translations as lines of token ids with blanks between them: either both sides in one line with a tab between (*.tsv, *.ids),
or files of their own with as many lines (NAME.src, NAME.tgt)."""

import os
from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate

import numpy as np

from ..failure import UserError
from .data_set import DataSet, Part
from .splits import evaluation_shards, training_shards

NAME = "token-lines"
KIND = "sentence-pairs"
_BOTH = (".tsv", ".ids")  # the ends of names of files with both sides
_OTHER = {".src": ".tgt", ".tgt": ".src"}
_LONGEST = 1 << 20  # bytes of a line
_LOOKED_AT = 1 << 16  # bytes, to recognize the format
_LARGEST = 2**31 - 1
_MARK = b"\xef\xbb\xbf"


def recognizes(path):
    if path.is_file():
        return path.suffix in (*_BOTH, *_OTHER) and _looks_like_ids(path)
    return any(_looks_like_ids(file) for file in training_shards(path, _may_be_lines))


def open_set(path):
    return _open(path, training_shards(_source_of(path), _may_be_lines))


def open_evaluation(path):
    files = evaluation_shards(_source_of(path), _may_be_lines)
    return _open(path, files) if files else None


def _source_of(path):
    """Whichever side is named, the pair is meant."""
    return path.with_suffix(".src") if path.suffix == ".tgt" else path


def _may_be_lines(file):
    return file.suffix in (*_BOTH, ".src")


def _open(path, files):
    lines = Lines([_Shard(file) for file in files])
    if not lines:
        raise UserError(f"--data: {path} holds no lines")
    return DataSet(NAME, len(lines), lines)


class Lines(Sequence):
    """Of all files. The items are named by their parts, and read by `pair`."""

    def __init__(self, shards):
        self._shards = shards
        self._ends = list(accumulate(len(shard.source_lengths) for shard in shards))
        empty = np.zeros(0, np.int64)
        self.source_lengths = np.concatenate([empty, *(shard.source_lengths for shard in shards)])
        self.target_lengths = np.concatenate([empty, *(shard.target_lengths for shard in shards)])

    def __len__(self):
        return self._ends[-1] if self._ends else 0

    def __getitem__(self, index):
        shard, line = self._place(index)
        return Part(str(shard.path), f"{shard.path.name}:{line + 1}")

    def pair(self, index):
        """The ids of source and target. Raises ValueError where it cannot be read."""
        shard, line = self._place(index)
        return shard.pair(line)

    def _place(self, index):
        shard = bisect_right(self._ends, index)
        return self._shards[shard], index - (self._ends[shard - 1] if shard else 0)


class _Shard:
    def __init__(self, path):
        self.path = path
        self._source = _File(path, tabs=path.suffix in _BOTH)
        self.source_lengths = self._source.words
        if path.suffix in _BOTH:
            self._target = None
            self.target_lengths = self._source.words_behind
            return
        other = path.with_suffix(_OTHER[path.suffix])
        if not other.is_file():
            raise UserError(f"--data: {other} was not found; {path.name} needs it beside it")
        self._target = _File(other, tabs=False)
        self.target_lengths = self._target.words
        if len(self.source_lengths) != len(self.target_lengths):
            raise UserError(
                f"--data: {path} has {len(self.source_lengths)} lines, but {other.name} has {len(self.target_lengths)}; "
                "line N of one must be the translation of line N of the other"
            )

    def pair(self, line):
        text = self._source.line(line)
        if self._target:
            source, target = text, self._target.line(line)
        else:
            source, tab, target = text.partition(b"\t")
            if not tab:
                raise ValueError("there is no tab between the ids of its source and those of its target")
        return _ids(source, "source"), _ids(target, "target")


class _File:
    """Where its lines lie, and how many words each has: in front of its first tab and behind, where tabs count."""

    def __init__(self, path, tabs):
        size = os.path.getsize(path)
        self._content = np.memmap(path, np.uint8, "r") if size else np.zeros(0, np.uint8)
        content, marked = self._content, self._content[:3].tobytes() == _MARK
        ends = np.flatnonzero(content == ord("\n")) + 1
        if size and (len(ends) == 0 or ends[-1] != size):
            ends = np.append(ends, size)  # what stands behind the last line end is a line, too
        self._begins = np.concatenate([[3 if marked else 0], ends])
        blank = np.isin(content, np.frombuffer(b" \t\r\n", np.uint8))
        blank[: 3 if marked else 0] = True
        starts = np.flatnonzero(~blank & np.concatenate([[True], blank[:-1]]))  # of words
        borders = np.searchsorted(starts, self._begins)
        self.words = np.diff(borders)
        if tabs:
            places = np.append(np.flatnonzero(content == ord("\t")), size)
            first = np.minimum(places[np.searchsorted(places, self._begins[:-1])], ends)
            self.words = np.searchsorted(starts, first) - borders[:-1]
            self.words_behind = borders[1:] - borders[:-1] - self.words

    def line(self, number):
        begin, end = self._begins[number : number + 2]
        if end - begin > _LONGEST:
            raise ValueError(f"the line has {end - begin} bytes, more than {_LONGEST}")
        return self._content[begin:end].tobytes().removesuffix(b"\n").removesuffix(b"\r")


def _ids(text, side):
    words = [word for word in text.split(b" ") if word]
    for word in words:
        if not word.isdigit() or int(word) > _LARGEST:
            shown = word[:40].decode(errors="replace")
            raise ValueError(f"'{shown}' in its {side} is not a token id, a whole number from 0 to {_LARGEST}")
    if not words:
        raise ValueError(f"its {side} is empty")
    return np.array(words, np.int64)


def _looks_like_ids(file):
    """One of the first lines is made of ids; other tables end in .tsv, too."""
    tabs = 0 if file.suffix in _OTHER else 1
    with open(file, "rb") as source:
        lines = source.read(_LOOKED_AT).split(b"\n")
    return any(line.count(b"\t") == tabs and _is_made_of_ids(line) for line in lines)


def _is_made_of_ids(line):
    words = line.split()
    return bool(words) and all(word.isdigit() for word in words)
