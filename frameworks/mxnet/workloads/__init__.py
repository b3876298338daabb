"""The models and losses of the workloads, one file each. `build(size)` gives a block that takes the batch's
arrays in the contract's order and gives the loss. Its blocks have the contract's names."""
