"""A progress bar as Keras writes it: backspaces, milliseconds without decimals."""

import sys

from shape_clock import Clock, loss

TOTAL = 300
clock = Clock()
for epoch in range(1, 1001):
    print(f"Epoch {epoch}/1000", flush=True)
    before = clock.ends[-1] if clock.ends else clock.begin
    width = 0
    for n in range(10, TOTAL + 1, 10):
        clock.steps(10)
        taken = clock.ends[-1] - before
        done = 30 * n // TOTAL
        arrow = "=" * 30 if n == TOTAL else "=" * max(0, done - 1) + ">" + "." * (30 - done)
        line = f"{n:3d}/{TOTAL} [{arrow}] - "
        if n < TOTAL:
            line += f"ETA: {int(taken / n * (TOTAL - n))}s - "
        else:
            line += f"{int(taken)}s {1000 * taken / n:.0f}ms/step - "
        line += f"loss: {loss(n):.4f} - accuracy: 0.5312"
        sys.stdout.write("\b" * width + "\r" + line)
        sys.stdout.flush()
        width = len(line)
    sys.stdout.write("\n")
