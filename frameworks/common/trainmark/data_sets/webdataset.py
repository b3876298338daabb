"""Tar files with samples of several members each: `key.jpg` and `key.cls`, which holds the number of the class."""

import re
import tarfile
from itertools import groupby

from ..failure import UserError
from .data_set import DataSet, Part
from .splits import evaluation_shards, training_shards

NAME = "webdataset"
KIND = "labelled-images"
_KEY = re.compile(r"((?:.*/)?[^./][^./]*)\.([^/]*)")  # of a sample, and what the member is in it
_PICTURES = ("jpg", "jpeg", "png")


def recognizes(path):
    return bool(training_shards(path, _fits))


def open_set(path):
    return _open(path, training_shards(path, _fits))


def open_evaluation(path):
    shards = evaluation_shards(path, _fits)
    return _open(path, shards) if shards else None


def _fits(file):
    return file.suffix == ".tar"


def _open(path, shards):
    parts, labels = [], []
    for shard in shards:
        for part, label in _samples_of(shard):
            parts.append(part)
            labels.append(label)
    if not parts:
        raise UserError(f"--data: {path}: there are no samples in its tar files")
    return DataSet(NAME, len(parts), parts, labels, max(labels) + 1, files=[str(shard) for shard in shards])


def _samples_of(shard):
    """Members of a sample lie side by side."""
    try:
        with tarfile.open(shard, "r:") as archive:
            members = (member for member in archive if member.isfile() and _KEY.fullmatch(member.name))
            for key, sample in groupby(members, lambda member: _KEY.fullmatch(member.name)[1]):
                found = _sample_of(archive, shard, key, list(sample))
                if found:
                    yield found
    except (OSError, tarfile.TarError) as error:
        raise UserError(f"--data: {shard} cannot be read: {error}") from None


def _sample_of(archive, shard, key, members):
    by_ending = [(_KEY.fullmatch(member.name)[2].lower(), member) for member in members]
    pictures = [member for ending, member in by_ending if ending in _PICTURES]
    labels = [member for ending, member in by_ending if ending == "cls"]
    if not pictures and not labels:
        return None
    if len(pictures) != 1 or len(labels) != 1:
        raise UserError(
            f"--data: {shard}: '{key}' has {len(pictures)} pictures and {len(labels)} labels (.cls); it needs one of each, "
            "side by side"
        )
    picture = Part(str(shard), f"{shard.name}:{pictures[0].name}", pictures[0].offset_data, pictures[0].size)
    return picture, _label(archive.extractfile(labels[0]).read(32), f"{shard}:{labels[0].name}")


def _label(content, name):
    text = content.decode(errors="replace").strip()
    if not text.isdecimal() or len(content) > 20:
        raise UserError(f"--data: {name}: '{text[:20]}' is not the number of a class")
    return int(text)
