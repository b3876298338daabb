"""Time since the start, and a mean that knows only that."""

from shape_clock import Clock, loss

clock = Clock()
for step in range(10, 100_000, 10):
    clock.steps(10)
    taken = clock.ends[-1] - clock.begin
    print(f"step:{step}/100000 train_loss:{loss(step):.4f} train_time:{1000 * taken:.0f}ms", flush=True)
