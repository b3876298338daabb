"""Epochs and nothing below them. Here, a step is an epoch."""

from shape_clock import Clock, loss

clock = Clock(seconds=0.04)
for epoch in range(1, 100_000):
    seconds = clock.steps(1)
    print(f"Epoch {epoch}/100000 - loss: {loss(epoch):.4f} - train {seconds:.4f}s - acc 0.8123", flush=True)
