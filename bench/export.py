#!/usr/bin/env python3
"""How long an export takes beside copying the checkpoint: `bench/export.py build/release/bin/berth` (standard library only).

Makes a checkpoint of BERT-base's size (438 MB, F32) in a temporary folder, then alternates, with a warm cache: the export
without verification (hashed and synced to disk), `cp`, and `cp` with a sync. Prints medians, ratios, the most anonymous
memory that the export held, and the machine.
"""
import array
import json
import pathlib
import shutil
import statistics
import struct
import subprocess
import sys
import tempfile
import time

WIDTH, INNER, LAYERS, VOCABULARY, POSITIONS = 768, 3072, 12, 30522, 512
EXAMPLE = pathlib.Path(__file__).resolve().parent.parent / "examples/models/sentiment-small-en"


def tensors():
    yield "embeddings.word_embeddings.weight", [VOCABULARY, WIDTH]
    yield "embeddings.position_embeddings.weight", [POSITIONS, WIDTH]
    yield "embeddings.token_type_embeddings.weight", [2, WIDTH]
    dense, norm = [], ["embeddings.LayerNorm"]
    for i in range(LAYERS):
        layer = f"encoder.layer.{i}."
        dense += [(layer + "attention.self." + part, WIDTH, WIDTH) for part in ("query", "key", "value")]
        dense += [(layer + "attention.output.dense", WIDTH, WIDTH), (layer + "intermediate.dense", INNER, WIDTH),
                  (layer + "output.dense", WIDTH, INNER)]
        norm += [layer + "attention.output.LayerNorm", layer + "output.LayerNorm"]
    for name, outputs, inputs in dense + [("pooler.dense", WIDTH, WIDTH)]:
        yield name + ".weight", [outputs, inputs]
        yield name + ".bias", [outputs]
    for name in norm:
        yield name + ".weight", [WIDTH]
        yield name + ".bias", [WIDTH]


def make_checkpoint(folder):
    folder.mkdir()
    for name in ("tokenizer.json", "tokenizer_config.json", "special_tokens_map.json"):
        shutil.copy(EXAMPLE / name, folder)
    (folder / "config.json").write_text(json.dumps({
        "model_type": "bert", "architectures": ["BertModel"], "vocab_size": VOCABULARY, "hidden_size": WIDTH,
        "num_hidden_layers": LAYERS, "num_attention_heads": 12, "intermediate_size": INNER,
        "max_position_embeddings": POSITIONS, "type_vocab_size": 2}))
    header, end = {}, 0
    for name, shape in tensors():
        size = 4 * shape[0] * (shape[1] if len(shape) > 1 else 1)
        header[name] = {"dtype": "F32", "shape": shape, "data_offsets": [end, end + size]}
        end += size
    text = json.dumps(header).encode()
    block = array.array("f", [0.01 * (i % 101 - 50) for i in range(1 << 18)]).tobytes()
    with open(folder / "model.safetensors", "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text)
        for at in range(0, end, len(block)):
            file.write(block[:min(len(block), end - at)])


def timed(command):
    start = time.monotonic()
    process = subprocess.Popen(command)
    peak = 0
    while process.poll() is None:
        try:
            status = pathlib.Path(f"/proc/{process.pid}/status").read_text()
            peak = max([peak] + [int(line.split()[1]) for line in status.splitlines() if line.startswith("RssAnon")])
        except OSError:
            pass
        time.sleep(0.002)
    assert process.returncode == 0, command
    return time.monotonic() - start, peak


def main():
    berth = sys.argv[1]
    with tempfile.TemporaryDirectory() as work:
        work = pathlib.Path(work)
        make_checkpoint(work / "base")
        source, copy, out = work / "base/model.safetensors", work / "copy", work / "out"
        competitors = {"export": [berth, "export", work / "base", "-o", out, "--no-verify", "--quiet"],
                       "cp": ["cp", source, copy], "cp + sync": ["sh", "-c", f"cp '{source}' '{copy}' && sync '{copy}'"]}
        seconds = {name: [] for name in competitors}
        memory = 0
        for _ in range(7):
            for name, command in competitors.items():
                shutil.rmtree(out, ignore_errors=True)
                copy.unlink(missing_ok=True)
                took, peak = timed(command)
                seconds[name].append(took)
                memory = max(memory, peak if name == "export" else 0)
        medians = {name: statistics.median(times) for name, times in seconds.items()}
        model = next(line.split(": ")[1] for line in open("/proc/cpuinfo") if line.startswith("model name")).strip()
        print(f"{model}; checkpoint {source.stat().st_size / 1e6:.0f} MB; medians of 7")
        for name, median in medians.items():
            print(f"{name:10} {median:.2f} s, export takes {medians['export'] / median:.1f} x")
        print(f"anonymous memory of the export: {memory / 1024:.0f} MiB at most")


if __name__ == "__main__":
    main()
