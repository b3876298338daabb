"""Plain prints with a rate."""

from shape_clock import Clock, loss

clock = Clock(items=32)
for step in range(10, 1_000_000, 10):
    seconds = clock.steps(10)
    print(f"iter {step} loss {loss(step):.1f} {32 * 10 / seconds:.1f} samples/s", flush=True)
