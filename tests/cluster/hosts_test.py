"""Four hosts with networks of their own: mpirun over ssh, a slow link, and a host that is cut off in mid-run."""

import time
import unittest

from network import Network
from support import BIN, ClusterTest, need, need_root, wait_until


class Hosts(ClusterTest):
    @classmethod
    def setUpClass(cls):
        need_root()
        need("mpirun", "sshd", "ssh-keygen", "ip", "tc")
        cls.network = cls.enterClassContext(Network(cls.own_folder(), 4))

    def slow_down(self, number, rate):
        self.network.slow_down(number, rate)
        self.addCleanup(self.network.set_free, number)

    def words(self):
        return ["--launcher", "mpirun", "--hosts", ",".join(self.network.hosts)]

    def test_ranks_run_on_all_hosts_and_one_slow_link_harms_nothing(self):
        self.slow_down(3, "2mbit")
        suite = self.suite("1n1g, 4n1g", ", --sleep", more=self.network.launcher_arguments())
        code, text = self.run_suite(suite, *self.words())
        self.assertEqual(code, 0, text)
        ranks = self.runs()["4n1g", 1]["ranks"]["ranks"]
        self.assertEqual([rank["host"] for rank in ranks],
                         [self.network.host_name(number) for number in range(1, 5)])
        self.assertIn("Scaling", text)
        self.assert_gone()

    def limit_cpu(self, number, cores):
        self.addCleanup(self.network.limit_cpu(number, cores).remove)

    def nodes_of(self, run):
        """The nodes of a run by host, each with its environment as the journal has it."""
        environments = {record["id"]: record["environment"] for record in self.records("environment")}
        return {node["host"]: {**node, "environment": environments[node["environment"]]} for node in run["nodes"]}

    def test_the_journal_has_the_machine_of_every_host(self):
        suite = self.suite("4n1g", ", --sleep", steps=300, more=self.network.launcher_arguments())
        code, text = self.run_suite(suite, *self.words())
        self.assertEqual(code, 0, text)
        run = self.runs()["4n1g", 1]
        nodes = self.nodes_of(run)
        self.assertEqual(list(nodes), [self.network.host_name(number) for number in range(1, 5)])
        for host, node in nodes.items():
            self.assertEqual(node["instance"]["system"]["hostname"], host)
            self.assertGreater(node["environment"]["cpu"]["logical_cores"], 0)
            self.assertGreater(node["environment"]["memory"]["total_bytes"], 0)
            self.assertGreaterEqual(node["conditions"]["samples"], 2)
            self.assertGreater(node["conditions"]["seconds"], 0)
        self.assertEqual(run["environment"], run["nodes"][0]["environment"])
        self.assertLessEqual(len(self.records("environment")), 2, "hosts of one kind share an environment")
        for name in ("nodes-differ", "node-silent"):
            self.assertNotIn(name, self.verdicts(run))

    def test_a_host_that_is_held_back_is_named(self):
        self.limit_cpu(3, 0.1)
        suite = self.suite("4n1g", steps=300, time_limit="600s", more=self.network.launcher_arguments())
        code, text = self.run_suite(suite, *self.words())
        self.assertEqual(code, 0, text)
        run = self.runs()["4n1g", 1]
        slow = self.network.host_name(3)
        verdicts = self.verdicts(run)
        self.assertIn(f"cpu.limit_cores is 0.1 on {slow}, elsewhere missing", verdicts.get("nodes-differ", ""))
        self.assertTrue(verdicts.get("throttled", "").startswith(f"{slow}: the CPU limit"), verdicts)
        limits = {host: node["environment"]["cpu"].get("limit_cores") for host, node in self.nodes_of(run).items()}
        self.assertEqual([host for host, limit in limits.items() if limit], [slow])

    def train(self, name):
        """A real training on one host and on four; the run of the latter."""
        suite = self.folder / f"{name}.yaml"
        suite.write_text(
            "matrix: {workload: bert, framework: trainer, size: tiny, batch: 2, device: cpu, scale: [1n1g, 4n1g]}\n"
            "measure: {rule: fixed, steps: 4, skip: 1}\nrounds: 1\ntime_limit: 120s\n"
            f"frameworks: {{trainer: {{program: [{BIN / 'trainmark-train'}], environment: {{OMP_NUM_THREADS: '1'}}}}}}\n"
            + self.network.launcher_arguments())
        self.results = self.folder / name
        code, text = self.run_suite(suite, *self.words())
        self.assertEqual(code, 0, text)
        self.assertIn("Scaling", text)
        return self.runs()["4n1g", 2]

    def test_a_slow_link_shows_in_the_table(self):
        need(str(BIN / "trainmark-train"))
        fast = self.train("fast")
        self.slow_down(3, "400kbit")  # seconds per step, also beside a busy machine's own
        slow = self.train("slow")
        self.assertLess(slow["summary"]["throughput"]["value"], 0.5 * fast["summary"]["throughput"]["value"])
        self.assertGreater(slow["ranks"]["exposed"], 0.5, "most of a step is waiting for the link")

    def test_a_host_that_is_cut_off_is_a_failed_result_and_the_suite_goes_on(self):
        # The seed puts 4n1g first, so that something is left to be done.
        limit = 6
        suite = self.suite("4n1g, 2n1g", ", --sleep", steps=200, time_limit=f"{limit}s",
                           more=self.network.launcher_arguments() + "seed: 2\n")
        bench = self.start(suite, *self.words())
        self.assertTrue(wait_until(lambda: self.steps_of(3) > 5), "4n1g did not begin")
        self.network.cut_off(4)
        began = time.monotonic()
        output, errors = bench.communicate()
        self.assertEqual(bench.returncode, 1, output + errors)
        runs = self.runs()
        cut = runs["4n1g", 1]
        self.assertIn(cut["failure"], ("timeout", "rank-lost"), cut["reason"])
        self.assertIn("rank 3", cut["reason"])
        self.assertTrue(runs["2n1g", 1]["ok"], runs["2n1g", 1].get("reason"))
        # Also on the host that nobody could reach any more, nothing is left.
        self.assert_gone()
        self.network.join(4)
        for number in range(1, 5):
            self.assertTrue(wait_until(lambda: self.network.is_quiet(number)),
                            f"processes are left on host {number} after {time.monotonic() - began:.0f} s")


if __name__ == "__main__":
    unittest.main()
