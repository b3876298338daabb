"""h5py reads the HDF5 files that Trainmark makes, and Trainmark those that h5py makes."""

import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

import h5py
import numpy
from support import TRAINMARK

ITEMS = 2500
MANIFEST = "trainmark-data.json"  # has the checksum of every item


def trainmark(*words):
    return subprocess.run([TRAINMARK, "data", *map(str, words)], capture_output=True, text=True)


def datasets(path):
    with h5py.File(path) as file:
        return {name: dataset[:] for name, dataset in file.items()}


class Hdf5(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = Path(cls.enterClassContext(tempfile.TemporaryDirectory()))
        cls.made = cls.folder / "made"
        run = trainmark("make", "--format", "bert-hdf5", "--items", ITEMS, "--out", cls.made)
        if run.returncode != 0:
            raise AssertionError(run.stderr)
        cls.files = sorted(cls.made.glob("*.hdf5"))

    def test_h5py_reads_ours_as_nvidia_reads_its_own(self):
        rows = 0
        for path in self.files:
            data = datasets(path)
            self.assertEqual(
                {name: values.dtype.name for name, values in data.items()},
                {"input_ids": "int32", "input_mask": "int8", "segment_ids": "int8", "masked_lm_positions": "int32",
                 "masked_lm_ids": "int32", "next_sentence_labels": "int8"})
            rows += len(data["input_ids"])
            mask = data["input_mask"]
            lengths = mask.sum(axis=1)
            column = numpy.arange(mask.shape[1])
            numpy.testing.assert_array_equal(mask, column < lengths[:, None])
            self.assertTrue((data["input_ids"][mask == 0] == 0).all())
            self.assertTrue((data["input_ids"][mask == 1] > 0).all())
            self.assertTrue((numpy.diff(data["segment_ids"] * mask, axis=1)[mask[:, 1:] == 1] >= 0).all())
            self.assertEqual(set(numpy.unique(data["next_sentence_labels"])), {0, 1})
            positions, labels = data["masked_lm_positions"], data["masked_lm_ids"]
            self.assertTrue((positions[:, 0] > 0).all())
            self.assertTrue((positions < lengths[:, None]).all())
            numpy.testing.assert_array_equal(positions > 0, labels > 0)
        self.assertEqual(rows, ITEMS)

    def rewrite(self, name, libver, chunks=None, **how):
        """The made set with every file written again by h5py."""
        folder = self.folder / name
        folder.mkdir()
        for path in self.files:
            with h5py.File(folder / path.name, "w", libver=libver) as file:
                for dataset, values in datasets(path).items():
                    file.create_dataset(dataset, data=values, dtype=values.dtype, chunks=chunks and chunks[: values.ndim], **how)
        shutil.copy(self.made / MANIFEST, folder)
        return folder

    def assert_same_items(self, folder):
        run = trainmark("check", folder)
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)

    def test_we_read_what_h5py_packs(self):
        self.assert_same_items(self.rewrite("packed", None, compression="gzip"))

    def test_we_read_what_h5py_writes_in_one_piece(self):
        self.assert_same_items(self.rewrite("plain", None))

    def test_we_read_what_h5py_shuffles_and_sums(self):
        self.assert_same_items(self.rewrite("filtered", None, compression="gzip", shuffle=True, fletcher32=True))

    def test_we_read_chunks_in_trees_of_two_levels(self):
        self.assert_same_items(self.rewrite("many_chunks", None, (3, 16), compression="gzip"))

    def test_we_read_files_of_hdf5_1_8(self):
        self.assert_same_items(self.rewrite("v108", ("v108", "v108"), compression="gzip"))

    def test_a_changed_number_is_noticed(self):
        folder = self.rewrite("changed", None, compression="gzip")
        with h5py.File(folder / self.files[0].name, "r+") as file:
            file["input_ids"][17, 1] += 1
        run = trainmark("check", folder)
        self.assertEqual(run.returncode, 1, run.stdout + run.stderr)
        self.assertIn(f"{self.files[0].name}:17", run.stdout)

    def test_the_newest_kind_is_refused_with_a_way_out(self):
        run = trainmark("check", self.rewrite("latest", "latest", compression="gzip"))
        self.assertEqual(run.returncode, 2)
        self.assertIn("write it without libver='latest'", run.stderr)


if __name__ == "__main__":
    unittest.main()
