#!/usr/bin/env python3
"""berth beside its peers, on the same models and texts: answers first, then time, memory and start.

    bench/engines/run [--seconds 0.5] [--rounds 7] [--threads N] [--markdown FILE] CHECKPOINT TEXTS.jsonl [CHECKPOINT TEXTS.jsonl]...

`run` builds berth's worker, makes the peers' virtual environment (requirements.txt) and calls this file in it. Each
engine is a process of its own that stays alive; in every round each runs each workload in turn, so that what else the
machine does hits all alike. Times are medians over rounds of the fastest pass within the round's seconds; ratios are
medians of the ratios within a round. An engine whose answers are not those of PyTorch is reported, and not timed.
"""

import argparse
import json
import os
import platform
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from model import Model
from peers import PEERS

HERE = Path(__file__).resolve().parent
TOLERANCE = 1e-3  # of answers, all in FP32: kernels round differently, a wrong mask shows far more
SHAPES = {"1 × 16": (1, 16), "1 × 64": (1, 64), "1 × 128": (1, 128), "8 × 64": (8, 64)}
STREAM = "texts"


class Engine:
    """A worker process, and the protocol of worker.py."""

    def __init__(self, name, setting, command, environment=None):
        self.name, self.setting = name, setting
        start = time.perf_counter()
        self.process = subprocess.Popen(list(map(str, command)), stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, text=True, env=environment)
        self.failed = None
        if self.process.stdout.readline() == "":
            self.failed = (self.process.stderr.read().strip().splitlines() or ["it ended"])[-1]
        self.start = time.perf_counter() - start

    def ask(self, **request):
        self.process.stdin.write(json.dumps(request) + "\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline()
        if answer == "":
            self.failed = (self.process.stderr.read().strip().splitlines() or ["it ended"])[-1]
            return None
        return json.loads(answer)

    def close(self):
        self.process.stdin.close()
        self.process.wait()


def read_texts(path, count):
    texts = []
    for line in Path(path).read_text().splitlines():
        row = json.loads(line)
        texts.append(row["text"] if isinstance(row, dict) else row)
    return texts[:count]


def workloads_of(model, texts):
    """Rows of real ids, cut or repeated to the length; the texts as they come."""
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(model.checkpoint / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    ids = [i for text in texts for i in tokenizer.encode(text, add_special_tokens=False).ids]
    first, last = tokenizer.encode("").ids
    rows = {}
    for name, (batch, length) in SHAPES.items():
        inner = length - 2
        rows[name] = {"rows": [[first, *ids[i * inner:(i + 1) * inner], last] for i in range(batch)]}
    lengths = [min(len(encoding.ids), 512) for encoding in tokenizer.encode_batch(texts)]
    tokens = {name: batch * length for name, (batch, length) in SHAPES.items()} | {STREAM: sum(lengths)}
    return {**rows, STREAM: {"texts": texts}}, tokens


def largest_difference(some, others):
    return max(abs(a - b) for row, other in zip(some, others) for a, b in zip(row, other))


def start_engines(arguments, model, bundle, names):
    worker = arguments.build / "bin/berth_engines_worker"
    engines = [Engine("berth", "default", [worker, bundle, arguments.threads, "off"]),
               Engine("berth", "best: `--spin on`", [worker, bundle, arguments.threads, "on"])]
    for name in names:
        peer = PEERS[name]
        engines.append(Engine(peer.name, peer.setting, [sys.executable, HERE / "worker.py", name, model.checkpoint,
                                                        model.work.parent, arguments.threads]))
    return engines


def compare_answers(engines, workloads):
    """Fills each engine's `difference` from PyTorch's plain answers; marks those that are too far from them as failed."""
    reference = next(engine for engine in engines if engine.name == PEERS["TorchEager"].name)
    expected = {name: reference.ask(answer=name)["outputs"] for name in workloads}
    for engine in engines:
        engine.difference = 0.0
        for name in workloads:
            answer = None if engine.failed else engine.ask(answer=name)
            if answer is None:
                break
            engine.difference = max(engine.difference, largest_difference(answer["outputs"], expected[name]))
        if not engine.failed and not engine.difference <= TOLERANCE:
            engine.failed = f"its answers differ from PyTorch's by {engine.difference:.1g}"


def measure(engines, workloads, rounds, seconds):
    """times[workload][engine] = the fastest pass of each round, after each engine found its best batches."""
    times = {name: {engine: [] for engine in engines} for name in workloads}
    for engine in engines:
        tuned = engine.ask(tune=STREAM)["tuned"]
        engine.setting += tuned and ", " + tuned
    for name in workloads:
        for engine in engines:
            engine.ask(time=name, seconds=seconds)  # warm-up
    for round_index in range(rounds):
        print(f"compare: round {round_index + 1} of {rounds}", file=sys.stderr)
        for name in workloads:
            for engine in engines:
                times[name][engine].append(min(engine.ask(time=name, seconds=seconds)["wall"]))
    return times


def table(model, engines, times, tokens):
    names = list(times)
    lines = [f"**{model.name}**, tokens a second (ratio to berth)", "",
             "| engine | setting | " + " | ".join(names) + " | start, s | peak, MB | difference |",
             "|---" * (len(names) + 5) + "|"]
    berth = engines[0]
    for engine in engines:
        if engine.failed:
            lines.append(f"| {engine.name} | {engine.setting} | not measured: {engine.failed} |")
            continue
        cells = []
        for name in names:
            speed = tokens[name] / statistics.median(times[name][engine])
            ratio = statistics.median(b / t for t, b in zip(times[name][engine], times[name][berth]))
            cells.append(f"{speed:,.0f} ({ratio:.2f})")
        lines.append(f"| {engine.name} | {engine.setting} | " + " | ".join(cells) +
                     f" | {engine.start:.2f} | {engine.peak / 1e6:,.0f} | {engine.difference:.0e} |")
    return "\n".join(lines)


def machine(threads):
    cpu = next((line.split(":")[1].strip() for line in Path("/proc/cpuinfo").read_text().splitlines()
                if line.startswith("model name")), platform.machine())
    flags = Path("/proc/cpuinfo").read_text()
    kinds = [name for flag, name in (("avx2", "AVX2"), ("avx512f", "AVX-512"), ("avx512_vnni", "VNNI"),
                                     ("avx512_bf16", "BF16"), ("amx_tile", "AMX")) if f" {flag}" in flags]
    return (f"{cpu} ({', '.join(kinds)}), {os.cpu_count()} CPUs, {threads} threads for each engine, load "
            f"{os.getloadavg()[0]:.1f} when it began")


def versions():
    from importlib.metadata import version

    return ", ".join(f"{name} {version(name)}" for name in ("torch", "transformers", "onnxruntime", "openvino", "ctranslate2"))


def run_model(arguments, checkpoint, texts_file):
    work = arguments.work or Path(tempfile.mkdtemp())
    model = Model(checkpoint, work)
    model.prepare()
    bundle = model.work / "berth"
    shutil.rmtree(bundle, ignore_errors=True)
    subprocess.run([arguments.build / "bin/berth", "export", checkpoint, "-o", bundle], check=True,
                   stdout=subprocess.DEVNULL)
    texts = read_texts(texts_file, arguments.texts)
    workloads, tokens = workloads_of(model, texts)
    engines = start_engines(arguments, model, bundle, arguments.peers or list(PEERS))
    for name, workload in workloads.items():
        for engine in engines:
            if not engine.failed:
                engine.ask(set=name, **workload)
    compare_answers(engines, workloads)
    running = [engine for engine in engines if not engine.failed]
    times = measure(running, workloads, arguments.rounds, arguments.seconds)
    for engine in running:
        engine.peak = engine.ask(memory=True)["peak"]
    result = table(model, engines, times, tokens)
    for engine in engines:
        engine.close()
    return result + f"\n\n`{STREAM}`: {len(texts)} texts of {Path(texts_file).name}, {tokens[STREAM]} tokens, with tokenization."


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("models", nargs="+", metavar="CHECKPOINT TEXTS.jsonl")
    parser.add_argument("--build", type=Path, default=HERE.parent.parent / "build/release")
    parser.add_argument("--work", type=Path, help="folder that keeps what the peers' tools make")
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--seconds", type=float, default=0.5)
    parser.add_argument("--texts", type=int, default=256)
    parser.add_argument("--peers", type=lambda text: text.split(","), help="only these: " + ",".join(PEERS))
    parser.add_argument("--markdown", type=Path)
    arguments = parser.parse_args()
    if len(arguments.models) % 2:
        parser.error("each CHECKPOINT needs its TEXTS.jsonl")
    parts = [f"Machine: {machine(arguments.threads)}.  \nVersions: {versions()}."]
    for checkpoint, texts in zip(arguments.models[::2], arguments.models[1::2]):
        parts.append(run_model(arguments, Path(checkpoint), Path(texts)))
    text = "\n\n".join(parts) + "\n"
    if arguments.markdown:
        arguments.markdown.write_text(text)
    print(text, end="")


main()
