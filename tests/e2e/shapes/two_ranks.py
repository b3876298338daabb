"""Two ranks that print into each other, each with its prefix."""

from shape_clock import Clock, loss

clock = Clock(items=64)
for step in range(10, 1_000_000, 10):
    seconds = clock.steps(10)
    for rank in (0, 1) if step % 20 else (1, 0):
        print(f"[rank{rank}]: step {step} | loss {loss(step) + rank:.3f} | {64 * 10 / seconds:.2f} images/sec", flush=True)
