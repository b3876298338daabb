"""The positions of the transformer."""

import numpy as np


def sinusoids(tokens, width):
    """sin(p / 10000^(2i/width)) at 2i, the cosine at 2i + 1."""
    angles = np.arange(tokens)[:, None] * 10000.0 ** (-np.arange(0, width, 2) / width)
    return np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(tokens, width).astype(np.float32)
