#!/usr/bin/env python3
"""Exports every golden of tests/data/goldens and holds Python's ONNX Runtime on it against what PyTorch says.

    python tools/check_exports.py 'build/release/bin/berth export {checkpoint} -o {folder} --task {task} --no-verify'

The command is run once for each golden and must leave {folder}/model.onnx. Each model must pass ONNX's checker with its
shape inference, and each output of each case must lie within the golden's tolerance. Needs onnx, onnxruntime, numpy.
"""

import argparse
import json
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import onnx
import onnxruntime

GOLDENS = Path(__file__).resolve().parent.parent / "tests/data/goldens"


def export(command, golden, task, folder):
    words = [word.format(checkpoint=golden, folder=folder, task=task) for word in shlex.split(command)]
    subprocess.run(words, check=True, capture_output=True, text=True)
    model = Path(folder) / "model.onnx"
    onnx.checker.check_model(onnx.load(model), full_check=True)
    return model


def largest_difference(session, case):
    names = [output.name for output in session.get_outputs()]
    assert set(names) == set(case["outputs"]), f"outputs are {names}, expected {list(case['outputs'])}"
    inputs = {name: np.array(values, dtype=np.int64) for name, values in case["inputs"].items()}
    differences = []
    for name, found in zip(names, session.run(names, inputs)):
        expected = np.array(case["outputs"][name]["values"]).reshape(case["outputs"][name]["shape"])
        assert found.shape == expected.shape, f"{name} has shape {found.shape}, expected {expected.shape}"
        differences.append(np.abs(found - expected).max())
    return max(differences)


def check(command, folder):
    golden = json.loads((folder / "golden.json").read_text())
    with tempfile.TemporaryDirectory() as exported:
        model = export(command, folder, golden["task"], exported)
        session = onnxruntime.InferenceSession(model, providers=["CPUExecutionProvider"])
        worst = max(largest_difference(session, case) for case in golden["cases"])
    return worst, golden["tolerance"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command", help="with {checkpoint}, {folder} and {task}")
    parser.add_argument("names", nargs="*", help="goldens; all when none is named")
    arguments = parser.parse_args()
    failed = 0
    for folder in sorted(path.parent for path in GOLDENS.glob("*/golden.json")):
        if arguments.names and folder.name not in arguments.names:
            continue
        try:
            worst, tolerance = check(arguments.command, folder)
            verdict = "ok" if worst <= tolerance else "FAILED"
            print(f"{folder.name:32} {worst:.1e} of {tolerance:.0e}  {verdict}")
        except subprocess.CalledProcessError as error:
            verdict = "FAILED"
            print(f"{folder.name:32} {error.stderr.strip()}")
        except AssertionError as error:
            verdict = "FAILED"
            print(f"{folder.name:32} {error}")
        failed += verdict != "ok"
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
