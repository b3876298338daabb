"""Recipes, learning rates, what is due when, and what is done between the steps of a training to a quality."""

import math
import unittest
from argparse import Namespace
from types import SimpleNamespace
from unittest import mock

import numpy as np
import support
from trainmark.failure import UserError
from trainmark.position import RankPosition
from trainmark.quality.checkpoint import Progress
from trainmark.quality.recipe import recipe_of, resolved_recipe
from trainmark.quality.schedule import Recurring, Schedule
from trainmark.quality.training import QualityTraining
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


class Accounts(unittest.TestCase):
    """Of a training by a clock of its own: a step takes 10 seconds, an evaluation 100, a checkpoint 1000."""

    def setUp(self):
        self.clock = Clock()
        for module in ("trainmark.quality.training", "trainmark.timing"):
            patch = mock.patch(f"{module}.time.monotonic_ns", lambda: round(self.clock.now * 1e9))
            patch.start()
            self.addCleanup(patch.stop)

    def train(self, resumed=None, workload="resnet50", gather=None, **given):
        names = dict(epochs=2.0, evaluate_every=1.0, checkpoint_every=None, steps=1000, batch=2, accumulate=1, loss_scale=None)
        options = Namespace(**{**names, **given}, position=RankPosition(), input_only=False)
        recipe = Namespace(optimizer=Sgd(1.0, 0.9), schedule="linear", warm_up=0.0, better="higher", target=1.0)
        recipe.epochs, recipe.evaluate_every = options.epochs, options.evaluate_every
        recipe.facts = dict
        self.written = []
        cell = Namespace(
            options=options,
            recipe=recipe,
            position=options.position,
            workload=find_workload(workload),
            size=None,
            batches_per_epoch=3,
            evaluation_set=Namespace(samples=7),
            resumed=resumed,
            checkpoint=Namespace(write=self.write, read_tensors=lambda step: f"tensors of {step}"),
        )
        trainer = mock.Mock(meter=None, make_timer=HostTimer, gather=lambda part: gather(part) if isinstance(part, int) else [part])
        trainer.evaluating = mock.MagicMock()
        trainer.evaluate = self.evaluate
        events = mock.Mock()
        training = QualityTraining(cell, trainer, events, Namespace(batches=lambda: ["only"]))
        training.restore()
        self.facts = training.facts()
        train_steps(options, events, trainer, self.step, between=training)
        return trainer, events

    def step(self):
        self.clock.now += 10
        return 0.5

    def evaluate(self, batch):
        self.clock.now += 100
        return {"predictions": np.array([1, 2]), "labels": np.array([1, 1]), "losses": 3.0}

    def write(self, tensors, progress, facts, wait_for_ranks):
        self.clock.now += 1000
        self.written.append((progress.step, progress.samples, progress.seconds, len(progress.evaluations), facts))
        return 77

    def test_seconds_count_checkpoints_and_no_evaluations(self):
        trainer, events = self.train()
        found = [call.args[0] for call in events.evaluation.call_args_list]
        self.assertEqual([(one["step"], one["samples"], one["epoch"]) for one in found], [(3, 6, 1), (6, 12, 2)])
        self.assertEqual([(one["quality"], one["loss"]) for one in found], [(0.5, 1.5)] * 2)
        for one, end in zip(found, (131, 1261)):
            self.assertAlmostEqual(one["seconds"], 100)
            self.assertAlmostEqual(one["end"], end)
        written = [(step, samples, round(seconds), count) for step, samples, seconds, count, _ in self.written]
        self.assertEqual(written, [(3, 6, 30, 1), (6, 12, 1060, 2)])
        self.assertEqual([facts for *_, facts in self.written], [{"position": "1:0"}, {"position": "2:0"}])
        self.assertEqual(events.checkpoint.call_args.args[0]["bytes"], 77)
        self.assertAlmostEqual(events.checkpoint.call_args.args[0]["seconds"], 1000)

    def test_a_training_that_goes_on_counts_from_what_was_before(self):
        before = Progress(4, 8, 500.0, [{"step": 3}])
        trainer, events = self.train(resumed=before)
        self.assertEqual(self.facts["resumed"], {"step": 4, "samples": 8, "seconds": 500.0, "evaluations": [{"step": 3}]})
        trainer.restore.assert_called_once_with("tensors of 4", 4)
        rates = [call.args[0] for call in trainer.set_learning_rate.call_args_list]
        self.assertEqual(len(rates), 2)
        self.assertAlmostEqual(rates[0], 1 / 3)  # 4 of 6 steps were done
        self.assertEqual([(step, round(seconds), count) for step, _, seconds, count, _ in self.written], [(6, 520, 2)])
        self.assertEqual(events.evaluation.call_args.args[0]["samples"], 12)
        self.assertEqual(before.step, 4, "what was read stays as it was")

    def test_tokens_are_those_of_all_ranks(self):
        """Each has other sentences, and more or fewer tokens in them."""
        _, events = self.train(workload="transformer", gather=lambda part: [part, part + 5])
        found = [call.args[0]["samples"] for call in events.evaluation.call_args_list]
        self.assertEqual(found, [6 + 11, 12 + 17])
        _, events = self.train(Progress(4, 100, 500.0, []), "transformer", gather=lambda part: [part, part + 5])
        self.assertEqual(events.evaluation.call_args.args[0]["samples"], 100 + 4 + 9)

    def test_checkpoints_may_be_as_often_as_they_are_wanted(self):
        self.train(checkpoint_every=1 / 3, evaluate_every=5.0, accumulate=2)  # one step is an epoch's
        self.assertEqual([(step, facts["position"]) for step, *_, facts in self.written], [(1, "0:2"), (2, "1:1")])
        self.train(steps=1)
        self.assertEqual([step for step, *_ in self.written], [1], "after the last step of whatever reason")


class Between:
    """Notes what it is asked for, and takes its time."""

    def __init__(self, due, clock):
        self.calls = []
        self.trained = 0
        self._due = due
        self._clock = clock

    def before_step(self, done):
        self.calls.append(("before", done))

    def after_step(self, items):
        self.trained += items

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

    def test_it_is_told_what_was_trained_before_it_acts(self):
        trained = []
        with mock.patch.object(Between, "act", lambda between, done: trained.append(between.trained)):
            self.train(HostTimer)
        self.assertEqual(trained, [2, 4])

    def test_its_time_is_no_part_of_a_step(self):
        for timer in (HostTimer, ReadingTimer):
            with self.subTest(timer.__name__):
                durations = self.train(timer)[1]
                self.assertEqual(len(durations), 4)
                self.assertLess(max(durations), 1000)


if __name__ == "__main__":
    unittest.main()
