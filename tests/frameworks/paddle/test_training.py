import support

support.use_framework("paddle")


@support.needs("paddle")
class Training(support.TemporaryFolder):
    def setUp(self):
        super().setUp()
        import training

        self.train = training.train
        self.losses = lambda *words: training.losses_of(training.train(*words))

    def assert_close(self, one, other, tolerance=1e-4):
        self.assertEqual(len(one), len(other))
        for a, b in zip(one, other):
            self.assertAlmostEqual(a, b, delta=tolerance * abs(a))

    def test_tells_what_it_trains_and_how(self):
        events = self.train("transformer", "--steps", 2, "--accumulate", 2)
        start = events[0]
        self.assertEqual((start["framework"], start["mode"]), ("paddle", "dygraph"))
        self.assertEqual((start["batch"], start["accumulate"]), (32, 2))
        self.assertEqual(start["parameters"], 62592)
        self.assertIn("paddlepaddle", start["versions"])
        self.assertEqual([event["items"] for event in events if event["event"] == "step"], [64, 64])
        self.assertEqual(events[-1], {"event": "end", "steps": 2, "why": "steps"})

    def test_accumulated_passes_are_one_larger_batch(self):
        # No batch norm here, which would see the difference; two players, each with a turn.
        for mode in ("dygraph", "static"):
            words = ("cyclegan", "--mode", mode, "--steps", 2)
            self.assert_close(self.losses(*words, "--batch", 1, "--accumulate", 2), self.losses(*words, "--batch", 2))

    def test_dropout_is_new_in_every_step_and_the_network_learns(self):
        for mode in ("dygraph", "static"):
            losses = self.losses("bert", "--mode", mode, "--steps", 20)
            without = self.losses("bert", "--mode", mode, "--steps", 20, "--dropout", 0)
            self.assertNotAlmostEqual(losses[0], without[0], places=4)
            self.assertLess(sum(losses[-5:]), sum(losses[:5]))

    def test_the_order_in_memory_does_not_matter(self):
        for workload in ("se_resnext50", "deeplabv3p", "arcface"):
            words = (workload, "--steps", 2)
            self.assert_close(self.losses(*words), self.losses(*words, "--layout", "NHWC"))

    def test_saved_weights_are_loaded_again(self):
        weights = self.folder / "weights"
        first = self.losses("arcface", "--steps", 2, "--save-weights", weights)
        self.assertEqual(self.losses("arcface", "--steps", 2, "--load-weights", weights), first)

    def test_a_layout_is_refused_where_there_is_no_choice(self):
        from trainmark.failure import UserError

        with self.assertRaisesRegex(UserError, "leaves no choice"):
            self.train("bert", "--layout", "NHWC")
