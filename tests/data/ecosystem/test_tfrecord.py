"""TensorFlow reads our TFRecord files, and we read its."""

import os
import unittest

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "2"

import tensorflow as tf
from support import DataSets


class TfRecord(DataSets):
    def test_reads_ours(self):
        files = sorted(str(path) for path in self.make("tfrecord").glob("train-*-of-*"))
        features = {"image/encoded": tf.io.FixedLenFeature([], tf.string),
                    "image/class/label": tf.io.FixedLenFeature([], tf.int64),
                    "image/format": tf.io.FixedLenFeature([], tf.string)}
        found = []
        for record in tf.data.TFRecordDataset(files):  # which checks the sums
            example = tf.io.parse_single_example(record, features)
            self.assertEqual(example["image/format"].numpy(), b"JPEG")
            found.append((int(example["image/class/label"].numpy()), example["image/encoded"].numpy()))
        self.assert_same(found)

    def test_is_read_by_us(self):
        pictures = self.pictures()
        for names in (("image/encoded", "image/class/label"), ("image", "label")):
            path = self.folder / f"{names[1].replace('/', '-')}.tfrecord"
            with tf.io.TFRecordWriter(str(path)) as writer:
                for label, picture in pictures:
                    writer.write(self.example(names, picture, label))
            self.assert_reads(path, "tfrecord", pictures)

    @staticmethod
    def example(names, picture, label):
        def of_bytes(value):
            return tf.train.Feature(bytes_list=tf.train.BytesList(value=[value]))

        def of_numbers(*values):
            return tf.train.Feature(int64_list=tf.train.Int64List(value=values))

        features = {"image/height": of_numbers(48), "image/filename": of_bytes(b"x.jpg"), names[0]: of_bytes(picture),
                    "image/object/bbox/label": of_numbers(1, 2, 3), names[1]: of_numbers(label),
                    "image/object/bbox/xmin": tf.train.Feature(float_list=tf.train.FloatList(value=[0.5, 0.25]))}
        return tf.train.Example(features=tf.train.Features(feature=features)).SerializeToString()


if __name__ == "__main__":
    unittest.main()
