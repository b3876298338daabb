"""Pairs of sentences: what their files hold, and which of them make up a batch. That the C++ trainers have the same batches
is for the tests of frameworks to see."""

import unittest
from types import SimpleNamespace

import numpy as np
import support
from trainmark.data_sets import open_data_set, open_evaluation_set
from trainmark.failure import BadItem, UserError
from trainmark.pair_order import order_of_pairs, padded_widths
from trainmark.pairs import Pairs
from trainmark.position import RankPosition

KIND, FORMATS = "sentence-pairs", ["token-lines"]


class Lines(support.TemporaryFolder):
    def write(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    def open(self, path="."):
        return open_data_set(self.folder / path, KIND, FORMATS)

    def pairs_of(self, found):
        return [tuple(list(side) for side in found.parts.pair(index)) for index in range(found.samples)]

    def refuses(self, message, path="."):
        with self.assertRaisesRegex(UserError, message):
            self.open(path)

    def test_both_sides_stand_in_a_line_or_in_files_beside_each_other(self):
        self.write("one/train.tsv", "1 2\t3\n4\t5 6  7")
        self.write("two/a.src", "\ufeff1 2\r\n4\r\n")
        self.write("two/a.tgt", "3\n5 6 7\n")
        for path in ("one", "two", "one/train.tsv", "two/a.src", "two/a.tgt"):
            with self.subTest(path):
                found = self.open(path)
                self.assertEqual(self.pairs_of(found), [([1, 2], [3]), ([4], [5, 6, 7])])
                self.assertEqual(found.parts.source_lengths.tolist(), [2, 1])
                self.assertEqual(found.parts.target_lengths.tolist(), [1, 3])
                self.assertIn(found.name_of(1), ("train.tsv:2", "a.src:2"))

    def test_files_follow_each_other_and_evaluation_is_apart(self):
        self.write("set/train-0.tsv", "1\t2\n3\t4\n")
        self.write("set/train-1.tsv", "5\t6\n")
        self.write("set/val/val-0.tsv", "7\t8\n")
        found = self.open("set")
        self.assertEqual([source for source, _ in self.pairs_of(found)], [[1], [3], [5]])
        self.assertEqual(found.name_of(2), "train-1.tsv:1")
        other = open_evaluation_set(found, self.folder / "set", None, KIND, FORMATS)
        self.assertEqual(self.pairs_of(other), [([7], [8])])

    def test_a_line_that_cannot_be_read_is_found_when_it_is_needed(self):
        self.write("a.tsv", "1\t2\n3 4\nx\t5\n-6\t7\n8\t\n9\t99999999999\n\n1\t2\t3\n")
        found = self.open()
        self.assertEqual(found.samples, 8)
        self.assertEqual(found.parts.source_lengths.tolist(), [1, 2, 1, 1, 1, 1, 0, 1])
        self.assertEqual(found.parts.target_lengths.tolist(), [1, 0, 1, 1, 0, 1, 0, 2])
        for line, message in (
            (1, "no tab"),
            (2, "'x' in its source is not a token id"),
            (3, "'-6' in its source"),
            (4, "its target is empty"),
            (5, "'99999999999' in its target"),
            (6, "no tab"),
            (7, "in its target is not a token id"),
        ):
            with self.assertRaisesRegex(ValueError, message):
                found.parts.pair(line)

    def test_what_is_something_else_is_refused(self):
        self.write("prices.tsv", "name\tprice\napple\t3\n")
        self.refuses("not in any of the formats that can be read here: token-lines")
        self.write("a.src", "1\n2\n")
        self.refuses("a.tgt was not found; a.src needs it beside it", "a.src")
        self.write("a.tgt", "1\n")
        self.refuses("has 2 lines, but a.tgt has 1", "a.src")


def make_cell(lengths, batch=64, tokens=24, mode="eager", ranks=1, rank=0, seed=1, vocabulary=50):
    """`lengths`: of source and target of each pair."""
    source, target = np.array(lengths).T
    lines = SimpleNamespace(source_lengths=source, target_lengths=target)
    return SimpleNamespace(
        options=SimpleNamespace(batch=batch, mode=mode, seed=seed),
        size=SimpleNamespace(tokens=tokens, vocabulary=vocabulary),
        position=RankPosition(rank=rank, ranks=ranks),
        data_set=SimpleNamespace(parts=lines, samples=len(source)),
    )


class Order(unittest.TestCase):
    lengths = np.random.default_rng(7).integers(1, 31, (200, 2))

    def epoch(self, epoch=0, **settings):
        order = order_of_pairs(make_cell(self.lengths, **settings))
        return [order.items(epoch, batch) for batch in range(order.batches)]

    def test_widths_are_multiples_of_eight_but_for_the_longest(self):
        self.assertEqual(padded_widths(np.array([0, 1, 8, 9, 19, 20, 30]), 20).tolist(), [8, 8, 8, 16, 20, 20, 20])

    def test_an_epoch_has_each_pair_once_in_another_order_each_time(self):
        first, second = self.epoch(0), self.epoch(1)
        for batches in (first, second):
            self.assertEqual(sorted(np.concatenate(batches)), list(range(200)))
        self.assertNotEqual([list(batch) for batch in first], [list(batch) for batch in second])
        self.assertNotEqual(first[0].tolist(), self.epoch(0, seed=2)[0].tolist())

    def test_batches_are_of_like_lengths_and_no_wider_than_was_asked_for(self):
        widths = padded_widths(self.lengths, 24)
        for batch in self.epoch():
            target = widths[batch, 1].max()
            self.assertLessEqual(len(batch) * target, 64)
            self.assertLessEqual(target - widths[batch, 1].min(), 8)
        alike = sum(len(np.unique(widths[batch], axis=0)) == 1 for batch in self.epoch())
        self.assertGreater(alike, len(self.epoch()) / 2)

    def test_what_is_left_of_short_ones_is_a_batch_where_longer_ones_would_not_fit(self):
        order = order_of_pairs(make_cell([(8, 8)] * 3 + [(8, 24)] * 4, batch=48))
        self.assertEqual(sorted(sorted(order.items(0, batch)) for batch in range(order.batches))[0], [0, 1, 2])
        order = order_of_pairs(make_cell([(8, 8)] * 3 + [(8, 24)] * 4, batch=96))
        self.assertEqual(sorted(len(order.items(0, batch)) for batch in range(order.batches)), [3, 4])

    def test_ranks_have_disjoint_parts_and_neighbours_at_a_time(self):
        ranks = [self.epoch(ranks=2, rank=rank) for rank in range(2)]
        self.assertEqual(len(ranks[0]), len(ranks[1]))
        both = np.concatenate([*ranks[0], *ranks[1]])
        self.assertEqual(len(np.unique(both)), len(both))
        widths = padded_widths(self.lengths, 24)[:, 1]
        apart = [abs(int(widths[one].max()) - int(widths[other].max())) for one, other in zip(*ranks)]
        self.assertGreaterEqual(apart.count(0), len(apart) - 3)

    def test_compiled_steps_have_one_shape(self):
        for mode in ("compile", "graph"):
            batches = self.epoch(mode=mode)
            self.assertEqual({len(batch) for batch in batches}, {64 // 24})
            self.assertEqual(len(np.unique(np.concatenate(batches))), 200)


class Batches(unittest.TestCase):
    sentences = {0: ([3, 4, 5], [6, 7]), 1: ([8], list(range(1, 31))), 2: ([9, 9], [60])}

    def batch(self, items, mode="eager"):
        cell = make_cell([(3, 2), (1, 30), (2, 1)], mode=mode)
        cell.data_set.parts.pair = lambda item: [np.array(side) for side in self.sentences[item]]
        cell.data_set.name_of = lambda item: f"line {item}"
        return Pairs(cell.data_set, cell).batch(items)

    def test_are_padded_and_targets_begin_one_token_earlier(self):
        arrays, tokens = self.batch([0, 0])
        self.assertEqual(arrays["source"].tolist(), [[3, 4, 5, 0, 0, 0, 0, 0]] * 2)
        self.assertEqual(arrays["target"].tolist(), [[0, 6, 7, 0, 0, 0, 0, 0, 0]] * 2)
        self.assertEqual(arrays["source_lengths"].tolist(), [3, 3])
        self.assertEqual(arrays["target_lengths"].tolist(), [2, 2])
        self.assertEqual(tokens, 4)

    def test_are_cut_and_say_nothing_of_padding_where_there_is_none(self):
        arrays, tokens = self.batch([1])
        self.assertEqual(arrays["target"].tolist(), [list(range(25))])
        self.assertNotIn("target_lengths", arrays)
        self.assertEqual(tokens, 24)
        arrays, _ = self.batch([1], mode="graph")
        self.assertEqual((arrays["source"].shape, arrays["target_lengths"].tolist()), ((1, 24), [24]))

    def test_a_token_that_the_model_does_not_know_is_named(self):
        with self.assertRaisesRegex(BadItem, "line 2 cannot be read: token 60 is outside of the vocabulary of 50"):
            self.batch([0, 2])


if __name__ == "__main__":
    unittest.main()
