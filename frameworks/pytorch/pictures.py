"""The items of data sets of pictures, with the transforms of torchvision that its users would choose."""

import random

import torch
from PIL import Image
from torchvision.transforms import v2
from torchvision.transforms.v2 import functional

from trainmark.data import IGNORED
from trainmark.input import DEVIATION, MEAN
from trainmark.pillow import decode, open_labels, open_picture
from trainmark.shifts import random_shift, whole

_SCALES = (0.5, 2.0)  # of pictures with labels for pixels
_MEAN_COLOUR = [round(255 * mean) for mean in MEAN]
_BEFORE_CROP = 286 / 256  # of a side of CycleGAN's pictures
_EVALUATED = 256 / 224  # the shorter side of a picture, of whose middle quality is measured, by that of the middle


def _to_floats(mean, deviation):
    return [v2.PILToTensor(), v2.ToDtype(torch.float32, scale=True), v2.Normalize(mean, deviation)]


class _Pictures:
    decoder = "pillow"

    def __init__(self, data_set):
        self._set = data_set
        self.name_of = data_set.name_of


class LabelledImages(_Pictures):
    def __init__(self, data_set, size, augmentation="resized-crops", evaluated=False):
        super().__init__(data_set)
        cut = _evaluation_cut if evaluated else _training_cut
        self._transform = v2.Compose([*cut(size.side, augmentation), *_to_floats(MEAN, DEVIATION)])

    def item(self, index):
        return {"images": self._transform(open_picture(self._set, index)), "labels": self._set.labels[index]}


def _training_cut(side, augmentation):
    if augmentation == "shifts":
        return [lambda picture: Image.fromarray(random_shift(picture, side, random))]
    if augmentation == "none":
        return [lambda picture: Image.fromarray(whole(picture, side))]
    return [v2.RandomResizedCrop(side, antialias=True), v2.RandomHorizontalFlip()]


def _evaluation_cut(side, augmentation):
    if augmentation in ("shifts", "none"):
        return _training_cut(side, "none")
    return [v2.Resize(round(_EVALUATED * side), antialias=True), v2.CenterCrop(side)]


class LabelledPixels(_Pictures):
    def __init__(self, data_set, size, augmentation="", evaluated=False):
        super().__init__(data_set)
        self._evaluated = evaluated
        self._crop = (size.height, size.width)
        self._to_floats = v2.Compose(_to_floats(MEAN, DEVIATION))

    def item(self, index):
        picture, labels = open_picture(self._set, index), open_labels(self._set, index)
        if picture.size != labels.size:
            sizes = [f"{one.width} × {one.height}" for one in (picture, labels)]
            raise ValueError(f"the picture has {sizes[0]} pixels and its labels have {sizes[1]}")
        if self._evaluated:  # the middle, at its own size
            picture, labels = self._same_place(picture, labels)
        else:
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
        place = (lambda _, most: most // 2) if self._evaluated else random.randint
        top, left = place(0, picture.height - height), place(0, picture.width - width)
        return tuple(functional.crop(one, top, left, height, width) for one in (picture, labels))


class ImagePairs(_Pictures):
    """With every picture of one side any of the other."""

    def __init__(self, data_set, size, augmentation="", evaluated=False):
        super().__init__(data_set)
        self._evaluated = evaluated
        larger = round(_BEFORE_CROP * size.side)
        training = [v2.Resize((larger, larger), antialias=True), v2.RandomCrop(size.side), v2.RandomHorizontalFlip()]
        cut = [v2.Resize((size.side, size.side), antialias=True)] if evaluated else training
        self._transform = v2.Compose([*cut, *_to_floats([0.5] * 3, [0.5] * 3)])

    def item(self, index):
        others = self._set.others
        other = others[index % len(others)] if self._evaluated else random.choice(others)
        try:
            second = decode(self._set.read(other))
        except Exception as error:
            raise ValueError(f"{other.name} beside it: {error}") from None
        return {"images_a": self._transform(open_picture(self._set, index)), "images_b": self._transform(second)}
