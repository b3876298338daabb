import support

support.use_framework("mxnet")


@support.needs("mxnet")
class Training(support.TemporaryFolder):
    def setUp(self):
        super().setUp()
        import training

        self.train = training.train
        self.losses = lambda *words: training.losses_of(training.train(*words))

    def test_tells_what_it_trains_and_how(self):
        events = self.train("resnet50", "--steps", 2, "--accumulate", 2)
        start = events[0]
        self.assertEqual((start["framework"], start["mode"]), ("mxnet", "hybrid"))
        self.assertEqual((start["batch"], start["accumulate"]), (8, 2))
        self.assertIn("mxnet", start["versions"])
        self.assertEqual([event["items"] for event in events if event["event"] == "step"], [16, 16])
        self.assertEqual(events[-1], {"event": "end", "steps": 2, "why": "steps"})

    def test_flops_are_those_that_others_count(self):
        from flops import flops_per_item

        model = support.code_of("resnet50").build(support.contracts()["resnet50"].sizes["full"])
        flops = flops_per_item(model, {"images": (2, 3, 224, 224), "labels": (2,)}, 2)
        self.assertAlmostEqual(flops / 3 / 2e9, 4.09, places=2)  # multiply-adds of the forward pass, in billions

    def test_saved_weights_are_loaded_again(self):
        weights = self.folder / "weights"
        first = self.losses("arcface", "--steps", 2, "--save-weights", weights)
        self.assertEqual(self.losses("arcface", "--steps", 2, "--load-weights", weights), first)
