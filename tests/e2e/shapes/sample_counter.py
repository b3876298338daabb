"""PyTorch's first example: the counter counts samples, and nothing tells of time."""

from shape_clock import Clock, loss

TOTAL = 60_000
clock = Clock(items=64)
for epoch in range(1, 1000):
    for step in range(0, TOTAL // 64, 10):
        clock.steps(10)
        print(f"Train Epoch: {epoch} [{step * 64}/{TOTAL} ({6400 * step / TOTAL:.0f}%)]\tLoss: {loss(step):.6f}", flush=True)
