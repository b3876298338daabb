import threading
import unittest

import support  # noqa: F401
from trainmark.event_timer import EventTimer
from trainmark.timing import ReadingTimer, timed_step


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


class TimedStep(unittest.TestCase):
    def test_what_the_ranks_were_asked_for_comes_behind_the_loss(self):
        self.assertEqual(timed_step(5, 2, 1.5), (5, 2, 1.5, False, False, None))
        self.assertEqual(timed_step(5, 2, [1.5, 0]), (5, 2, 1.5, False, False, None))
        self.assertEqual(timed_step(5, 2, (1.5, 3)), (5, 2, 1.5, True, False, None))
        self.assertEqual(timed_step(5, 2, (1.5, 2.0**-14)), (5, 2, 1.5, False, True, None))


class FakeEvent:
    """On a GPU whose clock is told, in milliseconds."""

    def __init__(self, milliseconds, passed=True):
        self.milliseconds = milliseconds
        self.passed = passed

    def synchronize(self):
        self.passed = True

    def query(self):
        return self.passed

    def elapsed_time(self, later):
        return later.milliseconds - self.milliseconds


class EventTimerTest(unittest.TestCase):
    class Timer(EventTimer):
        def __init__(self, events):
            super().__init__()
            self.events = iter(events)
            self.losses = {}

        def _record(self):
            return next(self.events)

        def _keep(self, place, loss):
            self.losses[place] = loss

        def _read(self, place):
            return self.losses[place]

    def test_a_step_lasts_from_event_to_event(self):
        timer = self.Timer([FakeEvent(10), FakeEvent(12.5), FakeEvent(16)])
        for loss in (3, 2):
            timer.begin()
            timer.end(loss)
        first, second = timer.take(wait=True)
        self.assertEqual((first.duration_ns, first.loss), (2_500_000, 3))
        self.assertEqual((second.duration_ns, second.loss), (3_500_000, 2))
        self.assertEqual(second.end_ns - first.end_ns, second.duration_ns)

    def test_the_gpu_waits_for_a_batch_from_the_end_of_the_step_before_it(self):
        timer = self.Timer([FakeEvent(10), FakeEvent(11), FakeEvent(14), FakeEvent(14.5), FakeEvent(16)])
        for _ in range(2):
            timer.begin()
            timer.arrived()
            timer.end(1)
        self.assertEqual([step.input_ns for step in timer.take(wait=True)], [1_000_000, 500_000])

    def test_a_step_under_way_is_not_waited_for(self):
        timer = self.Timer([FakeEvent(10), FakeEvent(12, passed=False)])
        timer.begin()
        timer.end(1)
        self.assertEqual(timer.take(wait=False), [])
        self.assertEqual(len(timer.take(wait=True)), 1)
