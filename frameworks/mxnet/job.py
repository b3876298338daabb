"""The ranks of a job and what they do together: MXNet's own store of gradients (`dist_sync`), which sums what all ranks have
pushed. A scheduler and a server for each machine are processes of their own, started by the first rank there."""

import ctypes
import os
import signal
import subprocess
import sys

import mxnet as mx

from trainmark.failure import Unsupported
from trainmark.position import own_address
from trainmark.requests import requests_as_number

_RESULT_KEY = 2**30  # the trainer's are those of the parameters, from 0 on
_PR_SET_PDEATHSIG = 1  # <linux/prctl.h>


def make_job(position):
    return Alone() if position.alone else Job(position)


class Alone:
    facts = {}
    ranks = 1
    store = None  # without one the optimizer takes several parameters in one call

    def result(self, loss):
        return loss

    def leave(self):
        pass


class Job:
    def __init__(self, position):
        if not mx.runtime.Features().is_enabled("DIST_KVSTORE"):
            raise Unsupported(f"there are {position.ranks} ranks, and this MXNet was built without its store for several")
        self.facts = {"backend": "ps-lite"}
        self.ranks = position.ranks
        per_machine = int(os.environ.get("LOCAL_WORLD_SIZE") or position.ranks)
        os.environ.update(
            DMLC_PS_ROOT_URI=position.master_address,
            DMLC_PS_ROOT_PORT=str(position.master_port),
            DMLC_NUM_WORKER=str(position.ranks),
            DMLC_NUM_SERVER=str(-(-position.ranks // per_machine)),
            DMLC_NODE_HOST=own_address(position),
        )
        self._helpers = [_start("scheduler")] if position.rank == 0 else []
        if position.local_rank == 0:
            self._helpers.append(_start("server"))
        os.environ["DMLC_ROLE"] = "worker"
        self.store = mx.kv.create("dist_sync")
        self._sums = mx.nd.zeros(2)
        self.store.init(_RESULT_KEY, self._sums)

    def result(self, loss):
        """What the ranks tell each other in every step: the mean of their losses, and what they are asked for."""
        own = mx.nd.concat(
            loss.reshape(1).astype("float32").as_in_context(mx.cpu()) / self.ranks,
            mx.nd.array([requests_as_number()]),
            dim=0,
        )
        self.store.push(_RESULT_KEY, own)
        self.store.pull(_RESULT_KEY, out=self._sums)
        return self._sums

    def leave(self):
        """The helpers end when the last rank has left its store."""
        self.store = None


def _start(role):
    """A process that serves when it imports MXNet, and ends with this one."""
    return subprocess.Popen(
        [sys.executable, "-c", "import mxnet"],
        env={**os.environ, "DMLC_ROLE": role},
        stdin=subprocess.DEVNULL,
        stdout=sys.stderr,
        preexec_fn=lambda: ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL),
    )
