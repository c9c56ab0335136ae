#!/usr/bin/env python3
"""Makes tests/data/goldens: the checkpoints of golden_checkpoints.py, with what PyTorch says of them.

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
from dataclasses import dataclass
from pathlib import Path

import torch
import transformers
from golden_checkpoints import GOLDENS, load, make_config, save

TRANSFORMERS, TORCH = "4.57.6", "2.15.0"
TOLERANCE = 1e-5  # what berth's reference and its exports must keep to on these models
CLS, SEP = 2, 3
FIRST_WORD = 10  # ids below are kept for special tokens


# Outputs by Optimum's names, and the attributes of the Transformers result that hold them.
OUTPUTS = {
    "last_hidden_state": "last_hidden_state",
    "pooler_output": "pooler_output",
    "logits": "logits",
    "start_logits": "start_logits",
    "end_logits": "end_logits",
}


@dataclass
class Row:
    length: int
    left: int = 0  # padding before
    right: int = 0  # and after the tokens
    hidden: tuple = ()  # positions of tokens that the mask hides
    padding: tuple = ()  # positions where padding stands that the mask shows
    second_from: int | None = None  # where the second segment begins


def make_cases(golden):
    """Name, rows, and whether hidden states and results in double precision are kept too."""
    if golden.first_style:
        return make_first_cases(golden)
    cases = [
        ("two segments", [Row(5, second_from=3)], True),
        ("one token", [Row(1)], False),
        ("longest", [Row(golden.longest(make_config(golden)), second_from=4)], False),
        ("padded batch", [Row(6), Row(3, right=3, second_from=2)], False),
        ("left padding", [Row(4, left=2, second_from=2)], False),
        ("holes", [Row(6, hidden=(0, 3, 4))], False),
    ]
    if golden.family.counts_positions_after_padding:
        cases.append(("seen padding", [Row(5, padding=(2,))], False))
    # ModernBERT's mean over no tokens is 0/0, NaN, in Transformers; berth gives 0 there, which has no golden.
    if golden.config.get("classifier_pooling") != "mean":
        cases.append(("all hidden", [Row(4, hidden=(0, 1, 2, 3))], False))
    return cases


def make_first_cases(golden):
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
        ("longest", [Row(golden.longest(make_config(golden)))], False),
        ("padded batch", [Row(8), Row(5, right=3, second_from=3), Row(2, right=6)], False),
        ("left padding", [Row(6), Row(4, left=2, second_from=2)], False),
        ("holes", [Row(8, hidden=(0, 3, 4, 6))], False),
        ("all hidden", [Row(6, hidden=tuple(range(6)))], False),
    ]


def make_inputs(golden, rows):
    config = make_config(golden)
    # The id that the family's tokenizers pad with, which MPNet's positions depend on.
    pad = 1 if golden.family_name == "mpnet" else config.pad_token_id
    ids, mask, types = [], [], []
    for row in rows:
        words = torch.randint(FIRST_WORD, config.vocab_size, (max(row.length - 2, 0),)).tolist()
        tokens = ([CLS] + words + [SEP])[: row.length]
        tokens = [pad if i in row.padding else token for i, token in enumerate(tokens)]
        seen = [0 if i in row.hidden else 1 for i in range(row.length)]
        first = row.second_from if row.second_from is not None and golden.has_types(config) else row.length
        segments = [0] * first + [1] * (row.length - first)
        ids.append([pad] * row.left + tokens + [pad] * row.right)
        mask.append([0] * row.left + seen + [0] * row.right)
        types.append([0] * row.left + segments + [0] * row.right)
    inputs = {"input_ids": ids, "attention_mask": mask}
    return {**inputs, "token_type_ids": types} if golden.family.takes_types else inputs


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
    models = [load(golden, folder, torch.float32, attention) for attention in golden.family.attention]
    double = load(golden, folder, torch.float64, golden.family.attention[0])
    cases, rounding = [], 0.0
    for name, rows, detailed in make_cases(golden):
        inputs = make_inputs(golden, rows)
        outputs, hidden_states = run(models[0], inputs)
        exact, exact_states = run(double, inputs)
        others = [exact, *(run(model, inputs)[0] for model in models[1:])]
        rounding = max(rounding, *(difference(outputs, other) for other in others))
        if detailed and not golden.first_style:
            rounding = max(rounding, difference(dict(enumerate(hidden_states)), dict(enumerate(exact_states))))
        case = {"name": name, "inputs": inputs, "outputs": {n: as_json(v, 9) for n, v in outputs.items()}}
        if detailed:
            case["double_outputs"] = {n: as_json(v, 16) for n, v in exact.items()}
            case["hidden_states"] = [as_json(state, 9) for state in hidden_states]
        cases.append(case)
    if not 0 < rounding < TOLERANCE / 2:  # differs from CPU to CPU
        print(f"{golden.name}: PyTorch differs from itself by {rounding:.2g}; the tolerance is {TOLERANCE}")
    document = {**describe(golden, rounding), "cases": cases}
    (folder / "golden.json").write_text(layout(document) + "\n")
    sizes = {file.name: file.stat().st_size for file in sorted(folder.iterdir())}
    print(f"{golden.name:28} rounding {rounding:.1e}  " + "  ".join(f"{n} {s}" for n, s in sizes.items()))
    return sum(sizes.values())


def describe(golden, rounding):
    family, config = golden.family, make_config(golden)
    runs = "with fused and eager attention and in float64" if len(family.attention) > 1 else "and float64 ones"
    note = (f"largest difference allowed to `outputs` and `hidden_states` (float32, 9 digits); PyTorch's own float32 "
            f"results {runs} differ by {rounding:.1e} at most. `double_outputs` are float64's, to be met to 1e-11.")
    if family.double_note:
        note = note.replace("to 1e-11", f"to {family.double_tolerance:g}: {family.double_note}")
    document = {
        "note": golden.note,
        "made_by": {"script": "tools/make_goldens.py", "seed": golden.seed, "transformers": transformers.__version__,
                    "torch": torch.__version__},
        "task": golden.task,
        "tolerance": TOLERANCE,
        "tolerance_note": note,
        "epsilon_counts": golden.epsilon_counts(config),
    }
    if golden.first_style:
        return document
    return {**document, "double_tolerance": family.double_tolerance, "counts": golden.counts,
            "counts_not": golden.counts_not}


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
