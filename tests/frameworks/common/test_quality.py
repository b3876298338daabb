"""Recipes, learning rates, what is due when, and what is done between the steps of a training to a quality."""

import math
import unittest
from argparse import Namespace
from types import SimpleNamespace
from unittest import mock

import support
from trainmark.failure import UserError
from trainmark.position import RankPosition
from trainmark.quality.recipe import recipe_of, resolved_recipe
from trainmark.quality.schedule import Recurring, Schedule
from trainmark.steps import train_steps
from trainmark.timing import HostTimer, ReadingTimer
from trainmark.workloads import Sgd, find_workload


def make_recipe(kind, warm_up, epochs, rate=0.4):
    return SimpleNamespace(schedule=kind, warm_up=warm_up, epochs=epochs, optimizer=Sgd(rate, 0.9))


class Rates(unittest.TestCase):
    """Numbers worked out by hand: 10 steps per epoch, 5 of warm-up, 25 in all."""

    def rates(self, kind, steps, **changes):
        schedule = Schedule(make_recipe(kind, **{"warm_up": 0.5, "epochs": 2.5, **changes}), 10)
        return [schedule.learning_rate(step) for step in steps]

    def expect(self, found, wanted):
        self.assertEqual(len(found), len(wanted))
        for one, other in zip(found, wanted):
            self.assertAlmostEqual(one, other, places=12)

    def test_rise_from_the_first_step_on(self):
        self.expect(self.rates("constant", [0, 1, 4, 5, 24]), [0.08, 0.16, 0.4, 0.4, 0.4])
        self.expect(self.rates("constant", [0], warm_up=0), [0.4])

    def test_fall_to_nothing(self):
        # Progress behind the warm-up: 0, 10/20 and 19/20.
        self.expect(self.rates("linear", [5, 15, 24]), [0.4, 0.2, 0.02])
        self.expect(self.rates("cosine", [5, 15, 24]), [0.4, 0.2, 0.4 * (1 + math.cos(0.95 * math.pi)) / 2])
        self.assertAlmostEqual(self.rates("cosine", [10])[0], 0.4 * (1 + math.sqrt(0.5)) / 2)

    def test_fall_with_the_root_of_steps(self):
        self.expect(self.rates("inverse-sqrt", [4, 5, 19]), [0.4, 0.4 * math.sqrt(5 / 6), 0.2])
        self.expect(self.rates("inverse-sqrt", [0, 3], warm_up=0), [0.4, 0.2])

    def test_lengths_are_rounded_to_steps_halves_upwards(self):
        self.assertEqual(Schedule(make_recipe("linear", 0.25, 0.25), 10).steps, 3)  # 2.5
        self.expect(self.rates("constant", [0, 2], warm_up=0.25), [0.4 / 3, 0.4])
        self.assertEqual(Schedule(make_recipe("linear", 0, 0.001), 10).steps, 1)


class Due(unittest.TestCase):
    def test_again_and_again_and_at_the_end(self):
        for every, last, wanted in (
            (4.5, 24, [5, 9, 14, 18, 23, 24]),
            (6, 18, [6, 12, 18]),
            (117, 300, [117, 234, 300]),
            (0.3, 3, [1, 2, 3]),
            (1e9, 7, [7]),
        ):
            recurring = Recurring(every, last)
            self.assertEqual([step for step in range(1, last + 1) if recurring.due(step)], wanted)


class Recipes(unittest.TestCase):
    def resolve(self, workload="resnet50", batch=128, accumulate=1, ranks=1, **given):
        names = ("epochs", "evaluate_every", "warm_up", "label_smoothing", "learning_rate", "weight_decay")
        options = Namespace(batch=batch, accumulate=accumulate, position=RankPosition(ranks=ranks))
        for name in names:
            setattr(options, name, given.get(name))
        return resolved_recipe(find_workload(workload), options)

    def test_every_workload_has_one_that_can_be_read(self):
        for name, workload in support.contracts().items():
            with self.subTest(name):
                recipe = recipe_of(workload)
                self.assertGreater(recipe.optimizer.learning_rate, 0)
                self.assertEqual(recipe.better, "lower" if name == "cyclegan" else "higher")

    def test_the_learning_rate_grows_with_the_items_of_a_step(self):
        own = recipe_of(find_workload("resnet50"))
        rate, reference = own.optimizer.learning_rate, own.reference_batch
        found = self.resolve(batch=32, accumulate=4, ranks=3).optimizer.learning_rate
        self.assertAlmostEqual(found, rate * 32 * 4 * 3 / reference)
        self.assertAlmostEqual(self.resolve(batch=2 * reference, learning_rate=0.5).optimizer.learning_rate, 1.0)

    def test_options_stand_before_it(self):
        recipe = self.resolve(epochs=2.0, warm_up=0.0, weight_decay=0.25, label_smoothing=0.2, evaluate_every=0.125)
        self.assertEqual((recipe.epochs, recipe.warm_up, recipe.evaluate_every), (2.0, 0.0, 0.125))
        self.assertEqual((recipe.optimizer.weight_decay, recipe.label_smoothing), (0.25, 0.2))
        with self.assertRaisesRegex(UserError, "--weight-decay: the optimizer of transformer has none"):
            self.resolve("transformer", weight_decay=0.1)
        with self.assertRaisesRegex(UserError, "--label-smoothing: the loss of cyclegan has no labels"):
            self.resolve("cyclegan", label_smoothing=0.1)

    def test_parameters_of_one_dimension_are_exempt_from_decay(self):
        recipe = self.resolve()
        self.assertEqual([recipe.decays(dimensions) for dimensions in (0, 1, 2, 4)], [False, False, True, True])


class Between:
    """Notes what it is asked for, and takes its time."""

    def __init__(self, due, clock):
        self.calls = []
        self._due = due
        self._clock = clock

    def before_step(self, done):
        self.calls.append(("before", done))

    def is_due(self, done):
        return done in self._due

    def act(self, done):
        self.calls.append(("act", done))
        self._clock.now += 1000


class Clock:
    def __init__(self):
        self.now = 1

    def __call__(self):
        return self.now


class BetweenSteps(unittest.TestCase):
    def train(self, make_timer, due=(2, 4), steps=4):
        clock = Clock()
        between = Between(due, clock)
        options = Namespace(
            batch=1, accumulate=1, steps=steps, position=RankPosition(), input_only=False
        )
        trainer = Namespace(make_timer=make_timer, meter=None, peak_device_bytes=lambda: None)
        events = mock.Mock()

        def step():
            clock.now += 10
            return 0.5

        with mock.patch("trainmark.timing.time.monotonic_ns", clock):
            train_steps(options, events, trainer, step, between=between)
        told = [call.args for call in events.step.call_args_list]
        return between.calls, [duration for _, _, duration, *_ in told]

    def test_it_is_asked_before_each_step_and_acts_where_it_is_due(self):
        calls, _ = self.train(HostTimer)
        self.assertEqual(
            calls, [("before", 0), ("before", 1), ("act", 2), ("before", 2), ("before", 3), ("act", 4)]
        )

    def test_its_time_is_no_part_of_a_step(self):
        for timer in (HostTimer, ReadingTimer):
            with self.subTest(timer.__name__):
                durations = self.train(timer)[1]
                self.assertEqual(len(durations), 4)
                self.assertLess(max(durations), 1000)


if __name__ == "__main__":
    unittest.main()
