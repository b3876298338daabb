"""A bar as Lightning shows it: one per epoch, the rate is a mean since the epoch began."""

import sys

from shape_clock import Clock, loss

TOTAL = 175
clock = Clock()
print("GPU available: False, used: False\n\n  | Name  | Type   | Params\n---------------------------------", flush=True)
for epoch in range(10_000):
    before = clock.ends[-1] if clock.ends else clock.begin
    for n in range(5, TOTAL + 1, 5):
        clock.steps(5)
        taken = clock.ends[-1] - before
        sys.stderr.write(f"\rEpoch {epoch}: {100 * n // TOTAL:3d}%|{'█' * (10 * n // TOTAL):10s}| {n}/{TOTAL} "
                         f"[00:{int(taken):02d}<00:{int(taken / n * (TOTAL - n)):02d}, {n / taken:6.2f}it/s, v_num=3, "
                         f"train_loss={loss(n):.3f}]")
        sys.stderr.flush()
