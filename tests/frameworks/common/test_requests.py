"""What the bench asks for is heard, whoever else wants the signal."""

import ctypes
import os
import signal
import threading
import time
import unittest
import unittest.mock

import support  # noqa: F401  (finds the package)
from trainmark import requests


class Requests(unittest.TestCase):
    def setUp(self):
        for number in (signal.SIGUSR1, signal.SIGTERM, signal.SIGTSTP, signal.SIGCONT):
            self.addCleanup(signal.signal, number, signal.getsignal(number))
        self.addCleanup(signal.set_wakeup_fd, -1)
        self.addCleanup(signal.pthread_sigmask, signal.SIG_SETMASK, signal.pthread_sigmask(signal.SIG_BLOCK, ()))
        for flag in ("_stopped", "_paused"):
            self.addCleanup(setattr, requests, flag, False)
        environment = unittest.mock.patch.dict(os.environ, {"TRAINMARK_EVENTS": "1"})
        environment.start()
        self.addCleanup(environment.stop)
        requests.listen_for_requests()

    def test_the_stop_is_asked_for_by_either_signal(self):
        for number in (signal.SIGUSR1, signal.SIGTERM):
            requests._stopped = False
            self.assertFalse(requests.stop_requested())
            os.kill(os.getpid(), number)
            self.assertTrue(requests.stop_requested())
            self.assertTrue(requests.stop_requested())

    def test_takes_the_signal_back_from_a_library(self):
        # As LLVM does it: behind Python's back.
        libc = ctypes.CDLL(None)
        libc.signal.argtypes = [ctypes.c_int, ctypes.c_void_p]
        libc.signal(signal.SIGUSR1, ctypes.c_void_p(int(signal.SIG_IGN)))
        os.kill(os.getpid(), signal.SIGUSR1)
        self.assertTrue(requests.stop_requested())

    def test_nothing_interrupts_what_computes(self):
        asked = {signal.SIGUSR1, signal.SIGTSTP, signal.SIGCONT}
        threads = []
        thread = threading.Thread(target=lambda: threads.append(signal.pthread_sigmask(signal.SIG_BLOCK, ())))
        thread.start()
        thread.join()
        os.kill(os.getpid(), signal.SIGTSTP)
        threading.Timer(0.05, os.kill, (os.getpid(), signal.SIGCONT)).start()
        requests.wait_out_pause(1)
        for blocked in (*threads, signal.pthread_sigmask(signal.SIG_BLOCK, ())):
            self.assertLessEqual(asked, blocked)

    def test_workers_hear_signals_as_others_do(self):
        child = os.fork()
        if child == 0:
            requests.leave_requests_to_others()
            os._exit(len(signal.pthread_sigmask(signal.SIG_BLOCK, ())))
        self.assertEqual(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), 0)

    def test_a_pause_lasts_until_it_is_ended(self):
        self.assertFalse(requests.pause_requested())
        os.kill(os.getpid(), signal.SIGTSTP)
        self.assertTrue(requests.pause_requested())
        self.assertTrue(requests.is_pause(requests.requests_as_number()))
        self.assertFalse(requests.is_stop(1000 * requests.requests_as_number()))
        begin = time.monotonic()
        threading.Timer(0.1, os.kill, (os.getpid(), signal.SIGCONT)).start()
        requests.wait_out_pause(1)
        self.assertGreaterEqual(time.monotonic() - begin, 0.09)
        self.assertFalse(requests.pause_requested())

    def test_a_pause_ends_with_the_stop(self):
        os.kill(os.getpid(), signal.SIGTSTP)
        threading.Timer(0.1, os.kill, (os.getpid(), signal.SIGUSR1)).start()
        requests.wait_out_pause(1)
        self.assertTrue(requests.stop_requested())
        self.assertFalse(requests.pause_requested())

    def test_a_pause_ends_when_the_bench_is_gone(self):
        reading, writing = os.pipe()
        self.addCleanup(os.close, writing)
        os.kill(os.getpid(), signal.SIGTSTP)
        threading.Timer(0.1, os.close, (reading,)).start()
        requests.wait_out_pause(writing)
        self.assertTrue(requests.pause_requested())


if __name__ == "__main__":
    unittest.main()
