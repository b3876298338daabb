"""Whether two pictures show the same person, by a threshold for the cosine between their embeddings."""

import math

import numpy as np

_FOLDS = 10


def verification_accuracy(embeddings, labels):
    """The mean over ten folds of the pairs: each is judged by the threshold that is best on the others."""
    lengths = np.linalg.norm(embeddings.astype(np.float64), axis=1, keepdims=True)
    directions = embeddings / np.maximum(lengths, 1e-12)
    first, second, same = pairs_of(np.asarray(labels))
    if len(first) < _FOLDS:
        return math.nan
    similarities = (directions[first] * directions[second]).sum(1)
    accuracies = []
    for fold in range(_FOLDS):
        inside = np.zeros(len(first), bool)
        inside[fold * len(first) // _FOLDS : (fold + 1) * len(first) // _FOLDS] = True
        threshold = best_threshold(similarities[~inside], same[~inside])
        accuracies.append(np.mean((similarities[inside] >= threshold) == same[inside]))
    return float(np.mean(accuracies))


def pairs_of(labels):
    """Of each item, in their order: that with the next item of the same label and that with the next of another, cyclic. An
    item that has no such partner has no such pair. Gives both numbers of each pair, and whether the labels are the same."""
    count = len(labels)
    partners = np.stack([_next_same(labels), _next_other(labels)], axis=1)
    first = np.repeat(np.arange(count), 2)
    same = np.tile([True, False], count)
    found = partners.ravel() >= 0
    return first[found], partners.ravel()[found], same[found]


def best_threshold(similarities, same):
    """Pairs are taken for the same from it on. The smallest of the best: one of the similarities, or above all of them."""
    order = np.argsort(similarities, kind="stable")
    values, same = similarities[order], same[order]
    # With the threshold at place k, those before it are taken for others.
    right = np.concatenate([[0], np.cumsum(~same)]) + same.sum() - np.concatenate([[0], np.cumsum(same)])
    begins = np.concatenate([[True], values[1:] != values[:-1]])  # of a run of equal ones
    candidates = np.concatenate([np.flatnonzero(begins), [len(values)]])
    best = candidates[np.argmax(right[candidates])]
    return values[best] if best < len(values) else math.inf


def _next_same(labels):
    """-1 where there is no other item of this label."""
    result = np.full(len(labels), -1)
    order = np.argsort(labels, kind="stable")
    for group in np.split(order, np.flatnonzero(np.diff(labels[order])) + 1):
        if len(group) > 1:
            result[group] = np.roll(group, -1)
    return result


def _next_other(labels):
    """-1 where all items have this label. Whoever has a neighbour of the same label has that one's next."""
    count = len(labels)
    result = np.full(count, -1)
    if not (labels != labels[:1]).any():
        return result
    begin = int(np.flatnonzero(labels != np.roll(labels, 1))[0])  # of some run of equal labels, cyclic
    for place in range(begin - 1, begin - 1 - count, -1):
        place %= count
        following = (place + 1) % count
        result[place] = following if labels[following] != labels[place] else result[following]
    return result
