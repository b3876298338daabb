import threading
import unittest

import support  # noqa: F401
from trainmark.timing import ReadingTimer


class FakeLoss:
    """Of a step that ends when it is told to."""

    def __init__(self, number):
        self.number = number
        self.ready = threading.Event()

    def read(self):
        self.ready.wait()
        if self.number is None:
            raise RuntimeError("the step broke")
        return float(self.number)


class Reading(unittest.TestCase):
    def setUp(self):
        self.timer = ReadingTimer(FakeLoss.read)

    def step(self, number, ready=False):
        loss = FakeLoss(number)
        if ready:
            loss.ready.set()
        self.timer.begin()
        self.timer.end(loss)
        return loss

    def test_steps_come_in_order_and_touch_each_other(self):
        for number in range(100):
            self.step(number, ready=True)
        steps = self.timer.take(wait=True)
        self.assertEqual([step.loss for step in steps], list(range(100)))
        for sooner, later in zip(steps, steps[1:]):
            self.assertEqual(later.end_ns - sooner.end_ns, later.duration_ns)

    def test_a_step_under_way_is_not_waited_for(self):
        loss = self.step(1)
        self.assertEqual(self.timer.take(wait=False), [])
        loss.ready.set()
        self.assertEqual([step.loss for step in self.timer.take(wait=True)], [1])

    def test_the_host_is_at_most_16_steps_ahead(self):
        losses = [self.step(number) for number in range(15)]
        last = threading.Thread(target=lambda: losses.append(self.step(15)))
        last.start()
        last.join(0.05)
        self.assertTrue(last.is_alive())  # until one of the sixteen has ended
        losses[0].ready.set()
        last.join()
        for loss in losses:
            loss.ready.set()
        self.assertEqual(len(self.timer.take(wait=True)), 16)

    def test_what_broke_a_step_is_told(self):
        self.step(None, ready=True)
        with self.assertRaisesRegex(RuntimeError, "the step broke"):
            self.timer.take(wait=True)
