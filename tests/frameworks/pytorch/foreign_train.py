"""A training program that knows nothing of Trainmark: it trains a small network and prints its speed every ten
iterations, like PaddleSeg (interval means) or PaddleClas (means since the epoch began). What really happened, the moment
at which every iteration ended, is written to a file when it is stopped."""

import argparse
import json
import time

import torch
from torch import nn

BATCH = 16
LOG_INTERVAL = 10


def network():
    return nn.Sequential(
        nn.Conv2d(3, 8, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten(), nn.Linear(8 * 12 * 12, 10)
    )


def seg_line(iteration, loss, seconds):
    return (
        f"[TRAIN] epoch: 1, iter: {iteration}/100000, loss: {loss:.4f}, lr: 0.010000, batch_cost: {seconds:.4f}, "
        f"reader_cost: 0.00010, ips: {BATCH / seconds:.4f} samples/sec | ETA 00:10:00"
    )


def clas_line(iteration, loss, seconds):
    return (
        f"ppcls INFO: epoch:0   train step:{iteration}   lr: 0.010000, loss:  {loss:.4f} top1:  0.1000 "
        f"batch_cost: {seconds:.5f} s, reader_cost: 0.00010 s, ips: {BATCH / seconds:.5f} samples/sec."
    )


def train(style, moments):
    torch.manual_seed(1)
    model = network()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    images = torch.randn(BATCH, 3, 24, 24)
    labels = torch.randint(0, 10, (BATCH,))
    print(f"batch_size: {BATCH}")
    moments.append(time.perf_counter())
    for iteration in range(1, 100001):
        loss = nn.functional.cross_entropy(model(images), labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        moments.append(time.perf_counter())
        if iteration % LOG_INTERVAL:
            continue
        if style == "seg":
            seconds = (moments[-1] - moments[-1 - LOG_INTERVAL]) / LOG_INTERVAL
            print(seg_line(iteration, loss.item(), seconds))
        else:
            print(clas_line(iteration, loss.item(), (moments[-1] - moments[0]) / iteration))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--style", choices=["seg", "clas"], required=True)
    parser.add_argument("--truth", required=True)
    options = parser.parse_args()
    moments = []
    try:
        train(options.style, moments)
    finally:  # Ctrl-C, too
        with open(options.truth, "w", encoding="utf-8") as file:
            json.dump({"batch": BATCH, "interval": LOG_INTERVAL, "moments": moments}, file)


main()
