"""Metrics by hand, and by slower ways to the same number. test_references.py compares them with other libraries."""

import math
import unittest

import numpy as np
import support  # noqa: F401
from trainmark.position import RankPosition
from trainmark.quality.evaluation import own_range
from trainmark.quality.frechet import distance_of, features_of
from trainmark.quality.metrics import Accuracy, Distance, MeanIntersection, Verification
from trainmark.quality.verification import best_threshold, pairs_of, verification_accuracy


def quality_of(metric, *batches):
    for batch in batches:
        metric.add({name: np.asarray(value) for name, value in batch.items()})
    return metric.quality([metric.parts()])


class Counts(unittest.TestCase):
    def test_right_ones_of_all_that_have_a_label(self):
        metric = Accuracy()
        batches = (
            {"predictions": [3, 1, 2], "labels": [3, 1, 0], "losses": 1.5},
            {"predictions": [[5, 0], [0, 7]], "labels": [[5, -1], [1, -1]], "losses": 0.5},
        )
        self.assertEqual(quality_of(metric, *batches), 3 / 5)
        self.assertEqual(metric.loss([metric.parts()]), 2 / 5)

    def test_parts_of_ranks_are_summed_not_averaged(self):
        parts = [{"right": 1, "losses": 4.0, "counted": 1}, {"right": 0, "losses": 0.0, "counted": 3}]
        self.assertEqual((Accuracy().quality(parts), Accuracy().loss(parts)), (1 / 4, 1.0))
        nobody = [{"right": 0, "losses": 0.0, "counted": 0}]
        self.assertTrue(math.isnan(Accuracy().quality(nobody)))
        self.assertIsNone(Accuracy().loss(nobody))

    def test_classes_that_do_not_occur_do_not_count(self):
        # Class 0: 1 of 2 pixels that are either; class 1: 1 of 2; class 2 is only predicted: 0 of 1; class 3 is nowhere.
        labels = [[[0, 0, 1, 255]]]
        predictions = [[[0, 2, 1, 1]]]
        metric = MeanIntersection(4)
        self.assertAlmostEqual(
            quality_of(metric, {"predictions": predictions, "labels": labels, "losses": 6.0}), (1 / 2 + 1 + 0) / 3
        )
        self.assertEqual(metric.loss([metric.parts()]), 2.0, "255 is ignored")

    def test_intersections_are_of_the_whole_set(self):
        """Not means over batches or ranks."""
        halves = [
            {"predictions": [0, 0, 0, 1], "labels": [0, 0, 1, 1], "losses": 0.0},
            {"predictions": [1, 1, 1, 1], "labels": [0, 1, 1, 1], "losses": 0.0},
        ]
        one = MeanIntersection(2)
        whole = quality_of(one, *halves)
        self.assertAlmostEqual(whole, (2 / 4 + 4 / 6) / 2)
        parts = []
        for half in halves:
            metric = MeanIntersection(2)
            quality_of(metric, half)
            parts.append(metric.parts())
        self.assertEqual(one.quality(parts), whole)

    def test_ranks_share_all_items_in_order(self):
        for samples, ranks in ((10, 3), (2, 4), (7, 1)):
            shares = [own_range(samples, RankPosition(rank=rank, ranks=ranks)) for rank in range(ranks)]
            self.assertEqual([item for share in shares for item in share], list(range(samples)))


class Verifying(unittest.TestCase):
    def test_pairs_are_with_the_next_of_the_same_and_of_another_class(self):
        first, second, same = pairs_of(np.array([7, 7, 8, 7, 9]))
        found = list(zip(first.tolist(), second.tolist(), same.tolist()))
        wanted = [(0, 1, True), (0, 2, False), (1, 3, True), (1, 2, False), (2, 3, False)]
        wanted += [(3, 0, True), (3, 4, False), (4, 0, False)]  # 8 and 9 have no partner of their own
        self.assertEqual(found, wanted)

    def test_pairs_by_looking_for_them(self):
        labels = np.random.default_rng(1).integers(0, 5, 60)
        labels[20:30] = 3
        wanted = []
        for item in range(60):
            others = [(item + step) % 60 for step in range(1, 60)]
            for same in (True, False):
                partner = next((other for other in others if (labels[other] == labels[item]) == same), None)
                if partner is not None:
                    wanted.append((item, partner, same))
        self.assertEqual(list(zip(*(numbers.tolist() for numbers in pairs_of(labels)))), wanted)

    def test_one_class_has_no_other(self):
        self.assertEqual(pairs_of(np.array([4, 4, 4]))[2].tolist(), [True] * 3)

    def test_the_best_threshold_by_trying_all(self):
        chances = np.random.default_rng(2)
        for _ in range(50):
            similarities = chances.integers(0, 8, 30) / 8  # many are the same
            same = chances.random(30) < similarities
            tried = [(np.mean((similarities >= one) == same), -one) for one in [*similarities, math.inf]]
            self.assertEqual(best_threshold(similarities, same), -max(tried)[1])

    def test_apart_is_perfect_and_alike_is_chance(self):
        labels = np.arange(40) % 4
        apart = np.eye(4)[labels] * np.linspace(1, 9, 40)[:, None]  # lengths do not matter
        self.assertEqual(verification_accuracy(apart, labels), 1.0)
        self.assertEqual(verification_accuracy(np.ones((40, 4)), labels), 0.5)
        self.assertEqual(verification_accuracy(np.full((40, 4), np.nan), labels), 0.5)
        half = len(labels) // 2
        metric = Verification()
        parts = [{"embeddings": [apart[part]], "labels": [labels[part]]} for part in (slice(half), slice(half, None))]
        self.assertEqual(metric.quality(parts), 1.0)


class Pictures(unittest.TestCase):
    def test_features_of_a_picture_by_hand(self):
        image = np.zeros((1, 3, 4, 4))
        image[0, 0] = [[0, 1, 0, 1]] * 4  # stripes
        image[0, 1] = 0.5
        features = features_of(image).reshape(3, 4, 3)  # scale, kind, channel
        self.assertEqual(features[0, :, 0].tolist(), [0.5, 0.5, 1.0, 0.0])
        self.assertEqual(features[0, :, 1].tolist(), [0.5, 0.0, 0.0, 0.0])
        self.assertEqual(features[1, :, 0].tolist(), [0.5, 0.0, 0.0, 0.0], "a stripe is a pixel at half the size")
        self.assertEqual(features[2, :, 0].tolist(), [0.5, 0.0, 0.0, 0.0])

    def test_distances_of_known_gaussians(self):
        chances = np.random.default_rng(3)
        one = chances.normal(size=(200, 2))
        one = (one - one.mean(0)) @ np.linalg.inv(np.linalg.cholesky(np.cov(one.T)).T)  # exactly N(0, 1)
        self.assertAlmostEqual(distance_of(one, one), 0, places=9)
        self.assertAlmostEqual(distance_of(one, one + [3, 4]), 25, places=5)
        # Standard deviations 1 and 3 in each of two directions: (3 - 1)² each.
        self.assertAlmostEqual(distance_of(one, 3 * one), 8, places=5)

    def test_both_directions_count_alike(self):
        chances = np.random.default_rng(4)
        images = {name: chances.uniform(-1, 1, (6, 3, 8, 8)) for name in ("images_a", "images_b")}
        same = quality_of(Distance(), {**images, "made_a": images["images_a"], "made_b": images["images_b"]})
        self.assertAlmostEqual(same, 0, places=9)
        one = quality_of(Distance(), {**images, "made_a": images["images_a"], "made_b": images["images_b"] * 0.5})
        features = [features_of(images["images_b"] * factor) for factor in (0.5, 1)]
        self.assertAlmostEqual(one, distance_of(*features) / 2)

    def test_what_is_not_finite_is_told(self):
        images = {name: np.zeros((2, 3, 4, 4)) for name in ("images_a", "images_b", "made_a")}
        self.assertTrue(math.isnan(quality_of(Distance(), {**images, "made_b": np.full((2, 3, 4, 4), np.inf)})))


if __name__ == "__main__":
    unittest.main()
