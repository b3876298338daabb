"""Ranks as srun labels them, without a rate."""

from shape_clock import Clock, loss

clock = Clock()
for step in range(10, 1_000_000, 10):
    clock.steps(10)
    for rank in range(4):
        print(f"{rank}: iteration {step} loss {loss(step):.3f}", flush=True)
