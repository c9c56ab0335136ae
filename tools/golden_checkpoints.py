"""The checkpoints that tools/make_goldens.py makes: a table of families, a table of goldens, and their weights.

A golden is one tiny checkpoint, described as a difference from its family's plain form. Every name begins with its
family, but for the first BERTs.
"""

from dataclasses import dataclass, field
from pathlib import Path

import torch
import transformers
from safetensors.torch import load_file, save_file
from torch import nn

HEADS = {
    "feature-extraction": "Model",
    "text-classification": "ForSequenceClassification",
    "token-classification": "ForTokenClassification",
    "question-answering": "ForQuestionAnswering",
    "fill-mask": "ForMaskedLM",
}


@dataclass
class Family:
    """What the script has to know of a family: how to make its models, and which of their parts play which role."""

    stem: str  # of its classes' names
    config: dict
    attention: tuple = ("sdpa", "eager")  # how Transformers can compute it; one result is stored, both must agree
    takes_types: bool = True
    has_pooler: bool = False  # whether its plain model may be made without one
    counts_positions_after_padding: bool = False
    # Parts of parameters' names: what makes queries, what stands before and after a feed-forward activation, and the
    # last layer's last normalization ("{last}" is that layer's number).
    query: tuple = ("query.weight",)
    inner: tuple = ("intermediate",)
    outer: tuple = (".output.dense.weight",)
    last_norm: str = "encoder.layer.{last}.output.LayerNorm"
    inner_shift: float = -1.5  # of the biases before the activation
    factors: dict = field(default_factory=dict)  # of more parts of the parameters
    # The largest difference between PyTorch in double precision and mathematics: some constants are float32's there.
    double_tolerance: float = 1e-11
    double_note: str = ""

    def part_of_last_norm(self, config):
        return self.last_norm.format(last=config.num_hidden_layers - 1)


DROPOUT = {"hidden_dropout_prob": 0.0, "attention_probs_dropout_prob": 0.0}
SIZES = {"hidden_size": 8, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 32}
PLAIN = {"vocab_size": 100, **SIZES, "max_position_embeddings": 16, **DROPOUT}
SMALL = {**PLAIN, "vocab_size": 40}
AFTER_PADDING = {**SMALL, "max_position_embeddings": 18, "pad_token_id": 1, "type_vocab_size": 1}


def roberta(stem):
    return Family(stem, AFTER_PADDING, takes_types=False, has_pooler=True, counts_positions_after_padding=True)


FAMILIES = {
    "bert": Family("Bert", PLAIN, has_pooler=True),
    "roberta": roberta("Roberta"),
    "xlm-roberta": roberta("XLMRoberta"),
    "camembert": roberta("Camembert"),
    "distilbert": Family(
        "DistilBert",
        {"vocab_size": 40, "dim": 8, "n_layers": 2, "n_heads": 2, "hidden_dim": 32, "max_position_embeddings": 16,
         "dropout": 0.0, "attention_dropout": 0.0, "qa_dropout": 0.0, "seq_classif_dropout": 0.0},
        takes_types=False, query=("q_lin.weight",), inner=("ffn.lin1",), outer=("ffn.lin2.weight",),
        last_norm="transformer.layer.{last}.output_layer_norm"),
    "electra": Family("Electra", {**SMALL, "embedding_size": 6}, attention=("eager",)),
    "albert": Family("Albert", {**SMALL, "embedding_size": 6, "hidden_act": "gelu"}, has_pooler=True,
                     inner=(".ffn.",), outer=("ffn_output.weight",), last_norm="-"),
    "mpnet": Family("MPNet", {**SMALL, "max_position_embeddings": 18, "pad_token_id": 1}, attention=("eager",), takes_types=False,
                    has_pooler=True, counts_positions_after_padding=True, query=(".attn.q.weight",)),
    "deberta-v2": Family(
        "DebertaV2",
        {**SMALL, "relative_attention": True, "pos_att_type": ["p2c", "c2p"], "position_buckets": 6,
         "norm_rel_ebd": "layer_norm", "share_att_key": True, "position_biased_input": False, "legacy": False},
        attention=("eager",), query=("query_proj.weight",), double_tolerance=1e-6,
        double_note="the root of the scale is taken in float32"),
    "modernbert": Family(
        "ModernBert",
        {"vocab_size": 40, **SIZES, "num_hidden_layers": 3, "max_position_embeddings": 20, "pad_token_id": 0,
         "bos_token_id": 2, "eos_token_id": 3, "cls_token_id": 2, "sep_token_id": 3, "local_attention": 6,
         "global_attn_every_n_layers": 2, "global_rope_theta": 100.0, "local_rope_theta": 20.0,
         "reference_compile": False},
        takes_types=False, query=(), inner=("mlp.Wi",), outer=("mlp.Wo.weight",), last_norm="final_norm",
        inner_shift=0, factors={"mlp.Wi": 1.5, "mlp.Wo": 0.3}, double_tolerance=1e-5, double_note="the angles of the rotation are float32's"),
}


@dataclass
class Golden:
    """One checkpoint: what is special about it, as a difference from its family's plain form."""

    name: str
    note: str
    task: str = "feature-extraction"
    config: dict = field(default_factory=dict)
    family_name: str = "bert"
    weights: torch.dtype = torch.float32
    saved_task: str | None = None  # whose model is saved, when another one is loaded
    pooler: bool = True
    stream_scale: float = 1.0  # of the values between the layers; makes layer_norm_eps count
    rename: dict = field(default_factory=dict)  # parts of tensor names in the file
    keep: tuple = ()  # parts of parameters' names whose values stay as Transformers made them
    counts: dict = field(default_factory=dict)  # other values of config fields, each of which moves the outputs
    counts_not: dict = field(default_factory=dict)  # other values that must not
    first_style: bool = False  # with the cases of the first BERT goldens, whose files stay as they are
    seed: int = 1

    @property
    def family(self):
        return FAMILIES[self.family_name]

    def has_types(self, config):
        return self.family.takes_types and config.type_vocab_size > 1

    def longest(self, config):
        """How many tokens the model can take."""
        if not self.family.counts_positions_after_padding:
            return config.max_position_embeddings
        padding = 1 if self.family_name == "mpnet" else config.pad_token_id  # MPNet does not ask its config
        return config.max_position_embeddings - padding - 1

    def epsilon_counts(self, config):
        epsilon = getattr(config, "norm_eps", getattr(config, "layer_norm_eps", 1e-12))
        return self.stream_scale != 1.0 or epsilon >= LARGE_EPSILON


LARGE_EPSILON = 0.05  # beside variances of about 1


def labels(count):
    return {"id2label": {i: f"label-{i}" for i in range(count)}, "label2id": {f"label-{i}": i for i in range(count)}}


def single(count):
    return {**labels(count), "problem_type": "single_label_classification"}


def of_bert(*arguments, **options):
    return Golden(*arguments, first_style=True, **options)


FIRST_BERTS = [
    of_bert("encoder-with-pooler", "no head: last_hidden_state and pooler_output; names without the prefix bert."),
    of_bert("encoder-without-pooler", "no head and no pooler: last_hidden_state alone", pooler=False),
    of_bert("classification-2-labels", "single label, two labels", "text-classification", single(2)),
    of_bert("classification-3-labels", "single label, three labels, three layers", "text-classification",
            {**single(3), "num_hidden_layers": 3}),
    of_bert("classification-multi-label", "multi label", "text-classification",
            {**labels(4), "problem_type": "multi_label_classification"}),
    of_bert("regression", "one output", "text-classification", {**labels(1), "problem_type": "regression"}, seed=2),
    of_bert("token-classification", "labels for tokens", "token-classification", labels(5)),
    of_bert("question-answering", "start and end logits", "question-answering"),
    of_bert("masked-lm-tied", "the decoder is the word embedding; the file holds no decoder.weight", "fill-mask"),
    of_bert("masked-lm-untied", "a decoder of its own", "fill-mask", {"tie_word_embeddings": False}, seed=5),
    of_bert("activation-gelu-new", "GELU by tanh, as Google's BERT", config={"hidden_act": "gelu_new"}),
    of_bert("activation-relu", "rectifier", config={"hidden_act": "relu"}),
    of_bert("activation-silu", "x times sigmoid of x", config={"hidden_act": "silu"}),
    of_bert("activation-quick-gelu", "x times sigmoid of 1.702 x", config={"hidden_act": "quick_gelu"}),
    of_bert("activation-tanh", "tanh between the two halves of the feed-forward part", config={"hidden_act": "tanh"}),
    of_bert("activation-masked-lm", "the transform of the masked LM head uses hidden_act too", "fill-mask",
            {"hidden_act": "relu"}),
    of_bert("epsilon-1e-5", "values between layers small enough that layer_norm_eps counts",
            config={"layer_norm_eps": 1e-5}, stream_scale=2.0**-8),
    of_bert("epsilon-1e-12", "as epsilon-1e-5, for BERT's own 1e-12", stream_scale=2.0**-20),
    of_bert("one-type", "type_vocab_size 1: its one row is added to every token", config={"type_vocab_size": 1}),
    of_bert("one-head", "a single attention head", config={"num_attention_heads": 1}),
    of_bert("four-heads", "four attention heads of width 4", config={"num_attention_heads": 4, "hidden_size": 16},
            seed=3),
    of_bert("narrow-intermediate", "intermediate_size 12 for width 8", config={"intermediate_size": 12}, seed=3),
    of_bert("odd-pad-id", "pad_token_id 7, whose embedding row is not zero", config={"pad_token_id": 7}),
    of_bert("weights-f64", "weights stored as F64", weights=torch.float64),
    of_bert("weights-f16", "weights stored as F16", "text-classification", single(2), weights=torch.float16),
    of_bert("weights-bf16", "weights stored as BF16", "text-classification", single(2), weights=torch.bfloat16),
    of_bert("saved-with-head", "the encoder out of a classifier's checkpoint: prefix bert., and tensors to leave out",
            config=single(2), saved_task="text-classification"),
    of_bert("gamma-beta", "LayerNorm's weights under their old names", "text-classification", single(2),
            rename={"LayerNorm.weight": "LayerNorm.gamma", "LayerNorm.bias": "LayerNorm.beta"}),
]


# Where seed 1 would not keep the sensitivity rule, or PyTorch's rounding is large. The kin of RoBERTa have its seeds.
SEEDS = {
    "bert-relative-key-query": 2, "roberta-classification": 5, "roberta-tokens": 3, "roberta-masked-lm": 2,
    "roberta-without-pooler": 2, "roberta-odd-pad-id": 3, "roberta-two-types": 3, "roberta-head-activation": 2,
    "electra-classification": 14, "electra-wide-embeddings": 2, "electra-head-activation": 2,
    "electra-masked-lm-untied": 2, "albert-answers": 2, "albert-relative-key": 2, "albert-masked-lm-untied": 2,
    "mpnet-classification": 5, "mpnet-masked-lm": 4, "mpnet-without-pooler": 2, "mpnet-far": 2,
    "deberta-v2-classification": 16, "deberta-v2-tokens": 2, "deberta-v2-masked-lm": 2, "deberta-v2-v3": 5,
    "deberta-v2-c2p": 6, "deberta-v2-p2c": 27, "deberta-v2-shared-c2p": 19, "deberta-v2-shared-p2c": 17,
    "deberta-v2-no-pairs": 4, "modernbert-features": 11, "modernbert-classification": 5, "modernbert-tokens": 5,
    "modernbert-answers": 6, "modernbert-masked-lm": 12, "modernbert-windows": 26, "modernbert-odd-window": 3,
    "modernbert-one-theta": 4, "modernbert-all-global": 2, "modernbert-mean": 2, "modernbert-biases": 6,
    "modernbert-biases-masked-lm": 6,
}


# The rest store their weights as F16: half the size, and exact, for the models are loaded from these files.
def of(family_name, name, note, task="feature-extraction", config=None, **options):
    seed = SEEDS.get(f"{'roberta' if family_name in ('xlm-roberta', 'camembert') else family_name}-{name}", 1)
    return Golden(f"{family_name}-{name}", note, task, config or {}, family_name, torch.float16, seed=seed, **options)


SENTENCE, TOKENS, SPANS, MASKED = "text-classification", "token-classification", "question-answering", "fill-mask"


def plain_heads(family, **masked_lm):
    """A golden a head."""
    return [
        of(family, "features", "the encoder alone"),
        of(family, "classification", "labels for texts", SENTENCE, single(3)),
        of(family, "tokens", "labels for tokens", TOKENS, labels(5)),
        of(family, "answers", "start and end logits", SPANS),
        of(family, "masked-lm", "the decoder is the word embedding", MASKED, **masked_lm),
    ]


def robertas(family):
    return [
        *plain_heads(family),
        of(family, "without-pooler", "last_hidden_state alone", pooler=False),
        of(family, "odd-pad-id", "positions begin after pad_token_id 3", SENTENCE,
           {**single(2), "pad_token_id": 3, "max_position_embeddings": 20}, counts={"pad_token_id": 1}),
    ]


ROBERTA = [
    *robertas("roberta"),
    of("roberta", "masked-lm-untied", "a decoder of its own", MASKED, {"tie_word_embeddings": False},
       counts={"tie_word_embeddings": True}),
    of("roberta", "two-types", "without token_type_ids all tokens are of the first type", SENTENCE,
       {**single(2), "type_vocab_size": 2, "layer_norm_eps": LARGE_EPSILON}),
    of("roberta", "head-activation", "the masked LM head bends by GELU, whatever hidden_act says", MASKED,
       {"hidden_act": "relu"}),
    of("roberta", "relative-key", "distances against the query instead of positions", SENTENCE,
       {**single(2), "position_embedding_type": "relative_key"}, counts={"position_embedding_type": "absolute"}),
]

BERT = [
    of("bert", "relative-key", "distances against the query instead of positions",
       config={"vocab_size": 40, "position_embedding_type": "relative_key"},
       counts={"position_embedding_type": "relative_key_query"}),
    of("bert", "relative-key-query", "distances against query and key", SENTENCE,
       {**single(2), "vocab_size": 40, "position_embedding_type": "relative_key_query"},
       counts={"position_embedding_type": "relative_key"}),
    of("bert", "relative-key-heads", "the same, with four heads", TOKENS,
       {**labels(3), "vocab_size": 40, "position_embedding_type": "relative_key_query", "num_attention_heads": 4},
       counts={"position_embedding_type": "absolute"}),
]

DISTILBERT = [
    *plain_heads("distilbert"),
    of("distilbert", "sinusoidal", "positions are sines and cosines, which the file holds", SENTENCE,
       {**single(2), "sinusoidal_pos_embds": True}, keep=("position_embeddings",),
       counts_not={"sinusoidal_pos_embds": False}),
    of("distilbert", "head-activation", "the classifier bends by a rectifier, whatever `activation` says", SENTENCE,
       {**single(2), "activation": "silu"}),
    of("distilbert", "masked-lm-untied", "a decoder of its own; `activation` bends the head too", MASKED,
       {"tie_word_embeddings": False, "activation": "relu"}, counts={"tie_word_embeddings": True}),
]

ELECTRA = [
    *plain_heads("electra"),
    of("electra", "wide-embeddings", "embedding_size is hidden_size: nothing is projected",
       config={"embedding_size": 8, "layer_norm_eps": LARGE_EPSILON}),
    of("electra", "head-activation", "the classifier bends by GELU, whatever hidden_act and the summary say", SENTENCE,
       {**single(2), "hidden_act": "relu", "summary_activation": "tanh", "summary_type": "mean"},
       counts_not={"summary_activation": "gelu", "summary_type": "first", "summary_use_proj": False}),
    of("electra", "masked-lm-untied", "a decoder of its own; GELU bends the head whatever hidden_act says", MASKED,
       {"tie_word_embeddings": False, "hidden_act": "silu"}, counts={"tie_word_embeddings": True}),
    of("electra", "relative-key-query", "distances against query and key", TOKENS,
       {**labels(2), "position_embedding_type": "relative_key_query"},
       counts={"position_embedding_type": "relative_key"}),
]

ALBERT = [
    *plain_heads("albert"),
    of("albert", "without-pooler", "last_hidden_state alone", pooler=False),
    of("albert", "groups", "four layers in two groups, each with weights of its own", SENTENCE,
       {**single(2), "num_hidden_layers": 4, "num_hidden_groups": 2, "classifier_dropout_prob": 0.5},
       counts={"num_hidden_groups": 1}, counts_not={"classifier_dropout_prob": 0.1}),
    of("albert", "uneven-groups", "five layers in two groups", TOKENS,
       {**labels(2), "num_hidden_layers": 5, "num_hidden_groups": 2}, counts={"num_hidden_layers": 4}),
    of("albert", "inner-groups", "each step runs two layers", config={"inner_group_num": 2},
       counts={"inner_group_num": 1}, pooler=False),
    of("albert", "wide-embeddings", "projected even where the widths are the same", SENTENCE,
       {**single(2), "embedding_size": 8, "layer_norm_eps": LARGE_EPSILON}),
    of("albert", "relative-key", "distances against the query, not divided by the root of the head's width", SENTENCE,
       {**single(2), "position_embedding_type": "relative_key"}, counts={"position_embedding_type": "absolute"}),
    of("albert", "relative-key-query", "the same against query and key", TOKENS,
       {**labels(2), "position_embedding_type": "relative_key_query"},
       counts={"position_embedding_type": "relative_key"}),
    of("albert", "masked-lm-untied", "a decoder of its own; hidden_act bends the head too", MASKED,
       {"tie_word_embeddings": False, "hidden_act": "gelu_new"}, counts={"tie_word_embeddings": True}),
]

MPNET = [
    *plain_heads("mpnet"),
    of("mpnet", "without-pooler", "last_hidden_state alone", pooler=False),
    of("mpnet", "far", "distances beyond 128, and every bucket in use", TOKENS,
       {**labels(2), "max_position_embeddings": 152}),
    of("mpnet", "more-buckets", "rows of the table beyond 32 are not in use; padding has id 1 whatever the config says",
       TOKENS, {**labels(2), "relative_attention_num_buckets": 40, "pad_token_id": 0,
                "layer_norm_eps": LARGE_EPSILON}, counts_not={"pad_token_id": 2}),
    of("mpnet", "masked-lm-untied", "a decoder of its own; GELU bends the head whatever hidden_act says", MASKED,
       {"tie_word_embeddings": False, "hidden_act": "relu"}, counts={"tie_word_embeddings": True}),
]


def debertas():
    def variant(name, note, task=SENTENCE, config=None, **options):
        own = single(2) if task == SENTENCE else labels(2) if task == TOKENS else {}
        return of("deberta-v2", name, note, task, {**own, **(config or {})}, **options)

    of_v2 = {"share_att_key": False, "norm_rel_ebd": "none", "position_buckets": -1, "position_biased_input": True}
    return [
        # With tied embeddings Transformers gives this head's `dense` the table of words and fails; it reads that table
        # for the decoder in any case.
        *plain_heads("deberta-v2", config={"tie_word_embeddings": False}),
        variant("v3", "as DeBERTa-v3 has it: shared keys, buckets, no positions in the embeddings", config={
            "max_position_embeddings": 36, "position_buckets": 8, "max_relative_positions": -1},
            counts={"pos_att_type": "c2p", "norm_rel_ebd": "none", "max_relative_positions": 20,
                    "relative_attention": False}),
        variant("own-keys", "matrices of their own for distances, and positions in the embeddings", TOKENS, of_v2,
                counts={"share_att_key": True, "position_biased_input": False, "pos_att_type": ["c2p"]}),
        variant("c2p", "content to position only, written as a string", config={**of_v2, "pos_att_type": "c2p"},
                counts={"share_att_key": True, "pos_att_type": None}),
        variant("p2c", "position to content only", config={**of_v2, "pos_att_type": ["p2c"]},
                counts={"share_att_key": True, "pos_att_type": None}),
        variant("shared-c2p", "shared keys, content to position only", config={"pos_att_type": ["c2p"]},
                counts={"pos_att_type": "p2c"}),
        variant("shared-p2c", "shared keys, position to content only", config={"pos_att_type": ["p2c"]},
                counts={"pos_att_type": "c2p|p2c"}),
        variant("no-pairs", "relative attention with no kind of it: the distances are not in use",
                config={"pos_att_type": None, "position_biased_input": True},
                counts={"position_biased_input": False}, counts_not={"norm_rel_ebd": "none"}),
        variant("absolute", "relative_attention false: positions in the embeddings alone, and types", SPANS,
                {"relative_attention": False, "position_biased_input": True, "type_vocab_size": 2, "pos_att_type": None,
                 "norm_rel_ebd": "none", "layer_norm_eps": LARGE_EPSILON}),
        variant("near", "distances beyond max_relative_positions share the last rows", config={
            **of_v2, "max_relative_positions": 5}),
        variant("convolution", "a convolution beside the first layer, with types", TOKENS,
                {"conv_kernel_size": 3, "conv_act": "gelu", "type_vocab_size": 2},
                counts={"conv_act": "tanh", "conv_kernel_size": 0}),
        variant("convolution-groups", "kernel 5 in two groups of channels, by its default activation", TOKENS,
                {"conv_kernel_size": 5, "conv_groups": 2}, counts={"conv_act": "relu", "conv_kernel_size": 0}),
        variant("narrow-embeddings", "embedding_size 6 for width 8", config={
            **of_v2, "embedding_size": 6, "pooler_hidden_act": "tanh", "pooler_hidden_size": 8}),
        variant("legacy-masked-lm", "the older head, whose decoder is the word embedding", MASKED,
                {"legacy": True, "embedding_size": 6}),
        variant("legacy-masked-lm-untied", "the older head with a decoder of its own", MASKED,
                {"legacy": True, "tie_word_embeddings": False}, counts={"tie_word_embeddings": True}),
    ]


def modernberts():
    def variant(name, note, task=SENTENCE, config=None, **options):
        own = single(2) if task == SENTENCE else labels(2) if task == TOKENS else {}
        return of("modernbert", name, note, task, {**own, **(config or {})}, **options)

    biases = {name: True for name in ("attention_bias", "mlp_bias", "norm_bias", "classifier_bias", "decoder_bias")}
    return [
        *plain_heads("modernbert"),
        variant("windows", "layers 0 and 3 see all tokens, the others two to either side", TOKENS,
                {"num_hidden_layers": 4, "global_attn_every_n_layers": 3, "local_attention": 4},
                counts={"local_attention": 6, "global_attn_every_n_layers": 1, "global_rope_theta": 10.0,
                        "local_rope_theta": 10.0}),
        variant("odd-window", "local_attention 5 sees as 4 does", TOKENS, {"local_attention": 5},
                counts={"local_attention": 3}, counts_not={"local_attention": 4}),
        variant("one-theta", "local_rope_theta null: local layers turn as global ones do", config={
            "local_rope_theta": None, "norm_eps": LARGE_EPSILON},
            counts={"local_rope_theta": 20.0, "global_rope_theta": 20.0}),
        variant("all-global", "no layer has a window", config={"global_attn_every_n_layers": 1},
                counts_not={"local_rope_theta": 5.0, "local_attention": 2}),
        variant("mean", "the classifier reads the mean of what is seen, and bends by a rectifier", config={
            "classifier_pooling": "mean", "classifier_activation": "relu"}, counts={"classifier_pooling": "cls"}),
        variant("biases", "every bias there is", config=biases),
        variant("biases-masked-lm", "every bias there is", MASKED, biases),
        variant("no-decoder-bias", "a decoder of its own, without a bias", MASKED,
                {"decoder_bias": False, "tie_word_embeddings": False}, counts={"tie_word_embeddings": True}),
    ]


GOLDENS = [
    *FIRST_BERTS,
    *BERT,
    *ROBERTA,
    *robertas("xlm-roberta"),
    *robertas("camembert"),
    *DISTILBERT,
    *ELECTRA,
    *ALBERT,
    *MPNET,
    *debertas(),
    *modernberts(),
]


def model_class(golden, task):
    return getattr(transformers, golden.family.stem + HEADS[task])


def make_config(golden):
    config_class = getattr(transformers, golden.family.stem + "Config")
    return config_class(**{**golden.family.config, **golden.config})


def options_of(golden, task):
    return {"add_pooling_layer": golden.pooler} if golden.family.has_pooler and task == "feature-extraction" else {}


# Normalizations before the decoder of a masked language model.
HEAD_NORMS = ("transform.LayerNorm", "lm_head.layer_norm", "lm_head.LayerNorm", "vocab_layer_norm",
              "predictions.LayerNorm", "head.norm")


def roles(model):
    """By parameter: whether it is a table, or part of a normalization; the rest are matrices and biases."""
    names = {}
    for module_name, module in model.named_modules():
        role = "table" if isinstance(module, nn.Embedding) else "norm" if isinstance(module, nn.LayerNorm) else None
        for parameter, _ in module.named_parameters(recurse=False):
            names[f"{module_name}.{parameter}"] = role
    return names


def randomize(model, golden):
    """Fills every parameter. One of the embeddings is as strong as another; dense layers about keep the scale of their
    input; biases and LayerNorm's gains differ clearly from 0 and 1; the feed-forward part works where one GELU differs
    from the other, and is strong; the last layer and the heads scale up what they get, so that small differences
    show."""
    family, known = golden.family, roles(model)
    last_norm = family.part_of_last_norm(model.config)
    factors = {last_norm: 2, **dict.fromkeys(family.outer, 2.5), **dict.fromkeys(family.query, 0.7),
               **dict.fromkeys(HEAD_NORMS, 0.5), **family.factors}
    if golden.first_style and golden.task == "text-classification":
        factors["classifier.weight"] = 2  # tanh has made the pooled values small
    elif golden.task == "text-classification":
        factors |= {".classifier.weight": 8, ".classifier.out_proj.weight": 8}  # and one token speaks for all
    with torch.no_grad():
        for name, parameter in sorted(model.named_parameters()):
            values = torch.randn(parameter.shape, dtype=torch.float32)
            if known.get(name) == "norm" and name.endswith("weight"):
                values = 1 + 0.3 * values
            elif name.endswith("bias"):
                values = 0.5 * values + (family.inner_shift if any(part in name for part in family.inner) else 0)
            elif known.get(name) != "table":
                values = values / (parameter.numel() / parameter.shape[0]) ** 0.5
            for part, factor in factors.items():
                values = values * (factor if part in f".{name}" and "attention.output" not in name else 1)
            if not any(part in name for part in golden.keep):
                parameter.copy_(values * stream_factor(name, last_norm, golden.stream_scale))


def stream_factor(name, last_norm, scale):
    """What multiplies a parameter so that values between layers are `scale` times as large, and the results the same
    but for LayerNorm's epsilon."""
    if last_norm in name or not ("embeddings." in name or "encoder." in name):
        return 1
    reads = ("query.weight", "key.weight", "value.weight", "intermediate.dense.weight")
    writes = ("_embeddings", "LayerNorm", "output.dense")
    if any(part in name for part in reads):
        return 1 / scale
    return scale if any(part in name for part in writes) else 1


def save(golden, folder: Path):
    task = golden.saved_task or golden.task
    model = model_class(golden, task)(make_config(golden), **options_of(golden, task))
    randomize(model, golden)
    model.to(golden.weights).save_pretrained(folder)
    if golden.rename:
        tensors = load_file(folder / "model.safetensors")
        for old, new in golden.rename.items():
            tensors = {tensor.replace(old, new): values for tensor, values in tensors.items()}
        save_file(tensors, folder / "model.safetensors", metadata={"format": "pt"})


def load(golden, folder: Path, dtype, attention):
    options = options_of(golden, golden.task)
    of_task = model_class(golden, golden.task)
    return of_task.from_pretrained(folder, dtype=dtype, attn_implementation=attention, **options).eval()
