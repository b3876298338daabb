"""Trains ArcFace with PLSC on made-up faces. TRAIN_BATCH is the batch of one GPU."""

import os

import numpy
from plsc import Entry

BATCH = int(os.environ["TRAIN_BATCH"])
CLASSES = 85742
BATCHES = 1000000  # it is stopped long before


def made_up_batches():
    random = numpy.random.RandomState(1)
    images = random.standard_normal((BATCH, 3, 112, 112)).astype("float32")
    labels = random.randint(0, CLASSES, (BATCH, 1)).astype("int64")
    batch = list(zip(images, labels))
    for _ in range(BATCHES):
        yield batch


entry = Entry()
entry.set_train_batch_size(BATCH)
entry.set_class_num(CLASSES)
entry.set_train_image_num(BATCH * BATCHES)
entry.set_train_epochs(1)
entry.set_with_test(False)
entry.set_model_save_dir("/tmp/plsc")
if hasattr(entry, "set_log_period"):
    entry.set_log_period(1)
# The class matrix is sharded over the GPUs, of which there must be more than one for that.
several = int(os.environ.get("PADDLE_TRAINERS_NUM", "1")) > 1
entry.set_loss_type("dist_arcface" if several else "arcface")
entry.train_reader = made_up_batches
entry.train()
