"""torchvision finds the same pictures and labels as we, in the same order."""

import json
import unittest
from pathlib import Path

import torchvision
from support import DataSets


class ImageFolder(DataSets):
    def test_reads_ours(self):
        root = self.make("imagefolder")
        manifest = json.loads((root / "trainmark-data.json").read_text())  # of which each line is sum and name
        names = [line.split("  ", 1)[1] for line in manifest["checksums"]]
        found = torchvision.datasets.ImageFolder(root)
        self.assertEqual([path for path, _ in found.samples], [str(root / name) for name in names])

    def test_is_read_by_us(self):
        pictures = self.pictures()
        for number, (label, picture) in enumerate(pictures):
            file = self.folder / "theirs" / "train" / f"n{9 - label}" / ("deep" if number % 2 else ".") / f"{number}.JPEG"
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(picture)
        found = torchvision.datasets.ImageFolder(self.folder / "theirs" / "train")
        read = [(label, Path(path).read_bytes()) for path, label in found.samples]
        self.assert_reads(self.folder / "theirs", "imagefolder", read)


if __name__ == "__main__":
    unittest.main()
