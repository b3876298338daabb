"""WebDataset reads our tar files, and we read its."""

import unittest

import webdataset
from support import DataSets


class WebDataset(DataSets):
    def test_reads_ours(self):
        shards = sorted(str(path) for path in self.make("webdataset").glob("*.tar"))
        samples = webdataset.WebDataset(shards, shardshuffle=False).to_tuple("jpg", "cls")
        self.assert_same([(int(label), picture) for picture, label in samples])

    def test_is_read_by_us(self):
        pictures = self.pictures()
        with webdataset.TarWriter(str(self.folder / "theirs.tar")) as writer:
            for number, (label, picture) in enumerate(pictures):
                # A key that the head of a tar entry has no room for.
                writer.write({"__key__": f"{'folder/' * 20}sample{number:04}", "jpg": picture, "cls": label, "json": {"a": 1}})
        self.assert_reads(self.folder / "theirs.tar", "webdataset", pictures)


if __name__ == "__main__":
    unittest.main()
