"""Transformer-big."""

import math
from typing import Any

import jax
import jax.numpy as jnp
from flax import linen as nn

from attention import attend
from embedding import look_up
from trainmark.positions import sinusoids

EPS = 1e-5
LABEL_SMOOTHING = 0.1


class SubLayer(nn.Module):
    """Its parts have a subclass's names; what it makes of x is added to x."""

    size: Any
    dropout: float
    numerics: Any

    @nn.compact
    def __call__(self, x, *others):
        y = nn.Dropout(self.dropout, deterministic=False)(self.transform(x, *others))
        return nn.LayerNorm(EPS, dtype=self.numerics.dtype, name="norm")(x + y)

    def dense(self, name, outputs):
        return nn.Dense(outputs, dtype=self.numerics.dtype, name=name)

    def attend(self, *parts, causal=False):
        y = attend(*parts, self.size.heads, self.numerics, causal)
        return self.dense("output", self.size.width)(y)


class SelfAttention(SubLayer):
    causal: bool = False

    def transform(self, x):
        parts = jnp.split(self.dense("qkv", 3 * self.size.width)(x), 3, axis=-1)
        return self.attend(*parts, causal=self.causal)


class CrossAttention(SubLayer):
    def transform(self, x, memory):
        query = self.dense("query", self.size.width)(x)
        return self.attend(query, *jnp.split(self.dense("key_value", 2 * self.size.width)(memory), 2, axis=-1))


class FeedForward(SubLayer):
    def transform(self, x):
        return self.dense("contract", self.size.width)(nn.relu(self.dense("expand", self.size.feed_forward)(x)))


class Transformer(nn.Module):
    size: Any
    dropout: float
    numerics: Any

    @nn.compact
    def __call__(self, source, target):
        size = self.size
        embedding = nn.Embed(size.vocabulary, size.width, dtype=self.numerics.dtype, name="embedding")
        memory = self.embed(embedding, source)
        for layer in range(1, size.layers + 1):
            memory = self.part(SelfAttention, f"encoder.layer{layer}.attention")(memory)
            memory = self.part(FeedForward, f"encoder.layer{layer}.feed_forward")(memory)
        x = self.embed(embedding, target[:, :-1])
        for layer in range(1, size.layers + 1):
            x = self.part(SelfAttention, f"decoder.layer{layer}.attention", causal=True)(x)
            x = self.part(CrossAttention, f"decoder.layer{layer}.cross")(x, memory)
            x = self.part(FeedForward, f"decoder.layer{layer}.feed_forward")(x)
        return smoothed_cross_entropy(embedding.attend(x).astype(jnp.float32), target[:, 1:])

    def part(self, kind, name, **settings):
        return kind(self.size, self.dropout, self.numerics, name=name, **settings)

    def embed(self, embedding, tokens):
        x = look_up(embedding, tokens) * math.sqrt(self.size.width)
        x = x + jnp.asarray(sinusoids(self.size.tokens, self.size.width), x.dtype)
        return nn.Dropout(self.dropout, deterministic=False)(x)


def smoothed_cross_entropy(logits, labels):
    """The smoothed labels themselves would be a matrix as large as the logits."""
    right = jnp.take_along_axis(logits, labels[..., None], axis=-1)[..., 0]
    wanted = (1 - LABEL_SMOOTHING) * right + LABEL_SMOOTHING * logits.mean(-1)
    return (jax.nn.logsumexp(logits, axis=-1) - wanted).mean()


def build(size, dropout, numerics):
    return Transformer(size, dropout, numerics)
