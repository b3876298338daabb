import unittest
from unittest import mock

import support

support.use_framework("pytorch")


class FakeGpu:
    """Records events and finishes them when it is told to."""

    def __init__(self):
        self.recorded = []
        self.finished = 0

    def event(self, enable_timing):
        return FakeEvent(self)


class FakeEvent:
    def __init__(self, gpu):
        self.gpu = gpu

    def record(self):
        self.number = len(self.gpu.recorded)
        self.gpu.recorded.append(self)

    def query(self):
        return self.number < self.gpu.finished

    def synchronize(self):
        self.gpu.finished = max(self.gpu.finished, self.number + 1)

    def elapsed_time(self, other):
        return 2.5 * (other.number - self.number)  # milliseconds: every step takes as long


@support.needs("torch")
class CudaTimer(unittest.TestCase):
    def setUp(self):
        import torch

        import timing

        self.gpu = FakeGpu()
        unpinned = torch.empty(timing.CudaTimer.most_under_way, 2)
        for patch in (
            mock.patch("torch.cuda.Event", self.gpu.event),
            mock.patch("torch.empty", return_value=unpinned),
        ):
            patch.start()
            self.addCleanup(patch.stop)
        self.timer = timing.CudaTimer()
        self.loss = torch.tensor

    def step(self, loss):
        self.timer.begin()
        self.timer.end(self.loss(float(loss)))

    def test_gives_steps_when_the_gpu_has_done_them(self):
        for number in range(3):
            self.step(number)
        self.assertEqual(self.timer.take(wait=False), [])
        self.gpu.finished = 3  # the one at the beginning, and two steps
        self.assertEqual([step.loss for step in self.timer.take(wait=False)], [0, 1])
        self.assertEqual([step.loss for step in self.timer.take(wait=True)], [2])

    def test_ends_are_one_duration_apart(self):
        for number in range(4):
            self.step(number)
        steps = self.timer.take(wait=True)
        self.assertEqual({step.duration_ns for step in steps}, {2_500_000})
        ends = [step.end_ns for step in steps]
        self.assertEqual([later - sooner for sooner, later in zip(ends, ends[1:])], [2_500_000] * 3)

    def test_the_host_is_not_ahead_for_ever(self):
        losses = []
        for number in range(100):
            self.step(number)
            losses += [step.loss for step in self.timer.take(wait=False)]
        self.assertGreater(len(losses), 80)
        losses += [step.loss for step in self.timer.take(wait=True)]
        self.assertEqual(losses, list(range(100)))
