"""The C++ pipeline makes the same of a picture as torchvision: same part, same pixels but for rounding, same label."""

import io
import json
import subprocess
import unittest

import support
from equality import FOLDER
from feeding import add_member

SAVE_BATCH = FOLDER / "trainmark_save_batch"
SIDE, ITEMS, CLASSES = 64, 24, 3
# As cameras, scanners and programs write them: colours halved in both directions, in one or not at all, grey, in several
# passes, without loss, with a palette, and so that no side is a multiple of a block.
KINDS = (
    ("JPEG", {"quality": 90, "subsampling": "4:2:0"}),
    ("JPEG", {"quality": 75, "subsampling": "4:2:2"}),
    ("JPEG", {"quality": 95, "subsampling": "4:4:4", "progressive": True}),
    ("PNG", {}),
)


@support.needs("torch")
@unittest.skipUnless(SAVE_BATCH.exists(), "the C++ program that saves a batch is not built")
class SamePictures(support.TemporaryFolder):
    def make_picture(self, number):
        """Smooth waves, edges and some noise."""
        import numpy as np
        from PIL import Image

        chances = np.random.default_rng(number)
        height, width = 90 + 37 * (number % 5), 120 + 41 * (number % 7)
        y, x = np.mgrid[0:height, 0:width]
        waves = [np.sin(x / chances.uniform(3, 30) + y / chances.uniform(3, 30) + phase) for phase in range(3)]
        pixels = 128 + 90 * np.stack(waves, axis=-1) + chances.normal(0, 8, (height, width, 3))
        pixels[height // 3 : height // 2, width // 4 : width // 2] = chances.integers(0, 256, 3)
        return Image.fromarray(np.clip(pixels, 0, 255).astype(np.uint8))

    def encode(self, number):
        """Gives the bytes and how the name of a file ends."""
        picture = self.make_picture(number)
        form, settings = KINDS[number % len(KINDS)]
        if number % 8 == 7:
            picture = picture.quantize(64)
        elif number % 6 == 5:
            picture = picture.convert("L")
            settings = {key: value for key, value in settings.items() if key != "subsampling"}
        file = io.BytesIO()
        picture.save(file, form, **settings)
        return file.getvalue(), "jpg" if form == "JPEG" else "png"

    def make_image_folder(self):
        for number in range(ITEMS):
            content, ending = self.encode(number)
            place = self.folder / "folders" / f"class{number % CLASSES}"
            place.mkdir(parents=True, exist_ok=True)
            (place / f"{number:03}.{ending}").write_bytes(content)
        return self.folder / "folders"

    def make_webdataset(self):
        import tarfile

        with tarfile.open(self.folder / "all.tar", "w") as archive:
            for number in range(ITEMS):
                content, ending = self.encode(number)
                add_member(archive, f"{number:03}.{ending}", content)
                add_member(archive, f"{number:03}.cls", str(number % CLASSES).encode())
        return self.folder / "all.tar"

    def expect_same(self, data, seed):
        from safetensors.numpy import load_file
        from trainmark.data_sets import open_data_set

        saved = self.folder / "batch.safetensors"
        command = [SAVE_BATCH, data, SIDE, ITEMS, seed, saved]
        items = json.loads(subprocess.check_output(list(map(str, command))))
        batch = load_file(saved)
        ours = open_data_set(data, "labelled-images", ["imagefolder", "webdataset"])
        numbers = {part.name: number for number, part in enumerate(ours.parts)}
        self.assertEqual(sorted(item["name"] for item in items), sorted(numbers))
        for item, image, label in zip(items, batch["images"], batch["labels"]):
            number = numbers[item["name"]]
            self.assertEqual(label, ours.labels[number], item["name"])
            self.expect_same_picture(image, ours, number, item)
        return items

    def expect_same_picture(self, image, ours, number, item):
        import numpy as np
        from torchvision.transforms.v2 import functional
        from trainmark.pillow import open_picture

        expected = functional.resized_crop(open_picture(ours, number), *item["box"], [SIDE, SIDE], antialias=True)
        if item["flipped"]:
            expected = functional.hflip(expected)
        difference = np.abs(np.asarray(expected, np.int16) - image)
        self.assertLessEqual(difference.mean(), 1, item)
        self.assertLessEqual(np.median(difference), 1, item)

    def test_of_an_image_folder(self):
        items = self.expect_same(self.make_image_folder(), seed=1)
        self.assertEqual({item["flipped"] for item in items}, {False, True})
        others = self.expect_same(self.folder / "folders", seed=2)
        self.assertNotEqual(items, others)

    def test_of_a_webdataset(self):
        self.expect_same(self.make_webdataset(), seed=3)


if __name__ == "__main__":
    unittest.main()
