import os
import unittest
from unittest import mock

import support
from trainmark import options as arguments
from trainmark.description import describe, to_text
from trainmark.failure import Unsupported, UserError


def description(**devices):
    return describe(
        "some",
        {"some": "1"},
        {"cpu": "", "cuda": "no driver", **devices},
        modes=["eager", "graph"],
        mode_devices={"graph": ["cuda"]},
        precisions={"cpu": ["fp32"], "cuda": ["fp32", "tf32"]},
        workloads=support.contracts(),
    )


def resolved(*words, **devices):
    parser = arguments.make_parser("some", "about")
    arguments.add_proof_options(parser)
    options = arguments.parse(parser, words)
    arguments.resolve(options, description(**devices))
    return options


class Options(unittest.TestCase):
    def refuses(self, kind, message, *words, **devices):
        with self.assertRaisesRegex(kind, message):
            resolved(*words, **devices)

    def test_have_the_defaults_of_the_workload(self):
        options = resolved("--workload", "bert", "--size=tiny")
        self.assertEqual((options.batch, options.mode, options.dropout), (4, "eager", 0.1))
        self.assertEqual((options.seed, options.steps, options.accumulate), (1, 100, 1))

    def test_a_framework_for_one_rank_refuses_more(self):
        with mock.patch.dict(os.environ, {"RANK": "0", "WORLD_SIZE": "2", "MASTER_ADDR": "127.0.0.1"}):
            self.refuses(Unsupported, "there are 2 ranks: this program trains on one", "--workload", "bert")

    def test_slips_of_the_pen_are_the_users(self):
        self.refuses(UserError, "--workload is missing; known: arcface, bert")
        self.refuses(UserError, "did you mean 'resnet50'", "--workload", "resnet5")
        self.refuses(UserError, "did you mean '--workload'", "--worklod", "bert")
        self.refuses(UserError, "--size", "--workload", "bert", "--size", "huge")
        self.refuses(UserError, "--mode", "--workload", "bert", "--mode", "lazy")
        self.refuses(UserError, "--device", "--workload", "bert", "--device", "tpu")
        self.refuses(UserError, "did you mean 'fp32'", "--workload", "bert", "--precision", "fp33")
        self.refuses(UserError, "--batch", "--workload", "bert", "--batch", "0")
        self.refuses(UserError, "--seed", "--workload", "bert", "--seed", "-1")
        self.refuses(UserError, "--dropout", "--workload", "bert", "--dropout", "1")
        self.refuses(UserError, "--dropout", "--workload", "resnet50", "--dropout", "0.1")

    def test_shapes_are_those_of_the_workload(self):
        options = resolved("--workload", "bert", "--sequence", "512")
        self.assertEqual(options.shapes, {"sequence": 512})
        told = arguments.start_fields(options, description())
        self.assertEqual(told["shapes"], {"sequence": 512})
        plain = resolved("--workload", "bert")
        self.assertEqual(plain.shapes, {})
        self.assertNotIn("shapes", arguments.start_fields(plain, description()))
        self.refuses(UserError, "--classes: bert has none; it has --sequence", "--workload", "bert", "--classes", "9")
        self.refuses(UserError, "--sequence", "--workload", "bert", "--sequence", "0")

    def test_what_cannot_be_trained_here_is_unsupported(self):
        self.refuses(Unsupported, "no driver", "--workload", "bert", "--device", "cuda")
        self.refuses(Unsupported, "it can in fp32", "--workload", "bert", "--precision", "tf32")
        self.refuses(Unsupported, "is for cuda", "--workload", "bert", "--mode", "graph")
        for workload in ("deeplabv3p", "arcface"):
            # In the words of the C++ trainers.
            message = f"--batch 1: {workload} needs at least 2, as one of its norms is over the batch alone"
            self.refuses(Unsupported, message, "--workload", workload, "--batch", "1")
        with mock.patch.dict(os.environ, RANK="0", WORLD_SIZE="2", MASTER_ADDR="127.0.0.1"):
            self.refuses(Unsupported, "there are 2 ranks", "--workload", "bert")

    def test_half_a_position_is_the_users(self):
        for variables, message in (
            ({"WORLD_SIZE": "2"}, "RANK is not"),
            ({"RANK": "0", "WORLD_SIZE": "2"}, "MASTER_ADDR is not set"),
            ({"RANK": "2", "WORLD_SIZE": "2"}, "RANK is '2'"),
            ({"SLURM_PROCID": "x", "SLURM_NTASKS": "2"}, "SLURM_PROCID is 'x'"),
        ):
            with mock.patch.dict(os.environ, variables):
                self.refuses(UserError, message, "--workload", "bert")

    def test_of_another_device_are_fine_where_it_is(self):
        words = ("--workload", "bert", "--device", "cuda", "--mode", "graph", "--precision", "tf32")
        self.assertEqual(resolved(*words, cuda="").mode, "graph")


class Description(unittest.TestCase):
    def test_has_what_the_protocol_asks_for(self):
        answer = description()
        self.assertEqual(answer["protocol"], 1)
        self.assertEqual(answer["devices"], [{"name": "cpu"}, {"name": "cuda", "missing": "no driver"}])
        self.assertEqual(len(answer["workloads"]), 7)
        for workload in answer["workloads"]:
            self.assertEqual([size["name"] for size in workload["sizes"]], ["full", "small", "tiny"])
            self.assertEqual(workload["mode_devices"], {"graph": ["cuda"]})
            shapes = workload["sizes"][0]["shapes"]
            if workload["name"] == "arcface":
                self.assertEqual(shapes, {"resolution": 112, "classes": 85742})

    def test_can_be_read_by_people(self):
        text = to_text(description())
        self.assertIn("resnet50       ResNet-50 v1.5, in images", text)
        self.assertIn("cuda cannot be used here: no driver", text)
