"""Transformer-big. Activations are rows, one for each token."""

import math

import tensorflow as tf

from attention import attend
from layers import Embedding, Layer, LayerNorm, Linear, dropout
from trainmark.positions import sinusoids

EPS = 1e-5
LABEL_SMOOTHING = 0.1


class SubLayer(Layer):
    """Its parts have a subclass's names; what it makes of x is added to x."""

    def __init__(self, size, rate, dtype):
        super().__init__(dtype)
        self.norm = LayerNorm(size.width, EPS, dtype)
        self.size = size
        self.rate = rate

    def __call__(self, x, *others):
        return self.norm(x + dropout(self.transform(x, *others), self.rate))


class SelfAttention(SubLayer):
    def __init__(self, size, rate, dtype, causal):
        super().__init__(size, rate, dtype)
        self.qkv = Linear(size.width, 3 * size.width, dtype)
        self.output = Linear(size.width, size.width, dtype)
        self.causal = causal

    def transform(self, x):
        parts = tf.split(self.qkv(x), 3, axis=-1)
        return self.output(attend(*parts, self.size.tokens, self.size.heads, self.causal))


class CrossAttention(SubLayer):
    def __init__(self, size, rate, dtype):
        super().__init__(size, rate, dtype)
        self.query = Linear(size.width, size.width, dtype)
        self.key_value = Linear(size.width, 2 * size.width, dtype)
        self.output = Linear(size.width, size.width, dtype)

    def transform(self, x, memory):
        parts = tf.split(self.key_value(memory), 2, axis=-1)
        return self.output(attend(self.query(x), *parts, self.size.tokens, self.size.heads))


class FeedForward(SubLayer):
    def __init__(self, size, rate, dtype):
        super().__init__(size, rate, dtype)
        self.expand = Linear(size.width, size.feed_forward, dtype)
        self.contract = Linear(size.feed_forward, size.width, dtype)

    def transform(self, x):
        return self.contract(tf.nn.relu(self.expand(x)))


class EncoderLayer(Layer):
    def __init__(self, size, rate, dtype):
        super().__init__(dtype)
        self.attention = SelfAttention(size, rate, dtype, causal=False)
        self.feed_forward = FeedForward(size, rate, dtype)

    def __call__(self, x):
        return self.feed_forward(self.attention(x))


class DecoderLayer(Layer):
    def __init__(self, size, rate, dtype):
        super().__init__(dtype)
        self.attention = SelfAttention(size, rate, dtype, causal=True)
        self.cross = CrossAttention(size, rate, dtype)
        self.feed_forward = FeedForward(size, rate, dtype)

    def __call__(self, x, memory):
        return self.feed_forward(self.cross(self.attention(x), memory))


class Transformer(Layer):
    def __init__(self, size, rate, dtype):
        super().__init__(dtype)
        self.embedding = Embedding(size.vocabulary, size.width, dtype)
        numbers = range(1, size.layers + 1)
        self.encoder = [self.add(f"encoder.layer{number}", EncoderLayer(size, rate, dtype)) for number in numbers]
        self.decoder = [self.add(f"decoder.layer{number}", DecoderLayer(size, rate, dtype)) for number in numbers]
        self.size = size
        self.rate = rate

    def __call__(self, source, target):
        memory = self.embed(source)
        for layer in self.encoder:
            memory = layer(memory)
        x = self.embed(target[:, :-1])
        for layer in self.decoder:
            x = layer(x, memory)
        return smoothed_cross_entropy(self.embedding.attend(x), tf.reshape(target[:, 1:], [-1]))

    def embed(self, tokens):
        width = self.size.width
        x = self.embedding(tokens) * math.sqrt(width) + tf.cast(sinusoids(self.size.tokens, width), self.dtype)
        return dropout(tf.reshape(x, [-1, width]), self.rate)


def smoothed_cross_entropy(logits, labels):
    classes = logits.shape[-1]
    rest = LABEL_SMOOTHING / classes
    wanted = tf.one_hot(labels, classes, on_value=1 - LABEL_SMOOTHING + rest, off_value=rest)
    return tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits(wanted, tf.cast(logits, tf.float32)))


def build(size, dropout, dtype, xla):
    return Transformer(size, dropout, dtype)
