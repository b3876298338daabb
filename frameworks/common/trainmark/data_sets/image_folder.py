"""A folder for each class, as torchvision's ImageFolder has it: in the order of their names, the first is class 0."""

import os

from ..failure import UserError
from .data_set import DataSet, Part, is_picture, pictures_in
from .splits import evaluation_folder

NAME = "imagefolder"
KIND = "labelled-images"


def recognizes(path):
    return _has_classes(path / "train") or _has_classes(path)


def open_set(path):
    """Where there are splits, of that for training."""
    return _open(_training_root(path))


def open_evaluation(path):
    """That of val/ beside train/."""
    root = _training_root(path).absolute()
    folder = evaluation_folder(root) if root.name == "train" else None
    return _open(folder) if folder and _has_classes(folder) else None


def _training_root(path):
    return path / "train" if _has_classes(path / "train") else path


def _open(root):
    classes = sorted(entry.name for entry in os.scandir(root) if entry.is_dir())
    parts, labels = [], []
    for label, name in enumerate(classes):
        found = len(parts)
        parts += [Part(file, os.path.relpath(file, root)) for file in pictures_in(root / name)]
        if len(parts) == found:
            raise UserError(f"--data: {root / name} has no picture; remove the folder, for each folder is a class")
        labels += [label] * (len(parts) - found)
    return DataSet(NAME, len(parts), parts, labels, len(classes), class_names=classes)


def _has_classes(path):
    """Does some folder in it hold pictures directly?"""
    return path.is_dir() and any(_holds_picture(entry.path) for entry in list(os.scandir(path)) if entry.is_dir())


def _holds_picture(folder):
    with os.scandir(folder) as entries:
        return any(is_picture(entry.name) for entry in entries)
