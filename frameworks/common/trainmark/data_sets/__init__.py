"""Data sets as they lie on a disk: which format a path has, and where its items are. Pictures are read and decoded by
the pipeline of each framework, with the names and labels that are found here: so all of them have the same."""

from pathlib import Path

from ..failure import UserError
from . import cityscapes, cyclegan, fashion_mnist, image_folder, tfrecord, token_bin, webdataset

# Each has NAME, KIND, `recognizes(path)` and `open_set(path)`. A folder of folders is what is left.
_FORMATS = (webdataset, tfrecord, token_bin, fashion_mnist, cityscapes, cyclegan, image_folder)


def open_data_set(path, kind, formats):
    """`kind`: what the workload needs; `formats`: those that the pipeline reads. Raises UserError that says what is there
    instead."""
    path = Path(path)
    if not path.exists():
        raise UserError(f"--data: {path} was not found; write the path of a data set (`trainmark data make` makes one)")
    for known in _FORMATS:
        if not known.recognizes(path):
            continue
        if known.KIND != kind:
            raise UserError(f"--data: {path} holds {known.KIND} ({known.NAME}), and {kind} are needed")
        if known.NAME not in formats:
            raise UserError(f"--data: {path} has the format {known.NAME}; this pipeline reads {', '.join(formats)}")
        return known.open_set(path)
    raise UserError(f"--data: {path} is not in any of the formats that can be read here: {', '.join(formats)}")
