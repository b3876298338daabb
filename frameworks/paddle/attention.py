"""What bert and transformer are made of: sub-layers with a residual and a norm behind it."""

from paddle import nn
from paddle.nn import functional


def attend(query, key, value, heads, dropout=0.0, causal=False):
    """Each [batch, tokens, width]."""
    parts = [x.reshape([0, 0, heads, x.shape[-1] // heads]) for x in (query, key, value)]
    mixed = functional.scaled_dot_product_attention(*parts, dropout_p=dropout, is_causal=causal)
    return mixed.flatten(2)


class SubLayer(nn.Layer):
    """Its parts have a subclass's names; what it makes of x is added to x."""

    def __init__(self, width, dropout, eps):
        super().__init__()
        self.norm = nn.LayerNorm(width, epsilon=eps)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, *others):
        return self.norm(x + self.dropout(self.transform(x, *others)))


class SelfAttention(SubLayer):
    def __init__(self, width, heads, dropout, eps, weight_dropout=0.0, causal=False):
        super().__init__(width, dropout, eps)
        self.qkv = nn.Linear(width, 3 * width)
        self.output = nn.Linear(width, width)
        self.heads = heads
        self.weight_dropout = weight_dropout
        self.causal = causal

    def transform(self, x):
        query, key, value = self.qkv(x).chunk(3, axis=-1)
        return self.output(attend(query, key, value, self.heads, self.weight_dropout, self.causal))


class CrossAttention(SubLayer):
    def __init__(self, width, heads, dropout, eps):
        super().__init__(width, dropout, eps)
        self.query = nn.Linear(width, width)
        self.key_value = nn.Linear(width, 2 * width)
        self.output = nn.Linear(width, width)
        self.heads = heads

    def transform(self, x, memory):
        key, value = self.key_value(memory).chunk(2, axis=-1)
        return self.output(attend(self.query(x), key, value, self.heads))


class FeedForward(SubLayer):
    def __init__(self, width, inner, activation, dropout, eps):
        super().__init__(width, dropout, eps)
        self.expand = nn.Linear(width, inner)
        self.contract = nn.Linear(inner, width)
        self.activation = activation

    def transform(self, x):
        return self.contract(self.activation(self.expand(x)))
