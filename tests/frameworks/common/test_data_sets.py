"""Which items a data set has, and what is wrong with it."""

import gzip
import struct
import tarfile
import unittest

import support
from feeding import add_member
from trainmark.data_sets import open_data_set, open_evaluation_set
from trainmark.failure import UserError

IMAGES = "labelled-images"
ALL = ["imagefolder", "webdataset", "tfrecord", "fashion-mnist", "cityscapes", "cyclegan"]


class DataSetTest(support.TemporaryFolder):
    def open(self, path=".", kind=IMAGES, formats=ALL):
        return open_data_set(self.folder / path, kind, formats)

    def open_evaluation(self, path=".", other=None, kind=IMAGES, formats=ALL):
        other = other and self.folder / other
        return open_evaluation_set(self.open(path, kind, formats), self.folder / path, other, kind, formats)

    def write(self, *paths, content=b"x"):
        for path in paths:
            (self.folder / path).parent.mkdir(parents=True, exist_ok=True)
            (self.folder / path).write_bytes(content)

    def refuses(self, message, path=".", kind=IMAGES, formats=ALL):
        with self.assertRaisesRegex(UserError, message):
            self.open(path, kind, formats)


class Formats(DataSetTest):
    def test_what_is_not_there_or_not_known_is_refused(self):
        self.refuses("nowhere was not found", "nowhere")
        self.write("a.txt")
        self.refuses("is not in any of the formats that can be read here: imagefolder")
        self.refuses("not in any of the formats", "a.txt")
        self.write("tulips/1.jpg")
        self.refuses("holds labelled-images .imagefolder., and image-pairs are needed", kind="image-pairs")
        self.refuses("has the format imagefolder; this pipeline reads tfrecord", formats=["tfrecord"])


class ImageFolder(DataSetTest):
    def test_classes_are_folders_in_the_order_of_their_names(self):
        self.write("b/2.JPG", "b/1.png", "b/deep/3.jpeg", "a/x.jpg", "a/notes.txt", "readme.txt")
        found = self.open()
        self.assertEqual([part.name for part in found.parts], ["a/x.jpg", "b/1.png", "b/2.JPG", "b/deep/3.jpeg"])
        self.assertEqual(found.labels, [0, 1, 1, 1])
        self.assertEqual((found.samples, found.classes, found.format), (4, 2, "imagefolder"))
        self.assertEqual(found.read(found.parts[0]), b"x")

    def test_the_split_for_training_is_taken_where_there_is_one(self):
        self.write("train/a/1.jpg", "train/b/2.jpg", "val/a/3.jpg")
        self.assertEqual([part.name for part in self.open().parts], ["a/1.jpg", "b/2.jpg"])

    def test_a_class_may_be_called_train(self):
        self.write("train/1.jpg", "walk/2.jpg")
        self.assertEqual(self.open().labels, [0, 1])

    def test_a_class_without_pictures_would_change_the_labels_behind_it(self):
        self.write("a/1.jpg", "b/none.txt", "c/2.jpg")
        self.refuses("b has no picture; remove the folder")


class WebDataset(DataSetTest):
    def make(self, *members, name="a.tar"):
        with tarfile.open(self.folder / name, "w") as archive:
            for member, content in members:
                add_member(archive, member, content)

    def test_samples_have_the_label_beside_them(self):
        self.make(("x/1.jpg", b"first"), ("x/1.cls", b"3\n"), ("2.cls", b"0"), ("2.json", b"{}"), ("2.PNG", b"second"))
        self.make(("1.jpeg", b"third"), ("1.cls", b"1"), name="b.tar")
        found = self.open()
        self.assertEqual([part.name for part in found.parts], ["a.tar:x/1.jpg", "a.tar:2.PNG", "b.tar:1.jpeg"])
        self.assertEqual((found.labels, found.classes), ([3, 0, 1], 4))
        self.assertEqual([found.read(part) for part in found.parts], [b"first", b"second", b"third"])

    def test_a_sample_without_its_one_label_is_named(self):
        for members, message in (
            ([("1.jpg", b"x")], "'1' has 1 pictures and 0 labels"),
            ([("1.jpg", b"x"), ("2.jpg", b"x"), ("1.cls", b"0")], "'1' has 1 pictures and 0 labels"),
            ([("1.cls", b"0")], "'1' has 0 pictures and 1 labels"),
            ([("1.jpg", b"x"), ("1.png", b"x"), ("1.cls", b"0")], "'1' has 2 pictures and 1 labels"),
            ([("1.jpg", b"x"), ("1.cls", b"cat")], "1.cls: 'cat' is not the number of a class"),
            ([("1.jpg", b"x"), ("1.cls", b"-1")], "is not the number of a class"),
            ([("1.jpg", b"x"), ("1.cls", b"\xff" * 40)], "is not the number of a class"),
            ([("notes", b"x")], "there are no samples"),
        ):
            with self.subTest(message):
                self.make(*members)
                self.refuses(message)

    def test_what_is_no_tar_is_refused(self):
        self.write("a.tar", content=b"not a tar at all" * 100)
        self.refuses("a.tar cannot be read")


class Records(DataSetTest):
    def test_records_are_counted_by_their_lengths(self):
        record = struct.pack("<Q", 5) + b"----" + b"12345" + b"----"
        self.write("train-00000-of-00002", "b.tfrecord", content=2 * record)
        self.assertEqual(self.open().samples, 4)
        self.write("b.tfrecord", content=2 * record + b"rest")
        self.refuses("b.tfrecord is cut off in record 2")
        self.write("b.tfrecord", content=struct.pack("<Q", 2**63) + b"----")
        self.refuses("b.tfrecord is cut off in record 0", "b.tfrecord")
        self.write("b.tfrecord", content=b"")
        self.refuses("there are no records", "b.tfrecord")


class Tokens(DataSetTest):
    def make(self, name, count, magic=20240520, version=1, width=2, cut=0):
        content = struct.pack("<3i", magic, version, count) + bytes(1012) + bytes(width * count)
        self.write(name, content=content[: len(content) - cut])

    def open_tokens(self):
        return self.open(kind="masked-sentences", formats=["token-bin"])

    def test_windows_lie_within_shards(self):
        self.make("a.bin", 1100)
        self.make("b.bin", 7, magic=20240801, version=7, width=4)
        found = self.open_tokens()
        self.assertEqual([part.name for part in found.parts], ["a.bin:0", "a.bin:512", "b.bin:0"])
        self.assertEqual([part[2:] for part in found.parts], [(1024, 1024), (2048, 1024), (1024, 28)])
        self.assertEqual([found.parts.width_at(index) for index in range(3)], [2, 2, 4])

    def test_those_of_nanogpt_have_no_header(self):
        self.write("train.bin", content=bytes(2048))
        self.write("model.bin")
        self.assertEqual([part.name for part in self.open_tokens().parts], ["train.bin:0", "train.bin:512"])
        self.write("train.bin", content=bytes(3))
        with self.assertRaisesRegex(UserError, "its 3 bytes are not whole tokens"):
            self.open_tokens()

    def test_damaged_headers_are_refused(self):
        self.make("a.bin", 5)
        for message, settings in (
            ("claims 5 tokens, but 9 bytes follow", {"cut": 1}),
            ("is shorter than the header", {"cut": 11}),
            ("magic number 20240520 and version 2 are not a header", {"version": 2}),
            ("magic number 7 and version 1 are not a header", {"magic": 7}),
        ):
            with self.subTest(message), self.assertRaisesRegex(UserError, f"b.bin.* {message}"):
                self.make("b.bin", 5, **settings)
                self.open_tokens()
        self.make("b.bin", 0)
        self.make("a.bin", 0)
        with self.assertRaisesRegex(UserError, "holds no tokens"):
            self.open_tokens()


@support.needs("numpy")
class FashionMnist(DataSetTest):
    def make(self, count=2, labels=2, magic=0x803, cut=0):
        images = struct.pack(">IIII", magic, count, 2, 3) + bytes(range(6 * count))
        self.write("train-images-idx3-ubyte", content=images[: len(images) - cut])
        content = struct.pack(">II", 0x801, labels) + bytes(range(7, 7 + labels))
        self.write("train-labels-idx1-ubyte.gz", content=gzip.compress(content))

    def test_pictures_and_labels_may_be_packed(self):
        self.make()
        found = self.open()
        self.assertEqual((found.images.shape, found.labels, found.classes), ((2, 2, 3), [7, 8], 9))
        self.assertEqual(found.images[1].tolist(), [[6, 7, 8], [9, 10, 11]])

    def test_a_file_of_another_split_may_be_named(self):
        self.make()
        for name in ("train-images-idx3-ubyte", "train-labels-idx1-ubyte.gz"):
            (self.folder / name).rename(self.folder / name.replace("train", "t10k"))
        self.assertEqual(self.open("t10k-images-idx3-ubyte").labels, [7, 8])
        (self.folder / "t10k-labels-idx1-ubyte.gz").unlink()
        self.refuses("t10k-labels-idx1-ubyte was not found beside it", "t10k-images-idx3-ubyte")

    def test_files_that_do_not_fit_are_refused(self):
        self.make(labels=3)
        self.refuses("has 2 pictures and 3 labels")
        self.make(cut=1)
        self.refuses("ends after 11 bytes; its header says 12")
        self.make(magic=0x801)
        self.refuses("is not an IDX file of bytes with 3 dimensions")
        self.make()
        self.write("train-labels-idx1-ubyte.gz", content=b"not packed")
        self.refuses("train-labels-idx1-ubyte.gz cannot be read")


class Splits(DataSetTest):
    """For evaluation: where the C++ readers find them, too."""

    def names(self, data_set):
        return [part.name for part in data_set.parts]

    def test_folders_of_classes_lie_beside_those_for_training(self):
        self.write("train/a/1.jpg", "train/b/2.jpg", "val/a/3.jpg", "val/b/4.jpg", "test/a/5.jpg")
        for path in (".", "train"):
            found = self.open_evaluation(path)
            self.assertEqual((self.names(found), found.labels), (["a/3.jpg", "b/4.jpg"], [0, 1]))
        self.assertEqual(self.names(self.open_evaluation(other="val")), ["a/3.jpg", "b/4.jpg"])

    def test_labels_stand_for_the_same(self):
        self.write("train/a/1.jpg", "train/b/2.jpg", "val/b/4.jpg")
        with self.assertRaisesRegex(UserError, "class 0 is 'a' in the data set for training, and 'b' in that for evaluation"):
            self.open_evaluation()
        self.write("val/a/3.jpg", "val/c/4.jpg")
        with self.assertRaisesRegex(UserError, "class 2 is none in the data set for training, and 'c' in that"):
            self.open_evaluation()

    def test_without_one_another_path_is_asked_for(self):
        self.write("a/1.jpg", "b/2.jpg", "other/a/1.jpg", "other/b/2.jpg", "val/x.txt")
        with self.assertRaisesRegex(UserError, "has no split for evaluation; add --evaluation-data PATH"):
            self.open_evaluation("other")
        with self.assertRaisesRegex(UserError, "--evaluation-data: .*nowhere was not found"):
            self.open_evaluation("other", other="nowhere")

    def test_shards_are_known_by_words_of_their_names_or_by_their_folder(self):
        header = struct.pack("<256i", 20240520, 1, 1, *[0] * 253)
        tokens = dict(kind="masked-sentences", formats=["token-bin"])
        shards = header + b"\1\0"
        self.write("named/x_train_1.bin", "named/x_val_1.bin", "named/x_test_1.bin", "named/evaluate_2.bin", content=shards)
        self.assertEqual(self.names(self.open("named", **tokens)), ["evaluate_2.bin:0", "x_train_1.bin:0"])
        self.assertEqual(self.names(self.open_evaluation("named", **tokens)), ["x_val_1.bin:0"])
        self.assertEqual(self.names(self.open_evaluation("named/x_train_1.bin", **tokens)), ["x_val_1.bin:0"])
        self.write("folders/train/1.bin", "folders/val/2.bin", content=shards)
        self.assertEqual(self.names(self.open("folders", **tokens)), ["1.bin:0"])
        self.assertEqual(self.names(self.open_evaluation("folders", **tokens)), ["2.bin:0"])
        self.write("alone/val_1.bin", content=shards)
        self.assertEqual(self.names(self.open("alone", **tokens)), ["val_1.bin:0"], "nothing else is there")
        with self.assertRaisesRegex(UserError, "no split for evaluation"):
            self.open_evaluation("alone", **tokens)

    def test_those_of_cityscapes_and_cyclegan(self):
        for split in ("train", "val"):
            self.write(f"city/leftImg8bit/{split}/a/{split}_leftImg8bit.png")
            self.write(f"city/gtFine/{split}/a/{split}_gtFine_labelIds.png")
        self.assertEqual(self.names(self.open_evaluation("city", kind="labelled-pixels")), ["a/val_leftImg8bit.png"])
        self.write("gan/trainA/1.jpg", "gan/trainB/1.jpg", "gan/testA/1.jpg", "gan/testA/2.jpg", "gan/testB/1.jpg")
        found = self.open_evaluation("gan", kind="image-pairs")
        self.assertEqual((found.samples, self.names(found)[0]), (1, "testA/1.jpg"), "as many as there are of both")
        self.write("alone/trainA/1.jpg", "alone/trainA/2.jpg", "alone/trainB/1.jpg")
        found = self.open_evaluation("gan", other="alone", kind="image-pairs")
        self.assertEqual(found.samples, 1, "also where all of another set is taken")


if __name__ == "__main__":
    unittest.main()
