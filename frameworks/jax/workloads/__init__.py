"""The models and losses of the workloads, one file each.

A file has `build(size, dropout, numerics)`: a Flax module that takes the batch's tensors by name and gives the loss.
Layers have the contract's names, with dots where the contract has a layer around one that would be empty here.
"""
