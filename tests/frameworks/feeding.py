"""What is true of the batches of data sets in every framework."""

import io
import math
import tarfile

import support
import training
from trainmark.command import make_options
from trainmark.failure import BadItem, UserError
from trainmark.input import DEVIATION, MEAN
from trainmark.position import RankPosition

COUNT, CLASSES = 16, 4  # of the pictures that tests make


def colour_of(number):
    """Each picture has a colour of its own, from which it is known again whatever was cut out of it."""
    return (15 * number + 8, 60 * (number % CLASSES) + 20, 128)


def encode(colour, width, height, format="JPEG"):
    from PIL import Image

    file = io.BytesIO()
    Image.new("RGB", (width, height), colour).save(file, format, quality=95)
    return file.getvalue()


def make_image_folder(folder, encode=encode):
    for number in range(COUNT):
        place = folder / f"class{number % CLASSES}"
        place.mkdir(parents=True, exist_ok=True)
        (place / f"{number:02}.jpg").write_bytes(encode(colour_of(number), 60 + number, 50))
    return folder


def make_webdataset(folder, shards=2):
    folder.mkdir()
    for shard in range(shards):
        with tarfile.open(folder / f"train-{shard}.tar", "w") as archive:
            for number in range(shard, COUNT, shards):
                add_member(archive, f"{number:04}.jpg", encode(colour_of(number), 60, 50 + number))
                add_member(archive, f"{number:04}.cls", str(number % CLASSES).encode())
    return folder


def add_member(archive, name, content):
    member = tarfile.TarInfo(name)
    member.size = len(content)
    archive.addfile(member, io.BytesIO(content))


def numbers_in(images):
    """Which of the pictures a batch of them [items, 3, height, width] has."""
    numbers = []
    for image in images:
        found = [255 * (mean * deviation + base) for mean, deviation, base in zip(image.mean((1, 2)), DEVIATION, MEAN)]
        distances = [math.dist(found, colour_of(number)) for number in range(COUNT)]
        assert min(distances) < 4, f"{found} is the colour of no picture"
        numbers.append(distances.index(min(distances)))
    return numbers


class FeedCase(support.TemporaryFolder):
    """`arrays_of(batch)`: its images, channels first, and labels as arrays."""

    encode = staticmethod(encode)
    workload = "resnet50"

    def setUp(self):
        super().setUp()
        self.folder_of_images = make_image_folder(self.folder / "pictures", self.encode)

    def make_cell(self, data, *words, rank=0, ranks=1, workload=None):
        from offer import OFFER
        from trainmark.cell import Cell

        words = ["--workload", workload or self.workload, "--size", "tiny", "--workers", "2", "--data", data, *words]
        options, _ = make_options(OFFER, list(map(str, words)))
        options.position = RankPosition(rank=rank, ranks=ranks)
        return Cell(options)

    def make_feed(self, *arguments, **settings):
        from trainer import Trainer

        feed = Trainer.make_feed(self.make_cell(*arguments, **settings))
        self.addCleanup(feed.close)
        return feed

    def take(self, feed, batches):
        """The numbers of the pictures and their labels."""
        numbers, labels = [], []
        for _ in range(batches):
            images, found = self.arrays_of(feed.next())
            numbers += numbers_in(images)
            labels += found.tolist()
        return numbers, labels

    def expect_epochs(self, data, *words):
        """Each picture once in an epoch, in another order in each, with its own label."""
        feed = self.make_feed(data, "--batch", 4, *words)
        first, labels = self.take(feed, COUNT // 4)
        self.assertEqual(sorted(first), list(range(COUNT)))
        self.assertEqual(labels, [number % CLASSES for number in first])
        second, labels = self.take(feed, COUNT // 4)
        self.assertEqual(sorted(second), list(range(COUNT)))
        self.assertEqual(labels, [number % CLASSES for number in second])
        self.assertNotEqual(first, second)
        return feed

    def train(self, *words):
        words = ("--data", self.folder_of_images, "--workers", 1, "--batch", 4, *words)
        return training.train(self.workload, *words)


class FeedTests:
    """Of a FeedCase."""

    bad_item = r"class1/05\.jpg cannot be read"

    def test_an_epoch_has_each_picture_once_with_its_label(self):
        feed = self.expect_epochs(self.folder_of_images)
        facts = feed.facts()
        self.assertEqual((facts["format"], facts["samples"], facts["workers"]), ("imagefolder", COUNT, 2))

    def test_two_ranks_have_disjoint_parts_of_an_epoch(self):
        parts = []
        for rank in range(2):
            feed = self.make_feed(self.folder_of_images, "--batch", 4, rank=rank, ranks=2)
            parts += self.take(feed, COUNT // 8)[0]
        self.assertEqual(sorted(parts), list(range(COUNT)))

    def test_trains_and_tells_how_long_steps_waited(self):
        events = self.train("--steps", 6)
        data = events[0]["data"]
        self.assertEqual((data["format"], data["samples"], data["workers"]), ("imagefolder", COUNT, 1))
        self.assertIn("parameters", events[0])
        steps = [event for event in events if event["event"] == "step"]
        self.assertEqual(len(steps), 6)
        for step in steps:
            self.assertTrue(0 < step["data"] < step["seconds"], step)
        self.assertEqual(len({step["loss"] for step in steps}), 6, "another batch, another loss")

    def test_input_only_makes_batches_and_trains_nothing(self):
        events = self.train("--input-only", "--steps", 3, "--accumulate", 2)
        self.assertNotIn("parameters", events[0])
        self.assertEqual(events[0]["data"]["samples"], COUNT)
        steps = [event for event in events if event["event"] == "step"]
        self.assertEqual([step["items"] for step in steps], [8] * 3)
        self.assertFalse(any("loss" in step for step in steps))

    def test_a_picture_that_cannot_be_read_is_named(self):
        victim = self.folder_of_images / "class1" / "05.jpg"
        for content in (victim.read_bytes()[:300], b"no picture at all", b""):
            victim.unlink()  # others may have mapped the one before
            victim.write_bytes(content)
            feed = self.make_feed(self.folder_of_images, "--batch", 4)
            with self.assertRaisesRegex(BadItem, self.bad_item):
                self.take(feed, COUNT // 4)

    def test_a_set_smaller_than_a_batch_is_repeated(self):
        numbers, _ = self.take(self.make_feed(self.folder_of_images, "--batch", 20), 1)
        self.assertEqual(len(numbers), 20)
        self.assertGreater(len(set(numbers)), COUNT // 2)

    def test_labels_without_a_place_in_the_model_are_refused(self):
        with self.assertRaisesRegex(UserError, "has 4 classes and the model 3; write --classes 4"):
            self.make_feed(self.folder_of_images, "--classes", 3)
