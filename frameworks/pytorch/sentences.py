"""The items of data sets of sentences."""

import random

import numpy as np

from trainmark.order import item_words

_MASK = 103  # of BERT's vocabulary; the last token of a smaller one
_32 = np.uint64(32)


class MaskedSentences:
    """The beginnings of windows of tokens. Some of them are masked as BERT's are: of one token in each part of the sentence
    80 % become the mask, 10 % another token, and 10 % stay."""

    decoder = ""

    def __init__(self, data_set, size, augmentation="", evaluated=False):
        self._set = data_set
        self.name_of = data_set.name_of
        self._size = size
        self._begins = np.arange(size.masked + 1) * size.tokens // size.masked
        self._words_of = _fixed_words if evaluated else _random_words

    def item(self, index):
        tokens = self._read(index)
        places, what, others = self._words_of(index, self._size.masked).reshape(-1, 3).T
        positions = self._begins[:-1] + (places * np.diff(self._begins).astype(np.uint64) >> _32).astype(np.int64)
        labels = tokens[positions]
        tokens[positions] = np.where(
            what < 0.8 * 2**32,
            min(_MASK, self._size.vocabulary - 1),
            np.where(what < 0.9 * 2**32, others * np.uint64(self._size.vocabulary) >> _32, labels),
        )
        return {
            "tokens": tokens,
            "segments": np.zeros_like(tokens),
            "masked_positions": positions,
            "masked_labels": labels,
            "next_sentence": 0,
        }

    def _read(self, index):
        """As many as a sentence has."""
        kind = {2: np.uint16, 4: np.uint32}[self._set.parts.width_at(index)]
        tokens = np.frombuffer(self._set.read(self._set.parts[index]), kind)[: self._size.tokens].astype(np.int64)
        if len(tokens) < self._size.tokens:
            raise ValueError(f"it has {len(tokens)} tokens, and a sentence {self._size.tokens}")
        if tokens.max() >= self._size.vocabulary:
            raise ValueError(f"token {tokens.max()} is outside of the vocabulary of {self._size.vocabulary}")
        return tokens


def _random_words(_index, masked):
    """Three numbers of 32 bits for each token that is chosen: its place, what becomes of it, and into which one."""
    return np.array([random.getrandbits(32) for _ in range(3 * masked)], np.uint64)


def _fixed_words(index, masked):
    """Those with which quality is measured, in every program."""
    return item_words(0, "mask", 0, index, 3 * masked)
