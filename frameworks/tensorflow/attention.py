"""Attention over rows [batch × tokens, width], cut into heads."""

import tensorflow as tf

from layers import dropout

_HIDDEN = -1e9


def attend(query, key, value, tokens, heads, causal=False, rate=0.0):
    """`rate`: of dropout on the weights."""
    query, key, value = (_split(x, tokens, heads) for x in (query, key, value))
    scores = tf.matmul(query * query.shape[-1] ** -0.5, key, transpose_b=True)
    scores = tf.cast(scores, tf.float32)
    if causal:
        scores += tf.constant(_HIDDEN) * (1 - tf.linalg.band_part(tf.ones([tokens, tokens]), -1, 0))
    weights = dropout(tf.cast(tf.nn.softmax(scores), value.dtype), rate)
    context = tf.transpose(tf.matmul(weights, value), [0, 2, 1, 3])
    return tf.reshape(context, [-1, heads * context.shape[-1]])


def _split(x, tokens, heads):
    return tf.transpose(tf.reshape(x, [-1, tokens, heads, x.shape[-1] // heads]), [0, 2, 1, 3])
