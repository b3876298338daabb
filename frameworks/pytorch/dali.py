"""Batches of data sets by NVIDIA's DALI: threads in C++, which decode on the GPU where there is one."""

import numpy as np
import torch
from nvidia.dali import fn, pipeline_def, types
from nvidia.dali.plugin.pytorch import DALIGenericIterator, LastBatchPolicy

from trainmark.failure import BadItem
from trainmark.input import DEVIATION, MEAN, Feed

_DIGITS = 20  # the longest number of a class, with what stands around it


class DaliFeed(Feed):
    pipeline = "dali"

    def __init__(self, cell, memory_format):
        super().__init__(cell)
        self._cuda = cell.cuda
        self._path = cell.options.data
        self.decoder = "nvjpeg" if cell.cuda else "libjpeg-turbo"
        self._memory_format = memory_format
        options, position = cell.options, cell.position
        graph = _labelled_images(
            self.data_set,
            -(-options.batch * position.ranks // self.data_set.samples),
            cell.size.side,
            "mixed" if cell.cuda else "cpu",
            {"shard_id": position.rank, "num_shards": position.ranks, "random_shuffle": True, "name": "reader"},
            batch_size=options.batch,
            num_threads=options.workers,
            device_id=torch.cuda.current_device() if cell.cuda else None,
            seed=(options.seed + position.rank) % 2**63,
        )
        self._batches = DALIGenericIterator(
            graph,
            ["images", "labels"],
            reader_name="reader",
            last_batch_policy=LastBatchPolicy.DROP,
            auto_reset=True,
        )

    def next(self):
        try:
            (batch,) = next(self._batches)
        except StopIteration:  # an epoch ends, and the iterator has begun the next one
            (batch,) = next(self._batches)
        except RuntimeError as error:
            raise BadItem(_without_name(error, self._path)) from None
        images, labels = batch["images"], batch["labels"]
        if self.data_set.format == "webdataset":
            labels = torch.tensor([int(bytes(row)) for row in labels.cpu().numpy()])
        labels = labels.reshape(-1).long()
        if self._cuda:
            labels = labels.to("cuda", non_blocking=True)
        # Channels are last in memory as DALI makes them.
        return {"images": images.permute(0, 3, 1, 2).contiguous(memory_format=self._memory_format), "labels": labels}

    def close(self):
        self._batches = None

    def wait(self):
        if self._cuda:
            torch.cuda.synchronize()


@pipeline_def
def _labelled_images(data_set, times, side, device, reader):
    contents, labels = _read(data_set, times, reader)
    images = fn.decoders.image_random_crop(
        contents,
        device=device,
        output_type=types.RGB,
        random_area=[0.08, 1.0],
        random_aspect_ratio=[3 / 4, 4 / 3],
        num_attempts=10,
    )
    images = fn.resize(images, size=[side, side], interp_type=types.INTERP_LINEAR, antialias=True)
    images = fn.crop_mirror_normalize(
        images,
        dtype=types.FLOAT,
        output_layout="HWC",
        mean=(255 * np.array(MEAN)).tolist(),
        std=(255 * np.array(DEVIATION)).tolist(),
        mirror=fn.random.coin_flip(probability=0.5),
    )
    return images, labels


def _read(data_set, times, reader):
    """`times`: how often the set is repeated, so that there is a batch for each rank."""
    if data_set.format == "imagefolder":
        files = [part.path for part in data_set.parts]
        return fn.readers.file(files=times * files, labels=times * list(data_set.labels), **reader)
    paths = times * list(data_set.files)
    contents, labels = fn.readers.webdataset(paths=paths, ext=["jpg;jpeg;png", "cls"], **reader)
    return contents, fn.pad(labels, axes=0, shape=[_DIGITS], fill_value=ord(" "))


def _without_name(error, path):
    """DALI tells of the operator that failed, with its trace, and not of the picture."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    reason = lines[lines.index("encountered:") + 1] if "encountered:" in lines[:-1] else lines[0]
    return f"{path}: a picture cannot be read by DALI ({reason}); `trainmark data check {path}` names it"
