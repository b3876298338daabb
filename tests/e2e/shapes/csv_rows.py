"""A table: names once, and below them rows of numbers."""

from shape_clock import Clock, loss

clock = Clock(items=4096)
print("step,loss,lr,tokens_per_sec", flush=True)
for step in range(10, 1_000_000, 10):
    seconds = clock.steps(10)
    print(f"{step},{loss(step):.4f},1e-4,{4096 * 10 / seconds:.1f}", flush=True)
