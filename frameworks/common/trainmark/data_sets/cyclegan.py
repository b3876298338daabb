"""CycleGAN's folders trainA and trainB: pictures of two sides that do not belong together in pairs."""

import os

from ..failure import UserError
from .data_set import DataSet, Part, pictures_in

NAME = "cyclegan"
KIND = "image-pairs"


def recognizes(path):
    return _has_sides(path, "train")


def open_set(path):
    return _open(path, "train")


def open_evaluation(path):
    """testA and testB, or valA and valB."""
    split = next((split for split in ("test", "val") if _has_sides(path, split)), None)
    return _open(path, split) if split else None


def _has_sides(path, split):
    return all((path / f"{split}{side}").is_dir() for side in "AB")


def _open(path, split):
    sides = []
    for side in (f"{split}A", f"{split}B"):
        sides.append([Part(file, os.path.relpath(file, path)) for file in pictures_in(path / side)])
        if not sides[-1]:
            raise UserError(f"--data: the folder {path / side} has no pictures (.jpg, .jpeg, .png)")
    return DataSet(NAME, len(sides[0]), sides[0], others=sides[1])
