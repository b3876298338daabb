"""Several hosts on one machine: network namespaces with their own addresses and names, an sshd in each, joined by a
bridge. Links are shaped with tc. Needs root."""

import os
import pathlib
import shutil
import subprocess

from control_group import ControlGroup, mount_command
from support import wait_until


def run(*words, check=True):
    return subprocess.run(words, check=check, capture_output=True, text=True, stdin=subprocess.DEVNULL)


class Network:
    """`hosts` are addresses that mpirun can be given; this machine is joined to them by the bridge."""

    def __init__(self, folder, count):
        self.folder = pathlib.Path(folder)
        self.count = count
        # Two tests at once must not meet: names and addresses follow from the process.
        self.tag = f"tm{os.getpid() % 100000}"
        self.subnet = f"10.{50 + os.getpid() % 150}.{os.getpid() // 150 % 250}"
        self.hosts = [f"{self.subnet}.{number}" for number in range(1, count + 1)]
        self.daemons = []

    def __enter__(self):
        try:
            self.make_keys()
            self.make_bridge()
            for number in range(1, self.count + 1):
                self.make_host(number)
            for host in self.hosts:
                assert wait_until(lambda: self.answers(host)), f"the sshd of {host} does not answer"
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        for number in range(1, self.count + 1):
            name = f"{self.tag}-{number}"
            inside = run("ip", "netns", "pids", name, check=False).stdout.split()
            for process in inside:
                run("kill", "-KILL", process, check=False)
            run("ip", "netns", "del", name, check=False)
        run("ip", "link", "del", self.tag, check=False)
        for daemon in self.daemons:
            daemon.wait()

    def make_keys(self):
        for name in ("host_key", "user_key"):
            run("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(self.folder / name))
        shutil.copy(self.folder / "user_key.pub", self.folder / "authorized_keys")
        pathlib.Path("/run/sshd").mkdir(exist_ok=True)

    def make_bridge(self):
        run("ip", "link", "add", self.tag, "type", "bridge")
        run("ip", "addr", "add", f"{self.subnet}.254/24", "dev", self.tag)
        run("ip", "link", "set", self.tag, "up")

    def make_host(self, number):
        name = f"{self.tag}-{number}"
        run("ip", "netns", "add", name)
        run("ip", "link", "add", self.link(number), "type", "veth", "peer", "name", "eth0", "netns", name)
        run("ip", "link", "set", self.link(number), "master", self.tag, "up")
        run("ip", "-n", name, "addr", "add", f"{self.subnet}.{number}/24", "dev", "eth0")
        run("ip", "-n", name, "link", "set", "eth0", "up")
        run("ip", "-n", name, "link", "set", "lo", "up")
        config = self.folder / f"sshd-{number}"
        config.write_text(f"ListenAddress {self.subnet}.{number}:22\nHostKey {self.folder}/host_key\n"
                          f"AuthorizedKeysFile {self.folder}/authorized_keys\nPidFile none\nUsePAM no\n"
                          "PermitRootLogin yes\nStrictModes no\nPasswordAuthentication no\n")
        command = f"{mount_command()}; hostname {self.host_name(number)} && exec $(command -v sshd) -D -e -f {config}"
        self.daemons.append(subprocess.Popen(
            ["ip", "netns", "exec", name, "unshare", "--uts", "sh", "-c", command],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            env={**os.environ, "PATH": os.environ["PATH"] + ":/usr/sbin:/sbin"}))

    def link(self, number):
        return f"{self.tag}v{number}"

    def host_name(self, number):
        return f"{self.tag}-host{number}"

    def answers(self, host):
        return run("ssh", *self.ssh_words().split(), host, "true", check=False).returncode == 0

    def ssh_words(self):
        return (f"-F /dev/null -i {self.folder}/user_key -o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null "
                "-o LogLevel=ERROR -o ConnectTimeout=10")

    def launcher_arguments(self):
        """For a suite: how mpirun reaches these hosts."""
        words = ["--mca", "plm_rsh_args", f"'{self.ssh_words()}'", "--mca", "oob_tcp_if_include",
                 f"{self.subnet}.0/24"]
        return f"launcher_arguments: [{', '.join(words)}]\n"

    def slow_down(self, number, rate):
        """Everything that goes to this host passes at `rate`, such as 1mbit."""
        run("tc", "qdisc", "replace", "dev", self.link(number), "root", "tbf", "rate", rate, "burst", "16kb",
            "latency", "100ms")

    def limit_cpu(self, number, cores):
        """Everything on this host shares so much of a core. Gives the group, which the caller removes."""
        group = ControlGroup(f"{self.tag}-{number}")
        group.limit(cores)
        group.add(self.daemons[number - 1].pid)
        return group

    def set_free(self, number):
        run("tc", "qdisc", "del", "dev", self.link(number), "root")

    def cut_off(self, number):
        run("ip", "link", "set", self.link(number), "down")

    def is_quiet(self, number):
        """Nothing but the sshd that waits for others runs there."""
        return len(run("ip", "netns", "pids", f"{self.tag}-{number}").stdout.split()) == 1

    def join(self, number):
        run("ip", "link", "set", self.link(number), "up")
