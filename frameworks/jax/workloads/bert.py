"""BERT pre-training."""

from typing import Any

import jax.numpy as jnp
import optax
from flax import linen as nn

from attention import attend, attend_with_dropout
from embedding import choose, look_up

EPS = 1e-12


def cross_entropy(logits, labels):
    return optax.softmax_cross_entropy_with_integer_labels(logits.astype(jnp.float32), labels).mean()


def gelu(x):
    return nn.gelu(x, approximate=False)


class Attention(nn.Module):
    heads: int
    dropout: float
    numerics: Any

    @nn.compact
    def __call__(self, x):
        width, dtype = x.shape[-1], self.numerics.dtype
        dropout = nn.Dropout(self.dropout, deterministic=False)
        parts = jnp.split(nn.Dense(3 * width, dtype=dtype, name="qkv")(x), 3, axis=-1)
        if self.dropout:
            y = attend_with_dropout(*parts, self.heads, dropout)
        else:
            y = attend(*parts, self.heads, self.numerics)
        y = dropout(nn.Dense(width, dtype=dtype, name="output")(y))
        return nn.LayerNorm(EPS, dtype=dtype, name="norm")(x + y)


class FeedForward(nn.Module):
    inner: int
    dropout: float
    numerics: Any

    @nn.compact
    def __call__(self, x):
        dtype = self.numerics.dtype
        y = gelu(nn.Dense(self.inner, dtype=dtype, name="expand")(x))
        y = nn.Dense(x.shape[-1], dtype=dtype, name="contract")(y)
        y = nn.Dropout(self.dropout, deterministic=False)(y)
        return nn.LayerNorm(EPS, dtype=dtype, name="norm")(x + y)


class MaskedLm(nn.Module):
    """Its output matrix is the embedding of the words."""

    numerics: Any

    @nn.compact
    def __call__(self, x, words):
        dtype = self.numerics.dtype
        x = gelu(nn.Dense(x.shape[-1], dtype=dtype, name="linear")(x))
        x = nn.LayerNorm(EPS, dtype=dtype, name="norm")(x)
        return words.attend(x) + self.param("bias", nn.initializers.zeros, (words.num_embeddings,)).astype(dtype)


class Bert(nn.Module):
    size: Any
    dropout: float
    numerics: Any

    @nn.compact
    def __call__(self, tokens, segments, masked_positions, masked_labels, next_sentence):
        size, dtype = self.size, self.numerics.dtype
        words = nn.Embed(size.vocabulary, size.width, dtype=dtype, name="embeddings.word")
        hidden = self.encode(self.embed(words, tokens, segments))
        masked = jnp.take_along_axis(hidden, masked_positions[..., None], axis=1)
        pooled = jnp.tanh(nn.Dense(size.width, dtype=dtype, name="next_sentence.pooler")(hidden[:, 0]))
        following = nn.Dense(2, dtype=dtype, name="next_sentence.linear")(pooled)
        guessed = MaskedLm(self.numerics, name="masked_lm")(masked, words)
        return cross_entropy(guessed, masked_labels) + cross_entropy(following, next_sentence)

    def embed(self, words, tokens, segments):
        size, dtype = self.size, self.numerics.dtype
        positions = nn.Embed(4 * size.tokens, size.width, dtype=dtype, name="embeddings.position")
        sides = nn.Embed(2, size.width, dtype=dtype, name="embeddings.segment")
        x = look_up(words, tokens) + look_up(positions, jnp.arange(size.tokens)) + choose(sides, segments)
        x = nn.LayerNorm(EPS, dtype=dtype, name="embeddings.norm")(x)
        return nn.Dropout(self.dropout, deterministic=False)(x)

    def encode(self, x):
        size = self.size
        for layer in range(1, size.layers + 1):
            x = Attention(size.heads, self.dropout, self.numerics, name=f"layer{layer}.attention")(x)
            x = FeedForward(size.feed_forward, self.dropout, self.numerics, name=f"layer{layer}.feed_forward")(x)
        return x


def build(size, dropout, numerics):
    return Bert(size, dropout, numerics)
