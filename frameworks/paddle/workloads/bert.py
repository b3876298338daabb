"""BERT pre-training."""

import paddle
from paddle import nn
from paddle.nn import functional

from attention import FeedForward, SelfAttention
from layers import cross_entropy

HAS_LAYOUTS = False

EPS = 1e-12


class Embeddings(nn.Layer):
    def __init__(self, size, dropout):
        super().__init__()
        self.word = nn.Embedding(size.vocabulary, size.width)
        self.position = nn.Embedding(4 * size.tokens, size.width)
        self.segment = nn.Embedding(2, size.width)
        self.norm = nn.LayerNorm(size.width, epsilon=EPS)
        self.dropout = nn.Dropout(dropout)

    def forward(self, tokens, segments):
        positions = paddle.arange(tokens.shape[1])
        return self.dropout(self.norm(self.word(tokens) + self.position(positions) + self.segment(segments)))


class Layer(nn.Layer):
    def __init__(self, size, dropout):
        super().__init__()
        self.attention = SelfAttention(size.width, size.heads, dropout, EPS, weight_dropout=dropout)
        self.feed_forward = FeedForward(size.width, size.feed_forward, functional.gelu, dropout, EPS)

    def forward(self, x):
        return self.feed_forward(self.attention(x))


class MaskedLm(nn.Layer):
    def __init__(self, width, vocabulary):
        super().__init__()
        self.linear = nn.Linear(width, width)
        self.norm = nn.LayerNorm(width, epsilon=EPS)
        self.bias = self.create_parameter([vocabulary], is_bias=True)

    def forward(self, x, words):
        x = self.norm(functional.gelu(self.linear(x)))
        return paddle.matmul(x, words, transpose_y=True) + self.bias


class NextSentence(nn.Layer):
    def __init__(self, width):
        super().__init__()
        self.pooler = nn.Linear(width, width)
        self.linear = nn.Linear(width, 2)

    def forward(self, first):
        return self.linear(paddle.tanh(self.pooler(first)))


class Bert(nn.Layer):
    def __init__(self, size, dropout):
        super().__init__()
        self.embeddings = Embeddings(size, dropout)
        self.layers = [f"layer{number}" for number in range(1, size.layers + 1)]
        for name in self.layers:
            self.add_sublayer(name, Layer(size, dropout))
        self.masked_lm = MaskedLm(size.width, size.vocabulary)
        self.next_sentence = NextSentence(size.width)

    def forward(self, tokens, segments, masked_positions, masked_labels, next_sentence):
        x = self.embeddings(tokens, segments)
        for name in self.layers:
            x = getattr(self, name)(x)
        words = self.masked_lm(gather_tokens(x, masked_positions), self.embeddings.word.weight)
        following = self.next_sentence(x[:, 0])
        return cross_entropy(words, masked_labels.flatten()) + cross_entropy(following, next_sentence)


def gather_tokens(x, positions):
    """The vectors at some positions of each sequence, one below the other."""
    sequences, tokens, width = x.shape
    firsts = paddle.arange(sequences).unsqueeze(1) * tokens
    return paddle.gather(x.reshape([-1, width]), (positions + firsts).flatten())


def build(size, dropout):
    return Bert(size, dropout)
