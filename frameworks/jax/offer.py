"""What the trainers on JAX can do."""

from importlib.util import find_spec

from trainmark.offer import Offer


def _why_built_without_cuda():
    plugins = ("jax_cuda13_plugin", "jax_cuda12_plugin")
    return "" if any(map(find_spec, plugins)) else "this JAX has no CUDA plugin"


OFFER = Offer(
    framework="jax",
    title="JAX",
    package="jax",
    versions=("jax", "jaxlib", "flax", "optax", "numpy"),
    least={"jax": "0.5"},
    modes=["jit"],
    precisions={
        "cpu": ["fp32", "amp-bf16"],
        "cuda": ["fp32", "tf32", "amp-fp16", "amp-bf16"],
    },
    several_ranks=True,
    why_built_without_cuda=_why_built_without_cuda,
)
