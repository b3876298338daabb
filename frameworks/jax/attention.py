"""Attention over [batch, tokens, width], cut into heads."""

import jax
import jax.numpy as jnp
from flax import linen as nn


def attend(query, key, value, heads, numerics, causal=False):
    """Without dropout: one fused kernel where there is one."""
    query, key, value = (_split(x, heads) for x in (query, key, value))
    implementation = "cudnn" if numerics.fused_attention else "xla"
    return _join(jax.nn.dot_product_attention(query, key, value, is_causal=causal, implementation=implementation))


def attend_with_dropout(query, key, value, heads, dropout):
    """`dropout`: a layer for the weights. JAX has no fused attention with one."""
    query, key, value = (_split(x, heads) for x in (query, key, value))
    query = query * query.shape[-1] ** -0.5
    scores = jnp.einsum("bqhd,bkhd->bhqk", query, key)
    weights = nn.softmax(scores.astype(jnp.float32)).astype(query.dtype)
    return _join(jnp.einsum("bhqk,bkhd->bqhd", dropout(weights), value))


def _split(x, heads):
    return x.reshape(*x.shape[:-1], heads, -1)


def _join(x):
    return x.reshape(*x.shape[:-2], -1)
