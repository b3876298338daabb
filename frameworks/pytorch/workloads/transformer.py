"""Transformer-big on PyTorch's fused attention.

nn.TransformerEncoderLayer would be the same mathematics (a test compares them), but for its dropout on the attention's
weights and inside the feed-forward, which the contract does not have.
"""

import math

import torch
from torch import nn
from torch.nn import functional

from tensors import own_names

MEMORY_FORMAT = None

NO_LABEL = -100  # behind the end of a sentence


def attend(query, key, value, heads, causal=False, keys=None):
    """`keys`: which of them are no padding, where there is some."""
    split = [x.unflatten(-1, (heads, -1)).transpose(1, 2) for x in (query, key, value)]
    mask = None if keys is None else keys[:, None, None, :]
    return functional.scaled_dot_product_attention(*split, attn_mask=mask, is_causal=causal).transpose(1, 2).flatten(2)


class SubLayer(nn.Module):
    """Its parts have a subclass's names; what it makes of x is added to x."""

    def __init__(self, width, dropout):
        super().__init__()
        self.norm = nn.LayerNorm(width, eps=1e-5)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, *others):
        return self.norm(x + self.dropout(self.transform(x, *others)))


class SelfAttention(SubLayer):
    def __init__(self, width, heads, dropout, causal):
        super().__init__(width, dropout)
        self.qkv = nn.Linear(width, 3 * width)
        self.output = nn.Linear(width, width)
        self.heads = heads
        self.causal = causal

    def transform(self, x, keys=None):
        return self.output(attend(*self.qkv(x).chunk(3, dim=-1), self.heads, self.causal, keys))


class CrossAttention(SubLayer):
    def __init__(self, width, heads, dropout):
        super().__init__(width, dropout)
        self.query = nn.Linear(width, width)
        self.key_value = nn.Linear(width, 2 * width)
        self.output = nn.Linear(width, width)
        self.heads = heads

    def transform(self, x, memory, keys=None):
        return self.output(attend(self.query(x), *self.key_value(memory).chunk(2, dim=-1), self.heads, keys=keys))


class FeedForward(SubLayer):
    def __init__(self, width, inner, dropout):
        super().__init__(width, dropout)
        self.expand = nn.Linear(width, inner)
        self.contract = nn.Linear(inner, width)

    def transform(self, x):
        return self.contract(functional.relu(self.expand(x), inplace=True))


class EncoderLayer(nn.Module):
    def __init__(self, size, dropout):
        super().__init__()
        self.attention = SelfAttention(size.width, size.heads, dropout, causal=False)
        self.feed_forward = FeedForward(size.width, size.feed_forward, dropout)

    def forward(self, x, keys=None):
        return self.feed_forward(self.attention(x, keys))


class DecoderLayer(nn.Module):
    def __init__(self, size, dropout):
        super().__init__()
        self.attention = SelfAttention(size.width, size.heads, dropout, causal=True)
        self.cross = CrossAttention(size.width, size.heads, dropout)
        self.feed_forward = FeedForward(size.width, size.feed_forward, dropout)

    def forward(self, x, memory, keys=None):
        return self.feed_forward(self.cross(self.attention(x), memory, keys))


class Stack(nn.Module):
    def __init__(self, layer, size, dropout):
        super().__init__()
        for number in range(1, size.layers + 1):
            self.add_module(f"layer{number}", layer(size, dropout))

    def forward(self, x, *others):
        for layer in self.children():
            x = layer(x, *others)
        return x


class Transformer(nn.Module):
    label_smoothing = 0.1  # but in a training to a quality

    def __init__(self, size, dropout):
        super().__init__()
        self.embedding = nn.Embedding(size.vocabulary, size.width)
        self.dropout = nn.Dropout(dropout)
        self.encoder = Stack(EncoderLayer, size, dropout)
        self.decoder = Stack(DecoderLayer, size, dropout)
        self.register_buffer("positions", sinusoids(size.tokens, size.width), persistent=False)

    def forward(self, source, target, source_lengths=None, target_lengths=None):
        """The lengths are those of sentences with padding behind them."""
        logits = self.predict(source, target, source_lengths)
        labels = labels_of(target, target_lengths)
        return functional.cross_entropy(logits, labels, ignore_index=NO_LABEL, label_smoothing=self.label_smoothing)

    def evaluate(self, source, target, source_lengths=None, target_lengths=None):
        logits = self.predict(source, target, source_lengths)
        labels = labels_of(target, target_lengths)
        losses = functional.cross_entropy(logits, labels, ignore_index=NO_LABEL, reduction="sum")
        return {"predictions": logits.argmax(-1), "labels": labels, "losses": losses}

    def predict(self, source, target, source_lengths):
        """The logits of each target token from those in front of it."""
        keys = None if source_lengths is None else tokens_within(source_lengths, source.shape[1])
        memory = self.encoder(self.embed(source), keys)
        decoded = self.decoder(self.embed(target[:, :-1]), memory, keys)
        return functional.linear(decoded, self.embedding.weight).flatten(0, 1).float()

    def embed(self, tokens):
        vectors = self.embedding(tokens)
        return self.dropout(vectors * math.sqrt(vectors.shape[-1]) + self.positions[: tokens.shape[1]])


def labels_of(target, lengths):
    labels = target[:, 1:]
    if lengths is not None:
        labels = labels.masked_fill(~tokens_within(lengths, labels.shape[1]), NO_LABEL)
    return labels.flatten()


def tokens_within(lengths, width):
    return torch.arange(width, device=lengths.device) < lengths[:, None]


def sinusoids(tokens, width):
    """sin(p / 10000^(2i/width)) at 2i, the cosine at 2i + 1."""
    frequencies = 10000 ** (-torch.arange(0, width, 2, dtype=torch.float64) / width)
    angles = torch.arange(tokens, dtype=torch.float64)[:, None] * frequencies
    return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1).float()


def build(size, dropout):
    return Transformer(size, dropout)


names = own_names
