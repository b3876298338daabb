"""What all data sets have in common."""

import os
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Optional, Sequence

# How the names of files with a picture end: those that torchvision's ImageFolder takes for one.
PICTURES = (".jpg", ".jpeg", ".png", ".ppm", ".bmp", ".pgm", ".tif", ".tiff", ".webp")


class Part(NamedTuple):
    """A picture as it lies on the disk: a file, or some bytes of one."""

    path: str
    name: str  # for messages
    offset: int = 0
    size: Optional[int] = None  # to the end


@dataclass(frozen=True)
class DataSet:
    format: str
    samples: int
    parts: Sequence[Part] = ()
    labels: Sequence[int] = ()  # of labelled images
    classes: int = 0  # labels are below
    class_names: Sequence[str] = ()  # where they are known
    others: Sequence[Part] = ()  # the maps of labels, or the pictures of the other side
    files: Sequence[str] = ()  # of formats whose files are read from one end to the other
    images: Any = None  # an array, where pictures are not encoded
    _open: dict = field(default_factory=dict, compare=False, repr=False)

    def name_of(self, index):
        return self.parts[index].name if self.parts else f"picture {index}"

    def read(self, part):
        """The bytes of a part. Files of many parts stay open."""
        if part.size is None:
            with open(part.path, "rb") as file:
                return file.read()
        if part.path not in self._open:
            self._open[part.path] = os.open(part.path, os.O_RDONLY | os.O_CLOEXEC)
        return os.pread(self._open[part.path], part.size, part.offset)


def pictures_in(folder):
    """All that lie in a folder or below it, folder after folder in the order of their names."""
    for place, _, files in sorted(os.walk(folder, followlinks=True)):
        for name in sorted(files):
            if is_picture(name):
                yield os.path.join(place, name)


def is_picture(name):
    return name.lower().endswith(PICTURES)
