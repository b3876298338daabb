"""The models and losses of the workloads, one file each. `build(size)` gives a model that knows the shapes of its weights,
its multiply-adds, and how to differentiate its loss."""
