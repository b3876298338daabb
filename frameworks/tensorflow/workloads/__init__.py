"""The models and losses of the workloads, one file each.

A file has `build(size, dropout, dtype, xla)`: a layer that takes the batch's tensors by name and gives the loss, or has
phases (trainmark.phases). `dtype`: of activations and products. `xla`: whether XLA will compile it for a CPU.
"""
