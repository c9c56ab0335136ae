#!/usr/bin/env python3
"""Makes tests/data/engine: small ONNX graphs that others could have made, and what PyTorch answers for one of them.

Usage: make_engine_models.py TINY_CLS_CHECKPOINT OUT_DIR
Made with torch 2.15.0, transformers 4.57.6, onnx 1.23.2 (written into tiny_bert.json).

The echo graphs compute nothing but sums of their inputs, so that a test knows every value of every output:
  tokens [batch, sequence, 2]   id * mask, and 1000 * type + position (as far as the graph has these; else the id again)
  sums   [batch, 1]             sum of id * mask over the sequence
  starts [batch, sequence]      id * mask
  mean   [batch]                sum of the mask
"""
import json
import pathlib
import sys
import warnings

import numpy as np
import onnx
import torch
import transformers
from onnx import TensorProto, helper

DYNAMIC = ("batch_size", "sequence_length")


def value(name, kind, shape):
    return helper.make_tensor_value_info(name, kind, shape)


def save(path, nodes, inputs, outputs, initializers=(), domains=()):
    graph = helper.make_graph(nodes, path.stem, inputs, outputs, list(initializers))
    opsets = [helper.make_opsetid("", 17)] + [helper.make_opsetid(domain, 1) for domain in domains]
    model = helper.make_model(graph, opset_imports=opsets, ir_version=8, producer_name="make_engine_models")
    onnx.save(model, path)


def int64(name, values):
    return helper.make_tensor(name, TensorProto.INT64, [len(values)], values)


def echo(path, names, integer=TensorProto.INT64, shape=DYNAMIC, declared=True, real=TensorProto.FLOAT, extra=()):
    """An echo graph. `declared`: outputs carry their shapes; otherwise no shape inference can find them."""
    batch, sequence = shape
    inputs = [value(name, integer, list(shape)) for name in names]
    nodes = [helper.make_node("Mul", ["input_ids", "attention_mask"], ["masked"]),
             helper.make_node("Cast", ["masked"], ["ids"], to=real)]
    marks = []
    if "token_type_ids" in names:
        nodes += [helper.make_node("Cast", ["token_type_ids"], ["types"], to=real),
                  helper.make_node("Mul", ["types", "thousand"], ["type_marks"])]
        marks.append("type_marks")
    if "position_ids" in names:
        nodes.append(helper.make_node("Cast", ["position_ids"], ["positions"], to=real))
        marks.append("positions")
    nodes.append(helper.make_node("Sum", marks or ["ids"], ["marks"]))
    nodes += [helper.make_node("Unsqueeze", [name, "last"], [name + "_column"]) for name in ("ids", "marks")]
    nodes += [helper.make_node("Concat", ["ids_column", "marks_column"], ["tokens_known"], axis=2),
              helper.make_node("ReduceSum", ["ids", "one"], ["sums"], keepdims=1),
              helper.make_node("Cast", ["attention_mask"], ["mask"], to=real),
              helper.make_node("ReduceSum", ["mask", "one"], ["mean"], keepdims=0)]
    initializers = [helper.make_tensor("thousand", real, [1], [1000.0]), int64("last", [-1]), int64("one", [1])]
    if declared:
        nodes += [helper.make_node("Identity", ["tokens_known"], ["tokens"]),
                  helper.make_node("Identity", ["ids"], ["starts"])]
    else:  # a shape that is computed from values hides the result's shape
        nodes += [helper.make_node("ReduceMax", ["input_ids"], ["largest"], keepdims=0),
                  helper.make_node("Sub", ["largest", "largest"], ["zero"])]
        for source, out in (("tokens_known", "tokens"), ("ids", "starts")):
            nodes += [helper.make_node("Shape", [source], [out + "_known_shape"]),
                      helper.make_node("Add", [out + "_known_shape", "zero"], [out + "_shape"]),
                      helper.make_node("Reshape", [source, out + "_shape"], [out])]
    outputs = [value("tokens", real, [batch, sequence, 2] if declared else ["a", "b", "c"]),
               value("sums", real, [batch, 1]),
               value("starts", real, [batch, sequence] if declared else ["d", "e"]),
               value("mean", real, [batch])]
    for name in extra:  # an output that no ragged form has: scores of each token with each other
        nodes += [helper.make_node("Unsqueeze", ["ids", "one"], ["row"]),
                  helper.make_node("Unsqueeze", ["ids", "last"], ["column"]),
                  helper.make_node("Mul", ["row", "column"], [name])]
        outputs.append(value(name, real, [batch, sequence, sequence]))
    save(path, nodes, inputs, outputs, initializers)


def make_echoes(out):
    three = ["input_ids", "attention_mask", "token_type_ids"]
    echo(out / "echo.onnx", three, extra=["scores"])
    echo(out / "echo_no_types.onnx", three[:2])
    echo(out / "echo_positions_i32.onnx", three[:2] + ["position_ids"], integer=TensorProto.INT32, real=TensorProto.FLOAT16)
    echo(out / "echo_double.onnx", three[:2], real=TensorProto.DOUBLE)
    echo(out / "echo_unnamed.onnx", three, shape=(None, None), declared=False)
    echo(out / "echo_fixed.onnx", three, shape=(2, 8))
    echo(out / "echo_fixed_length.onnx", three, shape=("batch_size", 8))


def make_odd(out):
    ids = value("input_ids", TensorProto.INT64, list(DYNAMIC))
    mask = value("attention_mask", TensorProto.INT64, list(DYNAMIC))
    scale = value("scale", TensorProto.FLOAT, [1])
    answer = value("y", TensorProto.FLOAT, list(DYNAMIC))
    cast = helper.make_node("Cast", ["input_ids"], ["ids"], to=TensorProto.FLOAT)
    save(out / "no_mask.onnx", [helper.make_node("Cast", ["input_ids"], ["y"], to=TensorProto.FLOAT)], [ids], [answer])
    save(out / "extra_input.onnx", [cast, helper.make_node("Mul", ["ids", "scale"], ["y"])], [ids, mask, scale], [answer])
    image = value("pixel_values", TensorProto.FLOAT, ["batch_size", 3, 2, 2])
    pooled = value("y", TensorProto.FLOAT, ["batch_size", 3, 1, 1])
    save(out / "image.onnx", [helper.make_node("GlobalAveragePool", ["pixel_values"], ["y"])], [image], [pooled])
    save(out / "unknown_operator.onnx", [cast, helper.make_node("Frobnicate", ["ids"], ["y"])], [ids], [answer])
    save(out / "unknown_domain.onnx", [cast, helper.make_node("Frobnicate", ["ids"], ["y"], domain="com.example")], [ids],
         [answer], domains=["com.example"])
    count = value("count", TensorProto.INT64, [1])
    save(out / "expand.onnx", [helper.make_node("Expand", ["value", "count"], ["y"])], [value("value", TensorProto.FLOAT, [1]), count],
         [value("y", TensorProto.FLOAT, ["count"])])
    text = value("text", TensorProto.STRING, [1])
    save(out / "text_output.onnx", [helper.make_node("Identity", ["text"], ["y"])], [text], [value("y", TensorProto.STRING, [1])])


def make_external(out):
    """A table of 16 x 4 in a file of its own: row i is i + [0, .25, .5, .75]."""
    table = (np.arange(16)[:, None] + np.arange(4) * 0.25).astype(np.float32)
    (out / "external.weights").write_bytes(table.tobytes())
    tensor = helper.make_tensor("table", TensorProto.FLOAT, [16, 4], table.tobytes(), raw=True)
    tensor.ClearField("raw_data")
    tensor.data_location = TensorProto.EXTERNAL
    for key, text in (("location", "external.weights"), ("offset", "0"), ("length", "256")):
        entry = tensor.external_data.add()
        entry.key, entry.value = key, text
    inputs = [value(name, TensorProto.INT64, list(DYNAMIC)) for name in ("input_ids", "attention_mask")]
    nodes = [helper.make_node("Gather", ["table", "input_ids"], ["hidden"])]
    graph = helper.make_graph(nodes, "external", inputs, [value("hidden", TensorProto.FLOAT, [*DYNAMIC, 4])], [tensor])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    (out / "external.onnx").write_bytes(model.SerializeToString())


def make_bert(checkpoint, out):
    model = transformers.BertForSequenceClassification.from_pretrained(checkpoint, attn_implementation="eager").eval()
    generator = torch.Generator().manual_seed(7)
    sequences = [torch.randint(5, model.config.vocab_size, (length,), generator=generator).tolist()
                 for length in (1, 5, 3, 40, 17, 5, 2, 9, 33, 1)]
    with torch.no_grad():
        cases = [{"ids": ids, "type_ids": [int(i > len(ids) // 2) for i in range(len(ids))]} for ids in sequences]
        for case in cases:
            ids, types = torch.tensor([case["ids"]]), torch.tensor([case["type_ids"]])
            case["logits"] = model(ids, torch.ones_like(ids), types).logits[0].tolist()
        ids = torch.tensor([[2, 10, 11, 12, 3, 3]] * 3)
        mask = torch.tensor([[1, 0, 1, 1, 0, 1], [0, 0, 0, 0, 0, 0], [0, 0, 1, 1, 1, 1]])
        masked = {"ids": ids.tolist(), "mask": mask.tolist(), "logits": model(ids, mask, torch.zeros_like(ids)).logits.tolist()}
    names = ["input_ids", "attention_mask", "token_type_ids"]
    axes = {name: {0: DYNAMIC[0], 1: DYNAMIC[1]} for name in names} | {"logits": {0: DYNAMIC[0]}}
    torch.onnx.export(model, (ids, mask, torch.zeros_like(ids)), str(out / "tiny_bert.onnx"), dynamo=False, opset_version=17,
                      input_names=names, output_names=["logits"], dynamic_axes=axes)
    versions = {"torch": torch.__version__, "transformers": transformers.__version__, "onnx": onnx.__version__}
    document = {"versions": versions, "cases": cases, "masked": masked}
    (out / "tiny_bert.json").write_text(json.dumps(document, indent=1) + "\n")


def main():
    warnings.simplefilter("ignore")  # the exporter's remarks on its own age
    checkpoint, out = sys.argv[1], pathlib.Path(sys.argv[2])
    out.mkdir(parents=True, exist_ok=True)
    make_echoes(out)
    make_odd(out)
    make_external(out)
    make_bert(checkpoint, out)


if __name__ == "__main__":
    main()
