import json
import math
import os
import unittest
from unittest import mock

import support  # noqa: F401
from trainmark.events import EventWriter
from trainmark.failure import BenchGone, UserError


class Events(unittest.TestCase):
    def setUp(self):
        self.reader, self.writer = os.pipe()
        self.addCleanup(lambda: [os.close(end) for end in (self.reader, self.writer) if end is not None])
        self.events = EventWriter(self.writer, readable=False)

    def written(self):
        os.set_blocking(self.reader, False)
        try:
            return os.read(self.reader, 1 << 20).decode()
        except BlockingIOError:
            return ""

    def test_a_step_has_whole_nanoseconds(self):
        self.events.step(12, 8_123_456_789, 312_345_678, 8, 6.5)
        self.events.flush()
        self.assertEqual(
            self.written(),
            '{"event":"step","step":12,"end":8.123456789,"seconds":0.312345678,"items":8,"loss":6.5}\n',
        )

    def test_a_time_just_behind_a_second_keeps_its_zeros(self):
        self.events.step(0, 3_000_000_005, 1_000_020_000, 1, 1.0)
        self.events.flush()
        step = json.loads(self.written())
        self.assertEqual((step["end"], step["seconds"]), (3.000000005, 1.00002))

    def test_a_loss_that_is_no_number_is_null(self):
        for loss in (math.nan, math.inf):
            self.events.step(0, 1, 1, 1, loss)
        self.events.flush()
        for line in self.written().splitlines():
            self.assertIsNone(json.loads(line)["loss"])

    def test_short_steps_wait_a_tenth_of_a_second(self):
        clock = mock.patch("trainmark.events.time.monotonic_ns")
        now = clock.start()
        self.addCleanup(clock.stop)
        now.return_value = 10_000_000_000
        self.events.step(0, 0, 1_000_000, 1, 1.0)
        self.assertEqual(len(self.written().splitlines()), 1)  # nothing was ever written before
        now.return_value += 50_000_000
        self.events.step(1, 0, 1_000_000, 1, 1.0)
        self.assertEqual(self.written(), "")
        now.return_value += 49_500_000  # the next step would end too late
        self.events.step(2, 0, 1_000_000, 1, 1.0)
        self.assertEqual(len(self.written().splitlines()), 2)

    def test_the_end_writes_all(self):
        self.events.memory(5)
        self.events.end(3, "stop")
        self.assertEqual(
            [json.loads(line) for line in self.written().splitlines()],
            [{"event": "memory", "peak_host_bytes": 5}, {"event": "end", "steps": 3, "why": "stop"}],
        )

    def test_a_closed_pipe_means_that_the_bench_is_gone(self):
        os.close(self.reader)
        self.reader = None
        with self.assertRaises(BenchGone):
            self.events.end(1, "steps")

    def test_what_is_no_descriptor_is_refused(self):
        for value in ("", "three", "999", "-1"):
            with mock.patch.dict(os.environ, TRAINMARK_EVENTS=value):
                with self.assertRaisesRegex(UserError, "TRAINMARK_EVENTS"):
                    EventWriter.from_environment()
