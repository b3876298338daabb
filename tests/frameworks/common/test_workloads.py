"""The contracts, and which of them a framework has."""

import unittest
from types import SimpleNamespace

import support
from trainmark.failure import Unsupported
from trainmark.workloads import Adam, Sgd, Workload, find_workload, workload_names


class Contracts(unittest.TestCase):
    def test_are_read_from_their_files(self):
        workload = find_workload("resnet50")
        self.assertEqual((workload.title, workload.unit), ("ResNet-50 v1.5", "images"))
        self.assertEqual(workload.data, "labelled-images")
        self.assertEqual(vars(workload.sizes["tiny"]), {"side": 64, "width": 8, "classes": 10, "batch": 8})
        self.assertEqual(workload.optimizer, Sgd(1e-4, momentum=0.9, weight_decay=1e-4))
        self.assertEqual((workload.dropout, workload.smallest_batch, workload.capabilities), (0, 1, ()))
        self.assertEqual(find_workload("transformer").optimizer, Adam(1e-4, beta1=0.9, beta2=0.98, epsilon=1e-9))
        self.assertEqual(find_workload("transformer").dropout, 0.1)
        self.assertIn("sharded-classes", find_workload("arcface").capabilities)
        scales = [find_workload(name).first_loss_scale for name in ("cyclegan", "resnet50")]
        self.assertEqual(scales, [8192, 65536])

    def test_a_shape_sets_a_number_and_others_follow_in_proportion(self):
        bert = find_workload("bert")
        self.assertEqual(bert.shapes_of("full"), {"sequence": 128})
        longer = bert.reshaped("full", {"sequence": 512})
        self.assertEqual((longer.tokens, longer.masked, longer.width), (512, 80, 768))
        self.assertEqual(bert.reshaped("full", {}), bert.sizes["full"])
        self.assertEqual(bert.sizes["full"].tokens, 128)  # the contract stays as it is
        wide = find_workload("deeplabv3p").reshaped("full", {"resolution": 768, "classes": 21})
        self.assertEqual((wide.height, wide.width, wide.classes), (768, 1536, 21))
        with self.assertRaisesRegex(Unsupported, "--resolution 30: cyclegan needs a multiple of 4"):
            find_workload("cyclegan").reshaped("full", {"resolution": 30})

    def test_shapes_may_be_sums_and_quotients(self):
        inputs = {"x": ["batch / tokens", "tokens + 1", 3], "y": ["batch"]}
        workload = Workload("", "", "", "", "", inputs, {}, None)
        shapes = workload.input_shapes(SimpleNamespace(tokens=8, batch=99), batch=32)
        self.assertEqual(shapes, {"x": (4, 9, 3), "y": (32,)})

    def test_every_file_of_a_framework_is_one_of_a_contract(self):
        files = list(support.FRAMEWORKS.glob("*/workloads/*.py"))
        self.assertGreater(len(files), 20)
        for path in files:
            if path.stem != "__init__":
                self.assertIn(path.stem, workload_names(), path)
