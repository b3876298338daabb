"""Batches of pictures in memory: the C++ pipeline's, item by item and pixel by pixel."""

import json
import subprocess
import unittest
from argparse import Namespace
from types import SimpleNamespace

import numpy as np
import support
from equality import FOLDER
from quality import make_pictures
from trainmark.arrays import ArrayEvaluation, ArrayFeed, GreyPictures
from trainmark.data_sets import open_data_set, open_evaluation_set
from trainmark.input import DEVIATION, MEAN
from trainmark.order import ItemChances, epoch_seed, item_words, permutation
from trainmark.position import RankPosition
from trainmark.shifts import MEAN_COLOUR, shifted

SAVE_BATCH = FOLDER / "trainmark_save_batch"


class ArrayCase(support.TemporaryFolder):
    def setUp(self):
        super().setUp()
        self.data = make_pictures(self.folder / "pictures", trained=60, evaluated=23)

    def make_cell(self, side=32, batch=16, seed=1, augmentation="shifts", rank=0, ranks=1, first=(0, 0)):
        formats = ["fashion-mnist"]
        training = open_data_set(self.data, "labelled-images", formats)
        return SimpleNamespace(
            data_set=training,
            evaluation_set=open_evaluation_set(training, self.data, None, "labelled-images", formats),
            size=SimpleNamespace(side=side),
            options=Namespace(batch=batch, seed=seed, workers=2),
            position=RankPosition(rank=rank, ranks=ranks),
            recipe=SimpleNamespace(augmentation=augmentation),
            batches_per_epoch=max(1, training.samples // ranks // batch),
            first_batch=first,
        )

    def make_feed(self, layout="NHWC", **settings):
        feed = ArrayFeed(self.make_cell(**settings), layout, lambda arrays: arrays)
        self.addCleanup(feed.close)
        return feed


def as_bytes(images):
    """Before they were normalized: [items, height, width, 3]."""
    return np.rint((images * np.array(DEVIATION, np.float32) + np.array(MEAN, np.float32)) * 255).astype(np.int64)


@unittest.skipUnless(SAVE_BATCH.exists(), "the C++ program that saves a batch is not built")
@support.needs("safetensors")
class Cpp(ArrayCase):
    def expect_same(self, side, seed, augmentation, most=0):
        from safetensors.numpy import load_file

        saved = self.folder / "batch.safetensors"
        command = [SAVE_BATCH, self.data, side, 60, seed, saved, augmentation]
        items = json.loads(subprocess.check_output(list(map(str, command))))
        wanted = load_file(saved)
        batch = self.make_feed(side=side, batch=60, seed=seed, augmentation=augmentation).next()
        self.assertEqual(batch["labels"].tolist(), wanted["labels"].tolist())
        difference = np.abs(as_bytes(batch["images"]) - wanted["images"])
        self.assertLessEqual(difference.max(), most)
        self.assertLess(difference.mean(), 0.1)
        return items

    def test_same_items_same_shifts_same_pixels(self):
        for seed in (1, 2**63 + 5):
            items = self.expect_same(28, seed, "shifts")
            self.assertEqual({item["flipped"] for item in items}, {True, False})
            self.assertEqual({abs(item["box"][0]) for item in items}, {0, 1, 2, 3})

    def test_resized_pictures_differ_by_rounding_alone(self):
        for side in (32, 64, 20):
            self.expect_same(side, 3, "shifts", most=1)
        self.expect_same(32, 3, "none", most=1)


class Feeds(ArrayCase):
    def test_an_epoch_has_each_item_once_and_ranks_share_it(self):
        feeds = [self.make_feed(batch=10, rank=rank, ranks=2, augmentation="none", side=28) for rank in range(2)]
        images = np.concatenate([feed.next()["images"] for _ in range(3) for feed in feeds])
        own = feeds[0].data_set.images
        found = {tuple(image[:, :, 0].ravel().tolist()) for image in as_bytes(images)}
        self.assertEqual(found, {tuple(image.ravel().tolist()) for image in own})

    def test_goes_on_where_it_is_told_to(self):
        whole = self.make_feed(batch=20)
        batches = [whole.next() for _ in range(7)]
        for place, first in ((2, (0, 2)), (4, (1, 1)), (6, (2, 0))):
            later = self.make_feed(batch=20, first=first).next()
            np.testing.assert_array_equal(later["images"], batches[place]["images"])
            np.testing.assert_array_equal(later["labels"], batches[place]["labels"])

    def test_both_layouts_have_the_same_pixels(self):
        one, other = (self.make_feed(layout).next()["images"] for layout in ("NHWC", "NCHW"))
        np.testing.assert_array_equal(one, other.transpose(0, 2, 3, 1))

    def test_seeds_and_epochs_have_orders_of_their_own(self):
        orders = {tuple(permutation(60, epoch_seed(seed, epoch))) for seed in range(4) for epoch in range(4)}
        self.assertEqual(len(orders), 16)
        for count in (1, 2, 60, 1000):
            self.assertEqual(sorted(permutation(count, 7)), list(range(count)))

    def test_epochs_have_orders_of_their_own(self):
        feed = self.make_feed(batch=30, augmentation="none")
        first, second = ([tuple(feed.next()["labels"]) for _ in range(2)] for _ in range(2))
        self.assertNotEqual(first, second)

    def test_a_whole_batch_is_shifted_as_its_pictures_are(self):
        pictures = GreyPictures(self.make_cell().data_set, 28, "NHWC")
        items, mirrored = np.arange(6), np.arange(6) % 2 == 0
        right, down = np.array([0, 3, -3, 2, 0, -1]), np.array([1, 0, 3, -2, 0, -3])
        found = as_bytes(pictures.batch(items, (right, down, mirrored))["images"])
        for item in items:
            colours = np.repeat(self.make_cell().data_set.images[item][:, :, None], 3, axis=2)
            wanted = shifted(colours, right[item], down[item], mirrored[item])
            np.testing.assert_array_equal(found[item], wanted)

    def test_evaluation_has_each_item_once_in_order_as_it_is(self):
        labels, images = [], []
        for rank in range(2):
            cell = self.make_cell(side=28, batch=5, rank=rank, ranks=2)
            for batch in ArrayEvaluation(cell, "NHWC", lambda arrays: arrays).batches():
                self.assertLessEqual(len(batch["labels"]), 5)
                labels += batch["labels"].tolist()
                images.append(as_bytes(batch["images"])[..., 0])
        self.assertEqual(labels, list(cell.evaluation_set.labels))
        np.testing.assert_array_equal(np.concatenate(images), cell.evaluation_set.images)

    def test_a_shift_by_hand(self):
        picture = np.arange(1, 13, dtype=np.uint8).reshape(2, 2, 3)
        moved = shifted(picture, 1, 0, mirrored=True)
        self.assertEqual(moved[:, 1].tolist(), picture[:, 1].tolist(), "what was right is left, and moved right again")
        self.assertEqual(moved[0, 0].tolist(), MEAN_COLOUR.tolist())
        moved = shifted(picture, 0, -1, mirrored=False)
        self.assertEqual(moved[0].tolist(), picture[1].tolist())
        self.assertEqual(moved[1, 0].tolist(), [124, 116, 104])

    def test_an_items_numbers_are_the_same_one_by_one_and_together(self):
        chances = ItemChances(5, "crop", 3, [9, 10])
        together = np.stack([chances.integers(2**32) for _ in range(4)])
        self.assertEqual(together[:, 1].tolist(), item_words(5, "crop", 3, 10, 4).tolist())


if __name__ == "__main__":
    unittest.main()
