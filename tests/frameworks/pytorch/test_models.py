"""The models against what others say of them."""

import unittest

import support

support.use_framework("pytorch")


@support.needs("torch")
class Models(unittest.TestCase):
    def setUp(self):
        import torch

        self.torch = torch
        torch.manual_seed(1)

        def build(name, size="tiny", dropout=0.0):
            return support.code_of(name).build(self.contracts[name].sizes[size], dropout)

        self.build = build
        self.names = lambda name, model: support.code_of(name).names(model)
        self.contracts = support.contracts()
        self.sizes = {name: workload.sizes for name, workload in self.contracts.items()}

    def parameters(self, name, size="full"):
        with self.torch.device("meta"):
            return sum(parameter.numel() for parameter in self.build(name, size).parameters())

    def batch(self, name):
        from trainmark.data import make_batch

        size = self.sizes[name]["tiny"]
        arrays = make_batch(self.contracts[name], size, 1, 0, size.batch)
        return {key: self.torch.from_numpy(array) for key, array in arrays.items()}

    def assertClose(self, one, other):
        self.torch.testing.assert_close(one, other, rtol=1e-5, atol=1e-5)

    def test_have_as_many_parameters_as_those_of_the_libraries(self):
        import timm
        import torchvision
        from transformers import BertConfig, BertForPreTraining

        with self.torch.device("meta"):
            libraries = {
                "resnet50": torchvision.models.resnet50(),
                "se_resnext50": timm.create_model("seresnext50_32x4d"),
                "bert": BertForPreTraining(BertConfig()),
            }
        counts = {"resnet50": 25_557_032, "se_resnext50": 27_559_896, "bert": 110_106_428}
        for name, model in libraries.items():
            self.assertEqual(self.parameters(name), counts[name])
            self.assertEqual(sum(parameter.numel() for parameter in model.parameters()), counts[name])

    def test_se_resnext50_is_that_of_timm(self):
        import timm

        ours = self.build("se_resnext50", "full").network.eval()
        theirs = timm.create_model("seresnext50_32x4d").eval()
        theirs.load_state_dict(ours.state_dict())
        images = self.torch.randn(1, 3, 64, 64)
        self.assertClose(ours(images), theirs(images))

    def test_every_size_is_named(self):
        from tensors import ContractTensors

        for name, sizes in self.sizes.items():
            for size in sizes:
                with self.subTest(name, size=size), self.torch.device("meta"):
                    model = self.build(name, size)
                    ContractTensors(model, self.names(name, model))

    def test_narrow_models_have_the_shapes_of_the_contract(self):
        from tensors import ContractTensors

        def shapes(name):
            model = self.build(name)
            return ContractTensors(model, self.names(name, model)).shapes()

        resnext = shapes("se_resnext50")  # width 8, 4 groups
        self.assertEqual(resnext["stem.conv.weight"], (8, 3, 7, 7))
        self.assertEqual(resnext["stage2.block1.conv1.weight"], (32, 32, 1, 1))
        self.assertEqual(resnext["stage2.block1.conv2.weight"], (32, 8, 3, 3))
        self.assertEqual(resnext["stage2.block1.conv3.weight"], (64, 32, 1, 1))
        self.assertEqual(resnext["stage1.block1.squeeze.reduce.weight"], (2, 32))
        self.assertEqual(resnext["stage1.block1.squeeze.expand.weight"], (32, 2))
        self.assertEqual(resnext["head.linear.weight"], (10, 256))
        deeplab = shapes("deeplabv3p")
        self.assertEqual(deeplab["aspp.merge.conv.weight"], (64, 320, 3, 3))
        self.assertEqual(deeplab["decoder.refine1.depthwise.weight"], (70, 1, 3, 3))
        bert = shapes("bert")
        self.assertEqual(bert["layer1.attention.qkv.weight"], (96, 32))
        self.assertEqual(bert["layer2.attention.qkv.bias"], (96,))
        self.assertEqual(bert["masked_lm.bias"], (100,))

    def test_stages_of_deeplab_are_dilated_as_the_contract_says(self):
        for size in ("tiny", "full"):
            with self.torch.device("meta"):
                backbone = self.build("deeplabv3p", size).backbone
            for stage, expected in (("layer2", (1, 1)), ("layer3", (1, 2)), ("layer4", (2, 4))):
                blocks = backbone.get_submodule(stage)
                self.assertEqual(tuple(block.conv2.dilation[0] for block in blocks[:2]), expected)
            self.assertEqual(backbone.layer4[0].conv2.stride, (1, 1))

    def test_bert_is_that_of_transformers(self):
        model = self.build("bert").eval()
        batch = self.batch("bert")
        labels = self.torch.full_like(batch["tokens"], -100)
        labels.scatter_(1, batch["masked_positions"], batch["masked_labels"])
        theirs = model.network(
            batch["tokens"],
            token_type_ids=batch["segments"],
            labels=labels,
            next_sentence_label=batch["next_sentence"],
        )
        self.assertClose(model(**batch), theirs.loss)

    def test_token_0_learns_as_all_others(self):
        words = self.build("bert").network.bert.embeddings.word_embeddings
        self.assertIsNone(words.padding_idx)  # with one, its gradient would be left out

    def test_transformer_is_that_of_pytorch(self):
        torch = self.torch
        size = self.sizes["transformer"]["tiny"]
        model = self.build("transformer")
        settings = {"dropout": 0, "batch_first": True}
        source, memory = torch.randn(2, 3, size.tokens, size.width)
        encoder, decoder = model.encoder.layer1, model.decoder.layer2
        theirs = torch.nn.TransformerEncoderLayer(size.width, size.heads, size.feed_forward, **settings)
        copy_attention(encoder.attention, theirs.self_attn)
        copy_feed_forward(encoder.feed_forward, theirs)
        self.assertClose(encoder(source), theirs(source))

        theirs = torch.nn.TransformerDecoderLayer(size.width, size.heads, size.feed_forward, **settings)
        copy_attention(decoder.attention, theirs.self_attn)
        cross = decoder.cross
        theirs.multihead_attn.in_proj_weight.data = torch.cat([cross.query.weight, cross.key_value.weight]).detach()
        theirs.multihead_attn.in_proj_bias.data = torch.cat([cross.query.bias, cross.key_value.bias]).detach()
        theirs.multihead_attn.out_proj.load_state_dict(cross.output.state_dict())
        copy_feed_forward(decoder.feed_forward, theirs)
        mask = torch.nn.Transformer.generate_square_subsequent_mask(size.tokens)
        self.assertClose(decoder(source, memory), theirs(source, memory, tgt_mask=mask, tgt_is_causal=True))

    def test_positions_are_sines_and_cosines(self):
        import math

        from workloads.transformer import sinusoids

        table = sinusoids(8, 32)
        for position, index in ((0, 0), (3, 0), (7, 5)):
            angle = position / 10000 ** (2 * index / 32)
            self.assertAlmostEqual(table[position, 2 * index].item(), math.sin(angle), places=6)
            self.assertAlmostEqual(table[position, 2 * index + 1].item(), math.cos(angle), places=6)

    def test_margin_is_added_to_the_angle(self):
        import math

        from workloads.arcface import with_margin

        angles = self.torch.tensor([0.1, 1.0, 2.5, 2.7, 3.0])
        expected = [math.cos(angle + 0.5) for angle in angles[:3].tolist()]
        expected += [math.cos(angle) - 0.5 * math.sin(0.5) for angle in angles[3:].tolist()]
        self.assertClose(with_margin(angles.cos()), self.torch.tensor(expected))

    def test_cyclegan_judges_images_made_before_the_generators_learned(self):
        from trainmark.phases import phases_of

        model = self.build("cyclegan")
        batch = self.batch("cyclegan")
        generators, discriminators = phases_of(model)
        _, judged = generators(batch)
        self.assertClose(judged["made_b"], model.generator_ab(batch["images_a"]))
        self.assertFalse(judged["made_b"].requires_grad)
        loss, _ = discriminators(judged)
        loss.backward()
        self.assertTrue(all(parameter.grad is None for parameter in generators.parameters))
        self.assertTrue(all(parameter.grad is not None for parameter in discriminators.parameters))


def copy_attention(ours, theirs):
    theirs.in_proj_weight.data = ours.qkv.weight.detach()
    theirs.in_proj_bias.data = ours.qkv.bias.detach()
    theirs.out_proj.load_state_dict(ours.output.state_dict())


def copy_feed_forward(ours, theirs):
    theirs.linear1.load_state_dict(ours.expand.state_dict())
    theirs.linear2.load_state_dict(ours.contract.state_dict())
