"""Batches of data sets on TensorFlow."""

import support
from feeding import CLASSES, COUNT, FeedCase, FeedTests, colour_of
from training import make_trainer

support.use_framework("tensorflow")


def encode(colour, width, height):
    import numpy as np
    import tensorflow as tf

    return tf.io.encode_jpeg(np.full((height, width, 3), colour, np.uint8), quality=95).numpy()


@support.needs("tensorflow")
class TfData(FeedTests, FeedCase):
    encode = staticmethod(encode)

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        make_trainer("transformer")

    @staticmethod
    def arrays_of(batch):
        return batch["images"].numpy().transpose(0, 3, 1, 2), batch["labels"].numpy()

    def make_records(self, files=2, label=lambda number: number % CLASSES):
        import tensorflow as tf

        folder = self.folder / "records"
        folder.mkdir(exist_ok=True)
        for file in range(files):
            with tf.io.TFRecordWriter(str(folder / f"train-{file}.tfrecord")) as writer:
                for number in range(file, COUNT, files):
                    picture = tf.train.BytesList(value=[encode(colour_of(number), 60, 50)])
                    features = {
                        "image/encoded": tf.train.Feature(bytes_list=picture),
                        "image/class/label": tf.train.Feature(int64_list=tf.train.Int64List(value=[label(number)])),
                    }
                    example = tf.train.Example(features=tf.train.Features(feature=features))
                    writer.write(example.SerializeToString())
        return folder

    def test_records_have_the_same_pictures_and_labels(self):
        feed = self.expect_epochs(self.make_records())
        self.assertEqual(feed.facts()["format"], "tfrecord")

    def test_ranks_share_the_records_of_one_file(self):
        for files in (1, 2):
            parts = []
            for rank in range(2):
                feed = self.make_feed(self.make_records(files), "--batch", 4, rank=rank, ranks=2)
                parts += self.take(feed, COUNT // 8)[0]
            self.assertEqual(sorted(parts), list(range(COUNT)))
            (self.folder / "records" / "train-0.tfrecord").unlink()

    def test_a_label_without_a_place_in_the_model_is_named(self):
        from trainmark.failure import BadItem

        feed = self.make_feed(self.make_records(label=lambda number: 10 if number == 3 else 0), "--batch", 4)
        with self.assertRaisesRegex(BadItem, "train-1.tfrecord:1"):
            self.take(feed, COUNT // 4)

    def test_records_that_are_cut_off_are_refused(self):
        from trainmark.failure import UserError

        file = self.make_records(1) / "train-0.tfrecord"
        file.write_bytes(file.read_bytes()[:-5])
        with self.assertRaisesRegex(UserError, "train-0.tfrecord is cut off in record 15"):
            self.make_feed(file)

    def test_png_is_read_too(self):
        import numpy as np
        import tensorflow as tf

        victim = self.folder_of_images / "class1" / "05.jpg"
        pixels = np.full((40, 50, 3), colour_of(5), np.uint8)
        victim.write_bytes(tf.io.encode_png(pixels).numpy())
        self.expect_epochs(self.folder_of_images)

    def test_xla_takes_new_batches(self):
        events = self.train("--steps", 3, "--mode", "xla")
        self.assertEqual(len({step["loss"] for step in events if step["event"] == "step"}), 3)
