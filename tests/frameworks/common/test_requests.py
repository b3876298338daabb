"""What the bench asks for is heard, whoever else wants the signal."""

import ctypes
import os
import signal
import unittest

import support  # noqa: F401  (finds the package)
from trainmark import requests


class Stop(unittest.TestCase):
    def setUp(self):
        for number in (signal.SIGUSR1, signal.SIGTERM):
            self.addCleanup(signal.signal, number, signal.getsignal(number))
        self.addCleanup(signal.set_wakeup_fd, -1)
        self.addCleanup(setattr, stop, "_requested", False)
        stop.listen_for_stop()

    def test_is_requested_by_either_signal(self):
        for number in (signal.SIGUSR1, signal.SIGTERM):
            stop._requested = False
            self.assertFalse(stop.stop_requested())
            os.kill(os.getpid(), number)
            self.assertTrue(stop.stop_requested())
            self.assertTrue(stop.stop_requested())

    def test_takes_the_signal_back_from_a_library(self):
        # As LLVM does it: behind Python's back.
        libc = ctypes.CDLL(None)
        libc.signal.argtypes = [ctypes.c_int, ctypes.c_void_p]
        libc.signal(signal.SIGUSR1, ctypes.c_void_p(int(signal.SIG_IGN)))
        os.kill(os.getpid(), signal.SIGUSR1)
        self.assertFalse(stop.stop_requested())  # that one is lost
        os.kill(os.getpid(), signal.SIGUSR1)
        self.assertTrue(stop.stop_requested())


if __name__ == "__main__":
    unittest.main()
