"""Data sets as they lie on a disk: which format a path has, and where its items are. Pictures are read and decoded by
the pipeline of each framework, with the names and labels that are found here: so all of them have the same."""

from dataclasses import replace
from itertools import zip_longest
from pathlib import Path

from ..failure import UserError
from . import cityscapes, cyclegan, fashion_mnist, image_folder, tfrecord, token_bin, token_lines, webdataset

# Each has NAME, KIND, `recognizes(path)`, `open_set(path)` and `open_evaluation(path)`, which gives None where there is no such
# split of the set. A folder of folders is what is left.
_FORMATS = (webdataset, tfrecord, token_bin, token_lines, fashion_mnist, cityscapes, cyclegan, image_folder)


def open_data_set(path, kind, formats, option="--data"):
    """That for training. `kind`: what the workload needs; `formats`: those that the pipeline reads. Raises UserError that says
    what is there instead."""
    return _find_format(Path(path), kind, formats, option).open_set(Path(path))


def open_evaluation_set(training, data, other, kind, formats):
    """What the quality of models is measured on: the split for it of the set at `data`, which `training` is of, or, where that
    is given, of the set at `other`, or all of that."""
    option, path = ("--evaluation-data", Path(other)) if other else ("--data", Path(data))
    known = _find_format(path, kind, formats, option)
    found = known.open_evaluation(path)
    if found is None and not other:
        raise UserError(f"--data: {path} has no split for evaluation; add --evaluation-data PATH")
    found = found or known.open_set(path)
    _check_class_names(training.class_names, found.class_names)
    # Two sides need not be of the same size; no picture counts twice.
    return replace(found, samples=min(found.samples, len(found.others))) if found.others else found


def _check_class_names(training, evaluation):
    """Labels of image folders are the places of their names: they must stand for the same."""
    if not training or not evaluation:
        return
    for label, names in enumerate(zip_longest(training, evaluation)):
        if names[0] != names[1]:
            one, other = ("none" if name is None else f"'{name}'" for name in names)
            raise UserError(
                f"class {label} is {one} in the data set for training, and {other} in that for evaluation; both need "
                "folders of the same names"
            )


def _find_format(path, kind, formats, option):
    if not path.exists():
        raise UserError(f"{option}: {path} was not found; write the path of a data set (`trainmark data make` makes one)")
    for known in _FORMATS:
        if not known.recognizes(path):
            continue
        if known.KIND != kind:
            raise UserError(f"{option}: {path} holds {known.KIND} ({known.NAME}), and {kind} are needed")
        if known.NAME not in formats:
            raise UserError(f"{option}: {path} has the format {known.NAME}; this pipeline reads {', '.join(formats)}")
        return known
    raise UserError(f"{option}: {path} is not in any of the formats that can be read here: {', '.join(formats)}")
