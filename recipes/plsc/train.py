"""Trains ArcFace with PLSC. TRAIN_BATCH is the batch of all GPUs, as PLSC counts it."""

import os

from plsc import Entry

entry = Entry()
entry.set_train_batch_size(int(os.environ["TRAIN_BATCH"]))
entry.set_train_epochs(1)
entry.set_with_test(False)
entry.set_model_save_dir("/tmp/plsc")
entry.set_log_period(1)
# The class matrix is sharded over the GPUs, of which there must be more than one for that.
several = int(os.environ.get("PADDLE_TRAINERS_NUM", "1")) > 1
entry.set_loss_type("dist_arcface" if several else "arcface")
entry.train()
