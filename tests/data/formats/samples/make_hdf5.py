#!/usr/bin/env python3
"""Makes the HDF5 files beside this script with h5py: BERT's datasets with rows that hdf5_samples_test.cpp can compute.

bert_old.hdf5     as h5py writes by default, in chunks so small that their tree has two levels, with all filters
bert_plain.hdf5   each dataset in one piece
bert_v108.hdf5    as HDF5 1.8 wrote: objects of the second version, links in the root group's header
bert_latest.hdf5  chunks of the newest kind, which are refused"""

from pathlib import Path

import h5py
import numpy

ROWS, WIDTH, MASKED = 150, 8, 3


def datasets():
    row, column = numpy.meshgrid(numpy.arange(ROWS), numpy.arange(WIDTH), indexing="ij")
    length = 3 + row % 6
    inside = column < length
    positions = numpy.zeros((ROWS, MASKED))
    labels = numpy.zeros((ROWS, MASKED))
    positions[:, 0], positions[:, 1] = 1, length[:, 0] - 1
    labels[:, 0], labels[:, 1] = 5 + row[:, 0], 6 + row[:, 0]
    return [("input_ids", inside * (1000 + row * WIDTH + column), "i4"), ("input_mask", inside, "i1"),
            ("segment_ids", inside & (column >= 2), "i1"), ("masked_lm_positions", positions, "i4"),
            ("masked_lm_ids", labels, "i8"), ("next_sentence_labels", row[:, 0] % 2, "u1")]


def write(path, libver, chunks, **how):
    with h5py.File(path, "w", libver=libver) as file:
        for name, numbers, kind in datasets():
            file.create_dataset(name, data=numbers.astype(kind), dtype=kind,
                                chunks=chunks if numbers.ndim == 2 else chunks and chunks[:1], **how)


if __name__ == "__main__":
    here = Path(__file__).resolve().parent
    write(here / "bert_old.hdf5", "earliest", (4, 3), compression="gzip", shuffle=True, fletcher32=True)
    write(here / "bert_plain.hdf5", "earliest", None)
    write(here / "bert_v108.hdf5", ("v108", "v108"), (64, 3), compression="gzip")
    write(here / "bert_latest.hdf5", "latest", (64, 3), compression="gzip")
