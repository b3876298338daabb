"""BERT pre-training: the modules of transformers' BertForPreTraining."""

from torch import nn
from torch.nn import functional
from transformers import BertConfig, BertForPreTraining

MEMORY_FORMAT = None


class Bert(nn.Module):
    label_smoothing = 0.0  # of masked tokens

    def __init__(self, size, dropout):
        super().__init__()
        self.network = BertForPreTraining(
            BertConfig(
                vocab_size=size.vocabulary,
                hidden_size=size.width,
                num_hidden_layers=size.layers,
                num_attention_heads=size.heads,
                intermediate_size=size.feed_forward,
                max_position_embeddings=4 * size.tokens,
                hidden_dropout_prob=dropout,
                attention_probs_dropout_prob=dropout,
                pad_token_id=None,  # there is no padding: token 0 learns as all others do
                attn_implementation="sdpa",
            )
        )

    def forward(self, tokens, segments, masked_positions, masked_labels, next_sentence):
        words, following = self.predict(tokens, segments, masked_positions)
        return functional.cross_entropy(
            words.flatten(0, 1).float(), masked_labels.flatten(), label_smoothing=self.label_smoothing
        ) + functional.cross_entropy(following.float(), next_sentence)

    def predict(self, tokens, segments, masked_positions):
        """The network's own forward pass would apply the masked-LM head to all tokens, and make masks of nothing."""
        bert, heads = self.network.bert, self.network.cls
        hidden = bert.encoder(bert.embeddings(input_ids=tokens, token_type_ids=segments))[0]
        positions = masked_positions.unsqueeze(-1).expand(-1, -1, hidden.shape[-1])
        return heads(hidden.gather(1, positions), bert.pooler(hidden))

    def evaluate(self, tokens, segments, masked_positions, masked_labels, next_sentence):
        words, _ = self.predict(tokens, segments, masked_positions)
        words = words.float()
        return {
            "predictions": words.argmax(-1),
            "labels": masked_labels,
            "losses": functional.cross_entropy(words.flatten(0, 1), masked_labels.flatten(), reduction="sum"),
        }


def build(size, dropout):
    return Bert(size, dropout)


def names(model):
    bert, heads = "network.bert", "network.cls"
    table = {
        "embeddings.word": f"{bert}.embeddings.word_embeddings",
        "embeddings.position": f"{bert}.embeddings.position_embeddings",
        "embeddings.segment": f"{bert}.embeddings.token_type_embeddings",
        "embeddings.norm": f"{bert}.embeddings.LayerNorm",
        "masked_lm.linear": f"{heads}.predictions.transform.dense",
        "masked_lm.norm": f"{heads}.predictions.transform.LayerNorm",
        "masked_lm": f"{heads}.predictions",
        "next_sentence.pooler": f"{bert}.pooler.dense",
        "next_sentence.linear": f"{heads}.seq_relationship",
    }
    for index in range(len(model.network.bert.encoder.layer)):
        ours, theirs = f"layer{index + 1}", f"{bert}.encoder.layer.{index}"
        attention = f"{theirs}.attention"
        table[f"{ours}.attention.qkv"] = [f"{attention}.self.{part}" for part in ("query", "key", "value")]
        table[f"{ours}.attention.output"] = f"{attention}.output.dense"
        table[f"{ours}.attention.norm"] = f"{attention}.output.LayerNorm"
        table[f"{ours}.feed_forward.expand"] = f"{theirs}.intermediate.dense"
        table[f"{ours}.feed_forward.contract"] = f"{theirs}.output.dense"
        table[f"{ours}.feed_forward.norm"] = f"{theirs}.output.LayerNorm"
    return table
