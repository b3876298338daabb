"""The logging module: time stamps, no rate."""

import logging

from shape_clock import Clock, loss

logging.basicConfig(level=logging.INFO, format="%(asctime)s - %(name)s - %(levelname)s - %(message)s")
log = logging.getLogger("train")
log.info("batch_size: 32, lr: 0.1")
clock = Clock()
for step in range(10, 1_000_000, 10):
    clock.steps(10)
    log.info("step %d: loss %.4f, lr 0.1000", step, loss(step))
