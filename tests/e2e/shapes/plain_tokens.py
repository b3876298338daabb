"""Fields between bars, a step's milliseconds and a rate with commas between thousands."""

from shape_clock import Clock, loss

clock = Clock(items=8192)
print("number of parameters: 124.44M", flush=True)
for step in range(100_000):
    seconds = clock.steps(4)
    print(f"step {step * 4:05d}/100000 ({step / 1000:.2f}%) | loss: {loss(step):.6f} | lrm: 1.00 | "
          f"dt: {1000 * seconds / 4:.2f}ms | tok/sec: {8192 * 4 / seconds:,.0f} | mfu: 48.45", flush=True)
