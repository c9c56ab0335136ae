#!/usr/bin/env python3
"""`berth export` beside `optimum-cli export onnx`, alternating, on one checkpoint: seconds and the most memory resident.

    bench/engines/run export.py CHECKPOINT [--rounds 3]

Both verify what they made: berth against its own reference, Optimum against PyTorch.
"""

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent


def measured(command):
    """Seconds and peak bytes of a command that must succeed."""
    start = time.perf_counter()
    process = subprocess.Popen(list(map(str, command)), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    if status != 0:
        sys.exit(f"error: {' '.join(map(str, command))} failed")
    return time.perf_counter() - start, usage.ru_maxrss * 1024


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkpoint", type=Path)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--task", default="feature-extraction")
    arguments = parser.parse_args()
    berth = ROOT / "build/release/bin/berth"
    optimum = Path(sys.executable).parent / "optimum-cli"
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder) / "out"
        commands = {
            "berth export": [berth, "export", arguments.checkpoint, "-o", target, "--task", arguments.task],
            "berth export --no-verify": [berth, "export", arguments.checkpoint, "-o", target, "--task", arguments.task,
                                         "--no-verify"],
            "optimum-cli export onnx": [optimum, "export", "onnx", "--model", arguments.checkpoint,
                                        "--task", arguments.task, target],
        }
        results = {name: [] for name in commands}
        for _ in range(arguments.rounds):
            for name, command in commands.items():
                shutil.rmtree(target, ignore_errors=True)
                results[name].append(measured(command))
    print("| command | seconds | peak, MB |\n|---|---|---|")
    for name, samples in results.items():
        seconds, peaks = zip(*samples)
        print(f"| `{name}` | {statistics.median(seconds):.2f} | {statistics.median(peaks) / 1e6:,.0f} |")


main()
