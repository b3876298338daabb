"""A counter and a loss, and nothing that tells of time."""

from shape_clock import Clock, loss

clock = Clock()
for step in range(0, 1_000_000, 8):
    clock.steps(8)
    print(f"step {step} loss {loss(step):.4f}", flush=True)
