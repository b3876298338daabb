import unittest

import support
from training import make_trainer, mean

support.use_framework("tensorflow")


@support.needs("tensorflow")
class Training(unittest.TestCase):
    def setUp(self):
        import training

        self.train = training.train
        self.losses = lambda *words: training.losses_of(training.train(*words))

    def test_tells_what_it_trains_and_how(self):
        events = self.train("transformer", "--steps", 2, "--accumulate", 2)
        start = events[0]
        self.assertEqual((start["framework"], start["mode"]), ("tensorflow", "graph"))
        self.assertEqual((start["batch"], start["accumulate"]), (32, 2))
        self.assertEqual(start["parameters"], 62592)
        self.assertEqual([event["items"] for event in events if event["event"] == "step"], [64, 64])
        self.assertEqual(events[-1], {"event": "end", "steps": 2, "why": "steps"})

    def test_losses_fall_with_dropout(self):
        for mode in ("graph", "xla"):
            losses = self.losses("bert", "--steps", 40, "--mode", mode)
            self.assertLess(mean(losses[-5:]), mean(losses[:5]), losses)
            self.assertNotEqual(losses[:2], self.losses("bert", "--steps", 2, "--mode", mode, "--dropout", 0))

    def test_accumulated_passes_are_one_larger_batch(self):
        for workload, batch in (("transformer", 32), ("cyclegan", 1)):
            words = (workload, "--dropout", 0, "--steps", 3)
            parts = self.losses(*words, "--batch", batch, "--accumulate", 2)
            for one, other in zip(parts, self.losses(*words, "--batch", 2 * batch)):
                self.assertAlmostEqual(one, other, delta=1e-4 * one, msg=workload)

    def test_flops_are_those_of_the_cpp_trainer(self):
        # At tiny, as trainmark-train tells them.
        figures = {"resnet50": 37616640, "bert": 2663808, "transformer": 381696, "cyclegan": 629710848}
        for workload, flops in figures.items():
            counted = make_trainer(workload).flops_per_item()
            self.assertAlmostEqual(counted, flops, delta=0.01 * flops, msg=workload)


@support.needs("tensorflow")
class Scaling(unittest.TestCase):
    """Of the loss, with a model of one weight: its loss is weight × input, its gradient the input."""

    def setUp(self):
        make_trainer("transformer")

    def make_steps(self, inputs, xla):
        import tensorflow as tf

        from job import Alone
        from precision import LossScale
        from steps import Steps
        from trainmark.phases import Phase
        from trainmark.workloads import Sgd

        self.weight = tf.Variable(1.0)
        self.input = tf.Variable(0.0, trainable=False)
        self.scale = LossScale(65536)
        phase = Phase(lambda zero: self.weight * self.input + zero, [self.weight])
        steps = Steps([phase], [{"zero": tf.constant(0.0)}], Sgd(0.5, 0.9, 0.0), self.scale, xla, Alone())
        for number in inputs:
            self.input.assign(number)
            yield float(steps.step())

    def test_an_overflow_is_left_out_and_halves_the_scale(self):
        for xla in (False, True):
            steps = self.make_steps([float("inf"), 3.0], xla)
            next(steps)
            self.assertEqual((float(self.weight), float(self.scale.value)), (1, 32768))
            self.assertEqual(next(steps), 3)  # not the scaled one
            self.assertEqual(float(self.weight), 1 - 0.5 * 3)  # the first step that counts has no momentum yet

    def test_the_scale_doubles_after_2000_good_steps(self):
        steps = self.make_steps([0.0, 0.0], xla=False)
        next(steps)
        self.scale._good.assign(1999)
        next(steps)
        self.assertEqual((float(self.scale.value), int(self.scale._good)), (131072, 0))
