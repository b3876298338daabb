"""Rows of tables by number, such that the backward pass is fast, too."""

import jax
import jax.numpy as jnp


def look_up(embed, numbers):
    """Rows of a large table, rounded after they were taken: their gradients are then added up in fp32, for which GPUs
    have an instruction, while XLA adds halves in a loop that tries again and again."""
    return jnp.take(embed.embedding, numbers, axis=0).astype(embed.dtype)


def choose(embed, numbers):
    """Rows of a table of few, as a product: the gradients of thousands of tokens would wait for each other."""
    return jax.nn.one_hot(numbers, embed.num_embeddings, dtype=embed.dtype) @ embed.embedding.astype(embed.dtype)
