"""The models and losses of the workloads, one file each.

A file has
- `HAS_LAYOUTS`: whether images may lie in memory as NCHW or as NHWC; and
- `build(size, layout)` where they may, `build(size, dropout)` where not: a layer that takes the batch's tensors by name
  and gives the loss. Its layers have the contract's names.
"""
