"""Batches of data sets whose pictures torchvision decodes and cuts on the device: by nvJPEG on a GPU."""

import torch
from torchvision.io import ImageReadMode, decode_image, decode_jpeg
from torchvision.transforms import v2

from trainmark.failure import BadItem
from trainmark.input import DEVIATION, MEAN, as_batch

_JPEG = b"\xff\xd8"


class Contents:
    """What workers do: they read, and leave the rest to the device."""

    def __init__(self, data_set, device):
        self.decoder = "nvjpeg" if device == "cuda" else "libjpeg-turbo"
        self._set = data_set
        self.name_of = data_set.name_of

    def item(self, index):
        content = self._set.read(self._set.parts[index])
        if not content:
            raise ValueError("it is empty")
        bytes_of_it = torch.frombuffer(bytearray(content), dtype=torch.uint8)
        return {"contents": bytes_of_it, "labels": self._set.labels[index], "names": self.name_of(index)}


def collate(items):
    return as_batch(items, list)


class Decoding:
    """Makes a batch of the contents of its pictures."""

    def __init__(self, size, device):
        self._device = device
        self._stream = torch.cuda.Stream() if device == "cuda" else None
        self._cut = v2.Compose([v2.RandomResizedCrop(size.side, antialias=True), v2.RandomHorizontalFlip()])
        self._to_floats = v2.Compose([v2.ToDtype(torch.float32, scale=True), v2.Normalize(MEAN, DEVIATION)])

    def __call__(self, batch):
        if self._stream is None:
            return self._make(batch)
        # nvJPEG writes without waiting for what the GPU still reads: what it is given must be free by then.
        self._stream.synchronize()
        with torch.cuda.stream(self._stream):
            made = self._make(batch)
        training = torch.cuda.current_stream()
        training.wait_stream(self._stream)
        made["images"].record_stream(training)
        return made

    def _make(self, batch):
        pictures = self._decode(batch["contents"], batch["names"])
        images = self._to_floats(torch.stack([self._cut(picture) for picture in pictures]))
        return {"images": images, "labels": torch.tensor(batch["labels"])}

    def _decode(self, contents, names):
        """A GPU takes all of a batch at once, if all are JPEGs that it knows."""
        if self._device == "cuda" and all(bytes(content[:2].tolist()) == _JPEG for content in contents):
            try:
                return decode_jpeg(contents, ImageReadMode.RGB, device=self._device)
            except RuntimeError:
                pass
        return [self._decode_one(content, name) for content, name in zip(contents, names)]

    def _decode_one(self, content, name):
        """One that is broken is known by its name."""
        try:
            return decode_image(content, ImageReadMode.RGB).to(self._device)
        except RuntimeError as error:
            reason = str(error).splitlines()[0]
            raise BadItem(f"{name} cannot be read: {reason}") from None
