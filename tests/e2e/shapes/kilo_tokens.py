"""Rates with a suffix for thousands, an ETA, a prefix of a job system."""

from shape_clock import Clock, loss

clock = Clock(items=2048)
for step in range(10, 20_000, 10):
    seconds = clock.steps(10)
    left = int((20_000 - step) / 10 * seconds)
    print(f"worker-3> INFO iter {step}/20000 | loss {loss(step):.3f} | {2.048 * 10 / seconds:.1f}k tokens/s | "
          f"eta 0:{left // 60:02d}:{left % 60:02d}", flush=True)
