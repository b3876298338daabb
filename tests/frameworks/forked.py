"""Trainers that start at once: forks of a process that has imported its framework already. Importing PyTorch and
torchvision takes eight seconds, and tests start dozens of trainers.

    forked.py ask SOCKET ARGUMENT...     stands for the trainer: passes on its streams, its variables and the signals it gets
    forked.py serve SOCKET MODULE [PACKAGE...]
                                         forks a process per question, in which MODULE.main(arguments) is the trainer
"""

import json
import os
import select
import signal
import socket
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path

PASSED_ON = (signal.SIGUSR1, signal.SIGTSTP, signal.SIGCONT, signal.SIGTERM, signal.SIGINT)


@contextmanager
def trainers(module, *packages, folders=()):
    """The command that starts a trainer, as long as the scope holds. `folders`: where modules are found."""
    with tempfile.TemporaryDirectory(prefix="trainmark.") as place:
        path = str(Path(place) / "socket")
        variables = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, folders))}
        server = subprocess.Popen([sys.executable, __file__, "serve", path, module, *packages], env=variables)
        try:
            while not os.path.exists(path):
                if server.poll() is not None:
                    raise RuntimeError(f"the server of forked trainers ended with {server.returncode}")
                time.sleep(0.02)
            yield [sys.executable, "-S", "-E", __file__, "ask", path]
        finally:
            server.terminate()
            server.wait()


def ask(path, arguments):
    server = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    server.connect(path)
    events = os.environ.get("TRAINMARK_EVENTS")
    question = {"arguments": arguments, "variables": dict(os.environ), "folder": os.getcwd(), "events": events}
    streams = [0, 1, 2, *([int(events)] if events else [])]
    socket.send_fds(server, [json.dumps(question).encode() + b"\n"], streams)
    answers = server.makefile()
    trainer = int(answers.readline())
    for number in streams[3:]:
        os.close(number)  # the trainer alone has it now: who reads it must see its end
    for number in PASSED_ON:
        signal.signal(number, lambda received, _: pass_on(received, trainer))
    end_like(int(answers.readline() or 1))


def pass_on(number, trainer):
    try:
        os.kill(trainer, number)
    except ProcessLookupError:
        pass  # it has just ended


def end_like(code):
    """`code` below 0: by that signal."""
    if code < 0:
        if -code != signal.SIGKILL:
            signal.signal(-code, signal.SIG_DFL)
        os.kill(os.getpid(), -code)
    sys.exit(code)


class Server:
    def __init__(self, path, main):
        self._main = main
        self._trainers = {}  # by the process: who asked for it
        self._listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._listener.bind(path + ".new")
        self._listener.listen()
        os.rename(path + ".new", path)  # whoever sees it can connect

    def serve(self):
        while True:
            ready, _, _ = select.select([self._listener, *self._trainers.values()], [], [], 0.02)
            for one in ready:
                if one is self._listener:
                    self._begin(one.accept()[0])
                else:
                    self._end_trainer_of(one)
            self._tell_endings()

    def _begin(self, asker):
        text, streams = b"", []
        while not text.endswith(b"\n"):
            data, passed, _, _ = socket.recv_fds(asker, 1 << 16, 8)
            text, streams = text + data, streams + list(passed)
        sys.stdout.flush()
        process = os.fork()
        if process == 0:
            self._become_trainer(json.loads(text), streams)
        for number in streams:
            os.close(number)
        self._trainers[process] = asker
        asker.sendall(b"%d\n" % process)

    def _become_trainer(self, question, streams):
        for other in (self._listener, *self._trainers.values()):
            other.close()
        targets = [0, 1, 2, *([int(question["events"])] if question["events"] else [])]
        held = [os.dup2(number, 900 + place) for place, number in enumerate(streams)]
        for number, target in zip(held, targets):
            os.dup2(number, target)
        os.closerange(900, 900 + len(held))
        os.environ.clear()
        os.environ.update(question["variables"])
        os.chdir(question["folder"])
        code = 1
        try:
            code = self._main(question["arguments"])
        except SystemExit as ending:
            code = ending.code or 0
        finally:
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(code)

    def _end_trainer_of(self, asker):
        """It was killed, and so is what it stands for."""
        for process, other in self._trainers.items():
            if other is asker:
                os.kill(process, signal.SIGKILL)

    def _tell_endings(self):
        for process, asker in list(self._trainers.items()):
            ended, status = os.waitpid(process, os.WNOHANG)
            if not ended:
                continue
            del self._trainers[process]
            try:
                asker.sendall(b"%d\n" % os.waitstatus_to_exitcode(status))
            except OSError:
                pass  # it is gone
            asker.close()


if __name__ == "__main__":
    kind, socket_path, *rest = sys.argv[1:]
    if kind == "ask":
        ask(socket_path, rest)
    from importlib import import_module

    for package in rest[1:]:
        import_module(package)
    Server(socket_path, import_module(rest[0]).main).serve()
