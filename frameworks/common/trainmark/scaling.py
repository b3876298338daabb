"""The numbers of dynamic loss scaling (docs/workloads.md). A workload says where it begins."""

GROWTH = 2.0
GOOD_STEPS = 2000  # after which the scale grows
BACKOFF = 0.5  # after an overflow


def unscaled(arrays, scale):
    return {name: array / scale for name, array in arrays.items()}
