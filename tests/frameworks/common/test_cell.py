"""The training of a cell, with a framework that only counts."""

import json
import os
from argparse import Namespace

import support


@support.needs("safetensors")
class CellTest(support.TemporaryFolder):
    def setUp(self):
        super().setUp()
        import numpy as np

        from trainmark import options as arguments
        from trainmark.cell import train_cell
        from trainmark.description import describe
        from trainmark.events import EventWriter
        from trainmark.failure import OutOfMemory
        from trainmark.input import Feed
        from trainmark.out_of_memory import MemoryErrors
        from trainmark.trainer import FrameworkTrainer

        self.out_of_memory = OutOfMemory
        self.calls = calls = []

        class Numbers(Feed):
            """Its batches are the numbers from 1 on."""

            given = 0

            def next(self):
                self.given += 1
                return self.given

            def close(self):
                calls.append("closed")

        class Trainer(FrameworkTrainer):
            """Its only weight, `a.bias`, grows by 1 in every step; its loss is 10 less what it has grown to."""

            memory_errors = MemoryErrors(always=(KeyError,), kinds=(RuntimeError,), signs=("no room",))
            fails_with = None
            overflows = 0  # steps to come whose gradients do

            def __init__(self, cell):
                super().__init__(cell)
                calls.append("made")
                self.arrays = cell.make_batches()

            make_feed = staticmethod(Numbers)

            def use(self, batches):
                calls.append(batches)

            def shapes(self):
                return {"a.bias": (2,)}

            def set_weights(self, arrays):
                calls.append("weights")
                self.bias = arrays["a.bias"]

            def weights(self):
                return {"a.bias": self.bias}

            def parameters(self):
                calls.append("facts")
                return 2

            def flops_per_item(self):
                return 6.0

            def threads(self):
                return 1

            def math(self):
                return {"library": "none"}

            def prepare(self):
                calls.append("prepared")

            def step(self, keep_gradients=None):
                calls.append("step")
                if self.fails_with:
                    raise self.fails_with
                if type(self).overflows:  # the step is left out
                    type(self).overflows -= 1
                    if keep_gradients:
                        keep_gradients({"a.bias": self.bias + np.float32(np.inf)})
                    return 10 - self.bias[0]
                if keep_gradients:
                    keep_gradients({"a.bias": self.bias - 1})
                self.bias = self.bias + np.float32(1)
                return 10 - self.bias[0]

            def leave(self):
                calls.append("left")

        def train(*words, position=None):
            parser = arguments.make_parser("some", "about")
            arguments.add_proof_options(parser)
            options = arguments.parse(parser, ["--size", "tiny", *map(str, words)])
            offered = {"modes": ["eager"], "precisions": {"cpu": ["fp32"]}, "workloads": support.contracts()}
            offered["pipelines"] = {"own": {"labelled-images": ["imagefolder"]}}
            description = describe("some", {"some": "1"}, {"cpu": ""}, **offered)
            arguments.resolve(options, description)
            options.position = position or options.position
            reader, writer = os.pipe()
            try:
                train_cell(Trainer, options, description, EventWriter(writer, readable=False))
            finally:
                os.close(writer)
                with os.fdopen(reader) as lines:
                    self.events = [json.loads(line) for line in lines]

        self.trainer = Trainer
        self.train = train

    def saved(self, name):
        from safetensors.numpy import load_file

        return load_file(self.folder / name)["a.bias"].tolist()

    def test_goes_through_its_parts_in_order(self):
        self.train("--workload", "bert", "--steps", 2)
        self.assertEqual(self.calls, ["made", "weights", "facts", "prepared", "step", "step", "left"])
        self.assertEqual([event["event"] for event in self.events], ["start", "step", "step", "memory", "end"])
        start = self.events[0]
        self.assertEqual((start["parameters"], start["flops_per_item"], start["threads"]), (2, 6.0, 1))
        self.assertEqual(start["math"], {"library": "none"})
        self.assertEqual([event["loss"] for event in self.events[1:3]], [9, 8])

    def make_data_set(self):
        for name in ("a", "b", "c"):
            (self.folder / "set" / name).mkdir(parents=True)
            (self.folder / "set" / name / "x.jpg").touch()
        return self.folder / "set"

    def test_batches_of_a_data_set_reach_the_steps(self):
        words = ("--workload", "resnet50", "--data", self.make_data_set(), "--steps", 2, "--accumulate", 2)
        self.train(*words)
        expected = ["made", "weights", "facts", "prepared", [1, 2], "step", [3, 4], "step", "closed", "left"]
        self.assertEqual(self.calls, expected)
        self.assertEqual((self.events[0]["data"]["format"], self.events[0]["data"]["samples"]), ("imagefolder", 3))
        self.calls.clear()
        self.train(*words, "--input-only")
        self.assertEqual(self.calls, ["closed"], "no trainer is made")

    def test_labels_without_a_place_in_the_model_are_refused(self):
        from trainmark.failure import UserError

        with self.assertRaisesRegex(UserError, "has 3 classes and the model 2; write --classes 3"):
            self.train("--workload", "resnet50", "--data", self.make_data_set(), "--classes", 2)

    def test_counts_the_items_of_all_accumulated_passes(self):
        self.train("--workload", "bert", "--batch", 4, "--accumulate", 3, "--steps", 1)
        self.assertEqual(self.events[1]["items"], 12)

    def test_saves_what_a_proof_needs(self):
        kinds = ("weights", "gradients", "trained", "losses")
        save = [word for kind in kinds for word in (f"--save-{kind}", self.folder / kind)]
        self.train("--workload", "bert", "--steps", 3, *save)
        self.assertEqual(self.saved("weights"), [0, 0])
        self.assertEqual(self.saved("gradients"), [-1, -1])  # those of the first step
        self.assertEqual(self.saved("trained"), [3, 3])
        self.assertEqual((self.folder / "losses").read_text(), "[9.0, 8.0, 7.0]\n")
        self.train("--workload", "bert", "--steps", 1, "--load-weights", self.folder / "trained")
        self.assertEqual(self.events[1]["loss"], 6)

    def test_gradients_that_overflow_are_taken_from_the_next_step(self):
        self.trainer.overflows = 5
        self.train("--workload", "bert", "--steps", 7, "--save-gradients", self.folder / "gradients")
        self.assertEqual(self.saved("gradients"), [-1, -1])
        self.assertEqual([event["loss"] for event in self.events[1:8]], [10, 10, 10, 10, 10, 9, 8])

    def test_only_errors_that_mean_it_tell_that_memory_ran_out(self):
        for error, kind in (
            (KeyError("whatever"), self.out_of_memory),
            (RuntimeError("there is no room for 99 bytes"), self.out_of_memory),
            (RuntimeError("shapes differ"), RuntimeError),
            (ValueError("there is no room for 99 bytes"), ValueError),
        ):
            self.trainer.fails_with = error
            with self.subTest(error), self.assertRaises(kind):
                self.train("--workload", "bert")

    def test_classes_that_could_be_sharded_are_told_to_be_whole(self):
        from trainmark.position import RankPosition

        second = RankPosition(rank=1, ranks=2)
        self.train("--workload", "arcface", "--steps", 1, position=second)
        self.assertEqual(self.events[0]["math"], {"library": "none", "classes": "whole"})
        self.train("--workload", "bert", "--steps", 1, position=second)
        self.assertEqual(self.events[0]["math"], {"library": "none"})

    def test_the_batches_of_all_ranks_side_by_side_are_those_of_one(self):
        import numpy as np

        from trainmark.cell import Cell
        from trainmark.position import RankPosition

        def labels(rank, ranks, batch):
            position = RankPosition(rank=rank, ranks=ranks)
            settings = {"workload": "resnet50", "size": "tiny", "device": "cpu", "seed": 1, "accumulate": 2}
            cell = Cell(Namespace(**settings, batch=batch, position=position, shapes={}, data=None))
            return [arrays["labels"] for arrays in cell.make_batches()]

        both = [np.concatenate(parts) for parts in zip(labels(0, 2, 4), labels(1, 2, 4))]
        for one, other in zip(both, labels(0, 1, 8)):
            self.assertEqual(one.tolist(), other.tolist())
