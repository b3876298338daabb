"""The items of data sets of pictures, with the transforms of torchvision that its users would choose."""

import random

import torch
from torchvision.transforms import v2
from torchvision.transforms.v2 import functional

from trainmark.data import IGNORED
from trainmark.input import DEVIATION, MEAN
from trainmark.pillow import decode, open_labels, open_picture

_SCALES = (0.5, 2.0)  # of pictures with labels for pixels
_MEAN_COLOUR = [round(255 * mean) for mean in MEAN]
_BEFORE_CROP = 286 / 256  # of a side of CycleGAN's pictures


def _to_floats(mean, deviation):
    return [v2.PILToTensor(), v2.ToDtype(torch.float32, scale=True), v2.Normalize(mean, deviation)]


class _Pictures:
    decoder = "pillow"

    def __init__(self, data_set):
        self._set = data_set
        self.name_of = data_set.name_of


class LabelledImages(_Pictures):
    def __init__(self, data_set, size):
        super().__init__(data_set)
        self._transform = v2.Compose(
            [v2.RandomResizedCrop(size.side, antialias=True), v2.RandomHorizontalFlip(), *_to_floats(MEAN, DEVIATION)]
        )

    def item(self, index):
        return {"images": self._transform(open_picture(self._set, index)), "labels": self._set.labels[index]}


class LabelledPixels(_Pictures):
    def __init__(self, data_set, size):
        super().__init__(data_set)
        self._crop = (size.height, size.width)
        self._to_floats = v2.Compose(_to_floats(MEAN, DEVIATION))

    def item(self, index):
        picture, labels = open_picture(self._set, index), open_labels(self._set, index)
        if picture.size != labels.size:
            sizes = [f"{one.width} × {one.height}" for one in (picture, labels)]
            raise ValueError(f"the picture has {sizes[0]} pixels and its labels have {sizes[1]}")
        picture, labels = self._same_place(*self._same_scale(picture, labels))
        if random.random() < 0.5:
            picture, labels = functional.hflip(picture), functional.hflip(labels)
        return {"images": self._to_floats(picture), "labels": functional.pil_to_tensor(labels)[0].long()}

    def _same_scale(self, picture, labels):
        scale = random.uniform(*_SCALES)
        shape = [max(1, round(scale * side)) for side in (picture.height, picture.width)]
        nearest = v2.InterpolationMode.NEAREST
        return functional.resize(picture, shape, antialias=True), functional.resize(labels, shape, nearest)

    def _same_place(self, picture, labels):
        height, width = self._crop
        missing = [0, 0, max(0, width - picture.width), max(0, height - picture.height)]
        if any(missing):
            picture = functional.pad(picture, missing, fill=_MEAN_COLOUR)
            labels = functional.pad(labels, missing, fill=IGNORED)
        top, left = random.randint(0, picture.height - height), random.randint(0, picture.width - width)
        return tuple(functional.crop(one, top, left, height, width) for one in (picture, labels))


class ImagePairs(_Pictures):
    """With every picture of one side any of the other."""

    def __init__(self, data_set, size):
        super().__init__(data_set)
        larger = round(_BEFORE_CROP * size.side)
        self._transform = v2.Compose(
            [
                v2.Resize((larger, larger), antialias=True),
                v2.RandomCrop(size.side),
                v2.RandomHorizontalFlip(),
                *_to_floats([0.5] * 3, [0.5] * 3),
            ]
        )

    def item(self, index):
        other = random.choice(self._set.others)
        try:
            second = decode(self._set.read(other))
        except Exception as error:
            raise ValueError(f"{other.name} beside it: {error}") from None
        return {"images_a": self._transform(open_picture(self._set, index)), "images_b": self._transform(second)}
