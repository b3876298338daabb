"""MXNet reads our RecordIO files, and we read its: also those of face recognition."""

import unittest

import numpy

numpy.bool = bool  # MXNet 1.9 asks for the name that NumPy has dropped

from mxnet import recordio
from support import CLASSES, ITEMS, DataSets

MARK = b"\x0a\x23\xd7\xce"  # that parts of records begin with


class RecordIo(DataSets):
    def write(self, name, records):
        """Records as MXNet writes them: (head, bytes)."""
        path = self.folder / f"{name}.rec"
        writer = recordio.MXIndexedRecordIO(str(self.folder / f"{name}.idx"), str(path), "w")
        for key, (head, picture) in enumerate(records):
            writer.write_idx(key, recordio.pack(head, picture))
        writer.close()
        return path

    def test_reads_ours(self):
        folder = self.make("recordio")
        indexed = recordio.MXIndexedRecordIO(str(folder / "train.idx"), str(folder / "train.rec"), "r")
        self.assertEqual(len(indexed.keys), ITEMS)
        found = []
        for key in indexed.keys:
            head, picture = recordio.unpack(indexed.read_idx(key))
            found.append((int(head.label), picture))
        self.assert_same(found)
        plain = recordio.MXRecordIO(str(folder / "train.rec"), "r")
        self.assertEqual(sum(1 for _ in iter(plain.read, None)), ITEMS)

    def test_is_read_by_us(self):
        # Behind the end of a JPEG may be anything, also what such records are cut at.
        pictures = [(label, picture + bytes(-len(picture) % 4) + MARK * 2 + b"end") for label, picture in self.pictures()]
        path = self.write("theirs", [(recordio.IRHeader(0, label, 0, 0), picture) for label, picture in pictures])
        self.assert_reads(path, "recordio", pictures)
        (self.folder / "theirs.idx").unlink()
        self.assert_reads(path, "recordio", pictures)

    def test_of_faces_is_read_by_us(self):
        pictures = self.pictures()
        end = len(pictures) + 1
        head = [(recordio.IRHeader(0, [end, end + CLASSES], 0, 0), b"")]
        faces = [(recordio.IRHeader(0, [label, 1], number, 0), picture) for number, (label, picture) in enumerate(pictures)]
        identities = [(recordio.IRHeader(0, [1, 2], 0, 0), b"")] * CLASSES
        self.assert_reads(self.write("faces", head + faces + identities), "recordio", pictures)


if __name__ == "__main__":
    unittest.main()
