"""CycleGAN's folders trainA and trainB: pictures of two sides that do not belong together in pairs."""

import os

from ..failure import UserError
from .data_set import DataSet, Part, pictures_in

NAME = "cyclegan"
KIND = "image-pairs"


def recognizes(path):
    return (path / "trainA").is_dir() and (path / "trainB").is_dir()


def open_set(path):
    return _open(path, ("trainA", "trainB"))


def open_evaluation(path):
    sides = ("testA", "testB")
    return _open(path, sides) if all((path / side).is_dir() for side in sides) else None


def _open(path, names):
    sides = []
    for side in names:
        sides.append([Part(file, os.path.relpath(file, path)) for file in pictures_in(path / side)])
        if not sides[-1]:
            raise UserError(f"--data: the folder {path / side} has no pictures (.jpg, .jpeg, .png)")
    return DataSet(NAME, len(sides[0]), sides[0], others=sides[1])
