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

LABEL_SMOOTHING = 0.1


def attend(query, key, value, heads, causal=False):
    split = [x.unflatten(-1, (heads, -1)).transpose(1, 2) for x in (query, key, value)]
    return functional.scaled_dot_product_attention(*split, is_causal=causal).transpose(1, 2).flatten(2)


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

    def transform(self, x):
        return self.output(attend(*self.qkv(x).chunk(3, dim=-1), self.heads, self.causal))


class CrossAttention(SubLayer):
    def __init__(self, width, heads, dropout):
        super().__init__(width, dropout)
        self.query = nn.Linear(width, width)
        self.key_value = nn.Linear(width, 2 * width)
        self.output = nn.Linear(width, width)
        self.heads = heads

    def transform(self, x, memory):
        return self.output(attend(self.query(x), *self.key_value(memory).chunk(2, dim=-1), self.heads))


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

    def forward(self, x):
        return self.feed_forward(self.attention(x))


class DecoderLayer(nn.Module):
    def __init__(self, size, dropout):
        super().__init__()
        self.attention = SelfAttention(size.width, size.heads, dropout, causal=True)
        self.cross = CrossAttention(size.width, size.heads, dropout)
        self.feed_forward = FeedForward(size.width, size.feed_forward, dropout)

    def forward(self, x, memory):
        return self.feed_forward(self.cross(self.attention(x), memory))


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
    def __init__(self, size, dropout):
        super().__init__()
        self.embedding = nn.Embedding(size.vocabulary, size.width)
        self.dropout = nn.Dropout(dropout)
        self.encoder = Stack(EncoderLayer, size, dropout)
        self.decoder = Stack(DecoderLayer, size, dropout)
        self.register_buffer("positions", sinusoids(size.tokens, size.width), persistent=False)

    def forward(self, source, target):
        memory = self.encoder(self.embed(source))
        decoded = self.decoder(self.embed(target[:, :-1]), memory)
        logits = functional.linear(decoded, self.embedding.weight)
        return functional.cross_entropy(
            logits.flatten(0, 1).float(), target[:, 1:].flatten(), label_smoothing=LABEL_SMOOTHING
        )

    def embed(self, tokens):
        vectors = self.embedding(tokens)
        return self.dropout(vectors * math.sqrt(vectors.shape[-1]) + self.positions)


def sinusoids(tokens, width):
    """sin(p / 10000^(2i/width)) at 2i, the cosine at 2i + 1."""
    frequencies = 10000 ** (-torch.arange(0, width, 2, dtype=torch.float64) / width)
    angles = torch.arange(tokens, dtype=torch.float64)[:, None] * frequencies
    return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1).float()


def build(size, dropout):
    return Transformer(size, dropout)


names = own_names
