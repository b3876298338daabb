"""Pictures as Pillow decodes them, for pipelines that are made with it."""

import io

from PIL import Image

from .data_sets.cityscapes import classes_of

Image.MAX_IMAGE_PIXELS = 32 * 1024 * 1024  # a header that tells of more than twice as many is refused


def open_picture(data_set, index):
    """In RGB."""
    if data_set.images is not None:
        return Image.fromarray(data_set.images[index]).convert("RGB")
    return decode(data_set.read(data_set.parts[index]))


def decode(content):
    with Image.open(io.BytesIO(content)) as picture:
        return picture.convert("RGB")


def open_labels(data_set, index):
    """The map of classes that belongs to a picture. Its numbers must not be changed: a palette is not applied."""
    part = data_set.others[index]
    with Image.open(io.BytesIO(data_set.read(part))) as labels:
        if labels.mode not in ("L", "P"):
            raise ValueError(f"its labels {part.name} have the mode {labels.mode} instead of 8 bits per pixel")
        labels.load()
        return Image.fromarray(classes_of(part)[labels])
