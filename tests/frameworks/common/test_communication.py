import unittest

import support  # noqa: F401

from trainmark.communication import CommunicationMeter, EventMeter, communication_of


class Times(unittest.TestCase):
    def test_overlapping_collectives_are_under_way_once(self):
        self.assertEqual(communication_of([], []), (0, 0))
        self.assertEqual(communication_of([(10, 30), (20, 25), (28, 40), (50, 60)], [(35, 40), (55, 60)]), (40, 10))

    def test_a_step_has_its_own(self):
        meter = CommunicationMeter()
        self.assertIsNone(meter.take())
        meter.begin()()
        meter.end_step()
        end = meter.begin()
        meter.wait_begins()
        end()
        meter.wait_ends()
        meter.end_step()
        meter.end_step()
        first, second, third = meter.take(), meter.take(), meter.take()
        self.assertGreater(first[0], 0)
        self.assertEqual(first[1], 0, "nobody waited for it")
        self.assertGreaterEqual(second[0], second[1])
        self.assertGreater(second[1], 0)
        self.assertEqual(third, (0, 0))


class Event:
    """Passes at a moment that the test chooses, in milliseconds."""

    def __init__(self, moment):
        self.moment = moment
        self.waited_for = False

    def synchronize(self):
        self.waited_for = True

    def elapsed_time(self, other):
        return other.moment - self.moment


class MeterOfMoments(EventMeter):
    def __init__(self, *moments):
        super().__init__()
        self._moments = list(moments)

    def _record(self):
        return Event(self._moments.pop(0))


class Events(unittest.TestCase):
    def test_tell_what_a_gpu_did_behind_our_back(self):
        # Two collectives are begun before the first has ended; the step waits from 6 to 9 for the second.
        meter = MeterOfMoments(1.0, 2.0, 5.0, 9.0, 6.0, 9.0)
        first, second = meter.begin(), meter.begin()
        first()
        second()
        meter.wait_begins()
        meter.wait_ends()
        meter.wait_ends()  # once more, when nobody waits
        meter.end_step()
        self.assertEqual(meter.take(), (8_000_000, 3_000_000))
        self.assertIsNone(meter.take())

    def test_a_step_without_collectives_tells_nothing(self):
        meter = MeterOfMoments()
        meter.end_step()
        self.assertIsNone(meter.take())

    def test_the_next_step_may_have_begun(self):
        meter = MeterOfMoments(1.0, 2.0, 10.0, 14.0)
        for _ in range(2):
            meter.begin()()
            meter.end_step()
        self.assertEqual([meter.take(), meter.take()], [(1_000_000, 0), (4_000_000, 0)])


if __name__ == "__main__":
    unittest.main()
