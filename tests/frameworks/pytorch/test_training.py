import support
from training import mean

support.use_framework("pytorch")

STEPS = 20


@support.needs("torch")
class Training(support.TemporaryFolder):
    def setUp(self):
        super().setUp()
        import training

        self.workloads = support.contracts()
        self.train = training.train
        self.losses = lambda *words: training.losses_of(training.train(*words))

    def test_losses_fall(self):
        for workload in self.workloads:
            for precision in ("fp32", "amp-bf16"):
                with self.subTest(workload, precision=precision):
                    losses = self.losses(workload, "--steps", STEPS, "--precision", precision, "--dropout", 0)
                    self.assertLess(mean(losses[-5:]), mean(losses[:5]), losses)

    def test_tells_what_it_trains_and_how(self):
        events = self.train("transformer", "--steps", 2, "--accumulate", 2)
        start = events[0]
        self.assertEqual(start["event"], "start")
        self.assertEqual((start["framework"], start["mode"]), ("pytorch", "eager"))
        self.assertEqual((start["batch"], start["accumulate"]), (32, 2))
        self.assertEqual(start["parameters"], 62592)
        self.assertGreater(start["flops_per_item"], 1e5)
        self.assertIn("torch", start["versions"])
        steps = [event for event in events if event["event"] == "step"]
        self.assertEqual([step["items"] for step in steps], [64, 64])
        self.assertGreater(steps[1]["end"], steps[0]["end"])
        self.assertEqual(events[-1], {"event": "end", "steps": 2, "why": "steps"})

    def test_accumulated_passes_are_one_larger_batch(self):
        # No batch norm here, which would see the difference.
        for workload in ("bert", "transformer", "cyclegan"):
            batch = self.workloads[workload].sizes["tiny"].batch
            words = (workload, "--dropout", 0, "--steps", 3)
            parts = self.losses(*words, "--batch", batch, "--accumulate", 2)
            whole = self.losses(*words, "--batch", 2 * batch)
            for one, other in zip(parts, whole):
                self.assertAlmostEqual(one, other, delta=1e-4 * abs(one), msg=workload)

    def test_saved_weights_are_loaded_again(self):
        weights, again = self.folder / "weights", self.folder / "again"
        for workload in self.workloads:
            with self.subTest(workload):
                words = (workload, "--steps", 2, "--dropout", 0)
                first = self.losses(*words, "--seed", 5, "--save-weights", weights)
                # Another seed would make other weights; the data must be those of the first.
                self.train(*words, "--seed", 6, "--load-weights", weights, "--save-weights", again)
                self.assertEqual(weights.read_bytes(), again.read_bytes())
                self.assertEqual(self.losses(*words, "--seed", 5, "--load-weights", weights), first)

    def test_gradients_have_the_names_of_weights(self):
        from safetensors.numpy import load_file

        weights, gradients = self.folder / "weights", self.folder / "gradients"
        for workload in self.workloads:
            with self.subTest(workload):
                words = ("--save-weights", weights, "--save-gradients", gradients)
                self.train(workload, "--steps", 2, "--dropout", 0, *words)
                shapes = {name: array.shape for name, array in load_file(weights).items() if ".running_" not in name}
                saved = load_file(gradients)
                self.assertEqual({name: array.shape for name, array in saved.items()}, shapes)
                self.assertTrue(all(abs(array).max() > 0 for array in saved.values()))

    def test_the_order_in_memory_does_not_matter(self):
        words = ("arcface", "--steps", 3)
        for one, other in zip(self.losses(*words), self.losses(*words, "--memory-format", "contiguous")):
            self.assertAlmostEqual(one, other, delta=1e-4 * one)

    def test_trained_weights_are_those_after_the_last_step(self):
        trained = self.folder / "trained"
        for workload in self.workloads:
            with self.subTest(workload):
                words = (workload, "--dropout", 0, "--steps")
                self.train(*words, 2, "--save-trained", trained)
                next_loss = self.losses(*words, 1, "--load-weights", trained)[0]
                self.assertAlmostEqual(next_loss, self.losses(*words, 3)[2], delta=1e-6 * next_loss)

    def test_weights_of_another_size_are_refused(self):
        from trainmark.failure import UserError

        weights = self.folder / "weights"
        weights.write_bytes(b"not weights at all")
        with self.assertRaisesRegex(UserError, "not a valid safetensors file"):
            self.train("resnet50", "--load-weights", weights)
        self.train("resnet50", "--steps", 1, "--save-weights", weights)
        with self.assertRaisesRegex(UserError, "another --size"):
            self.train("resnet50", "--load-weights", weights, "--size", "small")
        with self.assertRaisesRegex(UserError, "the model has no"):
            self.train("bert", "--load-weights", weights)
        with self.assertRaisesRegex(UserError, "cannot be read"):
            self.train("bert", "--load-weights", self.folder / "nothing")

    def test_compiled_code_trains_the_same(self):
        plain, compiled = self.folder / "plain", self.folder / "compiled"
        words = ("resnet50", "--steps", 2, "--save-gradients")
        one = self.losses(*words, plain)
        other = self.losses(*words, compiled, "--mode", "compile")
        self.assertAlmostEqual(one[0], other[0], delta=1e-3)
        self.assert_same_gradients(plain, compiled)

    def assert_same_gradients(self, one, other):
        from safetensors.numpy import load_file

        support.assert_same_tensors(self, load_file(one), load_file(other))
