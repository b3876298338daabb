"""The items of data sets of sentences."""

import random

import numpy as np

_MASK = 103  # of BERT's vocabulary; the last token of a smaller one


class MaskedSentences:
    """The beginnings of windows of tokens. Some of them are masked as BERT's are: of one token in each part of the sentence
    80 % become the mask, 10 % another token, and 10 % stay."""

    decoder = ""

    def __init__(self, data_set, size):
        self._set = data_set
        self.name_of = data_set.name_of
        self._size = size
        self._begins = np.arange(size.masked + 1) * size.tokens // size.masked

    def item(self, index):
        tokens = self._read(index)
        positions = np.array([random.randrange(*part) for part in zip(self._begins, self._begins[1:])])
        labels = tokens[positions]
        for position in positions:
            chance = random.random()
            if chance < 0.8:
                tokens[position] = min(_MASK, self._size.vocabulary - 1)
            elif chance < 0.9:
                tokens[position] = random.randrange(self._size.vocabulary)
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
