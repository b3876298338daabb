"""The metrics are those of scikit-learn and SciPy, where these have them."""

import unittest

import numpy as np
import support
from trainmark.quality.frechet import distance_of, features_of
from trainmark.quality.metrics import Accuracy, MeanIntersection
from trainmark.quality.verification import pairs_of, verification_accuracy


def evaluated(metric, labels, predictions, batch=7):
    for first in range(0, len(labels), batch):
        part = slice(first, first + batch)
        metric.add({"labels": labels[part], "predictions": predictions[part], "losses": 0.0})
    return metric.quality([metric.parts()])


@support.needs("sklearn")
class ScikitLearn(unittest.TestCase):
    def setUp(self):
        self.chances = np.random.default_rng(11)

    def draw(self, classes, shape):
        labels = self.chances.integers(0, classes, shape)
        wrong = self.chances.random(shape) < 0.3
        return labels, np.where(wrong, self.chances.integers(0, classes, shape), labels)

    def test_accuracy(self):
        from sklearn.metrics import accuracy_score

        for count in (1, 7, 1000):
            labels, predictions = self.draw(10, count)
            self.assertEqual(evaluated(Accuracy(), labels, predictions), accuracy_score(labels, predictions))

    def test_mean_intersection(self):
        from sklearn.metrics import jaccard_score

        labels, predictions = self.draw(15, (9, 12, 8))  # of 19 classes, so that some do not occur
        labels[:, :2] = 255
        known = labels != 255
        wanted = jaccard_score(labels[known], predictions[known], average="macro")
        self.assertAlmostEqual(evaluated(MeanIntersection(19), labels, predictions, batch=2), wanted, places=14)

    def test_verification(self):
        """Folds are KFold's, and the accuracy of each is that of a threshold that is best on the others."""
        from sklearn.metrics import accuracy_score, roc_curve
        from sklearn.metrics.pairwise import cosine_similarity
        from sklearn.model_selection import KFold

        labels = self.chances.integers(0, 12, 150)
        embeddings = self.chances.normal(size=(12, 8))[labels] + 0.9 * self.chances.normal(size=(150, 8))
        first, second, same = pairs_of(labels)
        similarities = cosine_similarity(embeddings)[first, second]
        accuracies = []
        for others, fold in KFold(10).split(similarities):
            false_rate, true_rate, thresholds = roc_curve(same[others], similarities[others], drop_intermediate=False)
            right = true_rate * same[others].sum() + (1 - false_rate) * (~same[others]).sum()
            threshold = thresholds[np.flatnonzero(np.isclose(right, right.max(), atol=1e-6))[-1]]  # the smallest
            accuracies.append(accuracy_score(same[fold], similarities[fold] >= threshold - 1e-12))
        self.assertAlmostEqual(verification_accuracy(embeddings, labels), np.mean(accuracies), places=12)


@support.needs("scipy")
class SciPy(unittest.TestCase):
    def test_distance(self):
        """As FID is computed: with the matrix root of the product of the covariances."""
        from scipy.linalg import sqrtm

        chances = np.random.default_rng(12)
        made, real = (features_of(chances.uniform(-1, factor, (60, 3, 16, 16))) for factor in (1, 0.7))
        covariances = [np.cov(features.T) + 1e-6 * np.eye(36) for features in (made, real)]
        root = sqrtm(covariances[0] @ covariances[1]).real
        difference = made.mean(0) - real.mean(0)
        wanted = difference @ difference + np.trace(covariances[0] + covariances[1] - 2 * root)
        self.assertAlmostEqual(distance_of(made, real), wanted, delta=1e-9 + 1e-6 * wanted)


if __name__ == "__main__":
    unittest.main()
