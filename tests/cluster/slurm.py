"""A whole Slurm on the loopback of this machine: munge, a controller and two nodes. Needs root."""

import os
import pathlib
import socket
import subprocess

from support import wait_until


def free_ports(count):
    """Ports in a row that are free now."""
    for first in range(21000 + os.getpid() % 500 * 10, 32000, 10):
        sockets = [socket.socket() for _ in range(count)]
        try:
            for offset, one in enumerate(sockets):
                one.bind(("127.0.0.1", first + offset))
            return first
        except OSError:
            continue
        finally:
            for one in sockets:
                one.close()
    raise OSError("no free ports")


class Slurm:
    """`environment` is what its commands need."""

    nodes = ("n1", "n2")

    def __init__(self, folder):
        self.folder = pathlib.Path(folder) / "slurm"
        self.environment = {**os.environ, "SLURM_CONF": str(self.folder / "slurm.conf"),
                            "PATH": os.environ["PATH"] + ":/usr/sbin:/sbin"}
        self.daemons = []

    def __enter__(self):
        try:
            self.folder.mkdir(mode=0o755)
            self.folder.parent.chmod(0o755)
            (self.folder / "state").mkdir()
            self.start_munge()
            self.write_configuration()
            self.start("slurmctld", "-D", "-f", self.folder / "slurm.conf")
            for node in self.nodes:
                self.start("slurmd", "-D", "-N", node, "-f", self.folder / "slurm.conf")
            assert wait_until(lambda: self.say("sinfo", "-h", "-o", "%D %t") == "2 idle"), self.say("sinfo")
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        # The nodes first: the controller tells them what to end, and munge signs what they say.
        self.say("scancel", "--user=root")
        for daemon in reversed(self.daemons):
            daemon.terminate()
            try:
                daemon.wait(20)
            except subprocess.TimeoutExpired:
                daemon.kill()
                daemon.wait()

    def start(self, *words):
        self.daemons.append(subprocess.Popen(
            [str(word) for word in words], env=self.environment, stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))

    def start_munge(self):
        key = self.folder / "munge.key"
        key.write_bytes(os.urandom(1024))
        key.chmod(0o400)
        self.start("munged", "--foreground", "--force", f"--key-file={key}", f"--socket={self.folder}/munge.socket",
                   f"--pid-file={self.folder}/munged.pid", f"--log-file={self.folder}/munged.log",
                   f"--seed-file={self.folder}/munge.seed")
        assert wait_until((self.folder / "munge.socket").exists), "munged did not start"

    def write_configuration(self):
        port = free_ports(2 + len(self.nodes))
        (self.folder / "slurm.conf").write_text(f"""
ClusterName=trial
SlurmctldHost=localhost(127.0.0.1)
SlurmctldPort={port}
SlurmdPort={port + 1}
AuthType=auth/munge
AuthInfo=socket={self.folder}/munge.socket
CredType=cred/munge
SlurmUser=root
SlurmdUser=root
StateSaveLocation={self.folder}/state
SlurmdSpoolDir={self.folder}/spool.%n
SlurmctldPidFile={self.folder}/slurmctld.pid
SlurmdPidFile={self.folder}/slurmd.%n.pid
SlurmctldLogFile={self.folder}/slurmctld.log
SlurmdLogFile={self.folder}/slurmd.%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerType=sched/builtin
ReturnToService=2
MpiDefault=none
KillWait=5
MailProg=/bin/true
NodeName=n[1-2] NodeHostname=localhost NodeAddr=127.0.0.1 Port=[{port + 2}-{port + 3}] CPUs=2 State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
""")

    def logs(self):
        """The ends of what its daemons have noted, for the message of a test that fails."""
        return "\n".join(f"{path.name}:\n{path.read_text(errors='replace')[-3000:]}"
                         for path in sorted(self.folder.glob("slurm*.log")))

    def say(self, *words):
        """What one of its commands prints."""
        result = subprocess.run(words, env=self.environment, capture_output=True, text=True, stdin=subprocess.DEVNULL)
        return result.stdout.strip()
