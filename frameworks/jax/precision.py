"""The precisions of docs/workloads.md."""

from typing import Any, NamedTuple

import jax
import jax.numpy as jnp

from trainmark.scaling import BACKOFF, GOOD_STEPS, GROWTH

_HALVES = {"amp-fp16": jnp.float16, "amp-bf16": jnp.bfloat16}


class Numerics(NamedTuple):
    dtype: Any  # of activations and products; parameters are always fp32 and rounded where they are used
    cuda: bool
    fused_attention: bool  # cuDNN has it in half precision only


def make_numerics(options):
    dtype = _HALVES.get(options.precision, jnp.float32)
    cuda = options.device == "cuda"
    return Numerics(dtype, cuda, cuda and dtype != jnp.float32)


def set_matmul_precision(options):
    """On NVIDIA's GPUs JAX's own default is TF32."""
    if options.device == "cuda":
        names = {"fp32": "highest", "tf32": "tensorfloat32"}
        jax.config.update("jax_default_matmul_precision", names.get(options.precision))


class LossScale(NamedTuple):
    value: Any
    good: Any  # steps since it last changed


def first_scale(precision, value):
    """None where losses need no scale."""
    return LossScale(jnp.float32(value), jnp.int32(0)) if precision == "amp-fp16" else None


def all_finite(tree):
    return jnp.stack([jnp.isfinite(leaf).all() for leaf in jax.tree.leaves(tree)]).all()


def next_scale(scale, finite):
    grown = scale.good + 1 >= GOOD_STEPS
    value = jnp.where(finite, jnp.where(grown, scale.value * GROWTH, scale.value), scale.value * BACKOFF)
    return LossScale(value, jnp.where(finite & ~grown, scale.good + 1, 0))
