"""CycleGAN's folders trainA and trainB: pictures of two sides that do not belong together in pairs."""

import os

from ..failure import UserError
from .data_set import DataSet, Part, pictures_in

NAME = "cyclegan"
KIND = "image-pairs"


def recognizes(path):
    return (path / "trainA").is_dir() and (path / "trainB").is_dir()


def open_set(path):
    sides = []
    for side in ("trainA", "trainB"):
        sides.append([Part(file, os.path.relpath(file, path)) for file in pictures_in(path / side)])
        if not sides[-1]:
            raise UserError(f"--data: the folder {path / side} has no pictures (.jpg, .jpeg, .png)")
    return DataSet(NAME, len(sides[0]), sides[0], others=sides[1])
