"""How good a model is, from what it makes of an evaluation set (docs/quality.md). Counts are whole numbers and sums have
64 bits, whatever precision the model has."""

import math

import numpy as np

from .frechet import distance_of, features_of
from .verification import verification_accuracy


class Metric:
    """Takes the outputs of one batch after the other. Ranks that evaluate a part of the set each put their `parts`
    together, in their order."""

    def add(self, outputs):
        """`outputs`: arrays by name, as the framework's model gives them."""
        raise NotImplementedError

    def parts(self):
        raise NotImplementedError

    def quality(self, parts):
        """`parts`: those of all ranks."""
        raise NotImplementedError

    def loss(self, parts):
        """The mean over the set; None where there is none."""


class Counted(Metric):
    """With a loss for each label that counts. `losses`: their sum in a batch, `counted`: how many."""

    def __init__(self):
        self._losses = 0.0
        self._counted = 0

    def _add_losses(self, outputs, counted):
        self._losses += float(outputs["losses"])
        self._counted += int(counted)

    def loss(self, parts):
        counted = sum(part["counted"] for part in parts)
        return sum(part["losses"] for part in parts) / counted if counted else None


class Accuracy(Counted):
    """Right predictions by labels. A label below 0 is none: what it stands for was padded."""

    def __init__(self):
        super().__init__()
        self._right = 0

    def add(self, outputs):
        predictions, labels = outputs["predictions"], outputs["labels"]
        self._right += int(np.count_nonzero(predictions == labels))
        self._add_losses(outputs, np.count_nonzero(labels >= 0))

    def parts(self):
        return {"right": self._right, "losses": self._losses, "counted": self._counted}

    def quality(self, parts):
        counted = sum(part["counted"] for part in parts)
        return sum(part["right"] for part in parts) / counted if counted else math.nan


class MeanIntersection(Counted):
    """Over the classes that occur in labels or predictions: pixels that are both by pixels that are either."""

    def __init__(self, classes):
        super().__init__()
        self._confusion = np.zeros((classes, classes), np.int64)  # [label, prediction]

    def add(self, outputs):
        classes = len(self._confusion)
        labels, predictions = outputs["labels"].ravel(), outputs["predictions"].ravel()
        known = (labels >= 0) & (labels < classes)  # others are to be ignored
        places = classes * labels[known].astype(np.int64) + predictions[known]
        self._confusion += np.bincount(places, minlength=classes * classes).reshape(classes, classes)
        self._add_losses(outputs, np.count_nonzero(known))

    def parts(self):
        return {"confusion": self._confusion, "losses": self._losses, "counted": self._counted}

    def quality(self, parts):
        confusion = sum(part["confusion"] for part in parts)
        both = np.diag(confusion)
        either = confusion.sum(0) + confusion.sum(1) - both
        return float(np.mean(both[either > 0] / either[either > 0])) if either.any() else math.nan


class Verification(Metric):
    """Are two pictures of the same class? From the angles between their embeddings."""

    def __init__(self):
        self._embeddings, self._labels = [], []

    def add(self, outputs):
        self._embeddings.append(np.asarray(outputs["embeddings"], np.float32))
        self._labels.append(outputs["labels"])

    def parts(self):
        return {"embeddings": self._embeddings, "labels": self._labels}

    def quality(self, parts):
        embeddings = np.concatenate([batch for part in parts for batch in part["embeddings"]])
        return verification_accuracy(embeddings, np.concatenate([batch for part in parts for batch in part["labels"]]))


class Distance(Metric):
    """Between pictures that were made and real ones of the same side, in the mean over both sides."""

    _NAMES = ("images_a", "images_b", "made_a", "made_b")

    def __init__(self):
        self._features = {name: [] for name in self._NAMES}

    def add(self, outputs):
        """[items, 3, height, width] each, in [-1, 1]."""
        for name in self._NAMES:
            self._features[name].append(features_of(outputs[name]))

    def parts(self):
        return self._features

    def quality(self, parts):
        a, b, made_a, made_b = (np.concatenate([rows for part in parts for rows in part[name]]) for name in self._NAMES)
        return (distance_of(made_a, a) + distance_of(made_b, b)) / 2


def make_metric(workload, size):
    """The one that its contract names."""
    makers = {
        "top-1 accuracy": Accuracy,
        "masked-language-model accuracy": Accuracy,
        "token accuracy": Accuracy,
        "mean intersection over union": lambda: MeanIntersection(size.classes),
        "verification accuracy": Verification,
        "distance of the made images from real ones": Distance,
    }
    return makers[workload.metric]()
