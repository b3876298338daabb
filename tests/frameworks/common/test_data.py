import unittest

import support


@support.needs("numpy")
class Data(unittest.TestCase):
    def setUp(self):
        from trainmark.data import make_batch

        self.workloads = support.contracts()

        def make(name, first, count):
            workload = self.workloads[name]
            return make_batch(workload, workload.sizes["tiny"], 1, first, count)

        self.make = make

    def test_arrays_have_the_names_and_shapes_that_the_contract_declares(self):
        for name, workload in self.workloads.items():
            size = vars(workload.sizes["tiny"])
            with self.subTest(name):
                batch = self.make(name, 0, size["batch"])
                self.assertEqual(list(batch), list(workload.inputs))
                for array, shape in workload.inputs.items():
                    self.assertEqual(list(batch[array].shape), [eval(str(axis), {}, size) for axis in shape])

    def test_an_item_is_the_same_in_whatever_batch(self):
        for name, workload in self.workloads.items():
            count = workload.sizes["tiny"].batch
            with self.subTest(name):
                whole, second = self.make(name, 0, 2 * count), self.make(name, count, count)
                for tensor, array in whole.items():
                    half = len(array) // 2
                    self.assertTrue((array[half:] == second[tensor]).all(), tensor)

    def test_masked_positions_have_parts_of_their_own(self):
        positions = self.make("bert", 0, 1000)["masked_positions"]  # 4 of 16 tokens
        for part in range(4):
            self.assertEqual(set(positions[:, part].tolist()), set(range(4 * part, 4 * part + 4)))

    def test_the_second_segment_begins_at_the_split(self):
        segments = self.make("bert", 0, 1000)["segments"]
        self.assertTrue((segments[:, -1] == 1).all())  # the split is at 15 at the latest
        self.assertTrue((segments[:, 1:] >= segments[:, :-1]).all())
        self.assertEqual(set(segments.sum(axis=1).tolist()), set(range(1, 17)))

    def test_some_pixels_are_ignored(self):
        labels = self.make("deeplabv3p", 0, 2)["labels"]
        self.assertEqual(set(labels.flatten().tolist()), {*range(19), 255})

    def test_half_a_pair_is_refused(self):
        from trainmark.failure import UserError

        with self.assertRaisesRegex(UserError, "multiple of 8"):
            self.make("transformer", 0, 12)


@support.needs("numpy")
class InitialWeights(unittest.TestCase):
    def test_follow_the_name(self):
        from trainmark.generator import Generator
        from trainmark.weights import initial_value

        self.assertEqual(initial_value("a.bias", (2,), 1).tolist(), [0, 0])
        self.assertEqual(initial_value("a.norm.weight", (2,), 1).tolist(), [1, 1])
        self.assertEqual(initial_value("a.prelu.weight", (2,), 1).tolist(), [0.25, 0.25])
        self.assertEqual(initial_value("a.norm.running_mean", (2,), 1).tolist(), [0, 0])
        self.assertEqual(initial_value("a.norm.running_var", (2,), 1).tolist(), [1, 1])
        self.assertEqual(
            initial_value("a.weight", (4, 2, 3, 1), 5).tolist(),
            Generator(5, "a.weight").symmetric((4, 2, 3, 1), 1).tolist(),
        )
