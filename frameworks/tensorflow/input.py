"""Batches of data sets on TensorFlow: tf.data."""

import tensorflow as tf

from trainmark.failure import BadItem
from trainmark.input import DEVIATION, MEAN, Feed

_PICTURES, _LABELS = ("image/encoded", "image"), ("image/class/label", "label")  # what records call them
_RECORD = {
    **{name: tf.io.FixedLenFeature([], tf.string, "") for name in _PICTURES},
    **{name: tf.io.FixedLenFeature([], tf.int64, -1) for name in _LABELS},
}
_SHUFFLED_RECORDS = 4096  # that are held in memory, so that they come in another order


class TensorFlowFeed(Feed):
    pipeline = "tf.data"
    decoder = "tensorflow"

    def __init__(self, cell):
        super().__init__(cell)
        self._cell = cell
        pictures = self._make_elements().map(self._make_item, num_parallel_calls=self.workers)
        batches = pictures.batch(cell.options.batch, drop_remainder=True).prefetch(2)
        if cell.cuda:
            batches = batches.apply(tf.data.experimental.prefetch_to_device("/GPU:0"))
        settings = tf.data.Options()
        settings.threading.private_threadpool_size = self.workers
        settings.autotune.enabled = False
        self._batches = iter(batches.with_options(settings))
        self._given = 0

    def next(self):
        try:
            batch = next(self._batches)
        except tf.errors.OpError as error:
            raise BadItem(self._name_of_bad() or f"a picture cannot be read: {error.message}") from None
        self._given += 1
        return batch

    def _make_elements(self):
        """(name, label or record) of this rank's samples, in an order that follows from the seed, without an end."""
        position, seed = self._cell.position, self._cell.options.seed % 2**31
        ranks, rank = position.ranks, position.rank
        if self.data_set.format == "tfrecord":
            return self._make_records(ranks, rank, seed)
        names, labels = [part.path for part in self.data_set.parts], list(self.data_set.labels)
        files = tf.data.Dataset.from_tensor_slices((names, labels)).shard(ranks, rank)
        return files.shuffle(len(names), seed=seed).repeat()

    def _make_records(self, ranks, rank, seed):
        files = self.data_set.files
        by_files = len(files) >= ranks  # else every rank reads all and takes its share
        names = tf.data.Dataset.from_tensor_slices(files)
        names = (names.shard(ranks, rank) if by_files else names).shuffle(len(files), seed=seed)
        records = names.interleave(_records_of, cycle_length=self.workers, num_parallel_calls=self.workers)
        records = records if by_files else records.shard(ranks, rank)
        return records.shuffle(_SHUFFLED_RECORDS, seed=seed).repeat()

    def _make_item(self, name, content):
        """`content`: the label of a file, or a record."""
        if self.data_set.format == "tfrecord":
            example = tf.io.parse_single_example(content, _RECORD)
            encoded = tf.strings.join([example[name] for name in _PICTURES])  # one of them is empty
            label = tf.reduce_max([example[name] for name in _LABELS])
        else:
            encoded, label = tf.io.read_file(name), content
        label = tf.cast(label, tf.int32)
        known = tf.debugging.Assert((label >= 0) & (label < self._cell.size.classes), [name, "has the label", label])
        with tf.control_dependencies([known] if known is not None else []):
            image = self._augment(encoded)
        return {"images": image, "labels": label}

    def _augment(self, encoded):
        """A part of the picture, and only that is decoded where the format allows."""
        is_jpeg = tf.io.is_jpeg(encoded)
        whole = tf.cond(is_jpeg, lambda: tf.zeros([1, 1, 3], tf.uint8), lambda: _decode_other(encoded))
        shape = tf.cond(is_jpeg, lambda: tf.io.extract_jpeg_shape(encoded), lambda: tf.shape(whole))
        begin, size, _ = tf.image.sample_distorted_bounding_box(
            shape,
            tf.zeros([1, 0, 4]),
            aspect_ratio_range=(3 / 4, 4 / 3),
            area_range=(0.08, 1.0),
            max_attempts=10,
            use_image_if_no_bounding_boxes=True,
        )
        top, left, _ = tf.unstack(begin)
        height, width, _ = tf.unstack(size)
        image = tf.cond(
            is_jpeg,
            lambda: tf.io.decode_and_crop_jpeg(encoded, [top, left, height, width], channels=3),
            lambda: tf.image.crop_to_bounding_box(whole, top, left, height, width),
        )
        image = tf.image.resize(image, [self._cell.size.side] * 2, antialias=True)
        image = tf.image.random_flip_left_right(image)
        return (image / 255 - MEAN) / DEVIATION

    def _name_of_bad(self):
        """Those of the batch that broke are tried again one by one."""
        batch = self._cell.options.batch
        for name, content in self._make_elements().skip(self._given * batch).take(batch):
            try:
                self._make_item(name, content)
            except tf.errors.OpError as error:
                return f"{name.numpy().decode(errors='replace')} cannot be read: {error.message}"
        return None


def _records_of(file):
    records = tf.data.TFRecordDataset(file).enumerate()
    return records.map(lambda number, record: (tf.strings.join([file, tf.strings.as_string(number)], ":"), record))


def _decode_other(encoded):
    image = tf.io.decode_image(encoded, channels=3, expand_animations=False)
    return tf.ensure_shape(image, [None, None, 3])
