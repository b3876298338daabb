"""The steps of several ranks end together; what they send meanwhile is counted once."""

import unittest
from argparse import Namespace
from unittest import mock

import support  # noqa: F401
from trainmark.communication import CommunicationMeter
from trainmark.position import RankPosition
from trainmark.scaling import unscaled
from trainmark.steps import train_steps
from trainmark.timing import timed_step


class LateTimer:
    """A step is known to have ended when `late` others have begun after it; of another rank's it may be `most`."""

    def __init__(self, late, most):
        self.most_under_way = most
        self._late = late
        self._steps = []

    def begin(self):
        pass

    def end(self, result):
        self._steps.append(timed_step(0, 1, result))

    def restart(self):
        pass

    def take(self, wait):
        keep = 0 if wait else self._late
        ended = self._steps[: max(0, len(self._steps) - keep)]
        del self._steps[: len(ended)]
        return ended


class Steps(unittest.TestCase):
    def train(self, asked_in, late, most, steps=100):
        """How many steps are done where some rank is asked to stop before step `asked_in`."""
        position = RankPosition(rank=0, ranks=2)
        options = Namespace(batch=1, accumulate=1, steps=steps, position=position, input_only=False)
        trainer = Namespace(make_timer=lambda: LateTimer(late, most), meter=None, peak_device_bytes=lambda: None)
        events = mock.Mock()
        results = iter([1.0, 1 if number >= asked_in else 0] for number in range(steps))
        losses = train_steps(options, events, trainer, lambda: next(results))
        self.assertEqual(events.end.call_args.args[0], len(losses))
        return len(losses), events.end.call_args.args[1]

    def test_all_ranks_stop_after_the_same_step_however_late_they_hear_of_it(self):
        self.assertEqual(self.train(asked_in=10, late=0, most=0), (11, "stop"))
        self.assertEqual(self.train(asked_in=10, late=4, most=4), (15, "stop"))
        # A rank that hears of it at once does the steps that others may have begun.
        self.assertEqual(self.train(asked_in=10, late=0, most=4), (15, "stop"))

    def test_without_a_request_all_steps_are_done(self):
        self.assertEqual(self.train(asked_in=1000, late=4, most=4), (100, "steps"))


class Communication(unittest.TestCase):
    def setUp(self):
        clock = mock.patch("trainmark.communication.time.monotonic_ns")
        self.now = clock.start()
        self.addCleanup(clock.stop)
        self.meter = CommunicationMeter()

    def at(self, moment, action, *arguments):
        self.now.return_value = moment
        return action(*arguments)

    def take_at(self, moment):
        self.at(moment, self.meter.end_step)
        return self.meter.take()

    def test_collectives_at_the_same_time_count_once(self):
        first = self.at(100, self.meter.begin)
        second = self.at(150, self.meter.begin)
        self.at(200, first)
        self.at(260, second)
        self.assertEqual(self.take_at(300), (160, 0))
        self.assertEqual(self.take_at(400), (0, 0))

    def test_only_waiting_for_them_is_exposed(self):
        end = self.at(100, self.meter.begin)
        self.at(180, self.meter.wait_begins)
        self.at(220, end)
        self.at(250, self.meter.wait_ends)
        self.assertEqual(self.take_at(300), (120, 40))


class Position(unittest.TestCase):
    def test_of_several_ranks_the_first_one_writes_or_each_its_own(self):
        first, second = (RankPosition(rank=rank, ranks=2) for rank in (0, 1))
        self.assertEqual((first.own_path("a"), second.own_path("a")), ("a", None))
        self.assertEqual((first.own_path("a{rank}"), second.own_path("a{rank}")), ("a0", "a1"))
        self.assertEqual(second.own_path(""), "")


class Scaling(unittest.TestCase):
    def test_gradients_are_those_of_the_loss_itself(self):
        self.assertEqual(unscaled({"a": 6.0, "b": 2.0}, 2.0), {"a": 3.0, "b": 1.0})
