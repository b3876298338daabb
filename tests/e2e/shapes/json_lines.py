"""One JSON object per line."""

import json

from shape_clock import Clock, loss

clock = Clock(items=16)
print(json.dumps({"event": "config", "model": "mlp", "lr": 0.1}), flush=True)
for step in range(10, 1_000_000, 10):
    seconds = clock.steps(10)
    print(json.dumps({"loss": loss(step), "step": step, "lr": 1e-4, "samples_per_second": 16 * 10 / seconds}),
          flush=True)
