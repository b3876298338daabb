"""Standard error only; the time is that of all iterations since the line before."""

import sys

from shape_clock import Clock, loss

clock = Clock()
for step in range(20, 1_000_000, 20):
    seconds = clock.steps(20)
    print(f"[iter {step}] loss={loss(step):.3f} time={seconds:.5f}", file=sys.stderr, flush=True)
