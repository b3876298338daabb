"""Batches of data sets on PyTorch."""

import os
import signal
import time
import unittest
from pathlib import Path

import support
from feeding import CLASSES, COUNT, FeedCase, FeedTests, colour_of, encode, make_webdataset, numbers_in

support.use_framework("pytorch")

from trainmark.failure import BadItem, Unsupported, UserError  # noqa: E402


class TorchCase(FeedCase):
    @staticmethod
    def arrays_of(batch):
        return batch["images"].numpy(), batch["labels"].numpy()


@support.needs("torch")
class DataLoader(FeedTests, TorchCase):
    def test_a_webdataset_has_the_same_pictures_and_labels(self):
        self.expect_epochs(make_webdataset(self.folder / "shards"))
        self.expect_epochs(self.make_one_shard())

    def make_one_shard(self):
        return make_webdataset(self.folder / "shard", shards=1) / "train-0.tar"

    def test_batches_follow_from_the_seed(self):
        def batch(*words):
            return self.make_feed(self.folder_of_images, "--batch", 8, *words).next()["images"]

        self.assertTrue(batch().equal(batch()))
        self.assertNotEqual(numbers_in(batch("--seed", 2).numpy()), numbers_in(batch().numpy()))

    def test_images_have_the_order_in_memory_of_the_model(self):
        import torch

        for words, order in (((), torch.channels_last), (("--memory-format", "contiguous"), torch.contiguous_format)):
            images = self.make_feed(self.folder_of_images, *words).next()["images"]
            self.assertTrue(images.is_contiguous(memory_format=order))

    def test_parts_are_cut_out_and_turned(self):
        """Of a picture that is red to the left and blue to the right."""
        from PIL import Image

        picture = Image.new("RGB", (64, 64), (255, 0, 0))
        picture.paste((0, 0, 255), (32, 0, 64, 64))
        for number in (0, 1):
            place = self.folder / "halves" / str(number)
            place.mkdir(parents=True)
            picture.save(place / "x.png")
        images = self.make_feed(self.folder / "halves", "--batch", 64).next()["images"]
        red = images[:, 0].mean((1, 2))
        self.assertGreater(len(red.unique()), 32)
        begins_with_red = (images[:, 0, :, 0] > images[:, 2, :, 0]).all(1)
        ends_with_red = (images[:, 0, :, -1] > images[:, 2, :, -1]).all(1)
        self.assertTrue((begins_with_red & ~ends_with_red).any())
        self.assertTrue((ends_with_red & ~begins_with_red).any(), "none was turned left to right")

    def test_accumulated_passes_have_batches_of_their_own(self):
        events = self.train("--steps", 2, "--accumulate", 2)
        self.assertEqual([step["items"] for step in events if step["event"] == "step"], [8, 8])

    def test_a_format_that_is_not_read_is_refused(self):
        (self.folder / "x.tfrecord").write_bytes(b"")
        with self.assertRaisesRegex(UserError, "has the format tfrecord; this pipeline reads imagefolder"):
            self.make_feed(self.folder / "x.tfrecord")
        with self.assertRaisesRegex(UserError, r"holds labelled-images \(imagefolder\), and image-pairs are needed"):
            self.make_feed(self.folder_of_images, workload="cyclegan")
        with self.assertRaisesRegex(UserError, r"holds labelled-images \(imagefolder\), and sentence-pairs are needed"):
            self.make_feed(self.folder_of_images, workload="transformer")


@support.needs("torch")
class OtherKinds(TorchCase):
    """Of data sets."""

    def make_cityscapes(self, ids=range(34), ending="labelIds", size=(80, 40)):
        """Its map of labels has a column for each number, and its picture says by its red which one."""
        import numpy as np
        from PIL import Image

        numbers = np.resize(np.arange(len(ids)), (size[1], size[0])).astype(np.uint8)
        for part, suffix, array in (
            ("leftImg8bit", "leftImg8bit", np.stack([7 * numbers] * 3, axis=-1)),
            ("gtFine", f"gtFine_{ending}", np.array(ids, np.uint8)[numbers]),
        ):
            place = self.folder / "city" / part / "train" / "aachen"
            place.mkdir(parents=True, exist_ok=True)
            Image.fromarray(array).save(place / f"aachen_000000_{suffix}.png")
        return self.folder / "city"

    def test_labels_of_pixels_stay_with_their_pixels(self):
        import torch
        from trainmark.data_sets.cityscapes import _IDS_OF_CLASSES

        batch = self.make_feed(self.make_cityscapes(size=(340, 80)), "--batch", 8, workload="deeplabv3p").next()
        self.assertEqual(batch["images"].shape, (8, 3, 32, 64))
        self.assertEqual(batch["labels"].shape, (8, 32, 64))
        self.assertEqual(batch["labels"].dtype, torch.int64)
        found = set(batch["labels"].flatten().tolist())
        self.assertLessEqual(found, {*range(19), 255})
        self.assertGreater(len(found), 10)
        red = ((batch["images"][:, 0] * 0.229 + 0.485) * 255 / 7).round().long()
        classes = torch.full((256,), 255)
        classes[list(_IDS_OF_CLASSES)] = torch.arange(19)
        # Colours are smoothed where the picture was scaled, and labels never.
        self.assertGreater((classes[red.clamp(0, 33)] == batch["labels"]).float().mean(), 0.4)

    def test_both_kinds_of_maps_mean_the_same_classes(self):
        for ids, ending in (([7, 8, 0], "labelIds"), ([0, 1, 255], "labelTrainIds")):
            batch = self.make_feed(self.make_cityscapes(ids, ending), workload="deeplabv3p").next()
            self.assertEqual(set(batch["labels"].flatten().tolist()), {0, 1, 255}, ending)

    def test_a_map_of_another_size_is_named(self):
        city = self.make_cityscapes()
        label = next(city.glob("gtFine/train/*/*.png"))
        label.write_bytes(encode((0, 0, 0), 8, 8, "PNG"))
        with self.assertRaisesRegex(BadItem, "aachen_000000_gtFine_labelIds.png have the mode RGB"):
            self.make_feed(city, workload="deeplabv3p").next()
        label.unlink()
        with self.assertRaisesRegex(UserError, "neither .*aachen_000000_gtFine_labelTrainIds.png nor aachen_000000_gtFine_labelIds.png was found"):
            self.make_feed(city, workload="deeplabv3p")

    def test_both_sides_of_a_pair_are_their_own(self):
        sides = {"trainA": (250, 0, 0), "trainB": (0, 0, 250)}
        for side, colour in sides.items():
            (self.folder / "pairs" / side).mkdir(parents=True)
            for number in range(3 if side == "trainA" else 2):
                (self.folder / "pairs" / side / f"{number}.jpg").write_bytes(encode(colour, 70, 90))
        feed = self.make_feed(self.folder / "pairs", workload="cyclegan")
        self.assertEqual(feed.facts()["samples"], 3)
        batch = feed.next()
        for name, channel in (("images_a", 0), ("images_b", 2)):
            self.assertEqual(batch[name].shape, (4, 3, 64, 64))
            means = batch[name].mean((0, 2, 3)).tolist()
            for index, mean in enumerate(means):
                self.assertAlmostEqual(mean, 0.96 if index == channel else -1, delta=0.05)

    def make_tokens(self, *shards):
        import numpy as np

        folder = self.folder / "tokens"
        folder.mkdir()
        for number, tokens in enumerate(shards):
            header = np.zeros(256, np.int32)
            header[:3] = 20240520, 1, len(tokens)
            (folder / f"{number}.bin").write_bytes(header.tobytes() + np.array(tokens, np.uint16).tobytes())
        return folder

    def test_tokens_are_masked_as_those_of_bert(self):
        import torch

        # Every window has a number of its own for all of its tokens.
        folder = self.make_tokens([10 + number // 512 for number in range(40 * 512)])
        feed = self.make_feed(folder, "--batch", 40, workload="bert")
        self.assertEqual((feed.facts()["samples"], "decoder" in feed.facts()), (40, False))
        counts = torch.zeros(2)
        for _ in range(10):
            batch = feed.next()
            self.assertEqual(sorted(batch["masked_labels"][:, 0].tolist()), list(range(10, 50)))
            self.assertTrue((batch["masked_labels"] == batch["masked_labels"][:, :1]).all())
            self.assertTrue((batch["masked_positions"] // 4 == torch.arange(4)).all(), "one in each part")
            masked = batch["tokens"].gather(1, batch["masked_positions"])
            counts += torch.stack([(masked == 99).sum(), (masked == batch["masked_labels"]).sum()])
            others = batch["tokens"] != batch["masked_labels"][:, :1]
            self.assertLessEqual(others.sum(), masked.numel(), "only masked ones change")
        self.assertAlmostEqual(counts[0] / 1600, 0.8, delta=0.05)
        self.assertAlmostEqual(counts[1] / 1600, 0.1, delta=0.05)

    def test_tokens_that_do_not_fit_are_named(self):
        folder = self.make_tokens([1] * 512 + [100] * 512, [1] * 7)
        with self.assertRaisesRegex(BadItem, "0.bin:512 cannot be read: token 100 is outside of the vocabulary of 100"):
            self.make_feed(folder, "--batch", 3, "--seed", 1, "--workers", 1, workload="bert").next()
        (folder / "0.bin").unlink()
        with self.assertRaisesRegex(BadItem, "1.bin:0 cannot be read: it has 7 tokens, and a sentence 16"):
            self.make_feed(folder, workload="bert").next()

    def test_sentences_are_trained(self):
        import training

        folder = self.make_tokens([number % 90 for number in range(512 * 8)])
        events = training.train("bert", "--data", folder, "--workers", 1, "--steps", 3)
        steps = [event for event in events if event["event"] == "step"]
        self.assertEqual(len({step["loss"] for step in steps}), 3, "another batch, another loss")
        self.assertTrue(all("data" in step for step in steps))

    def test_grey_pictures_of_one_file_have_their_labels(self):
        import struct

        import numpy as np

        folder = self.folder / "digits"
        folder.mkdir()
        images = np.repeat(np.arange(6, dtype=np.uint8) * 40, 28 * 28)
        header = struct.pack(">IIII", 0x803, 6, 28, 28)
        (folder / "train-images-idx3-ubyte").write_bytes(header + images.tobytes())
        (folder / "train-labels-idx1-ubyte").write_bytes(struct.pack(">II", 0x801, 6) + bytes([3, 1, 4, 1, 5, 9]))
        batch = self.make_feed(folder, "--batch", 6).next()
        greys = ((batch["images"][:, 0].mean((1, 2)) * 0.229 + 0.485) * 255 / 40).round().int().tolist()
        self.assertEqual(sorted(greys), list(range(6)))
        self.assertEqual(batch["labels"].tolist(), [[3, 1, 4, 1, 5, 9][grey] for grey in greys])


@support.needs("torch")
class Process(TorchCase):
    """A trainer with workers, as the bench has it."""

    def start(self, *words):
        command = [*support.program("pytorch"), "--workload", "resnet50", "--size", "tiny", "--steps", 1_000_000]
        return support.Program(command, "--data", self.folder_of_images, "--workers", 2, "--batch", 4, *words)

    @staticmethod
    def workers_of(program):
        folder = Path(f"/proc/{program.process.pid}/task/{program.process.pid}")
        return [int(word) for word in (folder / "children").read_text().split()]

    @staticmethod
    def state_of(process):
        try:
            return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
        except FileNotFoundError:
            return "gone"

    def expect_states(self, processes, wanted):
        for _ in range(2000):
            states = {self.state_of(process) for process in processes}
            if states <= wanted:
                return
            time.sleep(0.01)
        self.fail(f"{states} instead of {wanted}")

    def test_workers_rest_in_a_pause_and_end_with_the_trainer(self):
        for words in ((), ("--input-only",)):
            program = self.start(*words)
            program.wait_for("step")
            workers = self.workers_of(program)
            self.assertEqual(len(workers), 2)
            program.process.send_signal(signal.SIGTSTP)
            program.wait_for("pause")
            self.expect_states(workers, {"T"})
            program.process.send_signal(signal.SIGCONT)
            program.wait_for("step")
            program.process.send_signal(signal.SIGUSR1)
            self.assertEqual(program.finish(), 0, program.err)
            self.assertEqual(program.events[-1]["why"], "stop")
            self.expect_states(workers, {"gone", "Z"})

    def test_workers_that_rest_end_with_a_trainer_that_is_killed(self):
        program = self.start("--input-only")
        program.wait_for("step")
        workers = self.workers_of(program)
        program.process.send_signal(signal.SIGTSTP)
        program.wait_for("pause")
        program.process.kill()
        program.finish()
        self.expect_states(workers, {"gone", "Z"})

    def test_what_cannot_be_read_is_a_failure_in_one_line(self):
        (self.folder_of_images / "class1" / "05.jpg").write_bytes(b"no picture at all")
        program = self.start()
        self.assertEqual(program.finish(), 1)
        self.assertEqual(program.events[-1]["event"], "failure")
        self.assertIn("class1/05.jpg cannot be read", program.events[-1]["message"])
        self.assertEqual(program.err.count("\n"), 1, program.err)

    def test_ranks_train_together(self):
        from ranks import start_ranks

        words = ("--workload", "resnet50", "--data", self.folder_of_images, "--workers", 1, "--batch", 4, "--steps", 4)
        job = start_ranks(support.program("pytorch"), 2, *words)
        losses = []
        for program in job:
            self.assertEqual(program.finish(), 0, program.err)
            losses.append([step["loss"] for step in program.of("step")])
        self.assertEqual(losses[0], losses[1])
        self.assertEqual(len(losses[0]), 4)


@support.needs("torch")
class DaliMissing(unittest.TestCase):
    @unittest.skipIf(support.is_installed("nvidia.dali"), "it is installed")
    def test_says_how_to_install_it(self):
        from offer import OFFER
        from trainmark.command import make_options

        with self.assertRaisesRegex(Unsupported, "nvidia.dali is not installed; to install it: .*requirements-dali"):
            make_options(OFFER, ["--workload", "resnet50", "--data", os.curdir, "--pipeline", "dali"])


@support.needs("torch")
class DecodedOnTheDevice(FeedTests, TorchCase):
    def make_feed(self, data, *words, **settings):
        return super().make_feed(data, "--pipeline", "torchvision", *words, **settings)

    def train(self, *words):
        return super().train("--pipeline", "torchvision", *words)

    def test_other_pictures_than_jpegs_are_read_too(self):
        victim = self.folder_of_images / "class1" / "05.jpg"
        victim.write_bytes(encode(colour_of(5), 50, 40, "PNG"))
        self.expect_epochs(self.folder_of_images)
        self.expect_epochs(make_webdataset(self.folder / "shards"))


@support.needs("nvidia.dali")
class Dali(FeedTests, TorchCase):
    bad_item = "pictures: a picture cannot be read by DALI .*; `trainmark data check .*pictures` names it"

    def make_feed(self, data, *words, **settings):
        return super().make_feed(data, "--pipeline", "dali", *words, **settings)

    def train(self, *words):
        return super().train("--pipeline", "dali", *words)

    def test_a_webdataset_has_the_same_pictures_and_labels(self):
        feed = self.make_feed(make_webdataset(self.folder / "shards"), "--batch", 4)
        numbers, labels = self.take(feed, COUNT // 4)
        self.assertEqual(sorted(numbers), list(range(COUNT)))
        self.assertEqual(labels, [number % CLASSES for number in numbers])


if __name__ == "__main__":
    unittest.main()
