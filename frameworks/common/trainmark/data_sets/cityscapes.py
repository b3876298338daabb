"""Cityscapes: leftImg8bit/train/CITY/*_leftImg8bit.png, and gtFine/train/CITY/ with a map of labels for each."""

from ..failure import UserError
from .data_set import DataSet, Part, pictures_in

NAME = "cityscapes"
KIND = "labelled-pixels"
_PICTURE, _TRAIN_IDS, _IDS = "_leftImg8bit.png", "_gtFine_labelTrainIds.png", "_gtFine_labelIds.png"
CLASSES = 19
IGNORED = 255
# The numbers that maps called labelIds have for the classes 0 to 18; all others are ignored.
_IDS_OF_CLASSES = (7, 8, 11, 12, 13, 17, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 31, 32, 33)


def recognizes(path):
    return all(folder.is_dir() for folder in _folders_of(path))


def _folders_of(path):
    """Of pictures and labels: those for training, or of the split that is named, such as leftImg8bit/val."""
    if path.parent.name == "leftImg8bit":
        return path, path.parent.parent / "gtFine" / path.name
    return path / "leftImg8bit" / "train", path / "gtFine" / "train"


def open_set(path):
    parts, maps = [], []
    pictures, labels = _folders_of(path)
    for file in pictures_in(pictures):
        if not file.endswith(_PICTURE):
            continue
        name = file[len(str(pictures)) + 1 : -len(_PICTURE)]
        candidates = [labels / (name + ending) for ending in (_TRAIN_IDS, _IDS)]
        found = next((candidate for candidate in candidates if candidate.is_file()), None)
        if found is None:
            raise UserError(f"--data: {file} has no labels: neither {candidates[0]} nor {candidates[1].name} was found")
        parts.append(Part(file, name + _PICTURE))
        maps.append(Part(str(found), str(found.relative_to(labels))))
    if not parts:
        raise UserError(f"--data: {pictures} has no pictures whose names end with {_PICTURE}")
    return DataSet(NAME, len(parts), parts, classes=CLASSES, others=maps)


def open_evaluation(path):
    """That of the folders val."""
    pictures, _ = _folders_of(path)
    split = pictures.parent / "val"
    return open_set(split) if recognizes(split) else None


def classes_of(part):
    """The table from the numbers of a map to classes."""
    import numpy as np

    table = np.full(256, IGNORED, np.uint8)
    numbers = range(CLASSES) if part.name.endswith(_TRAIN_IDS) else _IDS_OF_CLASSES
    table[list(numbers)] = range(CLASSES)
    return table
