"""Where steps have their batches from, with a feed that is told when to give one."""

import json
import os
import unittest
from argparse import Namespace
from unittest import mock

import support
from trainmark import options as arguments
from trainmark.description import describe, to_text
from trainmark.events import EventWriter
from trainmark.failure import BadItem, Unsupported, UserError
from trainmark.input import Dropped, Feed, Source
from trainmark.offer import Pipeline, is_installed
from trainmark.position import RankPosition
from trainmark.steps import train_steps
from trainmark.timing import HostTimer, ReadingTimer

PIPELINES = {"own": {"labelled-images": ["imagefolder"]}, "other": {"labelled-images": ["webdataset", "imagefolder"]}}


class Clock:
    """Time that passes when somebody says so."""

    def __init__(self, test):
        self.now = 1000
        for module in ("timing", "events"):
            clock = mock.patch(f"trainmark.{module}.time.monotonic_ns", lambda: self.now)
            clock.start()
            test.addCleanup(clock.stop)

    def spend(self, nanoseconds):
        self.now += nanoseconds


class CountedFeed(Feed):
    """Its batches are numbers; each takes 30 ns."""

    def __init__(self, clock, calls):
        self._clock = clock
        self._calls = calls
        self._number = 0
        self.items = 4

    def next(self):
        self._clock.spend(30)
        self._number += 1
        return self._number

    def wait(self):
        self._clock.spend(5)

    def pause(self):
        self._calls.append("rest")

    def go_on(self):
        self._calls.append("go on")


class Steps(unittest.TestCase):
    def setUp(self):
        self.clock = Clock(self)
        self.calls = []
        self.feed = CountedFeed(self.clock, self.calls)

    def run_steps(self, trainer, step, steps=2, **settings):
        position = settings.pop("position", RankPosition())
        options = Namespace(batch=4, accumulate=2, steps=steps, position=position, input_only=False, **settings)
        options.input_only = isinstance(trainer, Dropped)
        reader, writer = os.pipe()
        source = Source(self.feed, trainer.use, options.accumulate)
        train_steps(options, EventWriter(writer, readable=False), trainer, step, source)
        os.close(writer)
        with os.fdopen(reader) as lines:
            events = [json.loads(line) for line in lines]
        return [event for event in events if event["event"] == "step"]

    def train(self, **settings):
        used = []

        def step():
            self.clock.spend(100)
            return 1.5

        trainer = Namespace(make_timer=HostTimer, meter=None, peak_device_bytes=lambda: None, use=used.append)
        return self.run_steps(trainer, step, **settings), used

    def test_each_step_has_new_batches_and_tells_how_long_it_waited(self):
        steps, used = self.train()
        self.assertEqual(used, [[1, 2], [3, 4]])
        for step in steps:
            self.assertAlmostEqual(step["data"], 60e-9)
            self.assertAlmostEqual(step["seconds"], 160e-9)
            self.assertEqual((step["loss"], step["items"]), (1.5, 8))

    def test_items_are_those_of_the_steps_own_batches(self):
        self.feed.next = mock.Mock(side_effect=self.give_items_of(iter([3, 5, 7, 11])))
        steps, _ = self.train()
        self.assertEqual([step["items"] for step in steps], [8, 18])

    def give_items_of(self, counts):
        def give():
            self.feed.items = next(counts)
            return "a batch"

        return give

    def test_batches_that_are_dropped_have_no_loss(self):
        dropped = Dropped(self.feed)
        steps = self.run_steps(dropped, dropped.step)
        self.assertEqual(len(steps), 2)
        for step in steps:
            self.assertNotIn("loss", step)
            self.assertAlmostEqual(step["seconds"], 65e-9)

    def test_nothing_is_made_in_a_pause(self):
        with mock.patch("trainmark.steps.pause_requested", side_effect=[True, False]):
            with mock.patch("trainmark.steps.wait_out_pause", lambda _: self.calls.append("pause")):
                self.train()
        self.assertEqual(self.calls, ["rest", "pause", "go on"])

    def test_ranks_that_train_nothing_stop_when_they_are_asked(self):
        dropped = Dropped(self.feed)
        with mock.patch("trainmark.steps.stop_requested", side_effect=[False, True]):
            steps = self.run_steps(dropped, dropped.step, steps=9, position=RankPosition(rank=1, ranks=2))
        self.assertEqual(len(steps), 2)


class Timers(unittest.TestCase):
    def test_a_device_behind_our_back_is_waited_for_by_the_host(self):
        clock = Clock(self)
        timer = ReadingTimer()
        for waited in (20, 70):
            timer.begin()
            clock.spend(waited)
            timer.arrived()
            timer.end(1.0)
        self.assertEqual([step.input_ns for step in timer.take(wait=True)], [20, 70])

    def test_a_batch_that_was_there_is_not_waited_for(self):
        timer = HostTimer()
        timer.begin()
        timer.end(1.0)
        self.assertIsNone(timer.take(wait=True)[0].input_ns)


class Readable(unittest.TestCase):
    def test_people_see_how_long_a_step_waited(self):
        reader, writer = os.pipe()
        events = EventWriter(writer, readable=True)
        events.step(0, 10**9, 10**8, 4, 2.5, input_ns=3 * 10**7)
        events.step(1, 10**9, 10**8, 4, None)
        events.flush()
        os.close(writer)
        with os.fdopen(reader) as lines:
            first, second = lines
        self.assertIn("loss 2.5  30.000 ms for data", first)
        self.assertTrue(second.endswith("items/s\n"), second)


class Options(unittest.TestCase):
    def resolve(self, *words):
        offered = {"modes": ["eager"], "precisions": {"cpu": ["fp32"]}, "workloads": support.contracts()}
        self.description = describe("some", {}, {"cpu": ""}, **offered, pipelines=PIPELINES)
        parser = arguments.make_parser("some", "about")
        arguments.add_proof_options(parser)
        options = arguments.parse(parser, words)
        arguments.resolve(options, self.description)
        return options

    def test_the_first_pipeline_is_the_default(self):
        options = self.resolve("--workload", "resnet50", "--data", "flowers")
        self.assertEqual((options.pipeline, options.formats), ("own", ["imagefolder"]))
        self.assertEqual(options.workers, len(os.sched_getaffinity(0)))
        with mock.patch.dict(os.environ, LOCAL_WORLD_SIZE="9999"):
            self.assertEqual(self.resolve("--workload", "resnet50", "--data", "flowers").workers, 1)
        options = self.resolve("--workload", "resnet50", "--data", "flowers", "--pipeline", "other", "--workers", "3")
        self.assertEqual((options.formats, options.workers), (["webdataset", "imagefolder"], 3))

    def test_made_up_data_need_neither(self):
        options = self.resolve("--workload", "resnet50", "--workers", "3", "--pipeline", "whatever")
        self.assertIsNone(options.data)

    def test_what_cannot_be_is_refused(self):
        data = ("--data", "flowers")
        for kind, message, words in (
            (UserError, "--input-only: there is no data set", ("--workload", "resnet50", "--input-only")),
            (UserError, "did you mean 'other'", ("--workload", "resnet50", *data, "--pipeline", "othr")),
            (UserError, "--workers", ("--workload", "resnet50", *data, "--workers", "0")),
            (UserError, "nothing to save", ("--workload", "resnet50", *data, "--input-only", "--save-trained", "x")),
            (Unsupported, "bert is trained on synthetic data only", ("--workload", "bert", *data)),
        ):
            with self.subTest(message), self.assertRaisesRegex(kind, message):
                self.resolve(*words)

    def test_the_description_has_the_formats_of_each_workload(self):
        self.resolve("--workload", "bert")
        workloads = {workload["name"]: workload for workload in self.description["workloads"]}
        self.assertEqual(workloads["resnet50"]["data"], ["imagefolder", "webdataset"])
        self.assertNotIn("data", workloads["bert"])
        self.assertIn("data sets, by other: webdataset, imagefolder", to_text(self.description))


class Pipelines(unittest.TestCase):
    def test_one_whose_package_is_missing_says_how_to_install_it(self):
        missing = Pipeline({}, package="there.is.none", requirements="some.lock").missing()
        self.assertRegex(missing, "there.is.none is not installed; to install it: .* -m pip install --require-hashes -r /.*/some.lock")
        self.assertEqual(Pipeline({}, package="json").missing(), "")
        self.assertEqual(Pipeline({}).missing(), "")
        self.assertFalse(is_installed("json.missing"))


@support.needs("numpy")
class Workers(unittest.TestCase):
    def test_an_item_that_cannot_be_read_is_named_outside_of_the_worker(self):
        from trainmark.input import as_batch, check_batch
        from trainmark.workers import Items

        def item(index):
            if index == 2:
                raise ValueError("it is spoilt")
            return {"labels": index}

        cell = Namespace(
            data_set=Namespace(samples=3), options=Namespace(batch=4), position=RankPosition(rank=0, ranks=2)
        )
        items = Items(cell, Namespace(item=item, name_of=lambda index: f"picture{index}"))
        self.assertEqual(len(items), 8, "repeated, so that there is a batch for each rank")
        self.assertEqual(check_batch(as_batch([items[0], items[4]], list)), {"labels": [0, 1]})
        with self.assertRaisesRegex(BadItem, "^picture2 cannot be read: it is spoilt$"):
            check_batch(as_batch([items[0], items[5]], list))

    def test_batches_of_a_quality_can_begin_anywhere(self):
        from trainmark.workers import NumberedBatches

        def batches(first):
            cell = Namespace(
                data_set=Namespace(samples=10),
                options=Namespace(batch=3, seed=4),
                position=RankPosition(),
                batches_per_epoch=3,
                first_batch=first,
            )
            found = NumberedBatches(cell)
            for epoch in range(found.first_epoch, 3):
                found.set_epoch(epoch)
                yield from found

        whole = list(batches((0, 0)))
        self.assertEqual(len(whole), 9)
        self.assertEqual([{number // 10 for number in batch} for batch in whole[2:4]], [{0}, {1}], "each says its epoch")
        self.assertEqual(len({number for batch in whole[:3] for number in batch}), 9)
        self.assertEqual(list(batches((1, 2))), whole[5:])

    def test_chances_of_an_item_follow_from_seed_and_number(self):
        import random

        from trainmark.workers import Items

        def drawn(seed, number):
            told = []
            options = Namespace(batch=1, seed=seed)
            cell = Namespace(data_set=Namespace(samples=3), options=options, position=RankPosition())
            pictures = Namespace(item=lambda index: {"labels": (index, random.random(), told[0])}, name_of=str)
            return Items(cell, pictures, told.append)[number]["labels"]

        self.assertEqual(drawn(1, 4), drawn(1, 4))
        self.assertEqual(drawn(1, 4)[0], 1)
        for other in (drawn(1, 1), drawn(2, 4)):
            self.assertNotEqual(drawn(1, 4)[1:], other[1:])


if __name__ == "__main__":
    unittest.main()
