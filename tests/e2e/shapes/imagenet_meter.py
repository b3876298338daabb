"""PyTorch's ImageNet example and its many descendants: a value and the mean of the epoch in brackets."""

from shape_clock import Clock, loss

TOTAL = 40
clock = Clock(seconds=0.01)
for epoch in range(1000):
    before = clock.ends[-1] if clock.ends else clock.begin
    for step in range(0, TOTAL, 5):
        last = clock.steps(1 if step == 0 else 5) / (1 if step == 0 else 5)
        mean = (clock.ends[-1] - before) / (step + 1)
        print(f"Epoch: [{epoch}][{step:4d}/{TOTAL}]\tTime {last:6.3f} ({mean:6.3f})\tData  0.000 ( 0.001)\t"
              f"Loss {loss(step):.4e} ({loss(step):.4e})\tAcc@1  12.50 ( 11.20)", flush=True)
    clock.steps(4)
