"""Transformer-big."""

import math

import numpy as np
import paddle
from paddle import nn
from paddle.nn import functional

from attention import CrossAttention, FeedForward, SelfAttention
from layers import Chain, smoothed_cross_entropy

HAS_LAYOUTS = False

EPS = 1e-5
LABEL_SMOOTHING = 0.1


class EncoderLayer(nn.Layer):
    def __init__(self, size, dropout):
        super().__init__()
        self.attention = SelfAttention(size.width, size.heads, dropout, EPS)
        self.feed_forward = FeedForward(size.width, size.feed_forward, functional.relu, dropout, EPS)

    def forward(self, x):
        return self.feed_forward(self.attention(x))


class DecoderLayer(nn.Layer):
    def __init__(self, size, dropout):
        super().__init__()
        self.attention = SelfAttention(size.width, size.heads, dropout, EPS, causal=True)
        self.cross = CrossAttention(size.width, size.heads, dropout, EPS)
        self.feed_forward = FeedForward(size.width, size.feed_forward, functional.relu, dropout, EPS)

    def forward(self, x, memory):
        return self.feed_forward(self.cross(self.attention(x), memory))


class Transformer(nn.Layer):
    def __init__(self, size, dropout):
        super().__init__()
        self.embedding = nn.Embedding(size.vocabulary, size.width)
        self.dropout = nn.Dropout(dropout)
        self.encoder = Chain("layer", [EncoderLayer(size, dropout) for _ in range(size.layers)])
        self.decoder = Chain("layer", [DecoderLayer(size, dropout) for _ in range(size.layers)])
        self.positions = sinusoids(size.tokens, size.width)

    def forward(self, source, target):
        memory = self.encoder(self.embed(source))
        decoded = self.decoder(self.embed(target[:, :-1]), memory)
        logits = paddle.matmul(decoded.flatten(0, 1), self.embedding.weight, transpose_y=True)
        return smoothed_cross_entropy(logits, target[:, 1:].flatten(), LABEL_SMOOTHING)

    def embed(self, tokens):
        vectors = self.embedding(tokens)
        positions = paddle.to_tensor(self.positions, dtype=vectors.dtype)
        return self.dropout(vectors * math.sqrt(vectors.shape[-1]) + positions)


def sinusoids(tokens, width):
    """sin(p / 10000^(2i/width)) at 2i, the cosine at 2i + 1."""
    angles = np.arange(tokens)[:, None] * 10000 ** (-np.arange(0, width, 2) / width)
    return np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(tokens, width).astype(np.float32)


def build(size, dropout):
    return Transformer(size, dropout)
