#!/usr/bin/env python3
"""Makes tests/data/goldens: tiny random BERT checkpoints, one for each head and oddity, with what PyTorch says of them.

    python tools/make_goldens.py [--into tests/data/goldens] [NAME...]

Needs transformers 4.57.6, torch 2.15.0, safetensors; the versions are written into every golden.json. Each checkpoint
is saved, loaded again as a user would (`from_pretrained(folder, dtype=torch.float32)`), and run in float32, with
PyTorch's fused attention and with plain ("eager") attention; both must agree. The seeds are fixed: on one machine the
same bytes come out; CPUs differ from each other in the last digits of the outputs.

The weights are large, so that every component of the model moves the outputs far past the tolerance: see
tests/encoder/reference_sensitivity_test.cpp, which holds the files to that.
"""

import argparse
import json
import shutil
import sys
from dataclasses import dataclass, field
from pathlib import Path

import torch
import transformers
from safetensors.torch import load_file, save_file

TRANSFORMERS, TORCH = "4.57.6", "2.15.0"
TOLERANCE = 1e-5  # what berth's reference and its exports must keep to on these models
CLS, SEP = 2, 3
FIRST_WORD = 10  # ids below are kept for special tokens


@dataclass
class Golden:
    """One checkpoint: what is special about it, as a difference from a small plain BERT."""

    name: str
    note: str
    task: str = "feature-extraction"
    config: dict = field(default_factory=dict)
    weights: torch.dtype = torch.float32
    model_class: str | None = None  # that is saved and loaded; by `task` when not given
    saved_class: str | None = None  # that is saved, when another one is loaded
    pooler: bool = True
    stream_scale: float = 1.0  # of the values between the layers; makes layer_norm_eps count
    rename: dict = field(default_factory=dict)  # parts of tensor names in the file
    seed: int = 1  # another where a golden would not keep the sensitivity rule, or PyTorch's rounding is large


CLASSES = {
    "feature-extraction": "BertModel",
    "text-classification": "BertForSequenceClassification",
    "token-classification": "BertForTokenClassification",
    "question-answering": "BertForQuestionAnswering",
    "fill-mask": "BertForMaskedLM",
}

# Outputs by Optimum's names, and the attributes of the Transformers result that hold them.
OUTPUTS = {
    "last_hidden_state": "last_hidden_state",
    "pooler_output": "pooler_output",
    "logits": "logits",
    "start_logits": "start_logits",
    "end_logits": "end_logits",
}


def labels(count):
    return {"id2label": {i: f"label-{i}" for i in range(count)}, "label2id": {f"label-{i}": i for i in range(count)}}


def single(count):
    return {**labels(count), "problem_type": "single_label_classification"}


GOLDENS = [
    Golden("encoder-with-pooler", "no head: last_hidden_state and pooler_output; names without the prefix bert."),
    Golden("encoder-without-pooler", "no head and no pooler: last_hidden_state alone", pooler=False),
    Golden("classification-2-labels", "single label, two labels", "text-classification", single(2)),
    Golden("classification-3-labels", "single label, three labels, three layers", "text-classification",
           {**single(3), "num_hidden_layers": 3}),
    Golden("classification-multi-label", "multi label", "text-classification",
           {**labels(4), "problem_type": "multi_label_classification"}),
    Golden("regression", "one output", "text-classification", {**labels(1), "problem_type": "regression"}, seed=2),
    Golden("token-classification", "labels for tokens", "token-classification", labels(5)),
    Golden("question-answering", "start and end logits", "question-answering"),
    Golden("masked-lm-tied", "the decoder is the word embedding; the file holds no decoder.weight", "fill-mask"),
    Golden("masked-lm-untied", "a decoder of its own", "fill-mask", {"tie_word_embeddings": False}, seed=5),
    Golden("activation-gelu-new", "GELU by tanh, as Google's BERT", config={"hidden_act": "gelu_new"}),
    Golden("activation-relu", "rectifier", config={"hidden_act": "relu"}),
    Golden("activation-silu", "x times sigmoid of x", config={"hidden_act": "silu"}),
    Golden("activation-quick-gelu", "x times sigmoid of 1.702 x", config={"hidden_act": "quick_gelu"}),
    Golden("activation-tanh", "tanh between the two halves of the feed-forward part", config={"hidden_act": "tanh"}),
    Golden("activation-masked-lm", "the transform of the masked LM head uses hidden_act too", "fill-mask",
           {"hidden_act": "relu"}),
    Golden("epsilon-1e-5", "values between layers small enough that layer_norm_eps counts",
           config={"layer_norm_eps": 1e-5}, stream_scale=2.0**-8),
    Golden("epsilon-1e-12", "as epsilon-1e-5, for BERT's own 1e-12", stream_scale=2.0**-20),
    Golden("one-type", "type_vocab_size 1: its one row is added to every token", config={"type_vocab_size": 1}),
    Golden("one-head", "a single attention head", config={"num_attention_heads": 1}),
    Golden("four-heads", "four attention heads of width 4", config={"num_attention_heads": 4, "hidden_size": 16},
           seed=3),
    Golden("narrow-intermediate", "intermediate_size 12 for width 8", config={"intermediate_size": 12}, seed=3),
    Golden("odd-pad-id", "pad_token_id 7, whose embedding row is not zero", config={"pad_token_id": 7}),
    Golden("weights-f64", "weights stored as F64", weights=torch.float64),
    Golden("weights-f16", "weights stored as F16", "text-classification", single(2), weights=torch.float16),
    Golden("weights-bf16", "weights stored as BF16", "text-classification", single(2), weights=torch.bfloat16),
    Golden("saved-with-head", "the encoder out of a classifier's checkpoint: prefix bert., and tensors to leave out",
           config=single(2), saved_class="BertForSequenceClassification"),
    Golden("gamma-beta", "LayerNorm's weights under their old names", "text-classification", single(2),
           rename={"LayerNorm.weight": "LayerNorm.gamma", "LayerNorm.bias": "LayerNorm.beta"}),
]


def make_config(golden):
    config = {
        "vocab_size": 100,
        "hidden_size": 8,
        "num_hidden_layers": 2,
        "num_attention_heads": 2,
        "intermediate_size": 32,
        "max_position_embeddings": 16,
        "hidden_dropout_prob": 0.0,
        "attention_probs_dropout_prob": 0.0,
    }
    return transformers.BertConfig(**{**config, **golden.config})


def randomize(model, golden):
    """Fills every parameter. One of the embeddings is as strong as another; dense layers about keep the scale of their
    input; biases and LayerNorm's gains differ clearly from 0 and 1; the feed-forward part works where one GELU differs
    from the other, and is strong; the last layer and the heads scale up what they get, so that small differences
    show."""
    last_norm = f"encoder.layer.{model.config.num_hidden_layers - 1}.output.LayerNorm"
    factors = {last_norm: 2, "output.dense.weight": 2.5, "query.weight": 0.7, "transform.LayerNorm": 0.5}
    if golden.task == "text-classification":
        factors["classifier.weight"] = 2  # tanh has made the pooled values small
    with torch.no_grad():
        for name, parameter in sorted(model.named_parameters()):
            values = torch.randn(parameter.shape, dtype=torch.float32)
            if name.endswith("LayerNorm.weight"):
                values = 1 + 0.3 * values
            elif name.endswith("bias"):
                values = 0.5 * values - (1.5 if "intermediate" in name else 0)
            elif "_embeddings" not in name:
                values = values / parameter.shape[1] ** 0.5
            for part, factor in factors.items():
                values = values * (factor if part in name and "attention.output" not in name else 1)
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


def save(golden, folder):
    name = golden.saved_class or golden.model_class or CLASSES[golden.task]
    model_class = getattr(transformers, name)
    config = make_config(golden)
    model = model_class(config, add_pooling_layer=golden.pooler) if name == "BertModel" else model_class(config)
    randomize(model, golden)
    model.to(golden.weights).save_pretrained(folder)
    if golden.rename:
        tensors = load_file(folder / "model.safetensors")
        for old, new in golden.rename.items():
            tensors = {tensor.replace(old, new): values for tensor, values in tensors.items()}
        save_file(tensors, folder / "model.safetensors", metadata={"format": "pt"})


def load(golden, folder, dtype, attention):
    name = golden.model_class or CLASSES[golden.task]
    options = {"add_pooling_layer": golden.pooler} if name == "BertModel" else {}
    model_class = getattr(transformers, name)
    return model_class.from_pretrained(folder, dtype=dtype, attn_implementation=attention, **options).eval()


@dataclass
class Row:
    length: int
    left: int = 0  # padding before
    right: int = 0  # and after the tokens
    hidden: tuple = ()  # positions of tokens that the mask hides
    second_from: int | None = None  # where the second segment begins


def longest(golden):
    return Row(make_config(golden).max_position_embeddings)


def make_cases(golden):
    """Name, rows, and whether hidden states and results in double precision are kept too."""
    if golden.task == "fill-mask":  # a row of logits is as long as the vocabulary
        return [
            ("plain", [Row(4)], True),
            ("padded batch", [Row(4), Row(3, right=1)], False),
            ("left padding and a hole", [Row(4, left=1, hidden=(2,), second_from=2)], False),
            ("all hidden", [Row(3, hidden=(0, 1, 2))], False),
        ]
    return [
        ("plain", [Row(7)], False),
        ("one token", [Row(1)], False),
        ("two segments", [Row(9, second_from=4)], True),
        ("longest", [longest(golden)], False),
        ("padded batch", [Row(8), Row(5, right=3, second_from=3), Row(2, right=6)], False),
        ("left padding", [Row(6), Row(4, left=2, second_from=2)], False),
        ("holes", [Row(8, hidden=(0, 3, 4, 6))], False),
        ("all hidden", [Row(6, hidden=tuple(range(6)))], False),
    ]


def make_inputs(golden, rows):
    config = make_config(golden)
    ids, mask, types = [], [], []
    for row in rows:
        words = torch.randint(FIRST_WORD, config.vocab_size, (max(row.length - 2, 0),)).tolist()
        tokens = ([CLS] + words + [SEP])[: row.length]
        seen = [0 if i in row.hidden else 1 for i in range(row.length)]
        first = row.second_from if row.second_from is not None and config.type_vocab_size > 1 else row.length
        segments = [0] * first + [1] * (row.length - first)
        ids.append([config.pad_token_id] * row.left + tokens + [config.pad_token_id] * row.right)
        mask.append([0] * row.left + seen + [0] * row.right)
        types.append([0] * row.left + segments + [0] * row.right)
    return {"input_ids": ids, "attention_mask": mask, "token_type_ids": types}


def run(model, inputs):
    with torch.no_grad():
        result = model(**{name: torch.tensor(rows) for name, rows in inputs.items()}, output_hidden_states=True)
    outputs = {name: result.get(attribute) for name, attribute in OUTPUTS.items()}
    return {name: values for name, values in outputs.items() if values is not None}, result.hidden_states


def difference(some, others):
    return max((some[name].double() - others[name].double()).abs().max().item() for name in some)


def as_json(values, digits):
    rounded = [float(f"%.{digits}g" % value) for value in values.flatten().tolist()]
    return {"shape": list(values.shape), "values": rounded}


def make(golden, root):
    folder = root / golden.name
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    torch.manual_seed(golden.seed)
    save(golden, folder)
    model = load(golden, folder, torch.float32, "sdpa")
    eager = load(golden, folder, torch.float32, "eager")
    double = load(golden, folder, torch.float64, "sdpa")
    cases, rounding = [], 0.0
    for name, rows, detailed in make_cases(golden):
        inputs = make_inputs(golden, rows)
        outputs, hidden_states = run(model, inputs)
        exact, exact_states = run(double, inputs)
        rounding = max(rounding, difference(outputs, exact), difference(outputs, run(eager, inputs)[0]))
        case = {"name": name, "inputs": inputs, "outputs": {n: as_json(v, 9) for n, v in outputs.items()}}
        if detailed:
            case["double_outputs"] = {n: as_json(v, 16) for n, v in exact.items()}
            case["hidden_states"] = [as_json(state, 9) for state in hidden_states]
        cases.append(case)
    if not 0 < rounding < TOLERANCE / 2:
        sys.exit(f"{golden.name}: PyTorch differs from itself by {rounding:.2g}; the tolerance is {TOLERANCE}")
    document = {
        "note": golden.note,
        "made_by": {"script": "tools/make_goldens.py", "seed": golden.seed, "transformers": transformers.__version__,
                    "torch": torch.__version__},
        "task": golden.task,
        "tolerance": TOLERANCE,
        "tolerance_note": "largest difference allowed to `outputs` and `hidden_states` (float32, 9 digits); PyTorch's "
                          "own float32 results with fused and eager attention and in float64 differ by "
                          f"{rounding:.1e} at most. `double_outputs` are float64's, to be met to 1e-11.",
        "epsilon_counts": golden.stream_scale != 1.0,
        "cases": cases,
    }
    (folder / "golden.json").write_text(layout(document) + "\n")
    sizes = {file.name: file.stat().st_size for file in sorted(folder.iterdir())}
    print(f"{golden.name:28} rounding {rounding:.1e}  " + "  ".join(f"{n} {s}" for n, s in sizes.items()))
    return sum(sizes.values())


def layout(document):
    """JSON with one case, and one member of the document, a line: small, and a change shows where it is."""
    lines = [f" {json.dumps(key)}: {json.dumps(value)}" for key, value in document.items() if key != "cases"]
    cases = ",\n".join("  " + json.dumps(case, separators=(",", ":")) for case in document["cases"])
    return "{\n" + ",\n".join([*lines, f' "cases": [\n{cases}\n ]']) + "\n}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help="only these")
    parser.add_argument("--into", type=Path, default=Path(__file__).parent.parent / "tests/data/goldens")
    arguments = parser.parse_args()
    found = transformers.__version__, torch.__version__.split("+")[0]
    if found != (TRANSFORMERS, TORCH):
        sys.exit(f"needs transformers {TRANSFORMERS} and torch {TORCH}, found {found[0]} and {found[1]}")
    torch.set_num_threads(1)
    transformers.logging.set_verbosity_error()
    total = 0
    for golden in GOLDENS:
        if not arguments.names or golden.name in arguments.names:
            total += make(golden, arguments.into)
    print(f"{total} bytes in {arguments.into}")


if __name__ == "__main__":
    main()
