"""BERT pre-training. Activations are rows, one for each token."""

import tensorflow as tf

from attention import attend
from layers import Embedding, Layer, LayerNorm, Linear, cross_entropy, dropout

EPS = 1e-12


def gelu(x):
    return tf.nn.gelu(x, approximate=False)


class Attention(Layer):
    def __init__(self, size, rate, dtype):
        super().__init__(dtype)
        self.qkv = Linear(size.width, 3 * size.width, dtype)
        self.output = Linear(size.width, size.width, dtype)
        self.norm = LayerNorm(size.width, EPS, dtype)
        self.size = size
        self.rate = rate

    def __call__(self, x):
        parts = tf.split(self.qkv(x), 3, axis=-1)
        y = self.output(attend(*parts, self.size.tokens, self.size.heads, rate=self.rate))
        return self.norm(x + dropout(y, self.rate))


class FeedForward(Layer):
    def __init__(self, size, rate, dtype):
        super().__init__(dtype)
        self.expand = Linear(size.width, size.feed_forward, dtype)
        self.contract = Linear(size.feed_forward, size.width, dtype)
        self.norm = LayerNorm(size.width, EPS, dtype)
        self.rate = rate

    def __call__(self, x):
        return self.norm(x + dropout(self.contract(gelu(self.expand(x))), self.rate))


class Embeddings(Layer):
    def __init__(self, size, rate, dtype):
        super().__init__(dtype)
        self.word = Embedding(size.vocabulary, size.width, dtype)
        self.position = Embedding(4 * size.tokens, size.width, dtype)
        self.segment = Embedding(2, size.width, dtype)
        self.norm = LayerNorm(size.width, EPS, dtype)
        self.rate = rate

    def __call__(self, tokens, segments):
        positions = self.rounded(self.position.embedding[: tokens.shape[1]])
        # A choice instead of a gather, whose gradient would add all tokens to two rows one by one.
        first, second = tf.unstack(self.rounded(self.segment.embedding))
        sides = tf.where(segments[..., None] == 0, first, second)
        x = self.norm(self.word(tokens) + positions + sides)
        return dropout(tf.reshape(x, [-1, x.shape[-1]]), self.rate)


class MaskedLm(Layer):
    """Its output matrix is the embedding of the words."""

    def __init__(self, size, dtype):
        super().__init__(dtype)
        self.linear = Linear(size.width, size.width, dtype)
        self.norm = LayerNorm(size.width, EPS, dtype)
        self.bias = tf.Variable(tf.zeros([size.vocabulary]))

    def __call__(self, x, words):
        return tf.nn.bias_add(words.attend(self.norm(gelu(self.linear(x)))), self.rounded(self.bias))


class NextSentence(Layer):
    def __init__(self, size, dtype):
        super().__init__(dtype)
        self.pooler = Linear(size.width, size.width, dtype)
        self.linear = Linear(size.width, 2, dtype)

    def __call__(self, x):
        return self.linear(tf.tanh(self.pooler(x)))


class Bert(Layer):
    def __init__(self, size, rate, dtype):
        super().__init__(dtype)
        self.embeddings = Embeddings(size, rate, dtype)
        self.encoder = []
        for number in range(1, size.layers + 1):
            self.encoder.append(self.add(f"layer{number}.attention", Attention(size, rate, dtype)))
            self.encoder.append(self.add(f"layer{number}.feed_forward", FeedForward(size, rate, dtype)))
        self.masked_lm = MaskedLm(size, dtype)
        self.next_sentence = NextSentence(size, dtype)

    def __call__(self, tokens, segments, masked_positions, masked_labels, next_sentence):
        x = self.embeddings(tokens, segments)
        for layer in self.encoder:
            x = layer(x)
        firsts = tf.range(0, tokens.shape[0] * tokens.shape[1], tokens.shape[1])  # rows of the first tokens
        masked = tf.gather(x, tf.reshape(firsts[:, None] + masked_positions, [-1]))
        words = self.masked_lm(masked, self.embeddings.word)
        following = self.next_sentence(tf.gather(x, firsts))
        return cross_entropy(words, tf.reshape(masked_labels, [-1])) + cross_entropy(following, next_sentence)


def build(size, dropout, dtype, xla):
    return Bert(size, dropout, dtype)
