#!/usr/bin/env python3
"""The metric of a model on its test.jsonl, computed from what `berth run --jsonl` answers, against result.json.

    metrics_of_run.py build/release/bin/berth MODEL_FOLDER [--bundle BUNDLE]

MODEL_FOLDER is a checkpoint with test.jsonl and result.json (metrics that Transformers reached, in fp32). Without
--bundle the checkpoint is exported to a temporary folder first. Exits 1 when a metric differs. Standard library only.
Accuracy and macro F1 for texts with a label; for texts with tags, entity F1 as conlleval counts (a tag I-x that follows
another kind starts an entity), each word taking the label of its first piece.
"""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile


def read(path):
    return [json.loads(line) for line in open(path, encoding="utf-8")]


def answers(berth, bundle, rows_file, *options):
    done = subprocess.run([berth, "run", bundle, "--jsonl", rows_file, "--quiet", *options],
                          stdout=subprocess.PIPE, check=True, encoding="utf-8")
    return [json.loads(line)["answer"] for line in done.stdout.splitlines()]


def sentence_metrics(rows, got):
    gold = [row["label"] for row in rows]
    best = [answer[0]["label"] for answer in got]
    f1 = []
    for name in sorted(set(gold)):
        both = sum(a == b == name for a, b in zip(gold, best))
        f1.append(2 * both / max(1, gold.count(name) + best.count(name)))
    return {"accuracy": sum(a == b for a, b in zip(gold, best)) / len(gold), "macro_f1": sum(f1) / len(f1)}


def entities(tags):
    found, start, kind = set(), None, None
    for i, tag in enumerate([*tags, "O"]):
        prefix, _, name = tag.partition("-")
        if start is not None and (prefix in ("O", "B") or name != kind):
            found.add((start, i, kind))
            start = None
        if prefix in ("B", "I") and start is None:
            start, kind = i, name
    return found


def token_metrics(rows, got):
    right = gold = predicted = same = total = 0
    for row, answer in zip(rows, got):
        tags = ["O"] * len(row["tokens"])
        for token in reversed(answer):  # so that the first piece of a word has the last word
            tags[token["word_index"]] = token["entity"]
        a, b = entities(row["tags"]), entities(tags)
        right, gold, predicted = right + len(a & b), gold + len(a), predicted + len(b)
        same += sum(x == y for x, y in zip(row["tags"], tags))
        total += len(tags)
    p, r = right / max(1, predicted), right / max(1, gold)
    return {"entity_f1": 2 * p * r / max(1e-9, p + r), "precision": p, "recall": r, "token_accuracy": same / total}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("berth")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--bundle", type=pathlib.Path)
    args = parser.parse_args()
    rows_file = args.folder / "test.jsonl"
    rows = read(rows_file)
    expected = json.loads((args.folder / "result.json").read_text())
    with tempfile.TemporaryDirectory() as work:
        bundle = args.bundle or pathlib.Path(work) / "bundle"
        if not args.bundle:
            subprocess.run([args.berth, "export", args.folder, "-o", bundle, "--quiet"], check=True)
        if "tokens" in rows[0]:
            metrics = token_metrics(rows, answers(args.berth, bundle, rows_file, "--ignore-labels", ""))
        else:
            metrics = sentence_metrics(rows, answers(args.berth, bundle, rows_file))
    wrong = 0
    for name, value in metrics.items():
        differs = round(value, 6) != expected[name]
        wrong += differs
        print(f"{args.folder.name}: {name} {value:.6f}, Transformers {expected[name]:.6f}{' DIFFERS' if differs else ''}")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
