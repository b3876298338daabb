"""Which part of a data set is for training and which for evaluation: src/data/formats/splits.h."""

import re

_WORDS = ("val", "valid", "validation", "eval", "dev", "test")  # of evaluation, the most usual first


def for_training(files):
    """Without those that are for evaluation, unless there are no others."""
    others = [file for file in files if not any(_has_word(file, word) for word in _WORDS)]
    return others or list(files)


def for_evaluation(files):
    """Those that `for_training` leaves out; where several words are used, those of the first."""
    if for_training(files) == list(files):
        return []
    for word in _WORDS:
        found = [file for file in files if _has_word(file, word)]
        if found:
            return found
    return []


def evaluation_folder(folder):
    """`val` in a data set's folder, or beside it where that is called `train`; or another of the words. None where there is
    none."""
    folder = folder.absolute()
    parents = [folder, folder.parent] if folder.name == "train" else [folder]
    candidates = (parent / word for parent in parents for word in _WORDS)
    return next((candidate for candidate in candidates if candidate.is_dir()), None)


def evaluation_file(file):
    """x_val.bin beside x_train.bin, likewise."""
    before, word, behind = file.name.rpartition("train")
    candidates = (file.with_name(before + other + behind) for other in _WORDS) if word else ()
    return next((candidate for candidate in candidates if candidate.is_file()), None)


def training_shards(path, fits):
    """The file itself, or the files of a folder, or else of `train` in it. `fits(file)`: does it belong to the format?"""
    if path.is_file():
        return [path] if fits(path) else []
    found = _files_in(path, fits)
    if not found and (path / "train").is_dir():
        found = _files_in(path / "train", fits)
    return for_training(found)


def evaluation_shards(path, fits):
    """Of the same data set; empty where there are none."""
    if path.is_file():
        other = evaluation_file(path)
        return [other] if other else []
    found = for_evaluation(_files_in(path, fits))
    if found:
        return found
    folder = evaluation_folder(path)
    return for_training(_files_in(folder, fits)) if folder else []


def _files_in(folder, fits):
    return sorted(file for file in folder.iterdir() if file.is_file() and not file.name.startswith(".") and fits(file))


def _has_word(file, wanted):
    return wanted in re.findall("[a-z]+", file.name.lower())
